"""What is measured of a scene."""

import math
import random

from scenes import GRAVITY

# Poses of Panda's joints: start, at the object, lifted [rad].
START = (0, 0, 0, -1.5708, 0, 1.5708, -0.7853)
GRASP = (-1.0104, 1.5623, 1.3601, -1.6840, -1.5863, 1.7810, 1.4598)
LIFT = (-1.0426, 1.4028, 1.5634, -1.7114, -1.4055, 1.6015, 1.4510)

# A1: joints of a leg (hip, thigh, calf) [rad], gains [N m/rad, N m s/rad], largest torque [N m], lengths of thigh and calf,
# radius of a foot [m].
A1_LEG = (0.0, 0.9, -1.8)
A1_GAINS = (80.0, 1.0)
A1_EFFORT = 33.5
A1_BONE, A1_FOOT = 0.2, 0.02
A1_LEGS = ("FR", "FL", "RR", "RL")
A1_JOINTS = {f"{leg}_{part}_joint": q for leg in A1_LEGS for part, q in zip(("hip", "thigh", "calf"), A1_LEG)}
A1_FEET = tuple(f"{leg}_foot" for leg in A1_LEGS)
# The trunk's height with the feet on the ground [m].
A1_HEIGHT = A1_BONE * (math.cos(A1_LEG[1]) + math.cos(A1_LEG[1] + A1_LEG[2])) + A1_FOOT


class Watch:
    """What is measured of a scene; a world tells places and depths by the names of bodies."""

    def __init__(self, scene):
        self.scene = scene
        self.moving = [b for b in scene.bodies if b.mass > 0.0]
        self.random = random.Random(scene.seed)
        self.start = None
        self.worst = 0.0
        self.last = None
        self.lost = False
        self.held_targets = None
        self.ways = dict.fromkeys(A1_FEET, 0.0)
        # Deepest overlap since the settling time, in heaps in the last quarter [m]; looking at it at every hundredth of the
        # run is enough for what rests.
        self.depth = None
        self.every = 1 if scene.what in ("depth", "overlap") else max(1, scene.steps // 100)

    def targets(self, t, step):
        """Positions of the arm's seven joints and of its fingers; none without an arm."""
        if self.scene.robot != "panda":
            return None
        if t >= 4.0 - 0.5 * self.scene.dt:
            if step % 2 == 0 or self.held_targets is None:
                self.held_targets = [q + self.random.gauss(0.0, 0.025) for q in LIFT]
            return [*self.held_targets, 0.0]
        a, b, t0 = (START, LIFT, 0.0) if t < 1.0 else (LIFT, GRASP, 1.0) if t < 3.0 else (GRASP, LIFT, 3.0)
        s = min(t - t0, 1.0)
        opening = 0.04 * min(max(3.0 - t, 0.0), 1.0)
        return [*(x + s * (y - x) for x, y in zip(a, b)), opening]

    def see(self, step, world):
        """Called after a step, with its number from 1."""
        scene, t = self.scene, step * self.scene.dt
        if scene.what == "squares":
            self.squares(world)
        last_quarter = 0.75 * scene.duration if scene.what in ("overlap", "way", "squares") else 0.0
        begin = 4.0 if scene.what == "held" else scene.settle
        if t < begin - 0.5 * scene.dt:
            return
        if step % self.every == 0 and t > last_quarter:
            self.depth = max(self.depth or 0.0, world.depth())
        if scene.what == "held":
            self.in_hand(world)
        elif scene.what == "feet":
            self.feet(world)
        elif scene.what not in ("squares", "overlap"):
            self.ways_of_bodies(t, world)

    def in_hand(self, world):
        """Follows the object in the hand until it is lost."""
        self.lost |= not world.place("object")[2] >= 0.04
        place = world.in_hand()
        self.start = self.start or place
        if not self.lost:
            self.worst = max(self.worst, math.dist(place, self.start))

    def feet(self, world):
        """Sums the tangential speed of the lowest point of every foot."""
        for foot in A1_FEET:
            (vx, vy, _), (wx, wy, _) = world.motion(foot)
            self.ways[foot] += math.hypot(vx - wy * A1_FOOT, vy + wx * A1_FOOT) * self.scene.dt
        self.last = world.place("trunk")

    def ways_of_bodies(self, t, world):
        """Largest way since the settling time."""
        scene = self.scene
        places = {b.name: world.place(b.name) for b in self.moving}
        if self.start is None:
            from_the_start = scene.settle == 0.0
            self.start = {b.name: b.at for b in self.moving} if from_the_start else places
            self.begun = t
        if scene.what == "drop":
            ways = [self.start[n][2] - places[n][2] for n in places if n.endswith("cube")]
        else:
            ways = [math.dist(places[n], self.start[n]) for n in places]
        self.worst = max(self.worst, *ways, 0.0)
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

    def end(self, whole, world):
        """Outcome and error."""
        what = self.scene.what
        if not whole:
            return "ended by the limit of time", None
        if what == "held":
            return ("dropped" if self.lost else "held"), self.worst
        if what == "feet":
            return ("stands" if self.last[2] > 0.5 * A1_HEIGHT else "fell"), max(self.ways.values())
        if what in ("squares", "way"):
            return "", self.worst
        if what == "overlap":
            through = sum(not world.place(b.name)[2] > 0.0 for b in self.moving)
            return (f"{through} fell through the floor" if through else ""), self.depth
        if what == "depth":
            return ("rests" if self.worst < 0.1 else "moves"), self.depth
        if what == "drop":
            return ("held" if self.worst < 1e-3 else "slipped" if self.worst < 0.1 else "dropped"), self.worst
        if what == "creep":
            down = self.start["held"][2] - self.last["held"][2]
            return ("held" if down < 0.02 else "dropped"), abs(down) / max(self.time - self.begun, 1e-9)
        if what == "stop":
            way = math.dist(self.last["box"][:2], (0, 0))
            right = 1.0 / (2 * 0.5 * GRAVITY)
            return "stopped", way / right - 1.0
        return ("rests" if self.worst < 0.1 else "moves"), self.worst
