"""Models of MuJoCo, and worlds of the package rapier3d."""

import importlib.util
import json
from pathlib import Path

import numpy as np
import pytest

import stickslip
from stickslip import RobotFileError, RobotFileWarning, World

G = 9.81

ARM = """<mujoco model="arm"><option timestep="0.005"/>
<default><geom density="1000" friction="0.7"/></default>
<worldbody>
  <geom name="floor" type="plane" size="5 5 0.1"/>
  <body name="upper" pos="0 0 1">
    <joint name="swing" type="hinge" axis="0 1 0" range="-90 90" damping="0.3" armature="0.02"/>
    <geom type="capsule" fromto="0 0 0 0.4 0 0" size="0.04"/>
    <body name="lower" pos="0.4 0 0">
      <joint name="slide" type="slide" axis="1 0 0" range="-0.2 0.2"/>
      <joint name="twist" type="hinge" axis="1 0 0"/>
      <geom type="box" pos="0.2 0 0" size="0.2 0.03 0.02"/>
    </body>
  </body>
  <body name="cube" pos="2 0 0.1"><freejoint/><geom type="box" size="0.1 0.1 0.1"/></body>
</worldbody>
<actuator>
  <position name="servo" joint="swing" kp="200" kv="20" ctrlrange="-1 1"/>
  <motor name="push" joint="slide" gear="3"/>
  <general name="turn" joint="twist" gainprm="40" biastype="affine" biasprm="0 -40 -4"/>
  <damper name="brake" joint="twist" kv="1" ctrlrange="0 1"/>
</actuator></mujoco>"""


@pytest.fixture
def arm(tmp_path):
    file = tmp_path / "arm.xml"
    file.write_text(ARM)
    return file


def test_a_model_of_mujoco_with_its_controls(arm):
    world = World(dt=0.005)
    with pytest.warns(RobotFileWarning, match="arm.xml: actuator `brake`: left out"):
        [robot] = world.add_mjcf(arm)
    assert robot.name == "arm" and not robot.floating and robot.names == ["swing", "slide", "twist"]
    assert robot.link_names == ["world", "upper", "lower"]
    assert {body.name for body in world.bodies} == {"floor", "cube"}
    np.testing.assert_allclose(robot.limits[:2], [(-np.pi / 2, np.pi / 2), (-0.2, 0.2)], atol=1e-7)
    assert robot.actuators == ["servo", "push", "turn"]
    np.testing.assert_array_equal(robot.control_ranges[0], (-1, 1))
    # Numbers of the file are read in double precision, not as single precision rounds them.
    np.testing.assert_allclose(world.body("cube").mass, 8.0, rtol=1e-6)
    assert world.body("cube").friction == 0.7
    robot.control([-5, 0.5, 0.3])
    np.testing.assert_allclose(robot.targets, [-1, 0, 0.3])
    np.testing.assert_allclose(robot.kp, [200, 0, 40])
    np.testing.assert_allclose(robot.tau, [0, 1.5, 0])
    world.step(10)
    robot.control([0, 0, 0.3])
    robot.q = np.zeros(3)
    world.gravity = (0, 0, 0)
    world.step(1000)
    np.testing.assert_allclose(robot.q[[0, 2]], [0, 0.3], atol=1e-4)
    world.gravity = (0, 0, -G)
    world.step(100)
    np.testing.assert_allclose(world.net_force("cube", "floor"), [0, 0, 8 * G], atol=1e-4)
    again = World.from_bytes(world.save())
    again.robots[0].control([0.1, 0, 0])
    with pytest.raises(stickslip.InputError, match="inverse kinematics needs"):
        robot.inverse_kinematics("lower", (0.5, 0, 1))
    with pytest.raises(stickslip.InputError, match="ctrl has shape"):
        robot.control([0, 0])


def test_bad_models_are_named_and_leave_the_world_as_it_was(tmp_path):
    world = World()
    world.add_ground()
    before = world.save()
    broken = tmp_path / "broken.xml"
    broken.write_text("<mujoco><worldbody><body>")
    mesh = tmp_path / "other.xml"
    mesh.write_text("<robot name='x'/>")
    for file in (broken, tmp_path / "none.xml", mesh):
        with pytest.raises(RobotFileError, match=file.name):
            world.add_mjcf(file)
    with pytest.raises(RobotFileError) as missing:
        world.add_mjcf(tmp_path / "none.xml")
    assert str(missing.value).count("No such file") <= 1
    with pytest.raises(stickslip.UnknownNameError, match="no argument `scle`"):
        world.add_mjcf(broken, scle=2)
    assert world.save() == before


def test_a_spring_with_dry_friction_is_held_without_a_warning(tmp_path, recwarn):
    """The loader warned of its impulse joints, which no robot here has."""
    file = tmp_path / "spring.xml"
    joint = '<joint name="swing" type="hinge" axis="0 1 0" stiffness="2" frictionloss="0.5" damping="0.1"/>'
    geom = '<geom type="capsule" fromto="0 0 0 0.4 0 0" size="0.04"/>'
    file.write_text(f'<mujoco><option timestep="0.005"/><worldbody><body>{joint}{geom}</body></worldbody></mujoco>')
    world = World(dt=0.005, gravity=(0, 0, -G))
    [robot] = world.add_mjcf(file)
    assert not recwarn.list
    world.gravity = (0, 0, 0)
    robot.q = [1.0]
    world.step(2000)
    # Friction stops the spring where its torque is no more than that of friction.
    assert abs(robot.v[0]) < 1e-9 and 0.0 < abs(robot.q[0]) < 0.5 / 2 + 1e-3


MODELS = {"ant": 8, "half_cheetah": 6, "hopper": 3, "humanoid": 17, "walker2d_v5": 6}


@pytest.mark.skipif(not importlib.util.find_spec("gymnasium"), reason="needs the models of gymnasium")
@pytest.mark.parametrize("name", MODELS)
def test_public_models_come_to_rest_with_their_weight_on_the_floor(name):
    import gymnasium

    file = Path(gymnasium.__file__).parent / "envs" / "mujoco" / "assets" / f"{name}.xml"
    world = World(dt=0.005)
    with pytest.warns(RobotFileWarning, match="its timestep"):
        [robot] = world.add_mjcf(file)
    assert len(robot.actuators) == MODELS[name]
    world.step(600)
    assert np.isfinite(robot.q).all()
    weight = robot.mass * G
    if robot.floating:
        np.testing.assert_allclose(world.net_force(robot)[2], weight, rtol=0.05)


rapier3d = pytest.importorskip("rapier3d") if importlib.util.find_spec("rapier3d") else None
needs_rapier = pytest.mark.skipif(rapier3d is None, reason="needs the package rapier3d")


def rapier_world():
    world = rapier3d.PhysicsWorld(gravity=(0, 0, -G))
    world.add_collider(rapier3d.Collider.cuboid(50, 50, 0.1))
    box = world.add_body(rapier3d.RigidBody.dynamic(translation=(0, 0, 0.2)), [rapier3d.Collider.cuboid(0.1, 0.1, 0.1)])
    points = [(0, 0, 0), (0.3, 0, 0), (0, 0.3, 0), (0, 0, 0.3)]
    world.add_body(rapier3d.RigidBody.dynamic(translation=(2, 0, 0.1)), [rapier3d.Collider.convex_hull(points)])
    post = world.add_body(rapier3d.RigidBody.fixed(translation=(-2, 0, 2)), [])
    arm = world.add_body(rapier3d.RigidBody.dynamic(translation=(-2, 0, 2)), [rapier3d.Collider.cuboid(0.1, 0.1, 0.1)])
    world.multibody_joints.insert(post, arm, rapier3d.RevoluteJoint((0, 1, 0)), True)
    return world, box


@needs_rapier
def test_a_world_of_rapiers_package_goes_on_here():
    theirs, box = rapier_world()
    for _ in range(30):
        theirs.step()
    ours = World.from_rapier(theirs)
    assert ours.dt == pytest.approx(1 / 60, rel=1e-6)
    np.testing.assert_array_equal(ours.gravity, (0, 0, -9.81))
    own = ours.body(f"body_{box.index}")
    body = theirs.rigid_bodies.get(box)
    position = body.translation
    np.testing.assert_allclose(own.position, [position.x, position.y, position.z], atol=1e-6)
    np.testing.assert_allclose(np.linalg.norm(own.orientation), 1, atol=1e-15)
    assert [robot.nu for robot in ours.robots] == [1]
    ours.step(100)
    np.testing.assert_allclose(ours.net_force(own), [0, 0, own.mass * G], atol=1e-6)
    assert len(World.from_rapier(theirs.snapshot_json(), model="ccp").bodies) == 3


def test_what_is_no_snapshot_is_refused():
    for given in (3, "nonsense", "{}", json.dumps({"_magic": "RPYS", "_version": 2}), json.dumps({"_magic": "RPYS", "_version": 1})):
        with pytest.raises(stickslip.InputError, match="rapier3d"):
            World.from_rapier(given)
