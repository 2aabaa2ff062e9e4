"""The scenes, without an engine: bodies, what moves them and which figure `watch.py` takes of them.

Parameters are those of the command's scenarios of the same names (`stickslip list SCENARIO`) and of the scenes of
stickslip-heaps (`heaps --list`), whose y axis points up: here it is z.
"""

import math
import random
from dataclasses import dataclass, field

GRAVITY = 9.81
# Of a cube of 0.2 m and more, as in stickslip-heaps [kg/m^3].
DENSITY = 1000.0


@dataclass
class Body:
    """A body of one shape; `shape` is box (half sides), ball (radius) or capsule (radius, half length along y)."""

    name: str
    shape: str
    size: tuple
    at: tuple
    # 0: fixed.
    mass: float = 0.0
    mu: float = 0.5
    # Velocity at the start.
    velocity: tuple = (0.0, 0.0, 0.0)
    # A slide along an axis instead of six free coordinates: axis, damping, force.
    slide: tuple = None
    # Other shapes of the body: (shape, size, place).
    more: list = field(default_factory=list)
    # Vector along the axis that the body is turned about, as long as the angle.
    turn: tuple = (0.0, 0.0, 0.0)

    @property
    def quaternion(self):
        """Orientation: w, x, y, z."""
        angle = math.hypot(*self.turn)
        if angle == 0.0:
            return (1.0, 0.0, 0.0, 0.0)
        s = math.sin(0.5 * angle) / angle
        return (math.cos(0.5 * angle), *(s * x for x in self.turn))


@dataclass
class Scene:
    name: str
    dt: float
    duration: float
    bodies: list
    # What is measured: see Watch.
    what: str
    settle: float = 0.0
    ground_mu: float = 0.5
    # Gravity turned so that the ground is a slope.
    gravity: tuple = (0.0, 0.0, -GRAVITY)
    # `panda`: the arm of assets/panda.urdf; `a1`: the quadruped of a file that the user has.
    robot: str = ""
    file: str = None
    seed: int = 0

    @property
    def steps(self):
        return round(self.duration / self.dt)


def stack():
    boxes = [Body(f"box{k}", "box", (0.1,) * 3, (0, 0, 0.1 + 0.2 * k), 1.0) for k in range(10)]
    return Scene("stack", 0.005, 6.0, boxes, "drift", settle=1.0)


def pinch():
    pads = [
        Body(name, "box", (0.01, 0.03, 0.02), (side * 0.014, 0, 0.2), 0.2, 0.7, slide=((1, 0, 0), 100.0, -side * 30.0))
        for name, side in (("left", -1), ("right", 1))
    ]
    held = Body("held", "capsule", (0.004, 0.015), (0, 0, 0.2), 0.045, 0.7)
    return Scene("pinch", 0.002, 6.0, [held, *pads], "creep", settle=1.0)


def slope():
    mu, ratio, direction = 0.5, 0.98, math.radians(45.0)
    angle = math.atan(ratio * mu)
    down = GRAVITY * math.sin(angle)
    pull = (down * math.cos(direction), down * math.sin(direction), -GRAVITY * math.cos(angle))
    box = Body("box", "box", (0.1,) * 3, (0, 0, 0.1), 1.0, mu)
    return Scene("slope", 0.005, 2.0, [box], "drift", ground_mu=mu, gravity=pull)


def slide():
    direction = math.radians(22.5)
    velocity = (math.cos(direction), math.sin(direction), 0.0)
    box = Body("box", "box", (0.1,) * 3, (0, 0, 0.1), 1.0, 0.5, velocity)
    return Scene("slide", 0.005, 1.0, [box], "stop")


def feet(count):
    """A box on small spheres, a contact each."""
    size, across = 0.2, math.ceil(math.sqrt(count))
    radius = 0.25 * size / across
    place = lambda k: size * ((k + 0.5) / across - 0.5)
    more = [("ball", (radius,), (place(k % across), place(k // across), -0.5 * size - radius)) for k in range(count)]
    box = Body("box", "box", (0.5 * size,) * 3, (0, 0, 0.5 * size + 2 * radius), 1.0, 0.5, more=more)
    return Scene(f"contacts-{count}", 0.005, 2.0 if count < 500 else 1.0, [box], "depth", settle=0.5)


def shake(obj, dt):
    bodies = {
        "cube": Body("object", "box", (0.02,) * 3, (0.65, 0, 0.02), 0.064, 1.0),
        "ball": Body("object", "ball", (0.02,), (0.65, 0, 0.02), 1000 * 4 / 3 * math.pi * 0.02**3, 1.0),
    }
    name = f"shake-{obj}-{round(1e3 * dt)}ms"
    return Scene(name, dt, 20.0, [bodies[obj]], "held", ground_mu=1.0, robot="panda")


def pyramid(base):
    """Cubes of 1 m side by side, 100 kg each; gravity of 10 m/s^2."""
    places = [(k - 0.5 * (base - row), 0.0, row + 0.5) for row in range(base) for k in range(base - row)]
    boxes = [Body(f"box{k}", "box", (0.5,) * 3, at, 100.0, 0.6) for k, at in enumerate(places)]
    return Scene(f"pyramid-{base}", 1 / 60, 200 / 60, boxes, "way", ground_mu=0.6, gravity=(0, 0, -10.0))


def lattice():
    """SimBenchmark's 666."""
    shift = random.Random(0)
    pitch, radius = 0.21, 0.1
    balls = []
    for k in range(216):
        cell = (k % 6, k // 6 % 6, k // 36)
        at = [c * pitch + shift.uniform(-1e-3, 1e-3) for c in cell]
        at[2] += pitch - radius
        balls.append(Body(f"ball{k}", "ball", (radius,), tuple(at), 10.0, 0.8))
    return Scene("666", 0.005, 10.0, balls, "squares", ground_mu=0.8)


class Random:
    """The generator of stickslip-heaps with seed 0: xorshift of 64 bits (Marsaglia 2003)."""

    def __init__(self):
        self.state = 88172645463325252

    def unit(self):
        """Uniform in 0..1."""
        x = self.state
        x ^= x << 13 & (1 << 64) - 1
        x ^= x >> 7
        x ^= x << 17 & (1 << 64) - 1
        self.state = x
        return (x >> 11) / 2.0**53


def up(x, y, z):
    """A vector of a scene whose y axis points up."""
    return (x, -z, y)


def grasp():
    """Two cubes of 1 kg between fingers of 1 kg that press with 200 N."""
    cubes = [Body(name, "box", (0.05,) * 3, (x, 0, 1), 1.0, 1.0) for name, x in (("left_cube", -0.05), ("right_cube", 0.05))]
    fingers = [
        Body(name, "box", (0.05,) * 3, (side * 0.15, 0, 1), 1.0, 1.0, slide=((1, 0, 0), 0.0, -side * 200.0))
        for name, side in (("left", -1), ("right", 1))
    ]
    return Scene("grasp", 0.01, 10.0, [*cubes, *fingers], "drop")


def standing():
    """A1 under joint PD control; see Watch."""
    return Scene("a1", 0.002, 5.0, [], "feet", settle=2.0, ground_mu=0.8, robot="a1")


def wall(n):
    """A ball of 0.5 m strikes N x N bricks at 15 m/s."""
    half, bodies = (0.24, 0.125, 0.12), []
    for row in range(n):
        for k in range(n):
            at = (0.5 * k + 0.25 * (row % 2), 0.125 + 0.25 * row, 0.0)
            mass = 8 * DENSITY * math.prod(half)
            bodies.append(Body(f"brick{len(bodies)}", "box", tuple(map(abs, up(*half))), up(*at), mass))
    mass = DENSITY * 4 / 3 * math.pi * 0.5**3
    bodies.append(Body("ball", "ball", (0.5,), up(0.25 * n, 0.12 * n, 6.0), mass, velocity=up(0, 0, -15)))
    return Scene(f"wall-{n}", 1 / 60, 150 / 60, bodies, "overlap")


def pile(kind, n):
    """Boxes or balls fall into a bin."""
    drawn = Random()
    half, thick, bodies = max(0.3 * n ** (1 / 3), 0.6), 0.25, []
    per_side = max(int((2 * half - 0.2) / 0.42), 1)
    for x, y in ((1, 0), (-1, 0), (0, 1), (0, -1)):
        away = half + thick
        size = (thick if x else half + 2 * thick, thick if y else half + 2 * thick, 5 * half)
        bodies.append(Body(f"wall{len(bodies)}", "box", size, (x * away, y * away, 5 * half)))
    for k in range(n):
        a, c, b = k % per_side, k // per_side**2, k // per_side % per_side
        x = -half + 0.3 + 0.42 * a + 0.05 * drawn.unit()
        z = -half + 0.3 + 0.42 * b + 0.05 * drawn.unit()
        at, name = up(x, 0.3 + 0.42 * c, z), f"body{k}"
        if kind == "box":
            sides = [0.08 + 0.06 * drawn.unit() for _ in range(3)]
            turn = [drawn.unit() for _ in range(3)]
            mass = 8 * DENSITY * math.prod(sides)
            bodies.append(Body(name, "box", tuple(map(abs, up(*sides))), at, mass, turn=up(*turn)))
        else:
            radius = 0.12 + 0.06 * drawn.unit()
            bodies.append(Body(name, "ball", (radius,), at, DENSITY * 4 / 3 * math.pi * radius**3))
    return Scene(f"pile-{kind}-{n}", 1 / 60, 150 / 60, bodies, "overlap")


ALL = [
    stack(),
    grasp(),
    pinch(),
    slope(),
    slide(),
    feet(100),
    feet(1000),
    pyramid(10),
    pyramid(20),
    wall(8),
    pile("box", 50),
    pile("ball", 200),
    lattice(),
    standing(),
    *(shake(obj, dt) for obj in ("cube", "ball") for dt in (0.002, 0.01)),
]
