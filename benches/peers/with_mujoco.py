"""MuJoCo."""

import os

import mujoco

NAME = "MuJoCo"
VERSION = mujoco.__version__
# Elliptic cones: as it comes; with contacts as stiff as it allows (a time constant of two steps) and friction ten times as
# stiff; the same with ten iterations of the no-slip solver.
OPTIONS = ("", "stiff", "stiff, no-slip")

ROBOT = os.path.join(os.path.dirname(__file__), "panda.xml")


def can(_scene):
    return True


def geom(shape, size, at, mu, mass=None, extra=""):
    kind = {"box": "box", "ball": "sphere", "capsule": "capsule"}[shape]
    numbers = " ".join(map(str, size))
    place = " ".join(map(str, at))
    turned = ' euler="1.5707963267948966 0 0"' if shape == "capsule" else ""
    weight = f' mass="{mass}"' if mass is not None else ""
    return f'<geom type="{kind}" size="{numbers}" pos="{place}"{turned} friction="{mu} 0 0"{weight} {extra}/>'


def body(b):
    joint = "<freejoint/>"
    if b.slide:
        axis, damping, _ = b.slide
        joint = f'<joint name="{b.name}" type="slide" axis="{axis[0]} {axis[1]} {axis[2]}" damping="{damping}"/>'
    # What slides on a rail touches no other that does.
    kinds = 'contype="2" conaffinity="1"' if b.slide else 'contype="1" conaffinity="3"'
    geoms = geom(b.shape, b.size, (0, 0, 0), b.mu, b.mass, kinds)
    geoms += "".join(geom(s, size, at, b.mu, 0.0) for s, size, at in b.more)
    return f'<body name="{b.name}" pos="{b.at[0]} {b.at[1]} {b.at[2]}">{joint}{geoms}</body>'


def build(scene, options):
    noslip = 10 if "no-slip" in options else 0
    stiff = f'solref="{2 * scene.dt} 1" solimp="0.95 0.99 0.001 0.5 2"' if "stiff" in options else ""
    impratio = 10 if "stiff" in options else 1
    gravity = " ".join(map(str, scene.gravity))
    inner = "".join(body(b) for b in scene.bodies)
    world, rest = "", ""
    if scene.robot:
        with open(ROBOT, encoding="utf-8") as text:
            robot = text.read()
        part = lambda name: robot.split(f"<!-- {name} -->")[1].split("<!-- end of")[0]
        world, rest = part("arm"), part("drives")
    pads = [b for b in scene.bodies if b.slide]
    text = f"""<mujoco><compiler angle="radian" autolimits="true" inertiafromgeom="auto"/>
<option timestep="{scene.dt}" gravity="{gravity}" cone="elliptic" noslip_iterations="{noslip}" impratio="{impratio}" integrator="implicitfast"/>
<size memory="400M"/><default><geom {stiff}/></default>
<worldbody><geom type="plane" size="20 20 1" friction="{scene.ground_mu} 0 0"/>{inner}{world}</worldbody>{rest}</mujoco>"""
    model = mujoco.MjModel.from_xml_string(text)
    data = mujoco.MjData(model)
    for b in scene.bodies:
        if b.slide:
            continue
        joint = model.body(b.name).jntadr[0]
        at = model.jnt_dofadr[joint]
        data.qvel[at : at + 3] = b.velocity
    if scene.robot:
        for k, q in enumerate((0, 0, 0, -1.5708, 0, 1.5708, -0.7853)):
            data.joint(f"panda_joint{k + 1}").qpos[0] = q
        for k in (1, 2):
            data.joint(f"panda_finger_joint{k}").qpos[0] = 0.04
    mujoco.mj_forward(model, data)
    return World(model, data, {b.name: b.slide[2] for b in pads})


class World:
    def __init__(self, model, data, forces):
        self.model, self.data, self.forces = model, data, forces

    def control(self, targets):
        for name, force in self.forces.items():
            self.data.joint(name).qfrc_applied[0] = force
        if targets is not None:
            self.data.ctrl[:] = targets

    def step(self):
        mujoco.mj_step(self.model, self.data)

    def place(self, name):
        return tuple(self.data.body(name).xpos)

    def depth(self):
        gaps = self.data.contact.dist
        return max(0.0, -min(gaps, default=0.0))
