"""Saved, restored, copied and pickled worlds go on bit for bit."""

import copy
import pickle

import numpy as np
from conftest import ASSETS, add_quadruped

from stickslip import World


def scene():
    world = World(dt=0.005)
    world.add_ground()
    robot = add_quadruped(world)
    for k in range(4):
        world.add_box((0.1, 0.1, 0.1), position=(1, 0, 0.06 + 0.11 * k), velocity=(0.1 * k, 0, 0), name=f"box {k}")
    world.step(60)
    robot.targets[0] += 0.2
    robot.tau[3] = 0.5
    world.body("box 2").force = (0.3, 0, 0)
    return world


def state(world):
    robot = world.robots[0]
    numbers = [robot.q, robot.v, world.contacts()["force"].ravel()]
    numbers += [np.concatenate([body.position, body.orientation, body.velocity]) for body in world.bodies]
    return np.concatenate(numbers).tobytes()


def test_bit_for_bit():
    world = scene()
    world.step(5)
    saved = world.save()
    others = [
        pickle.loads(pickle.dumps(world)),
        World.from_bytes(saved),
        world.copy(),
        copy.copy(world),
        copy.deepcopy(world),
    ]
    start = state(world)
    world.step(50)
    end = state(world)
    assert start != end
    for other in others:
        assert other.time != world.time
        other.step(50)
        assert state(other) == end
        assert other.save() == world.save()
    world.restore(saved)
    world.step(50)
    assert state(world) == end


def test_the_same_program_gives_the_same_bits():
    assert scene().save() == scene().save()


def test_a_restored_world_keeps_names_and_handles():
    world = scene()
    robot, box = world.robots[0], world.body("box 1")
    saved = world.save()
    q = robot.q
    extra = world.add_sphere(0.1, position=(5, 0, 1))
    world.step(100)
    moved = q.copy()
    world.restore(saved)
    assert not np.array_equal(q, moved), "the live array shows the restored state"
    assert world.body("box 1") == box and world.robots == [robot]
    import pytest

    import stickslip

    with pytest.raises(stickslip.RemovedError, match="added later"):
        extra.position
    link = robot.link_names[-1]
    target = robot.link_pose(link)[0]
    robot.inverse_kinematics(link, target)
    pickled = pickle.loads(pickle.dumps(world)).robots[0]
    pickled.inverse_kinematics(link, target)


def test_inverse_kinematics_after_unpickling_reads_the_file_as_before(tmp_path):
    file = tmp_path / "arm.urdf.xacro"
    text = (ASSETS / "arm.urdf").read_text()
    file.write_text(text.replace("<robot ", '<robot xmlns:xacro="http://www.ros.org/wiki/xacro" ', 1))
    world = World()
    arm = world.add_robot(file, base="fixed", scale=2.0, xacro_args={"unused": "1"})
    link = arm.link_names[-1]
    arm.q = arm.limits.clip(-1, 1).mean(axis=1) + 0.1
    target, start = arm.link_pose(link)[0], np.zeros(arm.nu)
    there = pickle.loads(pickle.dumps(world)).robots[0]
    found = there.inverse_kinematics(link, target, start=start)
    np.testing.assert_array_equal(found, arm.inverse_kinematics(link, target, start=start))
    there.q = found
    np.testing.assert_allclose(there.link_pose(link)[0], target, atol=1e-5)
