"""Bodies, ground, steps, contacts and the report."""

import math
import threading

import numpy as np
import pytest

import stickslip
from stickslip import SLIDING, STICKING, World

G = 9.81


def test_a_box_rests_on_its_four_corners(world):
    box = world.add_box((0.2, 0.2, 0.1), mass=2.0, position=(0, 0, 0.05))
    world.step(20)
    contacts = world.contacts()
    assert contacts.dtype == stickslip.CONTACT
    assert len(contacts) == 4
    assert set(contacts["state"]) == {STICKING}
    np.testing.assert_allclose(world.net_force(box), [0, 0, 2 * G], atol=1e-9)
    np.testing.assert_allclose(world.net_force("ground", box), [0, 0, -2 * G], atol=1e-9)
    # The force in the contact's frame is along (normal, s, t); it acts on the second body.
    axes = np.concatenate([contacts["normal"][:, None], contacts["tangents"]], axis=1)
    np.testing.assert_allclose(np.einsum("ck,cki->ci", contacts["local_force"], axes), contacts["force"], atol=1e-12)
    assert {world.name_of(i) for i in contacts["bodies"].ravel()} == {"box", "ground"}
    assert world.report.status == "solved"
    assert world.report.contacts == 4
    assert world.time == pytest.approx(0.1)


def test_friction_holds_up_to_its_cone_and_no_farther(world):
    box = world.add_box((0.2, 0.2, 0.1), mass=1.0, friction=0.5, position=(0, 0, 0.05))
    box.force = (0.49 * G, 0, 0)
    start = box.position
    world.step(200)
    assert np.linalg.norm(box.position - start) < 1e-9
    assert set(world.contacts()["state"]) == {STICKING}
    box.force = (0.6 * G, 0, 0)
    world.step(200)
    assert set(world.contacts()["state"]) == {SLIDING}
    # One second under (0.6 - 0.5) g.
    assert box.velocity[0] == pytest.approx(0.1 * G, rel=1e-6)
    np.testing.assert_allclose(world.net_force(box)[0], -0.5 * G, rtol=1e-6)
    np.testing.assert_allclose(world.contacts()["slip_velocity"][:, 0], box.velocity[0], rtol=1e-6)


def test_every_shape_comes_to_rest_with_its_weight_on_the_ground():
    world = World()
    world.add_heightfield(np.zeros((21, 21)), spacing=0.5)
    corners = [(x, y, z) for x in (-0.1, 0.1) for y in (-0.1, 0.1) for z in (0.0, 0.1)]
    # A mesh is a shell: it rests on solid bodies.
    world.add_box((1, 1, 0.2), fixed=True, position=(0, 4, -0.1), name="floor")
    tetrahedron = ([(0, 0, 0), (0.2, 0, 0), (0, 0.2, 0), (0, 0, 0.2)], [(0, 2, 1), (0, 1, 3), (0, 3, 2), (1, 2, 3)])
    bodies = [
        world.add_box((0.2, 0.2, 0.1), position=(0, 0, 0.05)),
        world.add_sphere(0.1, position=(1, 0, 0.1)),
        world.add_capsule(0.05, 0.2, position=(2, 0, 0.05), orientation=(math.sqrt(0.5), math.sqrt(0.5), 0, 0)),
        world.add_cylinder(0.1, 0.2, position=(-1, 0, 0.1)),
        world.add_hull(corners, position=(-2, 0, 0)),
        world.add_mesh(*tetrahedron, position=(0, 4, 0)),
    ]
    assert [body.name for body in bodies] == ["box", "sphere", "capsule", "cylinder", "hull", "mesh"]
    assert bodies[0].mass == pytest.approx(4.0)
    assert bodies[1].mass == pytest.approx(1000 * 4 / 3 * math.pi * 1e-3)
    world.step(200)
    for body in bodies:
        assert np.linalg.norm(body.velocity) < 1e-6, body
        np.testing.assert_allclose(world.net_force(body), [0, 0, body.mass * G], rtol=1e-6, atol=1e-4)


def test_restitution_and_prescribed_motion(world):
    ball = world.add_sphere(0.1, restitution=1.0, position=(0, 0, 1.1))
    belt = world.add_box((1, 1, 0.1), kinematic=True, velocity=(0.2, 0, 0), position=(5, 0, 0.5))
    world.step(100)
    assert belt.position[0] == pytest.approx(5.1)
    heights = []
    for _ in range(100):
        world.step()
        heights.append(ball.position[2])
    # Coefficients of the pair are averaged: half of the speed returns, a quarter of the height.
    assert max(heights) == pytest.approx(0.1 + 0.25, abs=0.02)


def test_a_joint_holds_the_weight_that_hangs_on_it():
    world = World()
    wall = world.add_box((0.1, 0.1, 0.1), fixed=True, name="wall")
    arm = world.add_box((0.5, 0.05, 0.05), mass=3.0, position=(0.25, 0, 0), name="arm")
    hinge = world.add_joint("fixed", wall, arm, point=(0, 0, 0))
    world.step(10)
    np.testing.assert_allclose(hinge.force, [0, 0, 3 * G], atol=1e-9)
    np.testing.assert_allclose(hinge.torque, [0, -3 * G * 0.25, 0], atol=1e-9)
    world.remove(hinge)
    with pytest.raises(stickslip.RemovedError, match="joint `joint` was removed"):
        hinge.force
    world.step(100)
    assert arm.position[2] < -1

    hinge = World()
    post = hinge.add_box((0.1, 0.1, 0.1), fixed=True)
    door = hinge.add_box((0.5, 0.05, 0.05), mass=1.0, position=(0.25, 0, 0))
    motor = hinge.add_joint("revolute", post, door, point=(0, 0, 0), axis=(0, 0, 1), kp=50, kd=5, target=0.5)
    assert motor.target == 0.5
    hinge.step(1000)
    assert math.atan2(door.position[1], door.position[0]) == pytest.approx(0.5, abs=1e-6)
    motor.target = -0.5
    hinge.step(1000)
    assert math.atan2(door.position[1], door.position[0]) == pytest.approx(-0.5, abs=1e-6)


def test_models_and_settings():
    assert World(model="ccp").model == "ccp"
    World(closed_tolerance=1e-5, cone={"tolerance_at_rest": 1e-9})
    with pytest.raises(stickslip.UnknownNameError, match="did you mean `cone`"):
        World(model="conee")
    with pytest.raises(stickslip.UnknownNameError, match="`closed_tolerance`"):
        World(closed_tolerence=1e-5)
    with pytest.raises(stickslip.UnknownNameError, match="cone.tolerance_at_rst.*`tolerance_at_rest`"):
        World(cone={"tolerance_at_rst": 1e-9})
    with pytest.raises(stickslip.InputError, match="baumgarte.*0..=1.*3"):
        World(baumgarte=3)
    with pytest.raises(stickslip.InputError, match="push_speed"):
        World(push_speed="fast")
    for dt in (0, -1, math.nan, math.inf):
        with pytest.raises(stickslip.InputError, match="dt = "):
            World(dt=dt)


def test_bad_input_is_refused_with_its_place(world):
    box = world.add_box((1, 1, 1), position=(0, 0, 0.5))
    before = world.save()
    refused = [
        (lambda: world.add_box((1, 1)), r"size has shape \(2,\), but \(3,\)"),
        (lambda: world.add_box((1, 1, -1)), "size = -1"),
        (lambda: world.add_box("big"), "size: 'big' is no array"),
        (lambda: world.add_box((1, 1, 1), position=(0, math.nan, 0)), r"position\[1\] is NaN"),
        (lambda: world.add_box((1, 1, 1), orientation=(0, 0, 0, 0)), "no quaternion"),
        (lambda: world.add_box((1, 1, 1), orientation=(0, 0, 1)), "orientation has shape"),
        (lambda: world.add_box((1, 1, 1), mass=0), "mass = 0"),
        (lambda: world.add_box((1, 1, 1), mass="heavy"), "mass='heavy' is not a number"),
        (lambda: world.add_box((1, 1, 1), friction=-1), "friction = -1"),
        (lambda: world.add_box((1, 1, 1), name="box"), "`box` is taken"),
        (lambda: world.add_box((1, 1, 1), fixed=True, kinematic=True), "exclude"),
        (lambda: world.add_sphere(math.nan), "radius = NaN"),
        (lambda: world.add_hull([(0, 0, 0), (1, 0, 0)]), "no convex hull"),
        (lambda: world.add_hull(np.zeros((4, 2))), r"vertices has shape \(4, 2\), but \(n, 3\)"),
        (lambda: world.add_mesh(np.eye(3), [(0, 1, 3)]), "3 is no index of the 3 vertices"),
        (lambda: world.add_mesh(np.eye(3), [(0, 1, 2)]), "mass"),
        (lambda: world.add_heightfield([1, 2, 3], 1.0), r"heights has shape \(3,\)"),
        (lambda: world.add_heightfield([[1, 2], [3, math.inf]], 1.0), r"heights\[1, 1\]"),
        (lambda: world.step(0), "at least one step"),
        (lambda: world.step(-5), "at least one step"),
        (lambda: setattr(box, "position", (1, 2)), "position has shape"),
        (lambda: setattr(box, "mass", -2), "mass = -2"),
        (lambda: setattr(world, "gravity", (0, 0, math.nan)), r"gravity\[2\]"),
        (lambda: setattr(world, "dt", 0), "dt = 0"),
        (lambda: world.add_joint("fixed", box, box), "`box` and itself"),
        (lambda: world.add_joint("spherical", box, "ground", kp=1), "no single axis"),
        (lambda: world.add_joint("revolute", box, "ground", limits=(1, 0)), "lower one"),
        (lambda: world.add_joint("revolute", box, "ground", axis=(0, 0, 0)), "direction"),
        (lambda: world.net_force(3), "3 is no body"),
        (lambda: world.restore(b"nonsense"), "no world saved"),
        (lambda: world.restore(before[:-1]), "damaged"),
        (lambda: world.restore(before[:50] + b"xxxx" + before[54:]), "damaged"),
    ]
    for call, pattern in refused:
        with pytest.raises(stickslip.InputError, match=pattern):
            call()
    unknown = [
        (lambda: world.body("bx"), "`box`"),
        (lambda: world.net_force("grund"), "`ground`"),
        (lambda: world.robot("spot"), "none exist"),
        (lambda: world.add_box((1, 1, 1), frction=0.3), "no argument `frction`.*`friction`"),
        (lambda: world.add_joint("hinge", box, "ground"), "fixed, revolute"),
        (lambda: world.name_of(99), "number 99"),
    ]
    for call, pattern in unknown:
        with pytest.raises(stickslip.UnknownNameError, match=pattern):
            call()
    assert world.save() == before


def test_removed_bodies_say_so(world):
    box = world.add_box((1, 1, 1), position=(0, 0, 0.5))
    world.remove(box)
    for use in (lambda: box.position, lambda: world.remove(box), lambda: world.net_force(box)):
        with pytest.raises(stickslip.RemovedError, match="`box` was removed"):
            use()
    with pytest.raises(stickslip.UnknownNameError):
        world.body("box")
    again = world.add_box((1, 1, 1), position=(0, 0, 0.5))
    assert again.name == "box"
    with pytest.raises(stickslip.RemovedError):
        box.position
    world.step()
    assert [body.name for body in world.bodies] == ["ground", "box"]


def test_a_thing_of_another_world_is_refused(world):
    box = world.add_box((1, 1, 1), position=(0, 0, 0.5))
    other = world.copy()
    with pytest.raises(stickslip.InputError, match="another world"):
        other.net_force(box)
    assert other.body("box") != box and other.body("box") == other.body("box")


def test_two_threads_on_one_world_are_told(world):
    for k in range(30):
        world.add_box((0.1, 0.1, 0.1), position=(0, 0, 0.05 + 0.1 * k))
    seen = []

    def work():
        try:
            for _ in range(200):
                world.step(2)
        except stickslip.BusyError as error:
            seen.append(str(error))

    threads = [threading.Thread(target=work) for _ in range(3)]
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join()
    assert seen and "another thread is using this world" in seen[0]
    world.step()


def test_ctrl_c_ends_a_long_call(world):
    import _thread

    world.add_box((0.1, 0.1, 0.1), position=(0, 0, 0.05))
    timer = threading.Timer(0.3, _thread.interrupt_main)
    timer.start()
    with pytest.raises(KeyboardInterrupt):
        world.step(10_000_000)
    done = world.steps
    assert 0 < done < 10_000_000
    world.step()
    assert world.steps == done + 1


def test_a_panic_becomes_an_exception_and_a_saved_state_mends_the_world(world):
    box = world.add_box((0.1, 0.1, 0.1), mass=1.0, position=(0, 0, 0.05))
    saved = world.save()
    with pytest.raises(stickslip.InternalError, match="asked for by a test.*no longer usable; restore"):
        world._panic()
    for use in (world.step, world.contacts, world.save, world.copy, lambda: box.position, lambda: stickslip.Batch(world, 2)):
        with pytest.raises(stickslip.InternalError, match="no longer usable"):
            use()
    world.restore(saved)
    world.step(20)
    np.testing.assert_allclose(world.net_force(box), [0, 0, G], atol=1e-9)
