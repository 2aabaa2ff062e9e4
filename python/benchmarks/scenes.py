"""What is stepped: robots without meshes, in this package and, from the same file, in MuJoCo."""

import math
import tempfile
import xml.etree.ElementTree as ET
from dataclasses import dataclass
from pathlib import Path
from typing import Any

import numpy as np
from numpy.typing import NDArray

from stickslip import Robot, World

Array = NDArray[np.float64]
ASSETS = Path(__file__).resolve().parents[2] / "assets"
DT = 0.005
FRICTION = 0.8
LEGS, ARM = 0.01, 0.1
"""Rotor inertias of joints [kg m^2, kg]. MuJoCo's contacts are as soft as what they push is light: without rotors quadrupeds hop
at this time step, and fingers sink 10 mm into the cube and lose it."""
SIDE = 0.04
GROUND = -0.1
"""Height of the ground under arms, whose bases would touch it [m]."""


@dataclass
class Scene:
    """A world in the middle of what it is about."""

    name: str
    file: Path
    world: World
    robot: Robot
    table: Array
    """Targets of the drives, a row for each step, over and over (steps, nu)."""
    start: Array
    """Coordinates that both programs start from (nq)."""
    settle: Array
    """Targets of the steps until now, which the other program goes through too (steps, nu)."""
    cube: tuple[float, float, float] | None = None
    """Where a cube of 100 g stands on the ground."""


def primitives(file: Path, fuse: bool = True) -> Path:
    """The file without meshes, without what MuJoCo's reader lacks, so that both programs have the same shapes."""
    root = ET.parse(file).getroot()
    for link in root.iter("link"):
        for kind in ("visual", "collision"):
            for shape in link.findall(kind):
                if kind == "visual" or shape.find("geometry/mesh") is not None:
                    link.remove(shape)
        side = {"panda_leftfinger": 1, "panda_rightfinger": -1}.get(link.get("name", ""))
        if side:  # A flat pad for Panda's round fingers, off which MuJoCo's cube slips.
            for shape in link.findall("collision"):
                link.remove(shape)
            pad = ET.SubElement(link, "collision")
            ET.SubElement(pad, "origin", xyz=f"0 {0.005 * side} 0.0445")
            ET.SubElement(ET.SubElement(pad, "geometry"), "box", size="0.02 0.01 0.03")
        if link.get("name", "").endswith("_foot") and link.find("collision") is None:  # Go2's feet are meshes.
            foot = ET.SubElement(link, "collision")
            ET.SubElement(ET.SubElement(foot, "geometry"), "sphere", radius="0.022")
    for joint in root.iter("joint"):
        for mimic in joint.findall("mimic"):
            joint.remove(mimic)
    if root.find("mujoco") is not None:
        return file
    extension = ET.SubElement(root, "mujoco")
    ET.SubElement(extension, "compiler", fusestatic=str(fuse).lower(), balanceinertia="true")
    out = Path(tempfile.mkdtemp()) / file.name
    out.write_text(ET.tostring(root, encoding="unicode"))
    return out


def _same(armature: float) -> dict[str, Any]:
    # MuJoCo's reader knows no pairs of links that overlap: links of a robot do not touch each other in either program.
    return {"friction": FRICTION, "armature": armature, "self_collision": "off"}


def _run(world: World, robot: Robot, settle: Array) -> None:
    for targets in settle:
        robot.targets[:] = targets
        world.step()


def standing(name: str, file: Path, joints: dict[str, float]) -> Scene:
    """A quadruped that has stood for two seconds."""
    world, file = World(dt=DT), primitives(file)
    world.add_ground(friction=FRICTION)
    robot = world.add_robot(file, base="floating", on_ground=True, joints=joints, **_same(LEGS))
    start, table = robot.q.copy(), robot.targets[None].copy()
    settle = table.repeat(400, axis=0)
    _run(world, robot, settle)
    return Scene(name, file, world, robot, table, start, settle)


def trotting(scene: Scene) -> Scene:
    """A quadruped whose diagonal pairs of legs lift in turns, twice a second: thigh and calf along half a sine."""
    name, file, joints = scene.name.replace("stand", "trot"), scene.file, dict(zip(scene.robot.names, scene.table[0], strict=True))
    stand = standing(name, file, joints)
    steps = round(0.5 / DT)
    table = stand.table.repeat(steps, axis=0)
    for leg, phase in {"FL": 0.0, "RR": 0.0, "FR": math.pi, "RL": math.pi}.items():
        lift = np.sin(2 * math.pi * np.arange(steps) / steps + phase).clip(0)
        table[:, stand.robot.index(f"{leg}_thigh_joint")] += 0.3 * lift
        table[:, stand.robot.index(f"{leg}_calf_joint")] -= 0.6 * lift
    more = np.tile(table, (4, 1))
    _run(stand.world, stand.robot, more)
    stand.table, stand.settle = table, np.concatenate([stand.settle, more])
    return stand


def grasping(name: str, file: Path, hand: str, fingers: tuple[str, str], at: tuple[float, float], **joints: float) -> Scene:
    """An arm that has closed its fingers around a cube and lifted it by 15 cm, held in the air."""
    # MuJoCo crashes where it fuses the links of a fixed base that is taken into its spec.
    world, file = World(dt=DT), primitives(file, fuse=False)
    world.add_ground(GROUND, friction=FRICTION)
    robot = world.add_robot(file, base="fixed", joints=joints, **_same(ARM))
    down = (0.0, 1.0, 0.0, 0.0)
    places = [robot.index(finger) for finger in fingers]
    low = robot.inverse_kinematics(hand, (*at, GROUND + 0.5 * SIDE + 0.01), down)
    high = robot.inverse_kinematics(hand, (*at, GROUND + 0.5 * SIDE + 0.16), down, start=low)
    robot.kp[places], robot.kd[places] = 2000.0, 40.0
    low[places] = 0.035
    robot.q = low
    cube = (*at, GROUND + 0.5 * SIDE)
    body = world.add_box((SIDE,) * 3, mass=0.1, friction=FRICTION, position=cube, name="cube")
    low[places] = 0.5 * SIDE - 0.01
    high[places] = low[places]
    close, hold = low[None].repeat(200, axis=0), high[None].repeat(200, axis=0)
    along = np.linspace(0, 1, 200)[:, None]
    start = robot.q.copy()
    settle = np.concatenate([close, (1 - along) * low + along * high, hold])
    _run(world, robot, settle)
    assert body.position[2] > GROUND + 0.1, "the cube was not lifted"
    return Scene(name, file, world, robot, high[None].copy(), start, settle, cube)


def all_scenes(folder: Path | None) -> list[Scene]:
    """The project's quadruped, and with the folder of ``example-robot-data`` A1 and Panda."""
    signs = {"lf": 1, "rh": 1, "rf": -1, "lh": -1}
    angles = {"hip": math.pi / 8, "thigh": math.pi / 4, "knee": math.pi / 2}
    own = {f"{leg}_{joint}": sign * angle for leg, sign in signs.items() for joint, angle in angles.items()}
    scenes = [standing("quadruped stand", ASSETS / "quadruped.urdf", own)]
    legs = {"hip_joint": 0.0, "thigh_joint": 0.9, "calf_joint": -1.8}
    stance = {f"{leg}_{joint}": angle for leg in ("FL", "FR", "RL", "RR") for joint, angle in legs.items()}
    for name in ("a1", "go2") if folder else ():
        for file in sorted(folder.glob(f"**/{name}_description/**/{name}.urdf") if folder else ()):
            stand = standing(f"{name} stand", file, stance)
            scenes += [stand, trotting(stand)]
    for file in sorted(folder.glob("**/panda_collision.urdf") if folder else ()):
        bent = {"panda_joint2": 0.2, "panda_joint4": -2.2, "panda_joint6": 2.4, "panda_joint7": 0.785}
        fingers = ("panda_finger_joint1", "panda_finger_joint2")
        scenes.append(grasping("panda grasp", file, "panda_hand_tcp", fingers, (0.45, 0.0), **bent))
    return scenes


def in_mujoco(scene: Scene) -> tuple[Any, Any]:
    """The scene's file in MuJoCo with its default solver, on a plane, with position actuators of the same gains; brought to the
    same moment by the same targets. Gives model and data."""
    import mujoco

    spec = mujoco.MjSpec.from_string(scene.file.read_text())
    spec.option.timestep = DT
    spec.option.integrator = mujoco.mjtIntegrator.mjINT_IMPLICITFAST
    for geom in spec.geoms:
        geom.friction[0], geom.conaffinity = FRICTION, 0  # Links do not touch each other.
    floating = scene.robot.floating
    base = spec.worldbody.first_body()
    if floating and base.first_joint() is None:
        base.add_freejoint()
    spec.worldbody.add_geom(type=mujoco.mjtGeom.mjGEOM_PLANE, size=[10, 10, 0.1], pos=[0, 0, GROUND if scene.cube else 0], friction=[FRICTION, 0.005, 0.0001])
    if scene.cube:
        cube = spec.worldbody.add_body(name="cube", pos=scene.cube)
        cube.add_freejoint()
        half = [0.5 * SIDE] * 3
        cube.add_geom(type=mujoco.mjtGeom.mjGEOM_BOX, size=half, mass=0.1, friction=[FRICTION, 0.005, 0.0001])
    for name, kp, kd in zip(scene.robot.names, scene.robot.kp, scene.robot.kd, strict=True):
        actuator = spec.add_actuator(name=name, target=name, trntype=mujoco.mjtTrn.mjTRN_JOINT)
        actuator.set_to_position(kp=kp, kv=kd)
        spec.joint(name).armature = LEGS if floating else ARM
    model = spec.compile()
    data = mujoco.MjData(model)
    if floating:
        data.qpos[:7] = scene.start[:7]
    for name, q in zip(scene.robot.names, scene.start[7 if floating else 0 :], strict=True):
        data.joint(name).qpos = q
    for targets in scene.settle:
        data.ctrl[:] = targets
        mujoco.mj_step(model, data)
    return model, data
