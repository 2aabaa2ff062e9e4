"""DART, by its Python package."""

from importlib.metadata import version

import dartpy as dart
import numpy

NAME = "DART"
VERSION = version("dartpy")
OPTIONS = ("",)


def can(scene):
    """Few boxes alone: a step of a pyramid takes half a second to forty."""
    return len(scene.bodies) <= 20 and not scene.robot and all(b.shape == "box" and not b.slide and not b.more for b in scene.bodies)


def add_box(skeleton, half, mu, mass=None):
    """A box on a free joint, or a fixed one without a mass."""
    if mass is None:
        joint, body = skeleton.createWeldJointAndBodyNodePair()
    else:
        joint, body = skeleton.createFreeJointAndBodyNodePair()
        sides = [2.0 * x for x in half]
        x, y, z = (s * s for s in sides)
        moments = numpy.diag([y + z, x + z, x + y]) * mass / 12.0
        body.setInertia(dart.dynamics.Inertia(mass, numpy.zeros(3), moments))
    node = body.createShapeNode(dart.dynamics.BoxShape([2.0 * x for x in half]))
    node.createCollisionAspect()
    node.createDynamicsAspect().setFrictionCoeff(mu)
    return joint, body


def build(scene, _options):
    world = dart.simulation.World()
    world.setTimeStep(scene.dt)
    world.setGravity(list(scene.gravity))
    ground = dart.dynamics.Skeleton("ground")
    joint, _ = add_box(ground, (10.0, 10.0, 0.5), scene.ground_mu)
    at = dart.math.Isometry3()
    at.set_translation([0.0, 0.0, -0.5])
    joint.setTransformFromParentBodyNode(at)
    world.addSkeleton(ground)
    bodies = {}
    for b in scene.bodies:
        skeleton = dart.dynamics.Skeleton(b.name)
        joint, body = add_box(skeleton, b.size, b.mu, b.mass)
        skeleton.setPositions(numpy.array([0.0, 0.0, 0.0, *b.at]))
        skeleton.setVelocities(numpy.array([0.0, 0.0, 0.0, *b.velocity]))
        world.addSkeleton(skeleton)
        bodies[b.name] = body
    return World(world, bodies)


class World:
    def __init__(self, world, bodies):
        self.world, self.bodies = world, bodies

    def control(self, _targets):
        pass

    def step(self):
        self.world.step()

    def place(self, name):
        return tuple(self.bodies[name].getTransform().translation())

    def depth(self):
        contacts = self.world.getLastCollisionResult().getContacts()
        return max((c.penetrationDepth for c in contacts), default=0.0)
