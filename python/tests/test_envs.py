"""The environments, by gymnasium's own checks and by what they should do."""

import warnings

import numpy as np
import pytest

gymnasium = pytest.importorskip("gymnasium")

from gymnasium.utils.env_checker import check_env  # noqa: E402

import stickslip.envs  # noqa: E402  (makes them known)
from stickslip.envs.tasks import TASKS  # noqa: E402


@pytest.mark.parametrize("name", stickslip.envs.TASKS)
def test_gymnasium_accepts_it(name):
    env = gymnasium.make(f"stickslip/{name}-v0")
    with warnings.catch_warnings():
        # It recommends bounds of observations.
        warnings.simplefilter("ignore")
        check_env(env.unwrapped, skip_render_check=True)


@pytest.mark.parametrize("name", stickslip.envs.TASKS)
def test_vector_environments_are_the_same_for_any_number_of_threads(name):
    seen = []
    for threads in (1, 2):
        env = gymnasium.make_vec(f"stickslip/{name}-v0", num_envs=6, threads=threads)
        first, _ = env.reset(seed=3)
        assert env.observation_space.contains(first)
        env.action_space.seed(4)
        total = [first.ravel()]
        for _ in range(20):
            observation, reward, ended, late, _ = env.step(env.action_space.sample())
            total += [observation.ravel(), reward, ended, late]
        assert len(np.unique(first, axis=0)) == 6, "episodes start differently"
        seen.append(np.concatenate(total).tobytes())
    assert seen[0] == seen[1]


def test_episodes_end_and_start_anew():
    env = gymnasium.make_vec("stickslip/Stand-v0", num_envs=3, max_episode_steps=5)
    env.reset(seed=0)
    still = np.zeros((3, 12))
    for k in range(1, 13):
        _, reward, ended, late, _ = env.step(still)
        assert late.all() == (k in (5, 11)), k
        assert not ended.any()
        if k == 6:
            assert not reward.any()


def test_episodes_start_anew_at_once_if_asked_to():
    env = gymnasium.make_vec("stickslip/Stand-v0", num_envs=3, max_episode_steps=5, autoreset_mode="SameStep")
    env.reset(seed=0)
    still = np.zeros((3, 12))
    for k in range(1, 11):
        observation, reward, _, late, info = env.step(still)
        assert late.all() == (k in (5, 10)) and (reward > 0).all()
        if late.any():
            assert info["_final_obs"].all() and not np.array_equal(info["final_obs"][1], observation[1])
    with pytest.raises(ValueError, match="autoreset_mode='Disabled'"):
        gymnasium.make_vec("stickslip/Stand-v0", num_envs=2, autoreset_mode="Disabled")


def test_a_plan_grasps_and_lifts():
    task = TASKS["Grasp"](3, 2)
    task.reset(np.ones(3, dtype=bool), np.random.default_rng(0))
    cube = task.batch.position(task.cube)[:, :2] - task.grip[:2]
    over = cube / task.reach
    plan = [(1, -1), (-1, -1), (-1, 1), (0.5, 1)]
    for z, grip in plan:
        action = np.column_stack([over, np.full(3, z), np.full(3, grip)])
        for _ in range(40):
            reward, ended = task.step(action)
    assert not ended.any()
    assert (task.batch.position(task.cube)[:, 2] > 0.1).all()
    assert (reward > 0.9).all(), reward


def test_a_standing_robot_is_rewarded():
    task = TASKS["Stand"](4, 2)
    task.reset(np.ones(4, dtype=bool), np.random.default_rng(0))
    for _ in range(100):
        reward, ended = task.step(np.zeros((4, 12)))
    assert not ended.any() and (reward > 0).all()
