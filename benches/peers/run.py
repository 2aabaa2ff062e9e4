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

import robots
import scenes
import watch

ENGINES = ("mujoco", "bullet", "dart", "drake")


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


def engines(wanted):
    """Modules by the names of engines, with versions or why they are missing."""
    found, versions = {}, {}
    for name in wanted:
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
    """A row: the scene run to its end, or to the limit of processor time [s]."""
    world = engine.build(scene, options)
    seen = watch.Watch(scene)
    times, taken = [], 0.0
    for step in range(scene.steps):
        world.control(seen.targets(step * scene.dt, step))
        start = time.process_time()
        world.step()
        times.append(1e6 * (time.process_time() - start))
        taken += 1e-6 * times[-1]
        seen.see(step + 1, world)
        if taken > limit:
            break
    outcome, error = seen.end(len(times) == scene.steps, world)
    return {
        "scene": scene.name,
        "engine": engine.NAME,
        "options": options,
        "outcome": outcome,
        "error": error,
        # Deepest overlap since the settling time [m].
        "depth": seen.depth,
        "step_us": median(times),
        "steps": len(times),
    }


def chosen(words, of, what):
    """Names that begin with one of the words; all without words."""
    for word in words:
        if not any(name.startswith(word) for name in of):
            sys.exit(f"{what}: nothing begins with `{word}`; there are {', '.join(of)}")
    return [name for name in of if not words or any(name.startswith(w) for w in words)]


def main():
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("--out", required=True, metavar="FILE.json")
    parser.add_argument("--only", default="", metavar="SCENE,..", help="only scenes whose names begin so")
    parser.add_argument("--engines", default="", metavar="ENGINE,..", help=f"only these of {', '.join(ENGINES)}")
    parser.add_argument("--a1", metavar="FILE", help="URDF of Unitree's A1 [default: in the folder that STICKSLIP_ROBOTS names]")
    parser.add_argument("--limit", type=float, default=30.0, help="processor time that an engine may take for a scene [s]")
    arguments = parser.parse_args()
    words = lambda text: [w for w in text.split(",") if w]
    names = chosen(words(arguments.only), [s.name for s in scenes.ALL], "--only")
    found, versions = engines(chosen(words(arguments.engines), ENGINES, "--engines"))
    if not found:
        sys.exit("no engine is installed: pip install -r benches/peers/requirements.txt")
    rows, notes = [], []

    def note(text):
        print(text, file=sys.stderr)
        notes.append(text)

    for scene in (s for s in scenes.ALL if s.name in names):
        if scene.robot == "a1":
            scene.file = robots.find(arguments.a1)
            if scene.file is None:
                note(f"a1 is left out: {arguments.a1 or robots.PLACE} is not at hand (`--a1 FILE`, or the folder STICKSLIP_ROBOTS).")
                continue
        for engine in found.values():
            for options in engine.OPTIONS:
                if not engine.can(scene, options):
                    continue
                try:
                    row = measure(engine, scene, options, arguments.limit)
                except Exception as error:  # noqa: BLE001: an engine that refuses a scene costs its row alone.
                    first = (str(error).splitlines() or [type(error).__name__])[0]
                    note(f"{scene.name} under {engine.NAME} {options} is left out: {first}".replace("  ", " "))
                    continue
                print(row, file=sys.stderr)
                rows.append(row)
    made = {
        "machine": machine(),
        "date": datetime.date.today().isoformat(),
        "engines": versions,
        "notes": notes,
        "rows": rows,
    }
    try:
        with open(arguments.out, "w", encoding="utf-8") as out:
            json.dump(made, out, indent=1)
            out.write("\n")
    except OSError as error:
        sys.exit(f"{arguments.out}: {error.strerror}")


if __name__ == "__main__":
    main()
