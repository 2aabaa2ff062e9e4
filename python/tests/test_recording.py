"""Recordings for Rerun."""

import importlib.util

import pytest
from conftest import add_quadruped

import stickslip


def test_a_file_is_there_once_it_is_closed(world, tmp_path):
    add_quadruped(world)
    file = tmp_path / "run.rrd"
    with world.record(file):
        world.step(30)
        assert not file.exists()
        with pytest.raises(stickslip.InputError, match="under way"):
            world.record(tmp_path / "other.rrd")
    assert file.read_bytes()[:4] in (b"RRF2", b"RRIO") or file.stat().st_size > 10_000
    world.step()
    with pytest.raises(stickslip.InputError, match="rate = -1"):
        world.record(file, rate=-1)
    with pytest.raises(stickslip.RecordingError, match="no/such"):
        world.record("no/such/folder/x.rrd").close()


def test_shapes_are_told(world):
    robot = add_quadruped(world)
    world.add_sphere(0.2, position=(3, 0, 1), name="ball")
    shapes = world.shapes()
    kinds = {shape["name"]: shape["kind"] for shape in shapes}
    assert kinds["ground"] == "box" and kinds["ball"] == "sphere"
    assert sum(shape["name"].startswith(robot.name) for shape in shapes) >= 4


@pytest.mark.skipif(importlib.util.find_spec("rerun") is None, reason="needs rerun-sdk")
def test_a_world_is_logged_into_a_recording_of_ones_own(world, tmp_path):
    import rerun as rr

    add_quadruped(world)
    world.add_capsule(0.05, 0.2, position=(1, 0, 0.5))
    recording = rr.RecordingStream("test")
    recording.save(tmp_path / "own.rrd")
    for _ in range(5):
        world.step(4)
        stickslip.log(world, recording)
    recording.flush()
    assert (tmp_path / "own.rrd").stat().st_size > 5_000
