"""A1 from the user's file, as every engine reads it."""

import os
import xml.etree.ElementTree as ET

PLACE = "example-robot-data/robots/a1_description/urdf/a1.urdf"


def find(given):
    """The file of A1, or none: the path given, else the folder of public robots that STICKSLIP_ROBOTS names."""
    file = given or os.path.join(os.environ.get("STICKSLIP_ROBOTS", ""), PLACE)
    return file if os.path.isfile(file) else None


def text(file, inside="", of_collisions="", spaces=""):
    """The file without visual shapes and without a massless root, unless that is the world: A1's trunk becomes the root.

    `inside` goes into the robot, `of_collisions` into every collision shape, `spaces` are attributes of the robot.
    """
    root = ET.parse(file).getroot()
    for link in root.findall("link"):
        for shape in link.findall("visual"):
            link.remove(shape)
    children = {j.find("child").get("link") for j in root.findall("joint")}
    for link in root.findall("link"):
        if link.get("name") not in {*children, "world"} and link.find("inertial") is None:
            root.remove(link)
            for joint in root.findall("joint"):
                if joint.find("parent").get("link") == link.get("name"):
                    root.remove(joint)
    for inertial in root.iter("inertial"):
        # Links that only carry a shape: not every engine takes a body without a mass.
        if float(inertial.find("mass").get("value")) == 0.0:
            inertial.find("mass").set("value", "1e-6")
            for axis in ("ixx", "iyy", "izz"):
                inertial.find("inertia").set(axis, "1e-9")
    out = ET.tostring(root, encoding="unicode")
    out = out.replace("</collision>", of_collisions + "</collision>").replace("</robot>", inside + "</robot>")
    return out.replace("<robot ", f"<robot {spaces} ", 1)
