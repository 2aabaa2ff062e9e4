"""Robots."""

import numpy as np
from numpy.typing import ArrayLike, NDArray

from .parts import Body

_Array = NDArray[np.float64]

class Robot:
    """A robot, got from :meth:`World.add_robot`.

    ``q`` begins with the position and the quaternion (w, x, y, z) of a floating base, ``v`` with the velocity of its origin
    and its angular velocity, both in world axes; then come the joints, as :attr:`names` lists them. A spherical joint has
    a quaternion in ``q`` and an angular velocity in ``v``.

    A robot is solved in its coordinates, in which the reactions of its bearings do not occur: they are not reported. Efforts of
    its drives are (:attr:`effort`), forces of its contacts, and for joints between bodies those of :class:`Joint`.
    """

    @property
    def name(self) -> str:
        """Unique name."""
    @property
    def names(self) -> list[str]:
        """Names of the joint coordinates, in the order of :attr:`targets` (nu)."""
    @property
    def links(self) -> list[Body]:
        """Links, the root first."""
    @property
    def link_names(self) -> list[str]:
        """Names of the links."""
    def link(self, name: str) -> Body:
        """A link by name."""
    def index(self, joint: str) -> int:
        """Place of a joint's first coordinate in :attr:`targets`."""
    @property
    def floating(self) -> bool:
        """Whether its base floats."""
    @property
    def nq(self) -> int:
        """Numbers in :attr:`q`."""
    @property
    def nv(self) -> int:
        """Numbers in :attr:`v`."""
    @property
    def nu(self) -> int:
        """Numbers in :attr:`targets`."""
    @property
    def q(self) -> _Array:
        """Coordinates (nq) [m, rad]. One read-only array that every step refreshes: copy what you keep.

        ``robot.q = ...`` moves the robot.
        """
    @q.setter
    def q(self, q: ArrayLike) -> None: ...
    @property
    def v(self) -> _Array:
        """Velocities (nv) [m/s, rad/s]. One read-only array that every step refreshes: copy what you keep."""
    @v.setter
    def v(self, v: ArrayLike) -> None: ...
    @property
    def targets(self) -> _Array:
        """Positions that the drives aim at (nu) [rad or m]. The next step reads this very array."""
    @targets.setter
    def targets(self, targets: ArrayLike) -> None: ...
    @property
    def kp(self) -> _Array:
        """Stiffnesses of the drives (nu) [N m/rad or N/m]. The next step reads this very array."""
    @kp.setter
    def kp(self, kp: ArrayLike) -> None: ...
    @property
    def kd(self) -> _Array:
        """Dampings of the drives (nu) [N m s/rad or N s/m]. The next step reads this very array."""
    @kd.setter
    def kd(self, kd: ArrayLike) -> None: ...
    @property
    def tau(self) -> _Array:
        """Efforts applied beside the drives (nu) [N m or N], without limit. The next step reads this very array."""
    @tau.setter
    def tau(self, tau: ArrayLike) -> None: ...
    @property
    def actuators(self) -> list[str]:
        """Names of the actuators of a model of MuJoCo (na)."""
    @property
    def control_ranges(self) -> _Array:
        """Ranges of their controls (na, 2); infinite without."""
    def control(self, ctrl: ArrayLike) -> None:
        """Hands controls (na), cut to their ranges, to :attr:`targets`, :attr:`kp`, :attr:`kd` and :attr:`tau`.

        An actuator with gear g on the coordinate x pushes with ``g * (gain * ctrl + b0 + b1 * g * x + b2 * g * dx/dt)``: a
        servo (b1 < 0) is a drive, anything else an effort.
        """
    @property
    def effort(self) -> _Array:
        """Efforts of the drives at the end of the last step (nu) [N m or N]; nan for joints with several coordinates."""
    @property
    def limits(self) -> _Array:
        """Position limits (nu, 2) [rad or m]; infinite without."""
    @property
    def effort_limits(self) -> _Array:
        """Effort limits of the drives (nu) [N m or N]; infinite without."""
    @property
    def velocity_limits(self) -> _Array:
        """Speed limits of the file (nu) [rad/s or m/s]; infinite without. They are for controllers to keep."""
    @property
    def mass(self) -> float:
        """Mass of all that moves [kg]."""
    @property
    def com(self) -> _Array:
        """Centre of mass of all that moves (3,), in the world [m]."""
    def mass_matrix(self) -> _Array:
        """Mass matrix M (nv, nv) with armatures."""
    def bias(self) -> _Array:
        """Bias c (nv) of ``M a + c = tau``: gravity, Coriolis and centrifugal forces. Contacts, drives, damping and friction
        of joints are no part of it."""
    def jacobian(self, link: Body | str, point: ArrayLike | None = None) -> _Array:
        """Jacobian (6, nv) of a point (3,) of a link in the link's axes [m], its origin unless given: rows of the point's
        velocity, then of the link's angular velocity, world axes."""
    def link_pose(self, link: Body | str) -> list[_Array]:
        """Position (3,) [m] and orientation (4,), (w, x, y, z), of a link."""
    def inverse_kinematics(
        self,
        link: Body | str,
        position: ArrayLike | None = None,
        orientation: ArrayLike | None = None,
        *,
        start: ArrayLike | None = None,
        tolerance: float = 1e-6,
        restarts: int = 20,
    ) -> _Array:
        """Positions of the joints (nu) within their limits that put a link where it should be in the world, its base as it
        is: near ``start`` (nu), or near where they are. Raises :class:`InputError` where the target is out of reach."""
