"""Bullet, by its Python package."""

import math
import os
import tempfile
from importlib.metadata import version

import pybullet as bullet
import robots
import watch

NAME = "Bullet"
VERSION = version("pybullet")
OPTIONS = ("",)


def can(scene, _options):
    """Without Panda: its joints have no rotor inertia here, and drives so stiff need one."""
    return scene.robot != "panda"


def shape_of(b):
    if b.shape == "box":
        return bullet.createCollisionShape(bullet.GEOM_BOX, halfExtents=b.size)
    if b.shape == "ball":
        return bullet.createCollisionShape(bullet.GEOM_SPHERE, radius=b.size[0])
    turned = bullet.getQuaternionFromEuler((0.5 * math.pi, 0, 0))
    return bullet.createCollisionShape(
        bullet.GEOM_CAPSULE, radius=b.size[0], height=2 * b.size[1], collisionFrameOrientation=turned
    )


def from_text(text, at, flags=0):
    """A body from the text of a robot file."""
    with tempfile.TemporaryDirectory() as folder:
        path = os.path.join(folder, "body.urdf")
        with open(path, "w", encoding="utf-8") as out:
            out.write(text)
        return bullet.loadURDF(path, basePosition=at, flags=flags)


def many_shapes(b):
    """A box with balls at it: more shapes than calls of the package take."""
    sides = " ".join(str(2 * x) for x in b.size)
    shapes = f'<collision><geometry><box size="{sides}"/></geometry></collision>\n'
    for _, (radius,), at in b.more:
        place = " ".join(map(str, at))
        shapes += f'<collision><origin xyz="{place}"/><geometry><sphere radius="{radius}"/></geometry></collision>\n'
    x, y, z = (4 * s * s for s in b.size)
    moments = 'ixx="{}" iyy="{}" izz="{}" ixy="0" ixz="0" iyz="0"'.format(*(b.mass * m / 12 for m in (y + z, x + z, x + y)))
    inertia = f'<inertial><mass value="{b.mass}"/><inertia {moments}/></inertial>'
    text = f'<robot name="b"><link name="b">{inertia}{shapes}</link></robot>'
    return from_text(text, b.at, bullet.URDF_USE_INERTIA_FROM_FILE)


def on_slide(b):
    """A body on a slide: the link of a fixed base."""
    handle = bullet.createMultiBody(
        0,
        basePosition=b.at,
        linkMasses=[b.mass],
        linkCollisionShapeIndices=[shape_of(b)],
        linkVisualShapeIndices=[-1],
        linkPositions=[(0, 0, 0)],
        linkOrientations=[(0, 0, 0, 1)],
        linkInertialFramePositions=[(0, 0, 0)],
        linkInertialFrameOrientations=[(0, 0, 0, 1)],
        linkParentIndices=[0],
        linkJointTypes=[bullet.JOINT_PRISMATIC],
        linkJointAxis=[b.slide[0]],
    )
    # Every joint has a motor that brakes it until told otherwise.
    bullet.setJointMotorControl2(handle, 0, bullet.VELOCITY_CONTROL, force=0)
    return handle


def build(scene, _options):
    if not bullet.isConnected():
        bullet.connect(bullet.DIRECT)
    bullet.resetSimulation()
    bullet.setTimeStep(scene.dt)
    bullet.setGravity(*scene.gravity)
    ground = bullet.createMultiBody(0, bullet.createCollisionShape(bullet.GEOM_PLANE))
    # Coefficients are multiplied.
    bullet.changeDynamics(ground, -1, lateralFriction=math.sqrt(scene.ground_mu))
    world = World()
    for b in scene.bodies:
        w, *xyz = b.quaternion
        if b.slide:
            handle = on_slide(b)
            world.slides.append((handle, b.slide))
        elif b.more:
            handle = many_shapes(b)
        else:
            handle = bullet.createMultiBody(b.mass, shape_of(b), basePosition=b.at, baseOrientation=(*xyz, w))
        world.bodies[b.name] = (handle, 0 if b.slide else -1)
        surface(handle, b.mu)
        if b.mass > 0.0 and not b.slide:
            bullet.resetBaseVelocity(handle, linearVelocity=b.velocity)
    if scene.robot == "a1":
        add_a1(world, scene)
    return world


def surface(handle, mu):
    """Friction of all links; no damping of the engine's own, no sleep."""
    for link in range(-1, bullet.getNumJoints(handle)):
        bullet.changeDynamics(
            handle,
            link,
            lateralFriction=math.sqrt(mu),
            linearDamping=0,
            angularDamping=0,
            jointDamping=0,
            activationState=bullet.ACTIVATION_STATE_DISABLE_SLEEPING,
        )


def add_a1(world, scene):
    """A1 with drives that are torques, computed before each step."""
    handle = from_text(robots.text(scene.file), (0, 0, watch.A1_HEIGHT), bullet.URDF_USE_INERTIA_FROM_FILE)
    surface(handle, scene.ground_mu)
    # The base's position is that of its centre of mass.
    world.bodies["trunk"] = (handle, -1)
    for k in range(bullet.getNumJoints(handle)):
        info = bullet.getJointInfo(handle, k)
        joint, link = info[1].decode(), info[12].decode()
        world.bodies[link] = (handle, k)
        if joint in watch.A1_JOINTS:
            bullet.resetJointState(handle, k, watch.A1_JOINTS[joint])
            bullet.setJointMotorControl2(handle, k, bullet.VELOCITY_CONTROL, force=0)
            world.drives.append((handle, k, watch.A1_JOINTS[joint]))


class World:
    def __init__(self):
        self.bodies, self.slides, self.drives = {}, [], []

    def control(self, _targets):
        for handle, (_, damping, force) in self.slides:
            speed = bullet.getJointState(handle, 0)[1]
            bullet.setJointMotorControl2(handle, 0, bullet.TORQUE_CONTROL, force=force - damping * speed)
        kp, kd = watch.A1_GAINS
        for handle, joint, target in self.drives:
            q, v = bullet.getJointState(handle, joint)[:2]
            torque = kp * (target - q) - kd * v
            torque = max(-watch.A1_EFFORT, min(watch.A1_EFFORT, torque))
            bullet.setJointMotorControl2(handle, joint, bullet.TORQUE_CONTROL, force=torque)

    def step(self):
        bullet.stepSimulation()

    def place(self, name):
        handle, link = self.bodies[name]
        if link >= 0:
            return bullet.getLinkState(handle, link)[0]
        return bullet.getBasePositionAndOrientation(handle)[0]

    def motion(self, name):
        handle, link = self.bodies[name]
        state = bullet.getLinkState(handle, link, computeLinkVelocity=1, computeForwardKinematics=1)
        return state[6], state[7]

    def depth(self):
        return max((-point[8] for point in bullet.getContactPoints()), default=0.0)
