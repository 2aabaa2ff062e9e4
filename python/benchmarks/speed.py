"""What a step costs: called from Python, beside MuJoCo's ``mj_step``, and in batches beside ``mujoco.rollout`` and mjbatch; memory
and import time.

    python benchmarks/speed.py [--robots FOLDER] [--json FILE] [--worlds N]

FOLDER is that of the package ``example-robot-data``; without it only the project's quadruped stands. Both programs read the same
URDF file, without its meshes, have the same gains, friction and targets, and take steps of 5 ms with one solver each, MuJoCo with
its defaults and the integrator ``implicitfast``. Every ratio is the median of several, each of two times taken one after the other.

Times of single worlds are processor times. Batches tell both: of threads that wait for other programs the processor time stays,
while the wall time grows. On a busy Linux machine ``chrt -f 10 python benchmarks/speed.py`` keeps them away.
"""

import argparse
import json
import multiprocessing
import os
import subprocess
import sys
import time
import warnings
from collections.abc import Callable
from pathlib import Path
from typing import Any

import numpy as np
from scenes import DT, Scene, all_scenes, in_mujoco

import stickslip

Step = Callable[[int], None]


def quiet(seconds: float = 20.0) -> float:
    """Waits for a second in which the other programs leave the machine idle; gives the idle share of the last second."""
    stat = Path("/proc/stat")
    end = time.monotonic() + seconds
    while stat.exists():
        before = [int(x) for x in stat.read_text().split()[1:9]]
        time.sleep(1)
        after = [int(x) for x in stat.read_text().split()[1:9]]
        spent = [b - a for a, b in zip(before, after, strict=True)]
        idle = spent[3] / max(sum(spent), 1)
        if idle > 0.9 or time.monotonic() > end:
            return idle
    return 1.0


def per_call(call: Callable[[], Any], seconds: float = 0.2) -> float:
    """Median of the processor time that a call takes in this thread [s]."""
    times: list[float] = []
    end = time.perf_counter() + seconds
    while time.perf_counter() < end or len(times) < 5:
        start = time.thread_time()
        call()
        times.append(time.thread_time() - start)
    return float(np.median(times))


def in_turns(one: Callable[[], float], two: Callable[[], float]) -> tuple[float, float, float]:
    """Two times [s] and the ratio of the first to the second, medians of five."""
    pairs = [(one(), two()) for _ in range(5)]
    first, second = np.median(pairs, axis=0)
    return float(first), float(second), float(np.median([a / b for a, b in pairs]))


def from_python(scene: Scene) -> dict[str, float]:
    """A step called from Python, with a target written and a coordinate read, and one inside ``step(100)``."""
    world, targets, q = scene.world, scene.robot.targets, scene.robot.q

    def steps() -> None:
        for _ in range(100):
            targets[0] = targets[0] + 0.0 * q[0]
            world.step()

    called, inside, ratio = in_turns(lambda: per_call(steps) / 100, lambda: per_call(lambda: world.step(100)) / 100)
    print(f"  a step {1e6 * inside:.1f} us in Rust, {1e6 * called:.1f} us called from Python: {ratio:.3f}")
    return {"rust_us": 1e6 * inside, "python_us": 1e6 * called, "ratio": ratio}


def beside_mujoco(scene: Scene, model: Any, data: Any) -> dict[str, float]:
    """A cycle of targets, each step called from Python, in both programs."""
    import mujoco

    table, targets = scene.table, scene.robot.targets
    cycles = max(1, 100 // len(table))

    def ours() -> None:
        for row in table:
            targets[:] = row
            scene.world.step()

    def theirs() -> None:
        for row in table:
            data.ctrl[:] = row
            mujoco.mj_step(model, data)

    def many(call: Callable[[], None]) -> float:
        def all_cycles() -> None:
            for _ in range(cycles):
                call()

        return per_call(all_cycles) / cycles / len(table)

    own, other, ratio = in_turns(lambda: many(ours), lambda: many(theirs))
    contacts = len(scene.world.contacts())
    print(f"  ours {1e6 * own:.1f} us ({contacts} contacts), mj_step {1e6 * other:.1f} us ({data.ncon} contacts): {ratio:.2f}")
    return {"ours_us": 1e6 * own, "mujoco_us": 1e6 * other, "ratio": ratio, "contacts": contacts, "mujoco_contacts": int(data.ncon)}


def batches(scene: Scene, mujoco: tuple[Any, Any] | None, n: int, nstep: int = 10) -> dict[str, Any]:
    """Steps per second of n worlds on one and on two threads, ours and MuJoCo's; all in turns."""
    one, two = stickslip.Batch(scene.world, n, 1), stickslip.Batch(scene.world, n, 2)
    calls: dict[str, Callable[[], Any]] = {
        "ours/1": lambda: one.step(nstep=nstep),
        "ours/2": lambda: two.step(nstep=nstep),
    }
    if mujoco:
        calls |= peers(mujoco, n, nstep)
    runs: dict[str, list[tuple[float, float]]] = {name: [] for name in calls}
    idle = quiet()
    for k in range(4):
        for name, call in calls.items():
            wall, processor = time.perf_counter(), time.process_time()
            call()
            spent = (time.perf_counter() - wall, time.process_time() - processor)
            if k > 0:  # The first round warms up.
                runs[name].append(spent)
    out: dict[str, Any] = {"worlds": n, "nstep": nstep, "idle_before": idle}
    out["load"] = os.getloadavg()[0]
    print(f"  {n} worlds, {nstep} steps; the machine was {100 * idle:.0f} % idle before:")
    for name, times in runs.items():
        wall, processor = (float(x) for x in np.median(times, axis=0))
        out[name] = {"steps_per_s": n * nstep / wall, "cpu_us_per_step": 1e6 * processor / n / nstep, "busy": processor / wall}
        print(
            f"    {name:10} {n * nstep / wall:10.0f} steps/s, {1e6 * processor / n / nstep:6.1f} us of processor time each,"
            f" {processor / wall:.2f} processors at work"
        )
    for name in sorted({name.split("/")[0] for name in calls}):
        pairs = list(zip(runs[f"{name}/1"], runs[f"{name}/2"], strict=True))
        wall = float(np.median([a[0] / b[0] for a, b in pairs]))
        free = float(np.median([2 * a[1] / b[1] for a, b in pairs]))
        out[name] = {"two_threads_over_one": wall, "with_two_free_processors": free}
        print(f"    {name}: two threads are {wall:.2f} of one; by their processor time, {free:.2f} where both processors are free")
    out["same_bits"] = one.q.tobytes() == two.q.tobytes()
    print("    ours: the same bits" if out["same_bits"] else "    ours: OTHER BITS")
    return out


def peers(mujoco: tuple[Any, Any], n: int, nstep: int) -> dict[str, Callable[[], Any]]:
    """``mujoco.rollout``, and mjbatch where it is installed, from the same state with the same control."""
    import mujoco as mj
    from mujoco import rollout

    model, data = mujoco
    spec = mj.mjtState.mjSTATE_FULLPHYSICS
    state = np.empty(mj.mj_stateSize(model, spec))
    mj.mj_getState(model, data, state, spec)
    start, control = np.tile(state, (n, 1)), np.tile(data.ctrl, (n, nstep, 1))
    calls: dict[str, Callable[[], Any]] = {}
    for threads in (1, 2):
        pool = rollout.Rollout(nthread=threads)
        datas = [mj.MjData(model) for _ in range(threads)]

        def roll(pool: Any = pool, datas: Any = datas) -> None:
            pool.rollout(model, datas, start, control)

        calls[f"rollout/{threads}"] = roll
    try:
        import mjbatch
    except ImportError:
        return calls
    for threads in (1, 2):
        batch = mjbatch.Batch(model, n, threads)
        batch.bind("qpos")[:], batch.bind("qvel")[:], batch.bind("ctrl")[:] = data.qpos, data.qvel, data.ctrl

        def step(batch: Any = batch) -> None:
            for _ in range(nstep):
                batch.step()

        calls[f"mjbatch/{threads}"] = step
    return calls


def memory(folder: Path | None, name: str, queue: Any, n: int = 512) -> None:
    """Resident memory per copy that has been stepped; in a process of its own, where nothing was freed before."""

    def resident() -> int:
        return int(Path("/proc/self/statm").read_text().split()[1]) * os.sysconf("SC_PAGE_SIZE")

    warnings.simplefilter("ignore", stickslip.RobotFileWarning)
    [scene] = [scene for scene in all_scenes(folder) if scene.name == name]
    stickslip.Batch(scene.world, 1, 1).step()
    start = resident()
    batch = stickslip.Batch(scene.world, n, 1)
    copied = (resident() - start) / n / 1e3
    batch.step(nstep=3)
    queue.put({"copied_kB": copied, "stepped_kB": (resident() - start) / n / 1e3, "saved_kB": len(scene.world.save()) / 1e3})


def import_time() -> dict[str, float]:
    """Time to import numpy and the package in a fresh interpreter."""
    code = "from time import perf_counter as t; a = t(); import numpy; b = t(); import stickslip; print(b - a, t() - b)"
    command = [sys.executable, "-c", code]
    runs = [subprocess.run(command, capture_output=True, text=True, check=True).stdout.split() for _ in range(5)]
    theirs, own = np.median([[float(x) for x in run] for run in runs], axis=0)
    print(f"import {own:.3f} s after numpy's {theirs:.3f} s")
    return {"stickslip_s": float(own), "numpy_s": float(theirs)}


def main() -> None:
    """Prints all figures, and writes them."""
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--robots", type=Path)
    parser.add_argument("--json", type=Path)
    parser.add_argument("--worlds", type=int, default=1024)
    given = parser.parse_args()
    warnings.simplefilter("ignore", stickslip.RobotFileWarning)
    out: dict[str, Any] = {"stickslip": stickslip.__version__, "dt": DT, "import": import_time(), "scenes": {}}
    try:
        import mujoco

        out["mujoco"] = mujoco.__version__
    except ImportError:
        print("no comparison: mujoco is not installed")
    for scene in all_scenes(given.robots):
        print(scene.name, flush=True)
        own: dict[str, Any] = {"from_python": from_python(scene)}
        theirs = in_mujoco(scene) if "mujoco" in out else None
        if theirs:
            own["beside_mujoco"] = beside_mujoco(scene, *theirs)
        if Path("/proc/self/statm").exists():
            context = multiprocessing.get_context("spawn")
            queue = context.Queue()
            child = context.Process(target=memory, args=(given.robots, scene.name, queue))
            child.start()
            own["memory"] = queue.get()
            child.join()
            figures = ", ".join(f"{kind.removesuffix('_kB')} {x:.0f} kB" for kind, x in own["memory"].items())
            print(f"  memory of a world: {figures}", flush=True)
        own["batch"] = batches(scene, theirs, given.worlds)
        out["scenes"][scene.name] = own
    if given.json:
        given.json.write_text(json.dumps(out, indent=1) + "\n")


if __name__ == "__main__":
    main()
