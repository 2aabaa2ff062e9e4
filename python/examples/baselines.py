"""Teaches the quadruped to stand up by PPO, with stable-baselines3 on the vector environment::

    pip install 'stickslip[baselines]' && python examples/baselines.py

Two minutes on two cores; prints the mean reward of an action (at most 1) before and after.
"""

from typing import Any

import gymnasium
import numpy as np
from stable_baselines3 import PPO
from stable_baselines3.common.vec_env import VecEnv, VecMonitor

WORLDS = 64


class Worlds(VecEnv):  # type: ignore[misc]
    """A vector environment of gymnasium as stable-baselines3 wants it."""

    def __init__(self, name: str, n: int) -> None:
        self.env = gymnasium.make_vec(name, num_envs=n, autoreset_mode="SameStep")
        self.seed_of_reset: int | None = None
        super().__init__(n, self.env.unwrapped.single_observation_space, self.env.unwrapped.single_action_space)

    def reset(self) -> Any:
        return self.env.reset(seed=self.seed_of_reset)[0]

    def step_async(self, actions: Any) -> None:
        self.actions = actions

    def step_wait(self) -> Any:
        observation, reward, ended, late, info = self.env.step(self.actions)
        infos: list[dict[str, Any]] = [{} for _ in range(self.num_envs)]
        for k in np.flatnonzero(ended | late):
            infos[k] = {"terminal_observation": info["final_obs"][k], "TimeLimit.truncated": bool(late[k])}
        return observation, reward, ended | late, infos

    def close(self) -> None:
        self.env.close()

    def seed(self, seed: int | None = None) -> list[int | None]:
        self.seed_of_reset = seed
        return [seed] * self.num_envs

    def get_attr(self, name: str, indices: Any = None) -> list[Any]:
        return [None] * self.num_envs

    def set_attr(self, name: str, value: Any, indices: Any = None) -> None:
        raise NotImplementedError(name)

    def env_method(self, name: str, *args: Any, indices: Any = None, **kwargs: Any) -> list[Any]:
        raise NotImplementedError(name)

    def env_is_wrapped(self, wrapper: Any, indices: Any = None) -> list[bool]:
        return [False] * self.num_envs


def score(model: Any, env: Any) -> float:
    """Mean reward of an action over an episode."""
    observation, rewards = env.reset(), []
    for _ in range(200):
        action, _ = model.predict(observation, deterministic=True)
        observation, reward, _, _ = env.step(action)
        rewards.append(reward)
    return float(np.mean(rewards))


def main(actions: int = 150_000) -> tuple[float, float]:
    """Learns over so many actions; gives the scores before and after."""
    env = VecMonitor(Worlds("stickslip.envs:stickslip/Stand-v0", WORLDS))
    start = {"log_std_init": -1.5}
    model = PPO("MlpPolicy", env, n_steps=64, batch_size=1024, n_epochs=5, policy_kwargs=start, seed=0, device="cpu")
    before = score(model, env)
    model.learn(actions)
    after = score(model, env)
    print(f"mean reward of an action: {before:.3f} before, {after:.3f} after {actions} actions")
    return before, after


if __name__ == "__main__":
    main()
