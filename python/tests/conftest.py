"""What the tests share."""

import signal
from pathlib import Path

import pytest

import stickslip

ASSETS = Path(__file__).resolve().parents[2] / "assets"


@pytest.fixture(autouse=True)
def interrupts():
    """Ctrl-C is obeyed, also where the tests run in the background of a shell that has it ignored."""
    before = signal.signal(signal.SIGINT, signal.default_int_handler)
    yield
    signal.signal(signal.SIGINT, before)


@pytest.fixture
def world():
    """A world with a ground."""
    world = stickslip.World(dt=0.005)
    world.add_ground(friction=0.5)
    return world


def stance():
    """The angles at which the project's quadruped stands."""
    import math

    angles = {"hip": math.pi / 8, "thigh": math.pi / 4, "knee": math.pi / 2}
    signs = {"lf": 1, "rh": 1, "rf": -1, "lh": -1}
    return {f"{leg}_{joint}": sign * angle for leg, sign in signs.items() for joint, angle in angles.items()}


def add_quadruped(world, **options):
    """The project's quadruped, standing."""
    return world.add_robot(ASSETS / "quadruped.urdf", base="floating", on_ground=True, joints=stance(), **options)
