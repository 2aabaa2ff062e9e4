"""Robots: arrays, dynamics, inverse kinematics."""

import math
import warnings

import numpy as np
import pytest
from conftest import ASSETS, add_quadruped

import stickslip
from stickslip import World

G = 9.81


@pytest.fixture
def arm():
    """The project's arm on a fixed base, held where it is."""
    world = World(dt=0.002)
    return world.add_robot(ASSETS / "arm.urdf", base="fixed")


def link(name, mass):
    """A link of a URDF file, its centre of mass off its origin."""
    inertia = '<inertia ixx="0.02" iyy="0.03" izz="0.04" ixy="0.001" ixz="0" iyz="0"/>'
    return f'<link name="{name}"><inertial><origin xyz="0.1 0.02 0.2"/><mass value="{mass}"/>{inertia}</inertial></link>'


def joint(name, kind, parent, child, axis):
    """A joint of a URDF file, without friction and damping."""
    ends = f'<parent link="{parent}"/><child link="{child}"/><origin xyz="0.1 0 0.3" rpy="0.2 0.1 0.3"/>'
    limit = '<limit lower="-3" upper="3" effort="1000" velocity="100"/>'
    return f'<joint name="{name}" type="{kind}">{ends}<axis xyz="{axis}"/>{limit}</joint>'


@pytest.fixture
def crane(tmp_path):
    """The file of a robot whose joints nothing brakes: turn, slide, turn."""
    file = tmp_path / "crane.urdf"
    links = link("base", 5) + link("one", 3) + link("two", 2) + link("three", 1)
    joints = joint("turn", "revolute", "base", "one", "0 0 1") + joint("slide", "prismatic", "one", "two", "1 0 0.5")
    file.write_text(f'<robot name="crane">{links}{joints}{joint("swing", "revolute", "two", "three", "0 1 0")}</robot>')
    return file


def test_a_quadruped_stands_on_its_feet(world):
    robot = add_quadruped(world)
    assert robot.floating and (robot.nq, robot.nv, robot.nu) == (19, 18, 12)
    assert len(robot.names) == 12 and robot.names[robot.index("lf_knee")] == "lf_knee"
    q = robot.q
    world.step(400)
    assert robot.q is q, "the array stays the same object"
    start = q.copy()
    world.step(200)
    assert np.abs(q - start).max() < 1e-5
    np.testing.assert_allclose(world.net_force(robot, "ground"), [0, 0, robot.mass * G], atol=1e-2)
    assert np.abs(robot.v).max() < 1e-4
    feet = {world.name_of(i) for i in world.contacts()["bodies"].ravel()} - {"ground"}
    assert len(feet) == 4 and all(name.startswith(robot.name + "/") for name in feet)


def test_views_are_read_only_and_inputs_count_in_the_next_step(arm):
    with pytest.raises(ValueError, match="read-only"):
        arm.q[0] = 1.0
    assert arm.targets is arm.targets


def test_targets_gains_and_efforts(crane):
    world = World(dt=0.002, gravity=(0, 0, 0))
    robot = world.add_robot(crane, base="fixed")
    robot.targets[robot.index("turn")] = 0.3
    world.step(1000)
    np.testing.assert_allclose(robot.q, [0.3, 0, 0], atol=1e-6)
    # Springs that are pushed by a constant effort: q = target + tau / kp.
    robot.kp, robot.kd = 200.0, 40.0
    robot.tau[:2] = 3.0, -4.0
    world.step(5000)
    np.testing.assert_allclose(robot.q, [0.3 + 3 / 200, -4 / 200, 0], atol=1e-6)
    np.testing.assert_allclose(robot.effort, [-3, 4, 0], atol=1e-4)
    robot.tau = 0.0
    world.step(5000)
    np.testing.assert_allclose(robot.q, [0.3, 0, 0], atol=1e-6)


@pytest.mark.parametrize("base", ["fixed", "floating"])
def test_efforts_move_joints_as_the_mass_matrix_says(crane, base):
    h = 1e-6
    world = World(dt=h)
    robot = world.add_robot(crane, base=base, kp=0, kd=0)
    rng = np.random.default_rng(1)
    q = robot.q.copy()
    q[-3:] = rng.uniform(-1, 1, 3)
    robot.q = q
    robot.v = rng.uniform(-0.5, 0.5, robot.nv)
    before = robot.v.copy()
    robot.tau = rng.uniform(-3, 3, robot.nu)
    tau = np.concatenate([np.zeros(robot.nv - robot.nu), robot.tau])
    wanted = np.linalg.solve(robot.mass_matrix(), tau - robot.bias())
    world.step()
    np.testing.assert_allclose((robot.v - before) / h, wanted, rtol=1e-4, atol=1e-4)


def test_jacobian_is_the_derivative_of_the_pose():
    world = World()
    robot = add_quadruped(world)
    link, point = robot.link_names[-1], np.array([0.01, -0.02, 0.03])
    rng = np.random.default_rng(2)
    robot.v = rng.uniform(-1, 1, robot.nv)
    j = robot.jacobian(link, point)
    assert j.shape == (6, robot.nv)

    def place():
        position, (w, x, y, z) = robot.link_pose(link)
        turn = np.array(
            [
                [1 - 2 * (y * y + z * z), 2 * (x * y - w * z), 2 * (x * z + w * y)],
                [2 * (x * y + w * z), 1 - 2 * (x * x + z * z), 2 * (y * z - w * x)],
                [2 * (x * z - w * y), 2 * (y * z + w * x), 1 - 2 * (x * x + y * y)],
            ]
        )
        return position + turn @ point

    q, v, h = robot.q.copy(), robot.v.copy(), 1e-6
    start = place()
    moved = q.copy()
    moved[:3] += h * v[:3]
    half = 0.5 * h * v[3:6]
    turn = np.array([1.0, *half])
    w1, a = turn[0], turn[1:]
    w2, b = q[3], q[4:7]
    moved[3:7] = [w1 * w2 - a @ b, *(w1 * b + w2 * a + np.cross(a, b))]
    moved[7:] += h * v[6:]
    robot.q = moved
    np.testing.assert_allclose((place() - start) / h, (j @ v)[:3], atol=1e-5)
    np.testing.assert_allclose(robot.q[7:], moved[7:], rtol=0, atol=0)


def test_mass_matrix_gravity_and_centre_of_mass(world):
    robot = add_quadruped(world)
    m = robot.mass_matrix()
    np.testing.assert_allclose(m, m.T)
    assert np.linalg.eigvalsh(m).min() > 0
    np.testing.assert_allclose(m[:3, :3], robot.mass * np.eye(3), atol=1e-9)
    # At rest the bias is gravity alone.
    np.testing.assert_allclose(robot.bias()[:3], [0, 0, robot.mass * G], atol=1e-9)
    arm_of_weight = robot.com - robot.q[:3]
    np.testing.assert_allclose(robot.bias()[3:6], np.cross(arm_of_weight, [0, 0, robot.mass * G]), atol=1e-9)


def test_inverse_kinematics_reaches(arm):
    link = arm.link_names[-1]
    rng = np.random.default_rng(3)
    middle = arm.limits.clip(-2, 2).mean(axis=1)
    arm.q = middle + rng.uniform(-0.3, 0.3, arm.nq)
    position, _ = arm.link_pose(link)
    arm.q = middle
    arm.q = arm.inverse_kinematics(link, position)
    np.testing.assert_allclose(arm.link_pose(link)[0], position, atol=1e-6)
    with pytest.raises(stickslip.InputError, match="not reached"):
        arm.inverse_kinematics(link, (50, 0, 0))
    with pytest.raises(stickslip.InputError, match="a position, an orientation or both"):
        arm.inverse_kinematics(link)


def test_notes_of_the_file_are_warnings(tmp_path):
    file = tmp_path / "one.urdf"
    file.write_text('<robot name="one"><link name="base"><inertial><mass value="1"/></inertial></link></robot>')
    world = World()
    with pytest.warns(stickslip.RobotFileWarning, match="one.urdf: .*base"):
        world.add_robot(file, base="floating")


def test_a_robot_of_one_body_has_coordinates(tmp_path):
    file = tmp_path / "one.urdf"
    inertia = '<inertia ixx="1" iyy="1" izz="1" ixy="0" ixz="0" iyz="0"/>'
    file.write_text(
        f'<robot name="one"><link name="base"><inertial><origin xyz="0.1 0 0"/><mass value="2"/>{inertia}</inertial></link></robot>'
    )
    world = World(dt=0.01)
    with warnings.catch_warnings():
        warnings.simplefilter("ignore")
        robot = world.add_robot(file, base="floating", position=(0, 0, 1))
    robot.v = (0, 0, 0, 0, 0, 1)
    np.testing.assert_allclose(robot.v, (0, 0, 0, 0, 0, 1), atol=1e-15)
    np.testing.assert_allclose(robot.com, (0.1, 0, 1))
    world.step()
    assert (robot.nq, robot.nv, robot.nu) == (7, 6, 0)
    with pytest.raises(stickslip.InputError, match="single rigid body"):
        robot.mass_matrix()


def test_bad_input_of_robots(arm, tmp_path):
    world = World()
    broken = tmp_path / "broken.urdf"
    broken.write_text("<robot><link")
    for call in (lambda: world.add_robot("no/such.urdf"), lambda: world.add_robot(broken)):
        with pytest.raises(stickslip.RobotFileError, match="urdf"):
            call()
    unknown = [
        (lambda: world.add_robot(ASSETS / "arm.urdf", joint={}), "`joints`"),
        (lambda: world.add_robot(ASSETS / "quadruped.urdf", joints={"lf_kne": 1}), "`lf_knee`"),
        (lambda: arm.index(arm.names[0] + "x"), f"`{arm.names[0]}`"),
        (lambda: arm.link(arm.link_names[0] + "x"), f"`{arm.link_names[0]}`"),
        (lambda: arm.jacobian("elbo"), "has no link `elbo`"),
    ]
    for call, pattern in unknown:
        with pytest.raises(stickslip.UnknownNameError, match=pattern):
            call()
    nu = arm.nu
    refused = [
        (lambda: world.add_robot(ASSETS / "arm.urdf", base="flying"), "base=\"flying\""),
        (lambda: world.add_robot(ASSETS / "arm.urdf", scale=math.nan), "scale is NaN"),
        (lambda: setattr(arm, "q", np.zeros(nu + 1)), r"q has shape"),
        (lambda: setattr(arm, "q", [math.nan] * nu), r"q\[0\] is NaN"),
        (lambda: setattr(arm, "targets", "up"), "no array of numbers"),
        (lambda: setattr(arm, "kp", np.zeros((nu, 1))), "kp has shape"),
        (lambda: setattr(arm, "kd", -1), r"kd\[0\] is -1, but no gain is negative"),
        (lambda: arm.jacobian(arm.link_names[0], (1, 2)), "point has shape"),
        (lambda: arm.link_pose(3), "3 is no link"),
    ]
    for call, pattern in refused:
        with pytest.raises(stickslip.InputError, match=pattern):
            call()
    assert world.robots == []


def test_bad_numbers_in_arrays_are_refused_before_the_step(world):
    robot = add_quadruped(world)
    world.step(3)
    before = world.save()
    robot.targets[2] = math.nan
    with pytest.raises(stickslip.InputError, match=r"robot `\w+`: targets\[2\] is NaN"):
        world.step()
    robot.targets[2] = 0.1
    robot.kp[1] = -1.0
    with pytest.raises(stickslip.InputError, match=r"kp\[1\] is -1"):
        world.step()
    assert world.steps == 3
    world.restore(before)
    assert robot.kp[1] >= 0 and not math.isnan(robot.targets[2])
    world.remove(robot)
    with pytest.raises(stickslip.RemovedError, match="was removed"):
        robot.q
    world.step()
