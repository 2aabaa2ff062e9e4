"""Environments for gymnasium (``pip install 'stickslip[gym]'``): ``stickslip/Stand-v0``, ``Grasp-v0``, ``Push-v0``.

Importing this module makes them known to gymnasium; so does the name itself:
``gymnasium.make("stickslip.envs:stickslip/Stand-v0")``, ``gymnasium.make_vec(..., num_envs=64)``. Vector environments step a
:class:`stickslip.Batch`; rewards and ends are the tasks' own.
"""

from __future__ import annotations

import importlib.util

TASKS = ("Stand", "Grasp", "Push")


def register() -> None:
    """Makes the environments known to gymnasium; importing this module does."""
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


if importlib.util.find_spec("gymnasium"):
    register()
