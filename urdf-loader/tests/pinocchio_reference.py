#!/usr/bin/env python3
"""Rigid-body dynamics of public robots at random states, computed by pinocchio.

Writes the file of reference values that tests/reference_dynamics.rs reads (it says what is in it).
Needs the PyPI packages `pin` and `example-robot-data`; see install_robots.sh.

    python3 pinocchio_reference.py --out dynamics.json
    STICKSLIP_ROBOTS=$(python3 pinocchio_reference.py --where) \\
        STICKSLIP_REFERENCE=dynamics.json cargo test --test reference_dynamics -- --nocapture
"""

import argparse
import json
import os
import pathlib
import sys

import numpy as np
import pinocchio as pin

# Name, file below example-robot-data/robots, whether the base floats.
ROBOTS = [
    ("a1", "a1_description/urdf/a1.urdf", True),
    ("anymal", "anymal_b_simple_description/robots/anymal.urdf", True),
    ("solo12", "solo_description/robots/solo12.urdf", True),
    ("hyq", "hyq_description/robots/hyq_no_sensors.urdf", True),
    ("panda", "panda_description/urdf/panda.urdf", False),
    ("allegro", "allegro_hand_description/urdf/allegro_right_hand.urdf", False),
]


def folder() -> pathlib.Path:
    """The folder that holds `example-robot-data`: the installed package's, or STICKSLIP_ROBOTS."""
    given = os.environ.get("STICKSLIP_ROBOTS")
    if given:
        return pathlib.Path(given)
    share = pathlib.Path(pin.__file__).parents[4] / "share"
    if not (share / "example-robot-data" / "robots").is_dir():
        sys.exit("the package example-robot-data is not installed; see install_robots.sh")
    return share


def joint_names(model: pin.Model, floating: bool) -> list[str]:
    return list(model.names)[2 if floating else 1 :]


def case(model: pin.Model, floating: bool, random: np.random.Generator) -> dict:
    data = model.createData()
    q = pin.neutral(model)
    v = random.uniform(-2.0, 2.0, model.nv)
    a = random.uniform(-2.0, 2.0, model.nv)
    if floating:
        q[:3] = random.uniform(-2.0, 2.0, 3)
        quaternion = random.normal(size=4)
        q[3:7] = quaternion / np.linalg.norm(quaternion)
    values = {"joints": {}, "joint_v": {}, "joint_a": {}}
    order = [f"base.{x}" for x in ("vx", "vy", "vz", "wx", "wy", "wz")] if floating else []
    for name in joint_names(model, floating):
        joint = model.joints[model.getJointId(name)]
        angle = random.uniform(-1.0, 1.0)
        # pinocchio holds the position of a joint without limits as its cosine and sine.
        q[joint.idx_q : joint.idx_q + joint.nq] = (
            [np.cos(angle), np.sin(angle)] if joint.nq == 2 else angle
        )
        values["joints"][name] = angle
        values["joint_v"][name] = v[joint.idx_v]
        values["joint_a"][name] = a[joint.idx_v]
        order.append(name)
    if floating:
        values["base"] = {
            "p_WB": list(q[:3]),
            "quat_xyzw": list(q[3:7]),
            "v_B_local": list(v[:3]),
            "w_B_local": list(v[3:6]),
            "a_B_local": list(a[:3]),
            "alpha_B_local": list(a[3:6]),
        }
    values["v_order"] = order
    M = pin.crba(model, data, q)
    values["M"] = (np.triu(M) + np.triu(M, 1).T).tolist()
    values["bias"] = pin.nonLinearEffects(model, data, q, v).tolist()
    values["tau"] = pin.rnea(model, data, q, v, a).tolist()
    values["kinetic_energy"] = pin.computeKineticEnergy(model, data, q, v)
    values["potential_energy"] = pin.computePotentialEnergy(model, data, q)
    values["com_W"] = pin.centerOfMass(model, data, q, v).tolist()
    momentum = pin.computeCentroidalMomentum(model, data, q, v)
    values["momentum_W_linear"] = momentum.linear.tolist()
    values["momentum_W_angular_about_com"] = momentum.angular.tolist()
    pin.framesForwardKinematics(model, data, q)
    values["links_W"] = {
        frame.name: {"p": pose.translation.tolist(), "R": pose.rotation.tolist()}
        for frame, pose in zip(model.frames, data.oMf)
        if frame.type == pin.FrameType.BODY and frame.name != "universe"
    }
    return values


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__.split("\n")[0])
    parser.add_argument("--out", type=pathlib.Path, help="file to write")
    parser.add_argument("--cases", type=int, default=25, help="random states per robot")
    parser.add_argument("--seed", type=int, default=1)
    parser.add_argument("--where", action="store_true", help="only say where the robots are")
    args = parser.parse_args()
    if args.where:
        print(folder())
        return
    if args.out is None:
        parser.error("--out is needed")
    random = np.random.default_rng(args.seed)
    robots = {}
    for name, urdf, floating in ROBOTS:
        path = str(folder() / "example-robot-data" / "robots" / urdf)
        root = [pin.JointModelFreeFlyer()] if floating else []
        model = pin.buildModelFromUrdf(path, *root)
        robots[name] = {
            "urdf": urdf,
            "floating": floating,
            "mass": pin.computeTotalMass(model),
            "cases": [case(model, floating, random) for _ in range(args.cases)],
        }
        print(f"{name}: {model.nv} coordinates, {args.cases} states")
    # Whole or not at all.
    draft = args.out.with_suffix(args.out.suffix + ".part")
    draft.write_text(json.dumps(robots))
    draft.replace(args.out)


if __name__ == "__main__":
    main()
