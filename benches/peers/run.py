"""Scenes of docs/benchmarks.md under other engines, on this machine.

    python -m venv peers && peers/bin/pip install -r benches/peers/requirements.txt
    peers/bin/python benches/peers/run.py --out peers.json
    cargo run --release -p stickslip-benches --bin benchmarks -- --peers peers.json

An engine that is not installed is left out, and the file says so. SI units, z up.
"""

import argparse
import datetime
import json
import platform
import sys
import time

import scenes


def machine():
    """Name of the processor."""
    try:
        with open("/proc/cpuinfo", encoding="utf-8") as text:
            for line in text:
                if line.startswith("model name"):
                    return line.split(":", 1)[1].strip()
    except OSError:
        pass
    return platform.processor() or platform.machine()


def engines():
    """Modules by the names of engines, with versions or why they are missing."""
    found, versions = {}, {}
    for name in ("mujoco", "bullet", "dart"):
        try:
            module = __import__("with_" + name)
        except ImportError as error:
            versions[name] = f"(left out: {error})"
            continue
        found[name] = module
        versions[name] = module.VERSION
    return found, versions


def median(values):
    ordered = sorted(values)
    return ordered[len(ordered) // 2]


def measure(engine, scene, options, limit):
    """A row: the scene run to its end, or to the limit of time [s]."""
    world = engine.build(scene, options)
    watch = scenes.Watch(scene)
    depth = None
    times, taken = [], 0.0
    for step in range(scene.steps):
        world.control(watch.targets(step * scene.dt, step))
        start = time.perf_counter()
        world.step()
        times.append(1e6 * (time.perf_counter() - start))
        taken += 1e-6 * times[-1]
        watch.see((step + 1) * scene.dt, world)
        if step == scene.steps // 2:
            depth = world.depth()
        if taken > limit:
            break
    outcome, error = watch.end(len(times) == scene.steps)
    return {
        "scene": scene.name,
        "engine": engine.NAME,
        "options": options,
        "outcome": outcome,
        "error": error,
        # Deepest contact in the middle of the run [m].
        "depth": depth,
        "step_us": median(times),
        "steps": len(times),
    }


def main():
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("--out", required=True, metavar="FILE.json")
    parser.add_argument("--only", default="", metavar="SCENE,..", help="only scenes whose names begin so")
    parser.add_argument("--limit", type=float, default=60.0, help="time that an engine may take for a scene [s]")
    arguments = parser.parse_args()
    wanted = [w for w in arguments.only.split(",") if w]
    found, versions = engines()
    if not found:
        sys.exit("no engine is installed: pip install -r benches/peers/requirements.txt")
    rows = []
    for scene in scenes.ALL:
        if wanted and not any(scene.name.startswith(w) for w in wanted):
            continue
        for engine in found.values():
            for options in engine.OPTIONS:
                if not engine.can(scene):
                    continue
                row = measure(engine, scene, options, arguments.limit)
                print(row, file=sys.stderr)
                rows.append(row)
    made = {
        "machine": machine(),
        "date": datetime.date.today().isoformat(),
        "engines": versions,
        "rows": rows,
    }
    with open(arguments.out, "w", encoding="utf-8") as out:
        json.dump(made, out, indent=1)
        out.write("\n")


if __name__ == "__main__":
    main()
