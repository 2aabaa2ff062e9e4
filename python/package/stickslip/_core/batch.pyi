"""Batches."""

from typing import Any, Literal

import numpy as np
from numpy.typing import ArrayLike, NDArray

from .parts import Body
from .robot import Robot
from .world import World

_Array = NDArray[np.float64]

class Batch:
    """n copies of a world, stepped side by side on a pool of threads; the same bits for any number of them.

    ``ctrl`` holds, for all robots one after another, positions that the drives aim at (``control="targets"``) or efforts
    beside the drives (``control="efforts"``). A world whose step fails rests until it is reset: see :attr:`errors`.
    Bodies, links and robots are those of the world that the batch was made of, or names.
    """

    def __new__(
        cls,
        world: World,
        n: int,
        threads: int | None = None,
        *,
        control: Literal["targets", "efforts"] = "targets",
    ) -> Batch: ...
    def __len__(self) -> int: ...
    @property
    def threads(self) -> int:
        """Threads of the pool."""
    @property
    def nq(self) -> int:
        """Numbers of one world in :attr:`q`."""
    @property
    def nv(self) -> int:
        """Numbers of one world in :attr:`v`."""
    @property
    def nu(self) -> int:
        """Numbers of one world in :attr:`ctrl`."""
    @property
    def q(self) -> _Array:
        """Coordinates of the robots (n, nq). One read-only array that every step refreshes: copy what you keep."""
    @property
    def v(self) -> _Array:
        """Velocities of the robots (n, nv). One read-only array that every step refreshes: copy what you keep."""
    @property
    def ctrl(self) -> _Array:
        """What the next step hands to the robots (n, nu). The step reads this very array."""
    @ctrl.setter
    def ctrl(self, ctrl: ArrayLike) -> None: ...
    def step(self, ctrl: ArrayLike | None = None, nstep: int = 1) -> None:
        """Steps all worlds nstep times, with ``ctrl`` (n, nu) if given. Ctrl-C ends it after a whole step of all."""
    def reset(self, mask: ArrayLike | None = None) -> None:
        """Puts the worlds that the mask (n,) names back to the start, with what they were expanded by; all without one."""
    def expand(
        self,
        quantity: Literal["friction", "mass", "gravity", "kp", "kd", "q", "v", "position"],
        values: ArrayLike,
        of: Body | Robot | str | None = None,
        *,
        now: bool = True,
    ) -> None:
        """Gives every world a value of its own, now (unless ``now=False``) and after every reset.

        ``friction`` (n,) of a body, of a robot's links or of all; ``mass`` (n,) [kg] and ``position`` (n, 3) [m] of a body;
        ``gravity`` (n, 3) [m/s^2]; ``kp`` and ``kd`` (n, nu) or (n,); ``q`` (n, nq) and ``v`` (n, nv).
        """
    def net_force(self, a: Body | Robot | str, b: Body | Robot | str | None = None) -> _Array:
        """Sum of the contact forces on a in each world (n, 3) [N], from b or from all that it touches; world axes."""
    def link_forces(self, robot: Robot | str | None = None) -> _Array:
        """Sum of the contact forces on each link of a robot (n, links, 3) [N], world axes."""
    def position(self, body: Body | str) -> _Array:
        """Positions of a body or link (n, 3) [m]."""
    def orientation(self, body: Body | str) -> _Array:
        """Orientations of a body or link (n, 4), (w, x, y, z)."""
    def velocity(self, body: Body | str) -> _Array:
        """Velocities of a body or link (n, 6): of its origin [m/s], then angular [rad/s], world axes."""
    @property
    def errors(self) -> dict[int, str]:
        """Why worlds rest, by their numbers."""
    @property
    def time(self) -> _Array:
        """Simulated times (n,) [s]."""
    def contacts(self, k: int) -> NDArray[np.void]:
        """The contacts of the last step of world k, of type :data:`CONTACT`."""
    def world(self, k: int) -> World:
        """A copy of world k."""
