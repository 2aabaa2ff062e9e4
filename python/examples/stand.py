"""A quadruped from a URDF file stands; the forces on its feet."""

import math
import warnings
from pathlib import Path

import stickslip

ROBOT = Path(__file__).resolve().parents[2] / "assets" / "quadruped.urdf"


def main() -> None:
    """Stands for three seconds."""
    warnings.simplefilter("ignore", stickslip.RobotFileWarning)
    world = stickslip.World(dt=0.005)
    ground = world.add_ground(friction=0.5)
    signs = {"lf": 1, "rh": 1, "rf": -1, "lh": -1}
    angles = {"hip": math.pi / 8, "thigh": math.pi / 4, "knee": math.pi / 2}
    stance = {f"{leg}_{joint}": sign * angle for leg, sign in signs.items() for joint, angle in angles.items()}
    robot = world.add_robot(ROBOT, base="floating", on_ground=True, joints=stance)
    world.step(400)
    start = robot.q.copy()
    world.step(200)
    print(f"{robot}: moved {abs(robot.q - start).max():.1e} in the last second, under {world.report.status}")
    for link in robot.links:
        force = world.net_force(link, ground)
        if force.any():
            print(f"  the ground pushes {link.name} with ({force[0]:8.3f}, {force[1]:8.3f}, {force[2]:8.3f}) N")
    print(f"  {world.net_force(robot, ground)[2]:.3f} N in all; the robot weighs {9.81 * robot.mass:.3f} N")


if __name__ == "__main__":
    main()
