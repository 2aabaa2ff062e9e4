"""What a step costs: called from Python, beside MuJoCo's ``mj_step``, in a batch; memory and import time.

    python benchmarks/speed.py [--robots FOLDER]

FOLDER is that of the package ``example-robot-data``; without it only the project's quadruped stands. Every ratio is the median
of several, each of two times taken one after the other.
"""

import argparse
import multiprocessing
import subprocess
import sys
import time
import warnings
import xml.etree.ElementTree as ET
from collections.abc import Callable
from pathlib import Path
from typing import Any

import numpy as np

import stickslip
from stickslip import Robot, World

ASSETS = Path(__file__).resolve().parents[2] / "assets"
DT = 0.005
LEGS = {"hip_joint": 0.0, "thigh_joint": 0.9, "calf_joint": -1.8}
STANCE = {f"{leg}_{joint}": angle for leg in ("FL", "FR", "RL", "RR") for joint, angle in LEGS.items()}


def stand(file: Path, folders: list[Path], joints: dict[str, float]) -> tuple[World, Robot]:
    """A robot that has stood for two seconds."""
    world = World(dt=DT)
    world.add_ground()
    robot = world.add_robot(file, base="floating", on_ground=True, package_paths=folders, joints=joints)
    world.step(400)
    return world, robot


def per_call(call: Callable[[], Any], seconds: float = 0.4) -> float:
    """Median time of a call [s]."""
    times: list[float] = []
    end = time.perf_counter() + seconds
    while time.perf_counter() < end or len(times) < 5:
        start = time.perf_counter()
        call()
        times.append(time.perf_counter() - start)
    return float(np.median(times))


def in_turns(one: Callable[[], float], two: Callable[[], float]) -> tuple[float, float, float]:
    """Two times [s] and the ratio of the first to the second, medians of five."""
    pairs = [(one(), two()) for _ in range(5)]
    first, second = np.median(pairs, axis=0)
    return float(first), float(second), float(np.median([a / b for a, b in pairs]))


def from_python(world: World, robot: Robot) -> None:
    """A step called from Python, with a target written and a coordinate read, and one inside ``step(100)``."""
    targets, q = robot.targets, robot.q

    def step() -> Any:
        targets[0] = targets[0]
        world.step()
        return q[0]

    called, inside, ratio = in_turns(lambda: per_call(step), lambda: per_call(lambda: world.step(100)) / 100)
    print(f"  a step {1e6 * inside:.1f} us in Rust, {1e6 * called:.1f} us called from Python: {ratio:.3f}")


def primitives(file: Path) -> str:
    """A URDF file without meshes, for a comparison over the same shapes."""
    root = ET.parse(file).getroot()
    for link in root.iter("link"):
        for kind in ("visual", "collision"):
            for shape in link.findall(kind):
                if kind == "visual" or shape.find("geometry/mesh") is not None:
                    link.remove(shape)
    extension = ET.SubElement(root, "mujoco")
    ET.SubElement(extension, "compiler", fusestatic="true", balanceinertia="true")
    return ET.tostring(root, encoding="unicode")


def beside_mujoco(world: World, robot: Robot, file: Path) -> None:
    """The same file in MuJoCo, on a plane, held by position actuators of the same gains."""
    try:
        import mujoco
    except ImportError:
        print("  no comparison: mujoco is not installed")
        return
    spec = mujoco.MjSpec.from_string(primitives(file))
    spec.option.timestep = DT
    spec.option.integrator = mujoco.mjtIntegrator.mjINT_IMPLICITFAST
    spec.worldbody.add_geom(type=mujoco.mjtGeom.mjGEOM_PLANE, size=[10, 10, 0.1])
    base = spec.worldbody.first_body()
    if base.first_joint() is None:
        base.add_freejoint()
    for name, kp, kd in zip(robot.names, robot.kp, robot.kd, strict=True):
        actuator = spec.add_actuator(name=name, target=name, trntype=mujoco.mjtTrn.mjTRN_JOINT)
        actuator.set_to_position(kp=kp, kv=kd)
    model = spec.compile()
    data = mujoco.MjData(model)
    data.qpos[:3], data.qpos[3:7] = robot.q[:3], robot.q[3:7]
    for name, target in zip(robot.names, robot.targets, strict=True):
        data.joint(name).qpos, data.actuator(name).ctrl = target, target
    mujoco.mj_step(model, data, nstep=400)
    ours, theirs, ratio = in_turns(
        lambda: per_call(lambda: world.step(100)) / 100,
        lambda: per_call(lambda: mujoco.mj_step(model, data, nstep=100)) / 100,
    )
    contacts, height = len(world.contacts()), float(data.qpos[2])
    print(f"  ours {1e6 * ours:.1f} us ({contacts} contacts, base at {robot.q[2]:.3f} m)", end="")
    print(f", mj_step {1e6 * theirs:.1f} us ({data.ncon} contacts, base at {height:.3f} m): {ratio:.2f}")


def threads(world: World, n: int = 1024, nstep: int = 10) -> None:
    """Steps of n worlds on one thread and on two, and whether they are the same."""
    one, two = stickslip.Batch(world, n, 1), stickslip.Batch(world, n, 2)

    def timed(batch: stickslip.Batch) -> float:
        start = time.perf_counter()
        batch.step(nstep=nstep)
        return time.perf_counter() - start

    first, second, ratio = in_turns(lambda: timed(one), lambda: timed(two))
    same = one.q.tobytes() == two.q.tobytes()
    print(f"  {n} worlds: {n * nstep / first:.0f} steps/s on one thread, {n * nstep / second:.0f} on two: {ratio:.2f}", end="")
    print(", the same bits" if same else ", OTHER BITS")


def memory(file: Path, folders: list[Path], joints: dict[str, float], n: int = 1024) -> None:
    """Resident memory per copy that has been stepped; in a process of its own, where nothing was freed before."""

    def resident() -> int:
        return int(Path("/proc/self/statm").read_text().split()[1]) * 4096

    warnings.simplefilter("ignore", stickslip.RobotFileWarning)
    world, _ = stand(file, folders, joints)
    stickslip.Batch(world, 1, 1).step()
    start = resident()
    batch = stickslip.Batch(world, n, 1)
    batch.step(nstep=3)
    print(f"  {(resident() - start) / n / 1e3:.0f} kB per world; saved {len(world.save()) / 1e3:.0f} kB", flush=True)


def import_time() -> None:
    """Time to import numpy and the package in a fresh interpreter."""
    code = "from time import perf_counter as t; a = t(); import numpy; b = t(); import stickslip; print(b - a, t() - b)"
    command = [sys.executable, "-c", code]
    runs = [subprocess.run(command, capture_output=True, text=True, check=True).stdout.split() for _ in range(5)]
    theirs, own = np.median([[float(x) for x in run] for run in runs], axis=0)
    print(f"import {own:.3f} s after numpy's {theirs:.3f} s")


def main() -> None:
    """Prints all figures."""
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--robots", type=Path)
    folder = parser.parse_args().robots
    warnings.simplefilter("ignore", stickslip.RobotFileWarning)
    import_time()
    signs = {"lf": 1, "rh": 1, "rf": -1, "lh": -1}
    angles = {"hip": np.pi / 8, "thigh": np.pi / 4, "knee": np.pi / 2}
    own = {f"{leg}_{joint}": sign * angle for leg, sign in signs.items() for joint, angle in angles.items()}
    scenes: list[tuple[str, Path, list[Path], dict[str, float]]] = [("quadruped", ASSETS / "quadruped.urdf", [], own)]
    for name in ("a1", "go2") if folder else ():
        for file in sorted(folder.glob(f"**/{name}_description/**/{name}.urdf")):
            scenes.append((name, file, [folder, folder.parent], STANCE))
    for name, file, folders, joints in scenes:
        print(name, flush=True)
        world, robot = stand(file, folders, joints)
        if Path("/proc/self/statm").exists():
            child = multiprocessing.get_context("spawn").Process(target=memory, args=(file, folders, joints))
            child.start()
            child.join()
        from_python(world, robot)
        beside_mujoco(world, robot, file)
        threads(world)


if __name__ == "__main__":
    main()
