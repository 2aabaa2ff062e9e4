"""Environments for gymnasium (``pip install 'stickslip[gym]'``): ``stickslip/Stand-v0``, ``Grasp-v0``, ``Push-v0``.

``gymnasium.make("stickslip/Stand-v0")`` and ``gymnasium.make_vec("stickslip/Stand-v0", num_envs=64)`` know them once this
package is installed. Vector environments step a :class:`stickslip.Batch`; rewards and ends are the tasks' own.
"""

from __future__ import annotations

TASKS = ("Stand", "Grasp", "Push")


def register() -> None:
    """Makes the environments known to gymnasium, which calls this on its own."""
    import gymnasium

    for task in TASKS:
        name = f"stickslip/{task}-v0"
        if name in gymnasium.registry:
            continue
        gymnasium.register(
            id=name,
            entry_point="stickslip.envs.gym:Env",
            vector_entry_point="stickslip.envs.gym:VectorEnv",
            kwargs={"task": task},
            max_episode_steps=200,
        )
