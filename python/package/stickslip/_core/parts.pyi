"""Bodies, joints, the report of a step, recordings."""

from typing import Literal

import numpy as np
from numpy.typing import NDArray

from .robot import Robot

_Array = NDArray[np.float64]

class Body:
    """A body, or a link of a robot; got from a :class:`World` or a :class:`Robot`."""

    @property
    def name(self) -> str:
        """Unique name: ``box``, or ``robot/link``."""
    @property
    def id(self) -> int:
        """The number that contacts name it by."""
    @property
    def robot(self) -> Robot | None:
        """The robot that it is a link of."""
    position: _Array
    """Position of its origin (3,) [m]. To be set where it is no link."""
    orientation: _Array
    """Orientation (4,), a quaternion (w, x, y, z). To be set where it is no link; a matrix (3, 3) may be given."""
    velocity: _Array
    """Velocity of its origin (3,) [m/s], world axes. To be set where it is no link."""
    angular_velocity: _Array
    """Angular velocity (3,) [rad/s], world axes. To be set where it is no link."""
    mass: float
    """Mass [kg], of a link with all that is fixed to it. Set, it scales the inertia too."""
    @property
    def com(self) -> _Array:
        """Centre of mass (3,) in the world [m]."""
    friction: float
    """Coulomb coefficient of its surface; the mean of two surfaces counts."""
    force: _Array
    """Force that is applied at its centre of mass, in every step until it is set again (3,) [N], world axes."""
    torque: _Array
    """Torque that is applied in every step until it is set again (3,) [N m], world axes."""

class Joint:
    """A joint between two bodies."""

    @property
    def name(self) -> str:
        """Unique name."""
    @property
    def force(self) -> _Array:
        """Mean force on the second body over the last step, at the joint (3,) [N], world axes."""
    @property
    def torque(self) -> _Array:
        """Mean torque on the second body over the last step, about the joint (3,) [N m], world axes."""
    target: float
    """Where the motor of a revolute or prismatic joint aims [rad or m]."""

class Report:
    """What the last step says of itself."""

    status: str
    """How the solve ended: ``solved``, ``solved-in-motion``, ``relaxed``, ... the worst of all islands."""
    residual: float
    """Largest dimensionless residual of the answer."""
    solver: str
    """The solver whose answer was kept."""
    contacts: int
    """Contacts of the problem."""
    islands: int
    """Islands with at least one contact, limit or joint."""
    pivots: int
    """Changes of the active set."""
    iterations: int
    """Inner iterations."""
    fallbacks: int
    """Islands whose first choice failed."""
    failures: int
    """Islands without any answer."""
    joint_gap: float
    """Largest gap of a joint along the axes that it locks [m]."""
    awake: int
    """Bodies awake."""
    asleep: int
    """Bodies asleep."""
    @property
    def times_us(self) -> dict[str, float]:
        """Wall-clock times of the stages [us]: detect, assemble, solve, integrate."""

class Recording:
    """A recording to a file, which gets its name once it is closed; a context manager."""

    def close(self) -> None:
        """Completes the file."""
    def __enter__(self) -> Recording: ...
    def __exit__(self, kind: object, error: object, trace: object) -> Literal[False]: ...
