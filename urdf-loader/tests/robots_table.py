#!/usr/bin/env python3
"""Loads, drops and tabulates public robots with the command `stickslip`.

    bash urdf-loader/tests/install_robots.sh FOLDER
    cargo build --release -p stickslip-experiments
    python3 urdf-loader/tests/robots_table.py --stickslip target/release/stickslip \\
        --robots $STICKSLIP_PUBLIC_ROBOTS --out docs/robots_table.md

Every file is read by `stickslip check`, once as it is and, if that is refused because of an inertia,
once more with the repairs that the refusal names. Every robot that loads falls by `stickslip run
drop` for two seconds after it may first touch the ground. Nothing here knows the robots: mass and
number of collision shapes are counted again in the XML.
"""

import argparse
import json
import pathlib
import subprocess
import sys
import tempfile
import xml.etree.ElementTree as ET
from concurrent.futures import ThreadPoolExecutor

REPAIRS = ["--missing-inertia", "geometry", "--impossible-inertia", "nearest"]
# Beyond that a joint counts as having left its limits (rad or m).
LIMIT = 1e-6
# Relative difference of masses: sums of the same decimals in another order.
MASS = 1e-12


def run(command: list[str], timeout: float) -> tuple[dict | None, str]:
    """Standard output as JSON, if it is, and the last line of standard error."""
    try:
        done = subprocess.run(command, capture_output=True, text=True, timeout=timeout)
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
    out = {"name": name, "repairs": [], "drop": None}
    check = [args.stickslip, "check", str(path), "--json", "-"]
    found, reason = run(check, args.timeout)
    if found is not None and not found["ok"]:
        again, second = run(check + REPAIRS, args.timeout)
        out["refused"] = reason
        if again is not None and again["ok"]:
            found, out["repairs"] = again, REPAIRS
        else:
            reason = second
    if found is None or not found["ok"]:
        out["verdict"] = "refused"
        out["reason"] = reason
        return out
    out["verdict"] = found["verdict"] if not out["repairs"] else "loads repaired"
    robot = found["robot"]
    mass, shapes = counted(path)
    out["links"], out["dofs"] = len(robot["links"]), robot["dofs"]
    out["declared"], out["loaded"] = robot["colliders_declared"], robot["colliders_loaded"]
    out["mass"] = robot["mass_kg"]
    out["mass_in_file"] = mass
    out["shapes_in_file"] = shapes
    with tempfile.TemporaryDirectory() as folder:
        drop = [args.stickslip, "run", "drop", "--robot", str(path), "--rerun", "off", "--quiet"]
        drop += ["--json", f"{folder}/drop.json"] + out["repairs"]
        _, failed = run(drop, args.timeout)
        result = pathlib.Path(folder, "drop.json")
        if result.is_file():
            answer = json.loads(result.read_text())
            out["drop"] = answer["metrics"] | {"outcome": answer["outcome"]}
        else:
            out["drop_failed"] = failed
    return out


def settled(r: dict) -> bool:
    drop = r["drop"]
    if drop is None or drop["settled"] != 1:
        return False
    beyond = max(drop["joint_limit_violation_max_rad"], drop["joint_limit_violation_max_m"])
    return beyond <= LIMIT


def mass_ok(r: dict) -> bool:
    want = r["mass_in_file"]
    return want is not None and abs(r["mass"] - want) <= MASS * max(want, 1e-300)


def number(x: float | None) -> str:
    return "-" if x is None else f"{x:.3g}"


def line(r: dict) -> str:
    if r["verdict"] == "refused":
        reason = r["reason"].replace("|", "\\|").split(".urdf: ")[-1]
        return f"| {r['name']} | refused | | | | | | {reason[:160]} |"
    drop = r["drop"] or {}
    beyond = [drop.get(f"joint_limit_violation_max_{u}") for u in ("rad", "m")]
    beyond = max((b for b in beyond if b is not None), default=None)
    speed = drop.get("residual_speed_m_per_s")
    note = r.get("drop_failed", "")
    if r["repairs"]:
        note = "inertia repaired" + (f"; {note}" if note else "")
    mass = number(r["mass"]) + ("" if mass_ok(r) else f" (file: {number(r['mass_in_file'])})")
    return (
        f"| {r['name']} | {r['verdict']} | {r['links']} / {r['dofs']} | {r['loaded']} of {r['declared']} "
        f"| {mass} | {'yes' if settled(r) else 'no'} | {number(speed)}, {number(beyond)} | {note[:160]} |"
    )


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__.split("\n")[0])
    parser.add_argument("--stickslip", required=True, help="the command")
    parser.add_argument("--robots", required=True, type=pathlib.Path, help="folder of robots")
    parser.add_argument("--out", required=True, type=pathlib.Path, help="Markdown file to write")
    parser.add_argument("--jobs", type=int, default=1)
    parser.add_argument("--timeout", type=float, default=300.0, help="per command [s]")
    parser.add_argument("--only", default="", help="part of the path")
    args = parser.parse_args()
    files = sorted(p for p in args.robots.rglob("*.urdf") if args.only in str(p))
    if not files:
        sys.exit(f"no *.urdf with `{args.only}` below {args.robots}")
    rows = []
    with ThreadPoolExecutor(args.jobs) as pool:
        for r in pool.map(lambda path: row(args, path), files):
            rows.append(r)
            print(line(r), file=sys.stderr, flush=True)
    # A thousand random objects are one line together.
    many = [r for r in rows if "random_urdfs/" in r["name"]]
    shown = [r for r in rows if r not in many]
    text = ["| robot | verdict | links / dofs | colliders | mass [kg] | settles | speed [m/s], beyond limits | notes |"]
    text += ["|---|---|---|---|---|---|---|---|"] + [line(r) for r in shown]
    text += ["", summary("Robots", shown)]
    if many:
        text.append(summary("pybullet's random objects", many))
    draft = args.out.with_suffix(".part")
    draft.write_text("\n".join(text) + "\n")
    draft.replace(args.out)
    print(summary("All", rows))


def summary(what: str, rows: list[dict]) -> str:
    loaded = [r for r in rows if r["verdict"] != "refused"]
    count = lambda test: sum(1 for r in loaded if test(r))
    return (
        f"{what}: {len(rows)} files, {len(loaded)} load ({count(lambda r: r['repairs'])} of them with an "
        f"inertia repaired), {len(rows) - len(loaded)} are refused; of those that load "
        f"{count(lambda r: r['declared'] == r['loaded'])} have every collider, {count(mass_ok)} the file's "
        f"mass, {count(settled)} settle."
    )


if __name__ == "__main__":
    main()
