//! Steps of a world that stands are left out, and nobody can tell: every number is what it is where all steps are made, bit
//! for bit, before, during and after, whatever is changed in between.

use super::{num, vec3};
use crate::pipeline::StepMemory;
use crate::{ContactMaterial, ContactPipeline, ModelName, Sleeping, default_settings};
use rapier::prelude::*;
use std::sync::Mutex;

/// Steps before something is changed, and after it.
const BEFORE: usize = 167;
const AFTER: usize = 40;

/// What is done to a world that stands.
type Change = fn(&mut PhysicsWorld, &mut ContactPipeline);

/// A pyramid whose forces are told of, three balls on a string, a plate that can be moved, a sensor about the top.
fn scene(can_sleep: bool) -> PhysicsWorld {
    let mut world = PhysicsWorld::new();
    let floor = ColliderBuilder::cuboid(num(20.0), num(0.5), num(20.0));
    world.insert_collider(floor.translation(vec3(0.0, -0.5, 0.0)), None);
    for row in 0..4_u32 {
        for k in 0..4 - row {
            let x = f64::from(k) + 0.5 * f64::from(row);
            let body = RigidBodyBuilder::dynamic().can_sleep(can_sleep);
            let at = vec3(1.001 * x, 0.5 + f64::from(row), 0.0);
            let body = world.insert_body(body.translation(at));
            let cube = ColliderBuilder::cuboid(num(0.5), num(0.5), num(0.5))
                .active_events(ActiveEvents::CONTACT_FORCE_EVENTS | ActiveEvents::COLLISION_EVENTS)
                .contact_force_event_threshold(num(15_000.0));
            world.insert_collider(cube, Some(body));
        }
    }
    let plate = RigidBodyBuilder::kinematic_velocity_based().can_sleep(can_sleep);
    let plate = world.insert_body(plate.translation(vec3(0.0, 0.1, 8.0)));
    let shape = ColliderBuilder::cuboid(num(1.0), num(0.1), num(1.0));
    world.insert_collider(shape, Some(plate));
    let mut last = world.insert_body(RigidBodyBuilder::fixed().translation(vec3(8.0, 5.0, 0.0)));
    for k in 1..4 {
        let at = vec3(8.0, 5.0 - f64::from(k), 0.0);
        let body = RigidBodyBuilder::dynamic().can_sleep(can_sleep);
        let ball = world.insert_body(body.translation(at));
        world.insert_collider(ColliderBuilder::ball(num(0.2)), Some(ball));
        let joint = SphericalJointBuilder::new().local_anchor1(vec3(0.0, -0.5, 0.0));
        let joint = joint.local_anchor2(vec3(0.0, 0.5, 0.0));
        world.impulse_joints.insert(last, ball, joint, true);
        last = ball;
    }
    let sensor = ColliderBuilder::ball(num(1.0)).sensor(true);
    world.insert_collider(sensor.translation(vec3(1.5, 4.0, 0.0)), None);
    world
}

fn top(world: &PhysicsWorld) -> RigidBodyHandle {
    let height = |rb: &RigidBody| rb.translation().y;
    let cubes = world
        .bodies
        .iter()
        .filter(|(_, rb)| rb.is_dynamic() && rb.translation().x < num(6.0));
    let top = cubes.max_by(|a, b| height(a.1).total_cmp(&height(b.1)));
    top.unwrap().0
}

fn drop_ball(world: &mut PhysicsWorld, _: &mut ContactPipeline) {
    let ball = world.insert_body(RigidBodyBuilder::dynamic().translation(vec3(1.2, 5.5, 0.1)));
    world.insert_collider(ColliderBuilder::ball(num(0.3)), Some(ball));
}

/// What may be done between steps; whether it leaves everything as it is.
const CHANGES: [(&str, Change); 24] = [
    ("nothing", |_, _| {}),
    ("a ball falls", drop_ball),
    ("a push", |world, _| {
        let top = top(world);
        world.bodies[top].apply_impulse(vec3(300.0, 0.0, 50.0), true);
    }),
    ("a force that stays", |world, _| {
        let top = top(world);
        world.bodies[top].add_force(vec3(0.0, 0.0, 9000.0), true);
    }),
    ("gravity", |world, _| world.gravity = vec3(3.0, -9.81, 4.0)),
    ("weaker gravity", |world, _| world.gravity *= num(0.5)),
    ("the time step", |world, _| {
        world.integration_parameters.dt = num(0.01);
    }),
    ("friction", |world, _| {
        for (_, collider) in world.colliders.iter_mut() {
            collider.set_friction(num(0.01));
        }
    }),
    ("a material", |_, pipeline| {
        let soft = ContactMaterial {
            compliance: 1e-6,
            ..ContactMaterial::default()
        };
        pipeline.set_material(soft).unwrap();
    }),
    ("a body goes", |world, _| {
        let (first, _) = world.bodies.iter().find(|(_, rb)| rb.is_dynamic()).unwrap();
        world.remove_body(first);
    }),
    ("a body comes and goes", |world, pipeline| {
        drop_ball(world, pipeline);
        let (last, _) = world.bodies.iter().last().unwrap();
        world.remove_body(last);
    }),
    ("the floor goes", |world, _| {
        let (floor, _) = world.colliders.iter().next().unwrap();
        world.remove_collider(floor);
    }),
    ("the floor is lowered", |world, _| {
        let (_, floor) = world.colliders.iter_mut().next().unwrap();
        floor.set_translation(vec3(0.0, -0.6, 0.0));
    }),
    ("a joint goes", |world, _| {
        let joint = world.impulse_joints.iter().last().unwrap().0;
        world.impulse_joints.remove(joint, true);
    }),
    ("a motor", |world, _| {
        let joint = world.impulse_joints.iter().last().unwrap().0;
        let joint = world.impulse_joints.get_mut(joint, false).unwrap();
        joint
            .data
            .set_motor_velocity(JointAxis::AngX, num(1.0), num(100.0));
    }),
    ("an anchor", |world, _| {
        let joint = world.impulse_joints.iter().last().unwrap().0;
        let joint = world.impulse_joints.get_mut(joint, false).unwrap();
        joint.data.set_local_anchor1(vec3(0.01, -0.5, 0.0));
    }),
    ("the plate moves", |world, _| {
        for (_, rb) in world.bodies.iter_mut().filter(|(_, rb)| rb.is_kinematic()) {
            rb.set_linvel(vec3(0.0, 0.0, -3.0), true);
        }
    }),
    ("a cube is moved", |world, _| {
        let top = top(world);
        world.bodies[top].set_translation(vec3(1.5, 3.6, 0.2), true);
    }),
    ("all are borrowed", |world, _| {
        for (_, rb) in world.bodies.iter_mut() {
            rb.wake_up(true);
        }
    }),
    ("another model", |_, pipeline| {
        (pipeline.set_model(ModelName::Ccp, default_settings())).unwrap();
    }),
    ("hooks", |world, _| {
        for (_, collider) in world.colliders.iter_mut() {
            collider.set_active_hooks(ActiveHooks::FILTER_CONTACT_PAIRS);
        }
    }),
    ("a pause", |world, pipeline| {
        let dt = std::mem::take(&mut world.integration_parameters.dt);
        pipeline.step_world(world).unwrap();
        world.integration_parameters.dt = dt;
    }),
    ("sleep is allowed", |world, pipeline| {
        pipeline.set_sleeping(Sleeping::Allowed);
        for (_, rb) in world.bodies.iter_mut() {
            *rb.activation_mut() = RigidBodyActivation::active();
        }
    }),
    ("other memory", |_, pipeline| {
        pipeline.swap_memory(&mut StepMemory::default());
    }),
];

#[derive(Default)]
struct Log(Mutex<Vec<String>>);

impl EventHandler for Log {
    fn handle_collision_event(
        &self,
        _: &RigidBodySet,
        _: &ColliderSet,
        event: CollisionEvent,
        _: Option<&ContactPair>,
    ) {
        self.0.lock().unwrap().push(format!("{event:?}"));
    }

    fn handle_soft_body_tear_event(&self, _: &SoftBodySet, _: &SoftBodyTearEvent) {}

    fn handle_contact_force_event(
        &self,
        dt: Real,
        _: &RigidBodySet,
        _: &ColliderSet,
        pair: &ContactPair,
        force: Real,
    ) {
        let event = ContactForceEvent::from_contact_pair(dt, pair, force);
        self.0.lock().unwrap().push(format!("{event:?}"));
    }
}

/// Everything that a user can read after a step, but for times.
fn read(world: &PhysicsWorld, pipeline: &ContactPipeline, log: &Log) -> String {
    let mut report = *pipeline.report();
    report.times = Default::default();
    let bodies: Vec<_> = (world.bodies.iter())
        .map(|(handle, rb)| (handle, *rb.position(), *rb.vels(), *rb.activation()))
        .collect();
    let contacts: Vec<_> = (pipeline.contacts().iter())
        .map(|contact| {
            (
                contact.point.key,
                contact.impulse,
                contact.velocity,
                contact.gap,
            )
        })
        .collect();
    let joints: Vec<_> = pipeline
        .joints()
        .iter()
        .map(|joint| joint.impulse)
        .collect();
    let shown: Vec<_> = (world.narrow_phase.contact_pairs())
        .flat_map(|pair| pair.manifolds().iter())
        .flat_map(|manifold| manifold.points.iter().map(|point| point.data.impulse))
        .collect();
    let events = std::mem::take(&mut *log.0.lock().unwrap());
    let islands: Vec<_> = pipeline.islands().map(|island| island.status).collect();
    format!("{report:?} {bodies:?} {contacts:?} {joints:?} {shown:?} {events:?} {islands:?}")
}

/// Steps a scene, changed once, with and without leaving steps out; the most that were left out before the change and after.
fn compare(can_sleep: bool, sleeping: Sleeping, name: &str, change: Change) -> [usize; 2] {
    let mut runs = [false, true].map(|is_off| {
        let mut pipeline = ContactPipeline::default();
        pipeline.set_sleeping(sleeping);
        pipeline.still.is_off = is_off;
        (scene(can_sleep), pipeline, Log::default())
    });
    let mut left_out = [0; 2];
    for step in 0..BEFORE + AFTER {
        let [one, other] = &mut runs;
        let [one, other] = [one, other].map(|(world, pipeline, log)| {
            if step == BEFORE {
                change(world, pipeline);
            }
            pipeline.step_world_with_events(world, &(), &*log).unwrap();
            read(world, pipeline, log)
        });
        assert!(one == other, "{name}, step {step}:\n{one}\n{other}");
        left_out[usize::from(step >= BEFORE)] = runs[0].1.still.left_out;
    }
    left_out[1] -= left_out[0];
    left_out
}

#[test]
fn steps_left_out_are_those_that_would_change_nothing() {
    for (name, change) in CHANGES {
        let [before, after] = compare(false, Sleeping::Never, name, change);
        assert!(before > 20, "{name}: {before}");
        let leaves_all = ["nothing", "other memory", "a body comes and goes"].contains(&name);
        assert_eq!(after == AFTER, leaves_all, "{name}: {after}");
    }
}

/// Bodies that may not sleep beside a plate that sleeps: steps are left out as well.
#[test]
fn worlds_whose_bodies_never_sleep_are_left_alone() {
    for (name, change) in &CHANGES[..4] {
        let [before, _] = compare(false, Sleeping::Allowed, name, *change);
        assert!(before > 20, "{name}: {before}");
    }
}

/// Timers run towards sleep: no step is left out.
#[test]
fn bodies_fall_asleep_in_time() {
    let (name, change) = CHANGES[0];
    let left_out = compare(true, Sleeping::Allowed, name, change);
    assert_eq!(left_out, [0; 2]);
}

/// Another world in the same state of rest is another world.
#[test]
fn a_restored_world_is_looked_at_again() {
    let mut world = scene(false);
    let mut pipeline = ContactPipeline::default();
    pipeline.set_sleeping(Sleeping::Never);
    for _ in 0..BEFORE {
        pipeline.step_world(&mut world).unwrap();
    }
    let known = pipeline.still.left_out;
    assert!(known > 20);
    let mut other = scene(false);
    other.narrow_phase = world.narrow_phase.clone();
    other.broad_phase = world.broad_phase.clone();
    other.bodies = world.bodies.clone();
    other.colliders = world.colliders.clone();
    other.islands = world.islands.clone();
    other.impulse_joints = world.impulse_joints.clone();
    pipeline.step_world(&mut other).unwrap();
    assert_eq!(pipeline.still.left_out, known);
}
