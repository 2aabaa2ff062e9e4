"""What the environments are about, over n worlds at once: arrays in, arrays out, no gymnasium."""

from __future__ import annotations

import math
import warnings
from importlib.resources import as_file, files
from typing import Any

import numpy as np
from numpy.typing import NDArray

from .. import Batch, Robot, RobotFileWarning, World

Array = NDArray[np.float64]
Flags = NDArray[np.bool_]


def _robot(world: World, file: str, **options: Any) -> Robot:
    with as_file(files("stickslip") / "assets" / file) as path, warnings.catch_warnings():
        warnings.simplefilter("ignore", RobotFileWarning)
        return world.add_robot(path, **options)


class Task:
    """One world, n copies of it, and what counts."""

    actions: int
    """Numbers of an action, each from -1 to 1."""
    observations: int
    """Numbers of an observation."""
    nstep = 4
    """Steps of 5 ms for each action."""
    steps = 200
    """Actions of an episode."""

    def __init__(self, n: int, threads: int | None) -> None:
        self.n = n
        self.world = World(dt=0.005)
        self.build()
        self.batch = Batch(self.world, n, threads)

    def build(self) -> None:
        """Fills the world."""
        raise NotImplementedError

    def scatter(self, rng: np.random.Generator) -> None:
        """Draws where the next episodes start; worlds go there when they are reset."""
        raise NotImplementedError

    def control(self, action: Array) -> Array:
        """Targets of the drives (n, nu) for actions (n, actions)."""
        raise NotImplementedError

    def observe(self) -> Array:
        """Observations (n, observations)."""
        raise NotImplementedError

    def judge(self, action: Array) -> tuple[Array, Flags]:
        """Rewards (n,) of the last action, and which episodes it ended."""
        raise NotImplementedError

    def reset(self, mask: Flags, rng: np.random.Generator) -> None:
        """Starts the episodes of the mask (n,) anew."""
        self.scatter(rng)
        self.batch.reset(mask)

    def step(self, action: Array) -> tuple[Array, Flags]:
        """Acts and judges. A world whose step failed has reward 0 and ends."""
        self.batch.step(self.control(np.clip(action, -1.0, 1.0)), self.nstep)
        reward, ended = self.judge(action)
        for k in self.batch.errors:
            reward[k], ended[k] = 0.0, True
        return reward, ended


class Stand(Task):
    """A quadruped with twelve driven joints stands up from a random crouch and keeps its base at 0.9 of its height.

    Actions move the targets by up to 0.6 rad about the stance. Observed are height, the world's z axis in the base's, joint
    positions relative to the stance, and all velocities. The reward of an action is at most 1: height, upright, still.
    """

    actions = 12
    observations = 1 + 3 + 12 + 18

    def build(self) -> None:
        angles = {"hip": math.pi / 8, "thigh": math.pi / 4, "knee": math.pi / 2}
        signs = {"lf": 1, "rh": 1, "rf": -1, "lh": -1}
        stance = {f"{leg}_{joint}": sign * angle for leg, sign in signs.items() for joint, angle in angles.items()}
        self.world.add_ground(friction=0.8)
        self.robot = _robot(self.world, "quadruped.urdf", base="floating", on_ground=True, joints=stance, friction=0.8)
        self.stance = self.robot.targets.copy()
        self.start = self.robot.q.copy()
        self.height = 0.9 * self.start[2]

    def scatter(self, rng: np.random.Generator) -> None:
        q = np.tile(self.start, (self.n, 1))
        q[:, 7:] += rng.uniform(-0.15, 0.15, (self.n, 12))
        q[:, 2] += rng.uniform(0.0, 0.05, self.n)
        self.batch.expand("q", q, now=False)

    def control(self, action: Array) -> Array:
        return self.stance + 0.6 * action

    def _up(self) -> Array:
        w, x, y, z = self.batch.q[:, 3:7].T
        return np.stack([2 * (x * z - w * y), 2 * (y * z + w * x), 1 - 2 * (x * x + y * y)], axis=1)

    def observe(self) -> Array:
        q, v = self.batch.q, self.batch.v
        return np.concatenate([q[:, 2:3], self._up(), q[:, 7:] - self.stance, v], axis=1)

    def judge(self, action: Array) -> tuple[Array, Flags]:
        height, up = self.batch.q[:, 2], self._up()[:, 2]
        speed = np.linalg.norm(self.batch.v[:, :6], axis=1)
        reward = np.exp(-((height - self.height) ** 2) / 0.05**2) * np.clip(up, 0, 1) * np.exp(-0.5 * speed)
        return reward, (up < 0.5) | (height < 0.4 * self.height)


class _Stage(Task):
    """A gripper on a stage that moves along x, y and z, and a cube of 4 cm on the ground."""

    side = 0.04
    reach = 0.15

    def build(self) -> None:
        self.world.add_ground(friction=0.6)
        self.robot = _robot(self.world, "carrier.urdf", position=(0, 0, 0.0), friction=0.8)
        self.cube = self.world.add_box((self.side,) * 3, mass=0.1, friction=0.8, position=(0, 0, self.side / 2), name="cube")
        self.stage = [self.robot.index(f"stage_{axis}") for axis in "xyz"]
        self.fingers = [self.robot.index(f"{side}_finger") for side in ("left", "right")]
        # Fingers that aim 1 cm into the cube press with 20 N.
        self.robot.kp[self.fingers], self.robot.kd[self.fingers] = 2000.0, 40.0
        self.rest = self.robot.targets.copy()
        pads = [self.robot.link(f"{side}_finger_link").position for side in ("left", "right")]
        self.grip = (pads[0] + pads[1]) / 2
        self.goal = np.zeros((self.n, 2))

    def fingertips(self) -> Array:
        """Between the fingers (n, 3) [m]."""
        return self.grip + self.batch.q[:, self.stage]

    def lowered(self) -> float:
        """The target of the stage's z at which the fingers are around the cube [m]."""
        return float(self.side / 2 - self.grip[2])


class Grasp(_Stage):
    """A gripper closes around a cube and lifts it by 10 cm.

    Actions are the targets of the stage (x, y within 15 cm, z from the cube to 20 cm above it) and of the fingers (-1 open, 1
    closed). Observed are fingertips, opening, the cube relative to the fingertips, its velocity and height. The reward is
    nearness, at most 0.3, and height over 10 cm, at most 0.7.
    """

    actions = 4
    observations = 3 + 1 + 3 + 3 + 1

    def scatter(self, rng: np.random.Generator) -> None:
        at = np.full((self.n, 3), self.side / 2)
        at[:, :2] = self.grip[:2] + rng.uniform(-0.08, 0.08, (self.n, 2))
        self.batch.expand("position", at, of=self.cube, now=False)

    def control(self, action: Array) -> Array:
        ctrl = np.tile(self.rest, (self.n, 1))
        ctrl[:, self.stage[0]] = self.reach * action[:, 0]
        ctrl[:, self.stage[1]] = self.reach * action[:, 1]
        ctrl[:, self.stage[2]] = self.lowered() + 0.1 * (1 + action[:, 2])
        # Fingers that aim past the cube press.
        opening = np.where(action[:, 3] > 0, 0.0, 0.05)
        ctrl[:, self.fingers] = opening[:, None]
        return ctrl

    def observe(self) -> Array:
        tips, cube = self.fingertips(), self.batch.position(self.cube)
        opening = self.batch.q[:, self.fingers].mean(axis=1, keepdims=True)
        velocity = self.batch.velocity(self.cube)[:, :3]
        return np.concatenate([tips, opening, cube - tips, velocity, cube[:, 2:3]], axis=1)

    def judge(self, action: Array) -> tuple[Array, Flags]:
        cube = self.batch.position(self.cube)
        near = np.exp(-np.linalg.norm(cube - self.fingertips(), axis=1) / 0.05)
        lift = np.clip((cube[:, 2] - self.side / 2) / 0.1, 0, 1)
        away = np.linalg.norm(cube[:, :2] - self.grip[:2], axis=1) > 0.4
        return 0.3 * near + 0.7 * lift, away


class Push(_Stage):
    """Closed fingers push a cube over the ground to a goal.

    Actions are the targets of the stage's x and y within 15 cm. Observed are fingertips, the cube relative to them, the goal
    relative to the cube, and the cube's velocity. The reward is the nearness of the cube to the goal and, for a fifth, of the
    fingertips to the cube.
    """

    actions = 2
    observations = 2 + 2 + 2 + 2

    def scatter(self, rng: np.random.Generator) -> None:
        turn = rng.uniform(0, 2 * math.pi, self.n)
        at = np.full((self.n, 3), self.side / 2)
        at[:, :2] = self.grip[:2] + 0.08 * np.stack([np.cos(turn), np.sin(turn)], axis=1)
        self.batch.expand("position", at, of=self.cube, now=False)
        self.next_goal = at[:, :2] + rng.uniform(-0.06, 0.06, (self.n, 2))

    def reset(self, mask: Flags, rng: np.random.Generator) -> None:
        super().reset(mask, rng)
        self.goal[mask] = self.next_goal[mask]

    def control(self, action: Array) -> Array:
        ctrl = np.tile(self.rest, (self.n, 1))
        ctrl[:, self.stage[0]] = self.reach * action[:, 0]
        ctrl[:, self.stage[1]] = self.reach * action[:, 1]
        ctrl[:, self.stage[2]] = self.lowered()
        ctrl[:, self.fingers] = 0.0
        return ctrl

    def observe(self) -> Array:
        tips, cube = self.fingertips()[:, :2], self.batch.position(self.cube)[:, :2]
        velocity = self.batch.velocity(self.cube)[:, :2]
        return np.concatenate([tips, cube - tips, self.goal - cube, velocity], axis=1)

    def judge(self, action: Array) -> tuple[Array, Flags]:
        cube = self.batch.position(self.cube)[:, :2]
        to_goal = np.linalg.norm(self.goal - cube, axis=1)
        to_cube = np.linalg.norm(cube - self.fingertips()[:, :2], axis=1)
        away = np.linalg.norm(cube - self.grip[:2], axis=1) > 0.4
        return 0.8 * np.exp(-to_goal / 0.05) + 0.2 * np.exp(-to_cube / 0.05), away


TASKS: dict[str, type[Task]] = {"Stand": Stand, "Grasp": Grasp, "Push": Push}
