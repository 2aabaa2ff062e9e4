"""Copies of a world, stepped side by side."""

import math
import os
import signal
import threading
from pathlib import Path

import numpy as np
import pytest
from conftest import add_quadruped

import stickslip
from stickslip import Batch, World

G = 9.81


def scene():
    world = World(dt=0.005)
    world.add_ground()
    robot = add_quadruped(world)
    world.add_box((0.1, 0.1, 0.1), mass=1.0, position=(2, 0, 0.05))
    return world, robot


def run(threads, n=12):
    world, robot = scene()
    batch = Batch(world, n, threads)
    batch.expand("friction", np.linspace(0.3, 0.9, n))
    rng = np.random.default_rng(0)
    ctrl = robot.targets + rng.uniform(-0.1, 0.1, (n, batch.nu))
    for _ in range(10):
        batch.step(ctrl, nstep=4)
    return np.concatenate([batch.q.ravel(), batch.v.ravel(), batch.link_forces().ravel()])


def test_the_same_bits_for_any_number_of_threads():
    one, two, three = run(1), run(2), run(3)
    assert one.tobytes() == two.tobytes() == three.tobytes()


def test_each_world_goes_as_it_would_alone():
    world, robot = scene()
    batch = Batch(world, 5, 2)
    assert (len(batch), batch.threads, batch.nq, batch.nv, batch.nu) == (5, 2, 19, 18, 12)
    q = batch.q
    batch.ctrl[:, 0] += np.linspace(0, 0.4, 5)
    alone = batch.world(3)
    alone.robots[0].targets[0] += 0.3
    batch.step(nstep=50)
    alone.step(50)
    assert batch.q is q
    assert q[3].tobytes() == alone.robots[0].q.tobytes()
    assert batch.world(3).robots[0].v.tobytes() == alone.robots[0].v.tobytes()
    assert batch.contacts(-2).tobytes() == alone.contacts().tobytes()
    np.testing.assert_array_equal(batch.net_force(robot)[3], alone.net_force(robot.name))
    forces = batch.link_forces()
    assert forces.shape == (5, len(robot.links), 3)
    np.testing.assert_allclose(forces.sum(axis=1), batch.net_force(robot), atol=1e-9)
    np.testing.assert_array_equal(batch.position("box")[3], alone.body("box").position)
    assert batch.orientation("box").shape == (5, 4) and batch.velocity(robot.links[0]).shape == (5, 6)
    np.testing.assert_allclose(batch.time, 0.25)
    assert world.time == 0, "the world it was made of stays"


def test_worlds_differ_by_what_they_are_expanded_by_and_keep_it_after_a_reset():
    world = World(dt=0.01)
    world.add_ground()
    box = world.add_box((0.1, 0.1, 0.1), mass=1.0, position=(0, 0, 0.05))
    batch = Batch(world, 3)
    batch.expand("mass", [1.0, 2.0, 3.0], of=box)
    batch.expand("gravity", [(0, 0, -10)] * 2 + [(0, 0, -5)])
    wanted = [10, 20, 15]
    for _ in range(2):
        batch.step(nstep=10)
        np.testing.assert_allclose(batch.net_force("box")[:, 2], wanted, rtol=1e-9)
        batch.reset()
    # A mask: two of the three fall from where they are put.
    batch.expand("position", [(0, 0, 1), (0, 0, 2), (0, 0, 3)], of=box)
    batch.step(nstep=5)
    batch.reset([True, False, True])
    np.testing.assert_allclose(batch.time, [0, 0.05, 0])
    assert batch.position(box)[0, 2] == 1 and batch.position(box)[1, 2] < 2 and batch.position(box)[2, 2] == 3
    # Friction per world: a slope by gravity holds where mu is above its tangent.
    slope = Batch(world, 2)
    slope.expand("friction", [0.3, 0.5])
    slope.expand("gravity", [(4, 0, -10)] * 2)
    slope.step(nstep=50)
    assert slope.position(box)[0, 0] > 0.05 and abs(slope.position(box)[1, 0]) < 1e-9


def test_gains_coordinates_and_efforts():
    world, robot = scene()
    batch = Batch(world, 2, control="efforts")
    assert not batch.ctrl.any()
    batch.expand("kp", [0.0, 0.0])
    batch.expand("kd", np.zeros((2, 12)))
    q = np.tile(robot.q, (2, 1))
    q[1, 2] += 1.0
    batch.expand("q", q)
    np.testing.assert_array_equal(batch.q, q)
    batch.step(nstep=20)
    assert batch.q[0, 2] < q[0, 2] - 1e-3, "nothing holds it"
    np.testing.assert_allclose(batch.v[1, 2], -G * 0.1, rtol=1e-2)
    with pytest.raises(ValueError, match="read-only"):
        batch.q[0] = 0


def test_a_failing_world_rests_and_the_others_go_on():
    world = World(dt=0.01)
    world.add_ground()
    box = world.add_box((0.1, 0.1, 0.1), position=(0, 0, 0.05))
    batch = Batch(world, 4, 2)
    batch.expand("gravity", [(0, 0, -9.81)] * 4)
    batch.step(nstep=2)
    assert batch.errors == {}
    batch._break(2)
    batch.step(nstep=3)
    assert list(batch.errors) == [2] and "gravity is not finite" in batch.errors[2]
    np.testing.assert_allclose(batch.time, [0.05, 0.05, 0.02, 0.05])
    batch.reset(np.array([False, False, True, False]))
    assert batch.errors == {}
    batch.step()
    np.testing.assert_allclose(batch.time, [0.06, 0.06, 0.01, 0.06])
    assert np.isfinite(batch.position(box)).all()
    # A panic too stays in its world.
    batch._break(1, panic=True)
    batch.step()
    assert list(batch.errors) == [1] and "asked for by a test" in batch.errors[1]
    batch.reset()
    batch.step()
    assert batch.errors == {}


def test_bad_input_of_batches():
    world, robot = scene()
    for n in (0, -3):
        with pytest.raises(stickslip.InputError, match=f"n={n}"):
            Batch(world, n)
    with pytest.raises(stickslip.InputError, match="threads=0"):
        Batch(world, 2, threads=0)
    if Path("/proc/meminfo").exists():
        with pytest.raises(stickslip.InputError, match="n=16000000.*GB are free"):
            Batch(world, 16_000_000)
    batch = Batch(world, 2)
    bad = np.zeros((2, 12))
    bad[1, 3] = math.nan
    refused = [
        (lambda: batch.step(np.zeros((3, 12))), r"ctrl has shape \(3, 12\), but \(2, 12\)"),
        (lambda: batch.step(bad), r"ctrl\[1, 3\] is NaN"),
        (lambda: batch.step(nstep=0), "nstep=0"),
        (lambda: batch.reset([True]), "mask has shape"),
        (lambda: batch.expand("mass", [1, 2]), "of=..."),
        (lambda: batch.expand("mass", [1, -2], of="box"), "world 1: mass = -2"),
        (lambda: batch.expand("friction", [1, 2, 3]), "friction has shape"),
        (lambda: batch.expand("kp", [1, -1]), "negative"),
        (lambda: batch.expand("position", np.zeros((2, 3)), of=robot.links[0]), "is a link"),
        (lambda: batch.contacts(2), "world 2 of a batch of 2"),
        (lambda: batch.world(-3), "world -3"),
    ]
    for call, pattern in refused:
        with pytest.raises(stickslip.InputError, match=pattern):
            call()
    for call, pattern in [
        (lambda: batch.expand("frction", [1, 2]), "`friction`"),
        (lambda: batch.net_force("bx"), "`box`"),
        (lambda: Batch(world, 2, control="target"), "`targets`"),
    ]:
        with pytest.raises(stickslip.UnknownNameError, match=pattern):
            call()
    np.testing.assert_array_equal(batch.time, [0, 0])
    batch.step()


def test_ctrl_c_and_threads():
    import _thread

    world, _ = scene()
    batch = Batch(world, 4, 2)
    timer = threading.Timer(0.5, _thread.interrupt_main)
    timer.start()
    with pytest.raises(KeyboardInterrupt):
        batch.step(nstep=10_000_000)
    assert len(set(batch.time)) == 1 and batch.time[0] > 0
    seen = []

    def work():
        try:
            for _ in range(100):
                batch.step(nstep=2)
        except stickslip.BusyError as error:
            seen.append(error)

    threads = [threading.Thread(target=work) for _ in range(2)]
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join()
    assert seen


@pytest.mark.skipif(not hasattr(os, "fork"), reason="needs fork")
def test_a_batch_in_a_forked_process_says_that_its_threads_are_elsewhere():
    """It waited for ever: a fork copies no threads."""
    batch = Batch(scene()[0], 2, threads=2)
    batch.step()
    child = os.fork()
    if child == 0:
        signal.alarm(20)
        try:
            batch.step()
        except stickslip.InputError as error:
            os._exit(0 if "forked" in str(error) else 1)
        os._exit(2)
    assert os.waitstatus_to_exitcode(os.waitpid(child, 0)[1]) == 0
    batch.step()
