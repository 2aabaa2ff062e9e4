"""Drake, by its Python package: discrete contact at the scene's time step."""

import os
import tempfile
from importlib.metadata import version

import numpy
import pydrake.all as drake
import robots
import watch

NAME = "Drake"
VERSION = version("drake")
# Approximations of its discrete contact: the default one, lagged, and SAP's own, both solved by SAP; TAMSI.
OPTIONS = ("lagged", "SAP", "TAMSI")
KINDS = {
    "lagged": drake.DiscreteContactApproximation.kLagged,
    "SAP": drake.DiscreteContactApproximation.kSap,
    "TAMSI": drake.DiscreteContactApproximation.kTamsi,
}
PANDA = os.path.join(os.path.dirname(__file__), "../../assets/panda.urdf")


def can(scene, options):
    """TAMSI without robots, since its drives are not implicit, and without heaps: a step takes seconds, or fails."""
    return options != "TAMSI" or not scene.robot and len(scene.bodies) <= 20


def shape_of(shape, size):
    if shape == "box":
        return drake.Box(*(2.0 * x for x in size))
    if shape == "ball":
        return drake.Sphere(size[0])
    return drake.Capsule(size[0], 2.0 * size[1])


def properties(shape, size, mu):
    """Balls and the ground touch at points, boxes and capsules at compliant patches: two boxes that touch at one point do
    not stand. Moduli and dissipation are Drake's own defaults."""
    out = drake.ProximityProperties()
    drake.AddContactMaterial(friction=drake.CoulombFriction(mu, mu), properties=out)
    if shape != "ball":
        drake.AddCompliantHydroelasticProperties(0.5 * min(size), 1e7, out)
    return out


def inertia(b):
    m = b.mass
    if b.shape == "box":
        return drake.SpatialInertia.SolidBoxWithMass(m, *(2 * x for x in b.size))
    if b.shape == "ball":
        return drake.SpatialInertia.SolidSphereWithMass(m, b.size[0])
    return drake.SpatialInertia.SolidCapsuleWithMass(m, b.size[0], 2 * b.size[1], [0, 1, 0])


def add(plant, b):
    """A body; gives its joint, if it has one."""
    body = plant.world_body() if b.mass == 0.0 else plant.AddRigidBody(b.name, inertia(b))
    pose = drake.RigidTransform(list(b.at) if b.mass == 0.0 else [0, 0, 0])
    if b.shape == "capsule":
        pose = drake.RigidTransform(drake.RollPitchYaw(-0.5 * numpy.pi, 0, 0), [0, 0, 0])
    plant.RegisterCollisionGeometry(body, pose, shape_of(b.shape, b.size), b.name, properties(b.shape, b.size, b.mu))
    for k, (shape, size, at) in enumerate(b.more):
        place = drake.RigidTransform(list(at))
        plant.RegisterCollisionGeometry(body, place, shape_of(shape, size), f"{b.name}{k}", properties(shape, size, b.mu))
    if not b.slide:
        return None
    axis, damping, _ = b.slide
    place = drake.RigidTransform(list(b.at))
    frame = plant.AddFrame(drake.FixedOffsetFrame(b.name + "_rail", plant.world_frame(), place))
    joint = plant.AddJoint(drake.PrismaticJoint(b.name, frame, body.body_frame(), list(axis), damping=damping))
    plant.AddJointActuator(b.name, joint)
    return joint


def add_robot(plant, graph, text, mu):
    """The robot of a file's text; its links do not touch each other."""
    friction = f'<drake:proximity_properties><drake:mu_dynamic value="{mu}"/><drake:mu_static value="{mu}"/></drake:proximity_properties>'
    with tempfile.TemporaryDirectory() as folder:
        path = os.path.join(folder, "robot.urdf")
        with open(path, "w", encoding="utf-8") as out:
            out.write(text(friction, 'xmlns:drake="http://drake.mit.edu"'))
        (robot,) = drake.Parser(plant).AddModels(path)
    shapes = [g for k in plant.GetBodyIndices(robot) for g in plant.GetCollisionGeometriesForBody(plant.get_body(k))]
    alone = drake.CollisionFilterDeclaration().ExcludeWithin(drake.GeometrySet(shapes))
    graph.collision_filter_manager().Apply(alone)
    return robot


def drive(plant, name, gains, effort):
    """A position drive that the solver takes implicitly."""
    joint = plant.GetJointByName(name)
    actuator = plant.AddJointActuator(name, joint, effort) if not plant.HasJointActuatorNamed(name) else plant.GetJointActuatorByName(name)
    actuator.set_controller_gains(drake.PdControllerGains(p=gains[0], d=gains[1]))
    return actuator


def build(scene, options):
    builder = drake.DiagramBuilder()
    plant, graph = drake.AddMultibodyPlantSceneGraph(builder, scene.dt)
    plant.set_contact_model(drake.ContactModel.kHydroelasticWithFallback)
    plant.set_discrete_contact_approximation(KINDS[options])
    plant.mutable_gravity_field().set_gravity_vector(list(scene.gravity))
    ground = drake.ProximityProperties()
    drake.AddContactMaterial(friction=drake.CoulombFriction(scene.ground_mu, scene.ground_mu), properties=ground)
    drake.AddRigidHydroelasticProperties(ground)
    plant.RegisterCollisionGeometry(plant.world_body(), drake.RigidTransform(), drake.HalfSpace(), "ground", ground)
    for b in scene.bodies:
        add(plant, b)
    slides = [b for b in scene.bodies if b.slide]
    if slides:
        own = [g for b in slides for g in plant.GetCollisionGeometriesForBody(plant.GetBodyByName(b.name))]
        graph.collision_filter_manager().Apply(drake.CollisionFilterDeclaration().ExcludeWithin(drake.GeometrySet(own)))
    starts = {}
    if scene.robot == "a1":
        text = lambda friction, spaces: robots.text(scene.file, of_collisions=friction, spaces=spaces)
        add_robot(plant, graph, text, scene.ground_mu)
        starts = dict(watch.A1_JOINTS)
        for name in starts:
            drive(plant, name, watch.A1_GAINS, watch.A1_EFFORT)
    if scene.robot == "panda":
        starts = add_panda(plant, graph, scene.ground_mu)
    plant.Finalize()
    diagram = builder.Build()
    simulator = drake.Simulator(diagram)
    context = plant.GetMyMutableContextFromRoot(simulator.get_mutable_context())
    for b in scene.bodies:
        if b.mass > 0.0 and not b.slide:
            body = plant.GetBodyByName(b.name)
            pose = drake.RigidTransform(drake.Quaternion(numpy.array(b.quaternion)), list(b.at))
            plant.SetFreeBodyPose(context, body, pose)
            plant.SetFreeBodySpatialVelocity(context, body, drake.SpatialVelocity([0, 0, 0], list(b.velocity)))
    if scene.robot == "a1":
        plant.SetFreeBodyPose(context, plant.GetBodyByName("trunk"), drake.RigidTransform([0, 0, watch.A1_HEIGHT]))
    q = plant.GetPositions(context)
    for name, value in starts.items():
        q[plant.GetJointByName(name).position_start()] = value
    plant.SetPositions(context, q)
    world = World(plant, graph, simulator, context, scene)
    world.forces = [b.slide[2] for b in slides]
    if starts:
        world.aim([*starts.values()])
    simulator.Initialize()
    return world


# Rotor inertia of Panda's joints [kg m^2, kg]; gains and largest torques of joints and fingers.
ARMATURE = 0.1
PANDA_GAINS = ((4500, 100), (4500, 100), (3500, 100), (3500, 100), (2000, 12), (2000, 12), (2000, 12))
FINGER_GAINS, FINGER_EFFORT = (350.0, 10.0), 200.0


def add_panda(plant, graph, mu):
    """The arm of assets/panda.urdf; the second finger follows the first."""
    text = lambda friction, spaces: robots.text(PANDA, of_collisions=friction, spaces=spaces)
    add_robot(plant, graph, text, mu)
    starts = {}
    for k, (kp, effort) in enumerate(PANDA_GAINS):
        name = f"panda_joint{k + 1}"
        drive(plant, name, (kp, 0.1 * kp), effort)
        starts[name] = watch.START[k]
    drive(plant, "panda_finger_joint1", FINGER_GAINS, FINGER_EFFORT)
    for k in plant.GetJointActuatorIndices():
        plant.get_joint_actuator(k).set_default_rotor_inertia(ARMATURE)
    starts["panda_finger_joint1"] = starts["panda_finger_joint2"] = 0.04
    return starts


class World:
    def __init__(self, plant, graph, simulator, context, scene):
        self.plant, self.simulator, self.context, self.dt = plant, simulator, context, scene.dt
        self.graph, self.steps, self.forces = graph, 0, []
        self.bodies = {plant.get_body(k).name(): plant.get_body(k) for k in plant.GetBodyIndices(drake.default_model_instance())}

    def aim(self, targets):
        """Targets of drives."""
        for k in range(self.plant.num_model_instances()):
            instance = drake.ModelInstanceIndex(k)
            port = self.plant.get_desired_state_input_port(instance)
            if port.size() and not self.forces:
                port.FixValue(self.context, [*targets[: port.size() // 2], *[0.0] * (port.size() // 2)])

    def control(self, targets):
        if self.forces and self.steps == 0:
            self.plant.get_actuation_input_port().FixValue(self.context, self.forces)
        if targets is not None:
            self.aim(targets)

    def step(self):
        self.steps += 1
        self.simulator.AdvanceTo(self.steps * self.dt)

    def body(self, name):
        return self.bodies.get(name) or self.plant.GetBodyByName(name)

    def place(self, name):
        return tuple(self.plant.EvalBodyPoseInWorld(self.context, self.body(name)).translation())

    def in_hand(self):
        """Place of the object in the frame of the hand."""
        pose = lambda name: self.plant.EvalBodyPoseInWorld(self.context, self.body(name))
        return tuple(pose("panda_hand").inverse() @ pose("object").translation())

    def motion(self, name):
        v = self.plant.EvalBodySpatialVelocityInWorld(self.context, self.body(name))
        return tuple(v.translational()), tuple(v.rotational())

    def depth(self):
        query = self.plant.get_geometry_query_input_port().Eval(self.context)
        return max((p.depth for p in query.ComputePointPairPenetration()), default=0.0)
