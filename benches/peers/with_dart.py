"""DART, by its Python package: its own solver of boxed complementarity problems; detection by Bullet."""

import math
import os
import tempfile
from importlib.metadata import version

import dartpy as dart
import numpy
import robots
import watch

NAME = "DART"
VERSION = version("dartpy")
OPTIONS = ("",)


def can(scene, _options):
    """Neither Panda, whose rotors have an inertia, nor large heaps: a step of a pyramid takes half a second to forty."""
    heap = scene.name.startswith("pyramid") or any(len(b.more) > 100 for b in scene.bodies)
    return scene.robot != "panda" and not heap


def shape_of(shape, size):
    if shape == "box":
        return dart.dynamics.BoxShape([2.0 * x for x in size])
    if shape == "ball":
        return dart.dynamics.SphereShape(size[0])
    return dart.dynamics.CapsuleShape(size[0], 2.0 * size[1])


def moments(b):
    """Principal moments of inertia of a body's main shape."""
    if b.shape == "box":
        x, y, z = (4 * s * s for s in b.size)
        return [b.mass * m / 12 for m in (y + z, x + z, x + y)]
    if b.shape == "ball":
        return [0.4 * b.mass * b.size[0] ** 2] * 3
    # A capsule along y: a cylinder and two half balls.
    r, h = b.size[0], b.size[1]
    cylinder, ball = math.pi * r * r * 2 * h, 4 / 3 * math.pi * r**3
    m = b.mass / (cylinder + ball)
    along = m * (cylinder * r * r / 2 + ball * 0.4 * r * r)
    across = m * (cylinder * (3 * r * r + 4 * h * h) / 12 + ball * (0.4 * r * r + h * h + 0.75 * h * r))
    return [across, along, across]


def add_shape(body, shape, size, mu, at=(0, 0, 0)):
    node = body.createShapeNode(shape_of(shape, size))
    place = dart.math.Isometry3()
    place.set_translation(list(at))
    if shape == "capsule":
        place.set_rotation([[1, 0, 0], [0, 0, -1], [0, 1, 0]])
    node.setRelativeTransform(place)
    node.createCollisionAspect()
    node.createDynamicsAspect().setFrictionCoeff(mu)


def add(world, b):
    """A body: its skeleton's joint and node."""
    skeleton = dart.dynamics.Skeleton(b.name)
    if b.slide:
        joint, body = skeleton.createPrismaticJointAndBodyNodePair()
        joint.setAxis(list(b.slide[0]))
        joint.setDampingCoefficient(0, b.slide[1])
    else:
        joint, body = skeleton.createFreeJointAndBodyNodePair()
    body.setInertia(dart.dynamics.Inertia(b.mass, numpy.zeros(3), numpy.diag(moments(b))))
    add_shape(body, b.shape, b.size, b.mu)
    for shape, size, place in b.more:
        add_shape(body, shape, size, b.mu, place)
    if b.slide:
        at = dart.math.Isometry3()
        at.set_translation(list(b.at))
        joint.setTransformFromParentBodyNode(at)
    else:
        skeleton.setPositions(numpy.array([*b.turn, *b.at]))
        skeleton.setVelocities(numpy.array([0.0, 0.0, 0.0, *b.velocity]))
    world.addSkeleton(skeleton)
    return joint, body


def add_a1(world, scene):
    """A1 with springs and dampers, which the engine takes implicitly, as drives."""
    loader = dart.utils.DartLoader()
    with tempfile.TemporaryDirectory() as folder:
        path = os.path.join(folder, "a1.urdf")
        with open(path, "w", encoding="utf-8") as out:
            out.write(robots.text(scene.file))
        a1 = loader.parseSkeleton(dart.common.Uri.createFromPath(path))
    kp, kd = watch.A1_GAINS
    for name, q in watch.A1_JOINTS.items():
        joint = a1.getJoint(name)
        joint.setPosition(0, q)
        joint.setSpringStiffness(0, kp)
        joint.setRestPosition(0, q)
        joint.setDampingCoefficient(0, kd)
    root = a1.getRootJoint()
    root.setPosition(5, watch.A1_HEIGHT)
    bodies = {}
    for k in range(a1.getNumBodyNodes()):
        body = a1.getBodyNode(k)
        bodies[body.getName()] = body
        for node in body.getShapeNodes():
            if node.getDynamicsAspect():
                node.getDynamicsAspect().setFrictionCoeff(scene.ground_mu)
    a1.disableSelfCollisionCheck()
    world.addSkeleton(a1)
    return bodies


def build(scene, _options):
    world = dart.simulation.World()
    # The default one, FCL, knows no capsules.
    world.setCollisionDetector(dart.collision.BulletCollisionDetector())
    world.setTimeStep(scene.dt)
    world.setGravity(list(scene.gravity))
    ground = dart.dynamics.Skeleton("ground")
    joint, body = ground.createWeldJointAndBodyNodePair()
    add_shape(body, "box", (50.0, 50.0, 0.5), scene.ground_mu)
    for b in scene.bodies:
        # What is fixed is one body: it does not touch itself.
        if b.mass == 0.0:
            x, y, z = b.at
            add_shape(body, b.shape, b.size, b.mu, (x, y, z + 0.5))
    at = dart.math.Isometry3()
    at.set_translation([0.0, 0.0, -0.5])
    joint.setTransformFromParentBodyNode(at)
    world.addSkeleton(ground)
    bodies, slides = {}, []
    for b in scene.bodies:
        if b.mass == 0.0:
            continue
        joint, bodies[b.name] = add(world, b)
        if b.slide:
            slides.append((joint, b.slide[2]))
    if scene.robot == "a1":
        bodies = add_a1(world, scene)
    return World(world, bodies, slides)


class World:
    def __init__(self, world, bodies, slides):
        self.world, self.bodies, self.slides = world, bodies, slides

    def control(self, _targets):
        for joint, force in self.slides:
            joint.setForce(0, force)

    def step(self):
        self.world.step()

    def place(self, name):
        return tuple(self.bodies[name].getTransform().translation())

    def motion(self, name):
        body = self.bodies[name]
        return tuple(body.getLinearVelocity()), tuple(body.getAngularVelocity())

    def depth(self):
        contacts = self.world.getLastCollisionResult().getContacts()
        return max((c.penetrationDepth for c in contacts), default=0.0)
