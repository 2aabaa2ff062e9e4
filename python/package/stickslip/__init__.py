"""Contact that really sticks: rigid bodies and robots with exact Coulomb friction.

SI units, radians, z up. Orientations are quaternions ``(w, x, y, z)``; arrays are numpy's, in double precision.

>>> import stickslip
>>> world = stickslip.World(dt=0.005)
>>> ground = world.add_ground()
>>> box = world.add_box((0.1, 0.1, 0.1), mass=2.0, position=(0, 0, 0.05))
>>> world.step(100)
>>> world.net_force(box, ground).round(3).tolist()
[0.0, 0.0, 19.62]
"""

from ._core import CONTACT, Batch, Body, Joint, Recording, Report, Robot, World, __version__
from .errors import (
    BusyError,
    InputError,
    InternalError,
    RecordingError,
    RemovedError,
    RobotFileError,
    RobotFileWarning,
    StepError,
    StickslipError,
    UnknownNameError,
)
from .rerun import log

OPEN, STICKING, SLIDING = 0, 1, 2
"""What ``contacts()["state"]`` says of a contact."""

__all__ = [
    "CONTACT",
    "OPEN",
    "SLIDING",
    "STICKING",
    "Batch",
    "Body",
    "BusyError",
    "InputError",
    "InternalError",
    "Joint",
    "Recording",
    "RecordingError",
    "RemovedError",
    "Report",
    "Robot",
    "RobotFileError",
    "RobotFileWarning",
    "StepError",
    "StickslipError",
    "UnknownNameError",
    "World",
    "__version__",
    "log",
]
