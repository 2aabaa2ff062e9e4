"""MuJoCo."""

import os

import mujoco
import numpy
import robots
import watch

NAME = "MuJoCo"
VERSION = mujoco.__version__
# Elliptic cones: as it comes; with contacts as stiff as it allows (a time constant of two steps) and friction ten times as
# stiff; the same with ten iterations of the no-slip solver.
OPTIONS = ("", "stiff", "stiff, no-slip")

ROBOT = os.path.join(os.path.dirname(__file__), "panda.xml")


def can(_scene, _options):
    return True


def spaced(numbers):
    return " ".join(map(str, numbers))


def geom(shape, size, at, mu, mass=None, extra=""):
    kind = {"box": "box", "ball": "sphere", "capsule": "capsule"}[shape]
    turned = ' euler="1.5707963267948966 0 0"' if shape == "capsule" else ""
    weight = f' mass="{mass}"' if mass is not None else ""
    return f'<geom type="{kind}" size="{spaced(size)}" pos="{spaced(at)}"{turned} friction="{mu} 0 0"{weight} {extra}/>'


def body(b):
    if b.mass == 0.0:
        return geom(b.shape, b.size, b.at, b.mu)
    joint = "<freejoint/>"
    if b.slide:
        axis, damping, _ = b.slide
        joint = f'<joint name="{b.name}" type="slide" axis="{spaced(axis)}" damping="{damping}"/>'
    # What slides on a rail touches no other that does.
    kinds = 'contype="2" conaffinity="1"' if b.slide else 'contype="1" conaffinity="3"'
    geoms = geom(b.shape, b.size, (0, 0, 0), b.mu, b.mass, kinds)
    geoms += "".join(geom(s, size, at, b.mu, 0.0) for s, size, at in b.more)
    return f'<body name="{b.name}" pos="{spaced(b.at)}" quat="{spaced(b.quaternion)}">{joint}{geoms}</body>'


def build_a1(scene, options):
    """A1 on a plane; drives are position actuators of the same gains."""
    compiler = '<mujoco><compiler fusestatic="false" balanceinertia="true"/></mujoco>'
    spec = mujoco.MjSpec.from_string(robots.text(scene.file, compiler))
    spec.option.timestep = scene.dt
    spec.option.integrator = mujoco.mjtIntegrator.mjINT_IMPLICITFAST
    spec.option.cone = mujoco.mjtCone.mjCONE_ELLIPTIC
    trunk = spec.worldbody.first_body()
    if trunk.first_joint() is None:
        trunk.add_freejoint()
    plane = mujoco.mjtGeom.mjGEOM_PLANE
    spec.worldbody.add_geom(type=plane, size=[10, 10, 0.1])
    for g in spec.geoms:
        g.friction = [scene.ground_mu, 0.0, 0.0]
        # Links do not touch each other.
        g.conaffinity = int(g.type == plane)
        if "stiff" in options:
            g.solref = [2 * scene.dt, 1.0]
            g.solimp = [0.95, 0.99, 0.001, 0.5, 2.0]
    if "stiff" in options:
        spec.option.impratio = 10
    if "no-slip" in options:
        spec.option.noslip_iterations = 10
    kp, kd = watch.A1_GAINS
    for name in watch.A1_JOINTS:
        actuator = spec.add_actuator(name=name, target=name, trntype=mujoco.mjtTrn.mjTRN_JOINT)
        actuator.set_to_position(kp=kp, kv=kd)
        actuator.forcelimited, actuator.forcerange = 1, [-watch.A1_EFFORT, watch.A1_EFFORT]
    model = spec.compile()
    data = mujoco.MjData(model)
    data.qpos[2] = watch.A1_HEIGHT
    for name, q in watch.A1_JOINTS.items():
        data.joint(name).qpos = q
        data.ctrl[model.actuator(name).id] = q
    mujoco.mj_forward(model, data)
    return World(model, data, {})


def build(scene, options):
    if scene.robot == "a1":
        return build_a1(scene, options)
    noslip = 10 if "no-slip" in options else 0
    stiff = f'solref="{2 * scene.dt} 1" solimp="0.95 0.99 0.001 0.5 2"' if "stiff" in options else ""
    impratio = 10 if "stiff" in options else 1
    inner = "".join(body(b) for b in scene.bodies)
    world, rest = "", ""
    if scene.robot:
        with open(ROBOT, encoding="utf-8") as text:
            robot = text.read()
        part = lambda name: robot.split(f"<!-- {name} -->")[1].split("<!-- end of")[0]
        world, rest = part("arm"), part("drives")
    pads = [b for b in scene.bodies if b.slide]
    text = f"""<mujoco><compiler angle="radian" autolimits="true" inertiafromgeom="auto"/>
<option timestep="{scene.dt}" gravity="{spaced(scene.gravity)}" cone="elliptic" noslip_iterations="{noslip}" impratio="{impratio}" integrator="implicitfast"/>
<size memory="400M"/><default><geom {stiff}/></default>
<worldbody><geom type="plane" size="20 20 1" friction="{scene.ground_mu} 0 0"/>{inner}{world}</worldbody>{rest}</mujoco>"""
    model = mujoco.MjModel.from_xml_string(text)
    data = mujoco.MjData(model)
    for b in scene.bodies:
        if b.slide or b.mass == 0.0:
            continue
        joint = model.body(b.name).jntadr[0]
        at = model.jnt_dofadr[joint]
        data.qvel[at : at + 3] = b.velocity
    if scene.robot:
        for k, q in enumerate(watch.START):
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

    def in_hand(self):
        """Place of the object in the frame of the hand."""
        hand = self.data.body("panda_hand")
        return tuple(hand.xmat.reshape(3, 3).T @ (self.data.body("object").xpos - hand.xpos))

    def motion(self, name):
        """Velocity of the body's frame, and angular velocity."""
        out = numpy.zeros(6)
        body = mujoco.mjtObj.mjOBJ_XBODY
        mujoco.mj_objectVelocity(self.model, self.data, body, self.model.body(name).id, out, 0)
        return tuple(out[3:]), tuple(out[:3])

    def depth(self):
        gaps = self.data.contact.dist
        return max(0.0, -min(gaps, default=0.0))
