"""The scenes, without an engine: bodies, what moves them and what is measured.

Parameters are those of the command's scenarios of the same names (`stickslip list SCENARIO`) and of docs/benchmarks.md.
"""

import math
import random
from dataclasses import dataclass, field

GRAVITY = 9.81


@dataclass
class Body:
    """A body of one shape; `shape` is box (half sides), ball (radius) or cylinder (radius, half length along x)."""

    name: str
    shape: str
    size: tuple
    at: tuple
    mass: float = 0.0
    mu: float = 0.5
    # Velocity at the start.
    velocity: tuple = (0.0, 0.0, 0.0)
    # A slide along an axis instead of six free coordinates: axis, damping, force.
    slide: tuple = None
    # Other shapes of the body: (shape, size, place).
    more: list = field(default_factory=list)
    # Turn about an axis: (x, y, z, angle).
    turn: tuple = None


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
    # The arm of assets/panda.urdf, with the object by its name.
    robot: bool = False
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
    quarter = (0, 0, 1, 0.0)
    bodies = {
        "cube": Body("object", "box", (0.02,) * 3, (0.65, 0, 0.02), 0.064, 1.0),
        "ball": Body("object", "ball", (0.02,), (0.65, 0, 0.02), 1000 * 4 / 3 * math.pi * 0.02**3, 1.0, turn=quarter),
    }
    name = f"shake-{obj}-{round(1e3 * dt)}ms"
    return Scene(name, dt, 20.0, [bodies[obj]], "held", ground_mu=1.0, robot=True)


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


ALL = [
    stack(),
    pinch(),
    slope(),
    slide(),
    feet(100),
    feet(1000),
    pyramid(10),
    pyramid(20),
    lattice(),
    *(shake(obj, dt) for obj in ("cube", "ball") for dt in (0.002, 0.01)),
]

START = (0, 0, 0, -1.5708, 0, 1.5708, -0.7853)
GRASP = (-1.0104, 1.5623, 1.3601, -1.6840, -1.5863, 1.7810, 1.4598)
LIFT = (-1.0426, 1.4028, 1.5634, -1.7114, -1.4055, 1.6015, 1.4510)


class Watch:
    """What is measured of a scene; a world tells places and depths by the names of bodies."""

    def __init__(self, scene):
        self.scene = scene
        self.random = random.Random(scene.seed)
        self.start = None
        self.worst = 0.0
        self.last = None
        self.lost = False
        self.held_targets = None

    def targets(self, t, step):
        """Positions of the seven joints and of the fingers."""
        if not self.scene.robot:
            return None
        if t >= 4.0 - 0.5 * self.scene.dt:
            if step % 2 == 0 or self.held_targets is None:
                self.held_targets = [q + self.random.gauss(0.0, 0.025) for q in LIFT]
            return [*self.held_targets, 0.0]
        a, b, t0 = (START, LIFT, 0.0) if t < 1.0 else (LIFT, GRASP, 1.0) if t < 3.0 else (GRASP, LIFT, 3.0)
        s = min(t - t0, 1.0)
        opening = 0.04 * min(max(3.0 - t, 0.0), 1.0)
        return [*(x + s * (y - x) for x, y in zip(a, b)), opening]

    def see(self, t, world):
        scene = self.scene
        if scene.what == "held":
            if t >= 4.0:
                self.lost |= not world.place("object")[2] >= 0.04
            return
        if scene.what == "squares":
            self.squares(world)
            return
        if t < scene.settle - 0.5 * scene.dt:
            return
        places = {b.name: world.place(b.name) for b in scene.bodies}
        if self.start is None:
            self.start, self.begun = places, t
            if scene.what != "depth" and scene.settle == 0.0:
                self.start = {b.name: b.at for b in scene.bodies}
        moved = [math.dist(places[n], self.start[n]) for n in places]
        if scene.what == "depth":
            self.worst = max(self.worst, world.depth())
        else:
            self.worst = max(self.worst, max(moved))
        self.last, self.time = places, t

    def squares(self, world):
        """Sums the squared penetration of balls and ground, a step each."""
        balls = self.scene.bodies
        places = [world.place(b.name) for b in balls]
        radius, sum_ = balls[0].size[0], 0.0
        cells = {}
        for at in places:
            sum_ += max(radius - at[2], 0.0) ** 2
            cells.setdefault(tuple(math.floor(x / (2 * radius)) for x in at), []).append(at)
        near = [(x, y, z) for x in (-1, 0, 1) for y in (-1, 0, 1) for z in (-1, 0, 1)]
        for cell, own in cells.items():
            for step in near:
                other = cells.get(tuple(c + s for c, s in zip(cell, step)), ())
                # Every pair is seen from both sides.
                sum_ += sum(0.5 * max(2 * radius - math.dist(a, b), 0.0) ** 2 for a in own for b in other if a is not b)
        self.worst += sum_ / self.scene.steps

    def end(self, whole):
        what = self.scene.what
        if not whole:
            return "ended by the limit of time", None
        if what == "held":
            return ("dropped" if self.lost else "held"), None
        if what in ("squares", "way"):
            return "", self.worst
        if what == "creep":
            down = self.start["held"][2] - self.last["held"][2]
            return ("held" if down < 0.02 else "dropped"), abs(down) / max(self.time - self.begun, 1e-9)
        if what == "stop":
            way = math.dist(self.last["box"][:2], (0, 0))
            right = 1.0 / (2 * 0.5 * GRAVITY)
            return "stopped", way / right - 1.0
        return ("rests" if self.worst < 0.1 else "moves"), self.worst
