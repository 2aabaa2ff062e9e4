"""Types of the extension module. Units are SI, angles radians; shapes stand behind the names of arrays.

nq, nv and nu are numbers of a robot: coordinates, velocities, and coordinates of joints (what can be driven).
"""

from collections.abc import Mapping, Sequence
from os import PathLike
from typing import Any, Literal

import numpy as np
from numpy.typing import ArrayLike, NDArray

__version__: str

CONTACT: np.dtype[np.void]
"""The type of a contact, an entry of :meth:`World.contacts`.

``bodies`` (2,)
    Numbers of the two bodies or links, :attr:`Body.id`; -1 where a contact has none.
``links`` (2,)
    Their numbers among the links of their robots; -1 for what is no link.
``state``
    0 open, 1 sticking, 2 sliding.
``point`` (3,), ``normal`` (3,), ``tangents`` (2, 3)
    Where it is [m], the unit normal from the first body to the second, unit tangents s and t; (normal, s, t) is
    right-handed. World axes.
``gap``
    Gap at the start of the step [m]; negative = penetration.
``force`` (3,)
    Mean force over the step on the **second** body, world axes [N]; the first gets the opposite.
``local_force`` (3,)
    The same along normal, s and t.
``slip_velocity`` (3,)
    Tangential velocity of the second body relative to the first at the end of the step, world axes [m/s].
``friction``
    Coulomb coefficient.
"""

_Array = NDArray[np.float64]
_Path = str | PathLike[str]

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

class Robot:
    """A robot, got from :meth:`World.add_robot`.

    ``q`` begins with the position and the quaternion (w, x, y, z) of a floating base, ``v`` with the velocity of its origin
    and its angular velocity, both in world axes; then come the joints, as :attr:`names` lists them. A spherical joint has
    a quaternion in ``q`` and an angular velocity in ``v``.
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
    def add_mjcf(self, path: _Path, **options: Any) -> Robot:
        """Raises :class:`RobotFileError`: the loader of MuJoCo's files, rapier3d-mjcf, has no double precision."""
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

def command(arguments: Sequence[str]) -> int:
    """The command ``stickslip``; gives its exit status."""
