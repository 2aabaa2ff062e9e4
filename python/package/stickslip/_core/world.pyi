"""Worlds."""

from collections.abc import Mapping, Sequence
from os import PathLike
from typing import Any, Literal

import numpy as np
from numpy.typing import ArrayLike, NDArray

from .parts import Body, Joint, Recording, Report
from .robot import Robot

_Array = NDArray[np.float64]
_Path = str | PathLike[str]

class World:
    """A world of bodies and robots; z points up unless gravity says otherwise.

    ``model`` is the contact model (``cone``: exact Coulomb friction); further keyword arguments are its settings, groups of
    them as dictionaries: ``World(cone={"tolerance_at_rest": 1e-9})``. With ``sleeping`` bodies at rest fall asleep: they
    cost nothing then and have no contacts to read.
    """

    def __new__(
        cls,
        dt: float = 0.005,
        gravity: ArrayLike = (0, 0, -9.81),
        model: str = "cone",
        *,
        sleeping: bool = False,
        **settings: Any,
    ) -> World: ...
    def add_ground(
        self,
        height: float = 0.0,
        *,
        size: float = 200.0,
        name: str | None = None,
        friction: float = 0.5,
        restitution: float = 0.0,
        **options: Any,
    ) -> Body:
        """Level ground, a square of this size [m] that stands still."""
    def add_box(
        self,
        size: ArrayLike,
        *,
        name: str | None = None,
        position: ArrayLike = (0, 0, 0),
        orientation: ArrayLike = (1, 0, 0, 0),
        velocity: ArrayLike = (0, 0, 0),
        angular_velocity: ArrayLike = (0, 0, 0),
        mass: float | None = None,
        density: float = 1000.0,
        friction: float = 0.5,
        restitution: float = 0.0,
        torsional_friction: float = 0.0,
        rolling_friction: float = 0.0,
        compliance: float = 0.0,
        fixed: bool = False,
        kinematic: bool = False,
    ) -> Body:
        """A box with sides (3,) [m], its origin in the middle.

        Its mass [kg], or its density [kg/m^3]; torsional and rolling friction [m]; compliance [m/N]: a force F is carried at
        the depth ``compliance * F``. A fixed body stays, a kinematic one moves with its velocity whatever is in the way.
        Velocities are of its centre of mass. The other bodies take the same arguments.
        """
    def add_sphere(self, radius: float, **options: Any) -> Body:
        """A ball [m]. Arguments as :meth:`add_box`."""
    def add_capsule(self, radius: float, length: float, **options: Any) -> Body:
        """A capsule along z; the length is that of its straight part [m]. Arguments as :meth:`add_box`."""
    def add_cylinder(self, radius: float, length: float, **options: Any) -> Body:
        """A cylinder along z [m]. Arguments as :meth:`add_box`."""
    def add_hull(self, vertices: ArrayLike, **options: Any) -> Body:
        """The convex hull of points (n, 3) [m]. Arguments as :meth:`add_box`."""
    def add_mesh(self, vertices: ArrayLike, triangles: ArrayLike, **options: Any) -> Body:
        """A shell of triangles (m, 3), indices of vertices (n, 3) [m]: for what stands still and has hollows. What moves
        is better a hull. Arguments as :meth:`add_box`."""
    def add_heightfield(self, heights: ArrayLike, spacing: float, **options: Any) -> Body:
        """Ground of heights (rows along y, columns along x) [m] on a grid of this spacing [m], its middle at the origin."""
    def add_robot(
        self,
        path: _Path,
        *,
        name: str | None = None,
        position: ArrayLike = (0, 0, 0),
        orientation: ArrayLike = (1, 0, 0, 0),
        on_ground: bool = False,
        joints: Mapping[str, float] = {},
        base: Literal["auto", "fixed", "floating"] = "auto",
        kp: float | None = None,
        kd: float | None = None,
        friction: float = 0.5,
        restitution: float = 0.0,
        package_paths: Sequence[_Path] = (),
        xacro_args: Mapping[str, str] = {},
        scale: float = 1.0,
        closures: _Path | None = None,
        srdf: _Path | None = None,
        strict: bool = False,
        missing_mesh: Literal["refuse", "skip", "box"] = "refuse",
        fixed_joints: Literal["merge", "keep"] = "merge",
        self_collision: Literal["off", "on", "adjacent", "overlapping"] = "overlapping",
        mesh_collision: Literal["hull", "exact", "parts", "box"] = "hull",
        mesh_resolution: int = 64,
        mesh_cache: _Path | None = None,
        effort: Literal["file", "unlimited"] = "file",
        armature: float = 0.0,
        rotor_inertia: bool = False,
    ) -> Robot:
        """A robot from a URDF or xacro file.

        ``joints`` are positions at the start [rad or m], ``on_ground`` puts its lowest point at the height of ``position``.
        Drives hold the start, with gains that suit what each joint moves, or with ``kp`` and ``kd`` for all (0 for none).
        ``self_collision`` says which links may touch: all but neighbours (``adjacent``), and all but those that overlap at
        the start (``overlapping``). What was repaired, assumed or left out is a :class:`RobotFileWarning` each.
        """
    def add_mjcf(
        self,
        path: _Path,
        *,
        name: str | None = None,
        position: ArrayLike = (0, 0, 0),
        orientation: ArrayLike = (1, 0, 0, 0),
        self_collision: bool = False,
    ) -> list[Robot]:
        """The robots and bodies of a model of MuJoCo (MJCF), by the loader rapier3d-mjcf, in single precision until here.

        Each tree of joints is a robot, what is joined to the world in one; free bodies and shapes of the world body are
        bodies. Meshes collide by their hulls, ellipsoids are polyhedra within them and so a little lighter. :meth:`Robot.control` takes the controls of the model's actuators. The time
        step and gravity stay the world's; what the file has otherwise, and what was left out, is a
        :class:`RobotFileWarning` each: ``solref`` and ``solimp``, tendons, sites, sensors and keyframes always are.
        """
    def add_joint(
        self,
        kind: Literal["fixed", "revolute", "prismatic", "spherical", "free"],
        a: Body | str,
        b: Body | str,
        *,
        name: str | None = None,
        point: ArrayLike | None = None,
        axis: ArrayLike = (1, 0, 0),
        limits: ArrayLike | None = None,
        target: float = 0.0,
        kp: float | None = None,
        kd: float | None = None,
        max_force: float | None = None,
        contacts: bool = False,
    ) -> Joint:
        """A joint between two bodies as they stand, at a point (3,) [m] and about or along an axis (3,) of the world; the
        point is the origin of ``b`` unless given. Positions count from now. A ``free`` one only keeps a and b from touching.
        """
    def remove(self, what: Body | Robot | Joint | str) -> None:
        """Removes a body, a robot (with a link: its robot) or a joint."""
    def step(self, n: int = 1) -> None:
        """Advances by n steps. Other Python threads run meanwhile; Ctrl-C ends it after a whole step."""
    def contacts(self) -> NDArray[np.void]:
        """The contacts of the last step (n,), of type :data:`CONTACT`."""
    def net_force(self, a: Body | Robot | str, b: Body | Robot | str | None = None) -> _Array:
        """Sum of the contact forces of the last step on a (3,) [N], from b or from all that it touches; world axes."""
    @property
    def report(self) -> Report:
        """What the last step says of itself."""
    def record(self, path: _Path, *, rate: float = 100.0) -> Recording:
        """Records every step from now on into a file for the Rerun viewer, at most so many frames per simulated second::

            with world.record("run.rrd"):
                world.step(1000)
        """
    def shapes(self) -> list[dict[str, Any]]:
        """The shapes of all bodies and links, a dictionary each: ``body`` (its number), ``name``, ``kind``, ``position`` and
        ``orientation`` in the axes of the body, and sizes."""
    def save(self) -> bytes:
        """Everything that the next steps depend on. Saved worlds are for the same version of stickslip; restore only what
        you trust."""
    def restore(self, saved: bytes) -> None:
        """Goes to a saved state and on from it bit for bit. Bodies and robots keep their meaning."""
    @staticmethod
    def from_rapier(world: Any, model: str = "cone", *, sleeping: bool = False, **settings: Any) -> World:
        """The bodies, colliders and joints of a ``PhysicsWorld`` of the package ``rapier3d`` 0.36, or of the text of its
        ``snapshot_json()``, with its gravity and time step; in single precision until here. Contacts are found anew.

        Bodies are called ``body_k`` by the index k of their handle, colliders without a body ``collider_k``; articulated
        bodies are robots whose links and joints are ``body_k`` and ``joint_k``.
        """
    @staticmethod
    def from_bytes(saved: bytes) -> World:
        """A world from the bytes of :meth:`save`."""
    def copy(self) -> World:
        """A second world in the same state, which goes on bit for bit; ask it for its bodies by name."""
    dt: float
    """Time step [s]."""
    gravity: _Array
    """Gravity (3,) [m/s^2]."""
    @property
    def time(self) -> float:
        """Simulated time [s]."""
    @property
    def steps(self) -> int:
        """Steps done."""
    @property
    def model(self) -> str:
        """Name of the contact model."""
    @property
    def bodies(self) -> list[Body]:
        """Bodies that are no links."""
    @property
    def robots(self) -> list[Robot]:
        """Robots."""
    def body(self, name: str) -> Body:
        """A body, or a link as ``robot/link``, by name."""
    def robot(self, name: str) -> Robot:
        """A robot by name."""
    def name_of(self, number: int) -> str:
        """The name behind a number in ``contacts()["bodies"]``."""
