#!/usr/bin/env python3
"""Loads, drops and tabulates public robots with the command `stickslip`.

    bash urdf-loader/tests/install_robots.sh FOLDER
    cargo build --release -p stickslip-experiments
    python3 urdf-loader/tests/robots_table.py --stickslip target/release/stickslip \\
        --robots $STICKSLIP_PUBLIC_ROBOTS --out docs/robots_table.md

`stickslip check` reads every file. Every robot that loads is dropped by `stickslip run drop`: the fall takes 0.1 s, the run 5.1 s. A robot
that still moves then is run for 30 s. One that has no collision shapes, or still rolls after that, is run with a fixed base. The script
has no list of robots: it counts mass and collision shapes in the XML itself.
"""

import argparse
import json
import os
import pathlib
import re
import shutil
import subprocess
import sys
import tempfile
import xml.etree.ElementTree as ET
from concurrent.futures import ThreadPoolExecutor

# Further runs of a robot that moves at the end of a drop: the word in the table, and flags.
FURTHER = {"later": ["--duration", "30"], "held": ["--base", "fixed"]}
HEAD = """# Public robots: what loads, and what comes to rest

Written by `{script}` from {folders}; the head of the script says how to run it. `stickslip check --all FOLDER` gives
the first columns alone, with all reasons.

- Settles: whether the robot comes to rest. `yes`: it was at rest for at least half a second at 5.1 s after the start of
  `stickslip run drop` (the fall takes 0.1 s). `after T s`: it was at rest from then on in a run of 30 s; it topples, or rocks and
  rolls on rigid ground, where only impacts and joint drives dissipate energy. `held`: it comes to rest with `--base fixed` alone;
  free, it still rocks or rolls after 30 s (arms without a stand, balls, bipeds), or has no collision shapes. `no`: none of these.
- Speed: of the fastest link, 5.1 s after the start. Beyond limits: the largest violation of a joint limit [rad or m].
- Mass: as loaded; the sum in the file is added in brackets where it differs.

"""
# Beyond that a joint counts as having left its limits (rad or m).
LIMIT = 1e-6
# How long a robot must have been at rest (s): what rocks is slow at every turn.
REST = 0.5
# Relative difference of masses: sums of the same decimals in another order.
MASS = 1e-12


def run(command: list[str], timeout: float) -> tuple[dict | None, str]:
    """Standard output as JSON, if it is, and the last line of standard error."""
    try:
        # In a folder of its own: the problems of steps that fell back are left where the command runs.
        with tempfile.TemporaryDirectory() as folder:
            done = subprocess.run(
                command, capture_output=True, text=True, timeout=timeout, cwd=folder
            )
    except subprocess.TimeoutExpired:
        return None, f"no end after {timeout:.0f} s"
    try:
        answer = json.loads(done.stdout)
    except ValueError:
        answer = None
    errors = [line for line in done.stderr.splitlines() if line.strip()]
    reason = next((line for line in errors if line.startswith("error: ")), "")
    return answer, reason.removeprefix("error: ") or (errors or [""])[-1]


def counted(path: pathlib.Path) -> tuple[float | None, int | None]:
    """Sum of masses and number of <collision> elements; None for what the XML doesn't give."""
    try:
        root = ET.parse(path).getroot()
    except ET.ParseError:
        return None, None
    links = root.findall("link")
    try:
        mass = sum(float(m.get("value")) for link in links for m in link.findall("inertial/mass"))
    except (TypeError, ValueError):
        mass = None
    return mass, sum(len(link.findall("collision")) for link in links)


def row(args: argparse.Namespace, path: pathlib.Path) -> dict:
    name = str(path.relative_to(args.robots)).split("site-packages/")[-1]
    name = name.removeprefix("cmeel.prefix/share/")
    out = {"name": name, "repairs": [], "drop": None, "further": None}
    found, reason = run([args.stickslip, "check", str(path), "--json", "-"], args.timeout)
    if found is None or not found["ok"]:
        out["verdict"] = "refused"
        out["reason"] = reason
        return out
    out["verdict"] = found["verdict"]
    inertia = ("impossible inertia", "taken from its shapes", "taken as a ball")
    notes = [n for n in found["notes"] if n["kind"] == "repaired"]
    out["repairs"] = [n for n in notes if any(words in n["text"] for words in inertia)]
    robot = found["robot"]
    mass, shapes = counted(path)
    out["links"], out["dofs"] = len(robot["links"]), robot["dofs"]
    out["declared"], out["loaded"] = robot["colliders_declared"], robot["colliders_loaded"]
    out["mass"] = robot["mass_kg"]
    out["mass_in_file"] = mass
    out["shapes_in_file"] = shapes
    out["drop"], failed = drop(args, path, [])
    if out["drop"] is None:
        out["drop_failed"] = failed
        return out
    for word, flags in FURTHER.items():
        if at_rest(out["drop"]) or (word == "later" and not out["loaded"]):
            continue
        more, _ = drop(args, path, flags)
        if more is not None and at_rest(more):
            out["further"] = (word, more)
            break
    return out


def drop(args: argparse.Namespace, path: pathlib.Path, flags: list[str]) -> tuple[dict | None, str]:
    """Figures of a drop, or why there are none."""
    with tempfile.TemporaryDirectory() as folder:
        command = [args.stickslip, "run", "drop", "--robot", str(path), "--rerun", "off", "--quiet"]
        _, failed = run(command + ["--json", f"{folder}/drop.json"] + flags, args.timeout)
        result = pathlib.Path(folder, "drop.json")
        if not result.is_file():
            return None, failed
        answer = json.loads(result.read_text())
        return answer["metrics"] | {"time_s": answer["dt"] * answer["steps"]}, ""


def at_rest(drop: dict) -> bool:
    beyond = max(drop["joint_limit_violation_max_rad"], drop["joint_limit_violation_max_m"])
    rested = drop["time_s"] - drop["settle_time_s"]
    return drop["settled"] == 1 and rested >= REST and beyond <= LIMIT


def settled(r: dict) -> bool:
    return r["drop"] is not None and at_rest(r["drop"])


def within_limits(r: dict) -> bool:
    drop = r["drop"]
    if drop is None:
        return False
    beyond = [drop[f"joint_limit_violation_max_{u}"] for u in ("rad", "m")]
    return all(b is not None and b <= LIMIT for b in beyond)


def settles(r: dict) -> str:
    """The table's word for how a robot comes to rest."""
    if settled(r):
        return "yes"
    if r["drop"] is None or r["further"] is None:
        return "no"
    word, drop = r["further"]
    return f"after {drop['settle_time_s']:.1f} s" if word == "later" else "held"


def mass_ok(r: dict) -> bool:
    want = r["mass_in_file"]
    return want is not None and abs(r["mass"] - want) <= MASS * max(want, 1e-300)


def number(x: float | None) -> str:
    return "-" if x is None else f"{x:.3g}"


def line(r: dict, root: pathlib.Path) -> str:
    if r["verdict"] == "refused":
        reason = re.sub(r"\S*site-packages/", "", r["reason"]).replace(f"{root}/", "")
        reason = reason.replace("|", "\\|").split(".urdf: ")[-1]
        return f"| {r['name']} | refused | | | | | | {reason[:160]} |"
    drop = r["drop"] or {}
    beyond = [drop.get(f"joint_limit_violation_max_{u}") for u in ("rad", "m")]
    beyond = max((b for b in beyond if b is not None), default=None)
    speed = drop.get("residual_speed_m_per_s")
    notes = [f"inertias repaired: {len(r['repairs'])}"] if r["repairs"] else []
    notes += [r["drop_failed"]] if r.get("drop_failed") else []
    notes += ["nothing to land on"] if not r["loaded"] else []
    note = "; ".join(notes)
    mass = number(r["mass"]) + ("" if mass_ok(r) else f" (file: {number(r['mass_in_file'])})")
    return (
        f"| {r['name']} | {r['verdict']} | {r['links']} / {r['dofs']} | {r['loaded']} of {r['declared']} "
        f"| {mass} | {settles(r)} | {number(speed)}, {number(beyond)} | {note[:160]} |"
    )


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__.split("\n")[0])
    parser.add_argument("--stickslip", required=True, help="the command")
    parser.add_argument("--robots", required=True, type=pathlib.Path, help="folder of robots")
    parser.add_argument("--out", required=True, type=pathlib.Path, help="Markdown file to write")
    parser.add_argument("--jobs", type=int, default=1)
    parser.add_argument("--timeout", type=float, default=300.0, help="per command [s]")
    parser.add_argument("--only", default="", help="part of the path")
    parser.add_argument("--skip", default="", help="part of the path of files to leave out")
    args = parser.parse_args()
    args.stickslip = shutil.which(args.stickslip)
    if args.stickslip is None:
        sys.exit("--stickslip: no such command")
    args.stickslip, args.robots = os.path.abspath(args.stickslip), args.robots.resolve()
    files = sorted(p for p in args.robots.rglob("*.urdf") if args.only in str(p))
    if args.skip:
        files = [p for p in files if args.skip not in str(p)]
    if not files:
        sys.exit(f"no *.urdf with `{args.only}` below {args.robots}")
    rows = []
    with ThreadPoolExecutor(args.jobs) as pool:
        for r in pool.map(lambda path: row(args, path), files):
            rows.append(r)
            print(line(r, args.robots), file=sys.stderr, flush=True)
    # A thousand random objects are one line together.
    many = [r for r in rows if "random_urdfs/" in r["name"]]
    shown = [r for r in rows if r not in many]
    text = ["| robot | verdict | links / dofs | colliders | mass [kg] | settles | speed [m/s], beyond limits | notes |"]
    text += ["|---|---|---|---|---|---|---|---|"] + [line(r, args.robots) for r in shown]
    text += ["", summary("Robots", shown)]
    if many:
        text.append(summary("pybullet's random objects", many))
    folders = sorted({r["name"].split("/")[0] for r in rows})
    head = HEAD.format(script="urdf-loader/tests/robots_table.py", folders=", ".join(folders))
    draft = args.out.with_suffix(".part")
    draft.write_text(head + "\n".join(text) + "\n")
    draft.replace(args.out)
    print(summary("All", rows))


def summary(what: str, rows: list[dict]) -> str:
    loaded = [r for r in rows if r["verdict"] != "refused"]
    count = lambda test: sum(1 for r in loaded if test(r))
    return (
        f"{what}: {len(rows)} files, {len(loaded)} load ({count(lambda r: r['repairs'])} of them with an "
        f"inertia repaired), {len(rows) - len(loaded)} refused; of those that load "
        f"{count(lambda r: r['declared'] == r['loaded'])} have every collider, {count(mass_ok)} the file's "
        f"mass; {count(within_limits)} keep within their joint limits; {count(settled)} settle within "
        f"5.1 s, {count(lambda r: settles(r).startswith('after'))} later, "
        f"{count(lambda r: settles(r) == 'held')} only when their base is held, "
        f"{count(lambda r: settles(r) == 'no')} not."
    )


if __name__ == "__main__":
    main()
