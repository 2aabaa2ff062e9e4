"""Bullet, by its Python package."""

import math

import pybullet as bullet

NAME = "Bullet"
VERSION = "3.2.7"
try:
    from importlib.metadata import version

    VERSION = version("pybullet")
except ImportError:
    pass
OPTIONS = ("",)


def can(scene):
    """Neither slides nor the arm are built here, nor the many balls of one body."""
    return not scene.robot and not any(b.slide or len(b.more) > 10 for b in scene.bodies)


def shape_of(b):
    if b.shape == "box":
        return bullet.createCollisionShape(bullet.GEOM_BOX, halfExtents=b.size)
    return bullet.createCollisionShape(bullet.GEOM_SPHERE, radius=b.size[0])


def build(scene, _options):
    bullet.connect(bullet.DIRECT)
    bullet.resetSimulation()
    bullet.setTimeStep(scene.dt)
    bullet.setGravity(*scene.gravity)
    ground = bullet.createMultiBody(0, bullet.createCollisionShape(bullet.GEOM_PLANE))
    # Coefficients are multiplied.
    bullet.changeDynamics(ground, -1, lateralFriction=math.sqrt(scene.ground_mu))
    bodies = {}
    for b in scene.bodies:
        handle = bullet.createMultiBody(b.mass, shape_of(b), basePosition=b.at)
        bullet.changeDynamics(
            handle, -1, lateralFriction=math.sqrt(b.mu), linearDamping=0, angularDamping=0, activationState=bullet.ACTIVATION_STATE_DISABLE_SLEEPING
        )
        bullet.resetBaseVelocity(handle, linearVelocity=b.velocity)
        bodies[b.name] = handle
    return World(bodies)


class World:
    def __init__(self, bodies):
        self.bodies = bodies

    def control(self, _targets):
        pass

    def step(self):
        bullet.stepSimulation()

    def place(self, name):
        return bullet.getBasePositionAndOrientation(self.bodies[name])[0]

    def depth(self):
        return max((-point[8] for point in bullet.getContactPoints()), default=0.0)
