"""The tasks as gymnasium takes them."""

from __future__ import annotations

from typing import Any

import gymnasium
import numpy as np
from gymnasium.vector import AutoresetMode
from gymnasium.vector.utils import batch_space

from .tasks import TASKS, Task


def _spaces(task: Task) -> tuple[gymnasium.spaces.Box, gymnasium.spaces.Box]:
    observation = gymnasium.spaces.Box(-np.inf, np.inf, (task.observations,), np.float64)
    return observation, gymnasium.spaces.Box(-1.0, 1.0, (task.actions,), np.float32)


class Env(gymnasium.Env[Any, Any]):
    """One world of a task: ``gymnasium.make("stickslip.envs:stickslip/Stand-v0")``."""

    metadata = {"render_modes": []}

    def __init__(self, task: str, render_mode: None = None) -> None:
        self.task = TASKS[task](1, 1)
        self.render_mode = render_mode
        self.observation_space, self.action_space = _spaces(self.task)

    def reset(self, *, seed: int | None = None, options: dict[str, Any] | None = None) -> tuple[Any, dict[str, Any]]:
        """Starts an episode."""
        super().reset(seed=seed)
        self.task.reset(np.ones(1, dtype=bool), self.np_random)
        return self.task.observe()[0], {}

    def step(self, action: Any) -> tuple[Any, float, bool, bool, dict[str, Any]]:
        """Acts for four steps of 5 ms."""
        reward, ended = self.task.step(np.asarray(action, dtype=float)[None])
        return self.task.observe()[0], float(reward[0]), bool(ended[0]), False, {}


class VectorEnv(gymnasium.vector.VectorEnv[Any, Any, Any]):
    """n worlds of a task on a pool of threads: ``gymnasium.make_vec("stickslip.envs:stickslip/Stand-v0", num_envs=64)``.

    An episode that ended starts anew with the next step, whose reward is then 0 (gymnasium's ``NEXT_STEP``); with
    ``autoreset_mode="SameStep"`` at once, its last observation in ``info["final_obs"]``.
    """

    metadata = {"render_modes": [], "autoreset_mode": AutoresetMode.NEXT_STEP}

    def __init__(
        self,
        task: str,
        num_envs: int = 1,
        *,
        threads: int | None = None,
        render_mode: None = None,
        max_episode_steps: int | None = None,
        autoreset_mode: str | AutoresetMode = AutoresetMode.NEXT_STEP,
        **_: Any,
    ) -> None:
        mode = AutoresetMode(autoreset_mode)
        if mode is AutoresetMode.DISABLED:
            raise ValueError(f"autoreset_mode={mode.value!r}: {[m.value for m in AutoresetMode if m is not mode]} are there")
        self.metadata = {**self.metadata, "autoreset_mode": mode}
        self._at_once = mode is AutoresetMode.SAME_STEP
        self.task = TASKS[task](num_envs, threads)
        self.num_envs = num_envs
        self.render_mode = render_mode
        self.steps = max_episode_steps or self.task.steps
        self.single_observation_space, self.single_action_space = _spaces(self.task)
        self.observation_space = batch_space(self.single_observation_space, num_envs)
        self.action_space = batch_space(self.single_action_space, num_envs)
        self._ended = np.zeros(num_envs, dtype=bool)
        self._age = np.zeros(num_envs, dtype=int)

    def reset(
        self, *, seed: int | list[int | None] | None = None, options: dict[str, Any] | None = None
    ) -> tuple[Any, dict[str, Any]]:
        """Starts all episodes."""
        super().reset(seed=seed if not isinstance(seed, list) else seed[0])
        self.task.reset(np.ones(self.num_envs, dtype=bool), self.np_random)
        self._ended[:] = False
        self._age[:] = 0
        return self.task.observe(), {}

    def step(self, actions: Any) -> tuple[Any, Any, Any, Any, dict[str, Any]]:
        """Acts in all worlds for four steps of 5 ms; those that ended are reset instead, or at once."""
        fresh = self._ended.copy()
        reward, ended = self.task.step(np.asarray(actions, dtype=float))
        self._age += 1
        if fresh.any():
            self.task.reset(fresh, self.np_random)
            reward[fresh], ended[fresh], self._age[fresh] = 0.0, False, 0
        late = self._age >= self.steps
        over = ended | late
        observation, info = self.task.observe(), {}
        if not self._at_once:
            self._ended = over
        elif over.any():
            last = np.empty(self.num_envs, dtype=object)
            for k in np.flatnonzero(over):
                last[k] = observation[k]
            info = {"final_obs": last, "_final_obs": over}
            self.task.reset(over, self.np_random)
            self._age[over] = 0
            observation = self.task.observe()
        return observation, reward, ended, late & ~ended, info
