"""Learns to grasp and lift a cube by the cross-entropy method, with no more than numpy: a minute or two on two cores.

The policy is a line of targets: where the fingers go, relative to the cube, in each of five phases, and when they close.
"""

from typing import Any

import numpy as np
from numpy.typing import NDArray

from stickslip.envs.tasks import TASKS

WORLDS, ROUNDS, ELITE, PHASES, ACTIONS = 64, 15, 8, 5, 10


def rollout(task: Any, policies: NDArray[np.float64], seed: int) -> NDArray[np.float64]:
    """Reward of the last action for each policy (n, phases * 4)."""
    task.reset(np.ones(WORLDS, dtype=bool), np.random.default_rng(seed))
    cube = task.batch.position(task.cube)[:, :2] - task.grip[:2]
    plan = policies.reshape(WORLDS, PHASES, 4)
    for phase in range(PHASES):
        action = plan[:, phase].copy()
        action[:, :2] = cube / task.reach + 0.2 * action[:, :2]
        for _ in range(ACTIONS):
            task.step(action)
    return np.asarray(task.judge(action)[0])


def main(rounds: int = ROUNDS) -> float:
    """Learns; gives the mean reward of the last round's best (at most 1)."""
    task = TASKS["Grasp"](WORLDS, None)
    rng = np.random.default_rng(0)
    mean, spread = np.zeros(PHASES * 4), np.ones(PHASES * 4)
    best = 0.0
    for k in range(rounds):
        policies = mean + spread * rng.standard_normal((WORLDS, PHASES * 4))
        reward = rollout(task, policies, seed=k)
        elite = policies[np.argsort(reward)[-ELITE:]]
        mean, spread = elite.mean(axis=0), elite.std(axis=0) + 0.05
        best = float(np.sort(reward)[-ELITE:].mean())
        print(f"round {k:2}: mean reward {reward.mean():.3f}, best {best:.3f}")
    return best


if __name__ == "__main__":
    main()
