//! What recorders are told, against closed forms.

use super::*;
use crate::record::{Attached, JointProbe, Sets, applied_force, inertial_record, is_anchored};
use stickslip_record::{ContactState, Geometry, JointMotion, Recorder, SceneRecord, StepRecord};

/// Keeps what it is given.
#[derive(Default)]
struct Kept {
    scene: Option<SceneRecord>,
    steps: Vec<StepRecord>,
    finished: bool,
}

impl Recorder for Kept {
    type Error = std::convert::Infallible;

    fn begin(&mut self, scene: &SceneRecord) -> Result<(), Self::Error> {
        assert!(self.scene.replace(scene.clone()).is_none(), "one scene");
        Ok(())
    }

    fn record(&mut self, step: &StepRecord) -> Result<(), Self::Error> {
        self.steps.push(step.clone());
        Ok(())
    }

    fn finish(&mut self) -> Result<(), Self::Error> {
        self.finished = true;
        Ok(())
    }
}

pub(super) fn sets(world: &World) -> Sets<'_> {
    Sets {
        gravity: world.gravity,
        dt: world.params.dt,
        bodies: &world.bodies,
        colliders: &world.colliders,
        impulse_joints: &world.impulse_joints,
        multibody_joints: &world.multibody_joints,
    }
}

/// An arm of 2 kg, its centre of mass 0.5 m from a hinge about y at (0, 0, 1), held level by a drive.
fn arm(world: &mut World, max_force: f64) -> RigidBodyHandle {
    let post = world.bodies.insert(RigidBodyBuilder::fixed());
    let arm = world.add(
        RigidBodyBuilder::dynamic().translation(vec3(0.5, 0.0, 1.0)),
        ColliderBuilder::cuboid(num(0.4), num(0.02), num(0.02)).mass(num(2.0)),
    );
    let joint = RevoluteJointBuilder::new(Vector::Y)
        .local_anchor1(vec3(0.0, 0.0, 1.0))
        .local_anchor2(vec3(-0.5, 0.0, 0.0))
        .motor_model(MotorModel::ForceBased)
        .motor_position(num(0.0), num(2000.0), num(200.0))
        .motor_max_force(num(max_force));
    world
        .multibody_joints
        .insert(post, arm, joint, true)
        .unwrap();
    world.multibody(arm).damping_mut().fill(num(0.0));
    arm
}

/// At rest the drive bears `m g l = 2 g 0.5`, against the sag that turns the arm down, about +y.
#[test]
fn the_effort_of_a_drive_is_what_it_bears() {
    let mut world = World::new(0.01);
    let arm = arm(&mut world, 1e3);
    world.run(3000);
    let probes = JointProbe::all(&sets(&world));
    let [probe] = probes[..] else {
        panic!("{probes:?}")
    };
    assert_eq!(probe.body(&sets(&world)), Some(arm));
    let sample = probe.sample(&sets(&world));
    let load = G * sample.position.cos();
    assert_close(sample.effort.unwrap(), -load, 1e3 * EPS);
    assert_close(sample.position, load / 2000.0, 1e3 * EPS);
    assert_eq!(sample.target, Some(0.0));

    let record = probe.record(&sets(&world), "elbow", 7).unwrap();
    assert_eq!((record.name.as_str(), record.body), ("elbow", 7));
    assert_eq!(record.motion, JointMotion::Turning);
    assert_close(record.effort.unwrap(), 1e3, 1e-9);
    assert!((record.axis - Vector3::y()).norm() < EPS, "{}", record.axis);
    let anchor = Vector3::new(-0.5, 0.0, 0.0);
    assert!((record.anchor - anchor).norm() < EPS, "{}", record.anchor);
}

#[test]
fn a_drive_at_its_limit_gives_its_limit() {
    let mut world = World::new(0.01);
    arm(&mut world, 3.0);
    world.run(20);
    let probe = JointProbe::all(&sets(&world))[0];
    let sample = probe.sample(&sets(&world));
    assert_close(sample.effort.unwrap(), -3.0, 1e-9);
    // (m g l - 3) / (m (l^2 + (0.8^2 + 0.04^2) / 12)) rad/s^2 downwards, at least while it is level.
    let inertia = 2.0 * (0.25 + (0.64 + 0.0016) / 12.0);
    let expected = (G - 3.0) / inertia * 0.2;
    assert!((sample.velocity / expected - 1.0).abs() < 0.1, "{sample:?}");
}

#[test]
fn a_scene_is_recorded_by_a_recorder_attached_to_the_pipeline() {
    let mut world = World::new(0.01);
    world.ground();
    let cube = world.add(
        RigidBodyBuilder::dynamic().translation(vec3(0.0, 0.0, 0.1)),
        ColliderBuilder::cuboid(num(0.1), num(0.1), num(0.1))
            .mass(num(3.0))
            .friction(num(0.25)),
    );
    world.bodies[cube].add_force(vec3(2.0, 0.0, -1.0), true);
    let applied = applied_force(&world.bodies);
    assert!((applied - Vector3::new(2.0, 0.0, -1.0)).norm() < EPS);
    let mut attached = Attached::new("cube", Kept::default())
        .named(cube, "cube")
        .end(cube);
    for _ in 0..5 {
        world.step();
        attached.record(&world.pipeline, sets(&world)).unwrap();
    }
    let kept = attached.finish().unwrap();
    assert!(kept.finished);
    let scene = kept.scene.unwrap();
    assert_close(scene.weight, 3.0 * G, 1e2 * EPS);
    assert!(!scene.anchored);
    let [body, ground] = &scene.bodies[..] else {
        panic!("{scene:?}")
    };
    assert_eq!(
        (body.name.as_str(), body.moves, body.is_end),
        ("cube", true, true)
    );
    assert!(matches!(body.shapes[0].geometry, Geometry::Cuboid { .. }));
    assert!(!ground.moves && matches!(ground.shapes[0].geometry, Geometry::HalfSpace { .. }));
    let own = body.inertial.unwrap();
    assert_close(own.mass, 3.0, EPS);
    // A cube of side 0.2 m: m a^2 / 6.
    assert_close(own.inertia[(1, 1)], 3.0 * 0.04 / 6.0, EPS);

    let last = &kept.steps[4];
    assert_eq!((last.step, kept.steps.len()), (4, 5));
    assert_close(last.time, 0.05, EPS);
    let at = last.body_poses[0].translation.vector;
    assert!((at - world.position(cube)).norm() < EPS, "{at}");
    assert_eq!(last.body_motions[0].linear, world.linvel(cube));
    assert_eq!(last.applied_force, applied);
    let force: f64 = last.contacts.iter().map(|c| c.normal_force).sum();
    assert_close(force, 3.0 * G + 1.0, 1e3 * EPS);
    // Friction on the second body of each contact, turned to that on the cube, holds against the push.
    let friction = last.contacts.iter().map(|c| match c.bodies {
        [None, _] => c.friction_force.x,
        _ => -c.friction_force.x,
    });
    assert_close(friction.sum(), -2.0, 1e3 * EPS);
    for contact in &last.contacts {
        let ground_first = contact.bodies == [None, Some(0)];
        assert!(
            ground_first || contact.bodies == [Some(0), None],
            "{contact:?}"
        );
        assert_eq!(contact.friction.unwrap()[0], contact.friction.unwrap()[1]);
        assert_ne!(contact.state, ContactState::Separated);
    }
}

#[test]
fn joints_to_what_stands_still_anchor() {
    let anchored = |world: &World| {
        is_anchored(
            &world.bodies,
            &world.impulse_joints,
            &world.multibody_joints,
        )
    };
    let mut world = World::new(0.01);
    let arm = arm(&mut world, 1.0);
    assert!(anchored(&world));
    assert!(inertial_record(&world.bodies[arm]).is_some());

    let mut world = World::new(0.01);
    let body = || RigidBodyBuilder::dynamic().additional_mass(num(1.0));
    let [a, b] = [0.0, 1.0].map(|x| world.bodies.insert(body().translation(vec3(x, 0.0, 0.0))));
    let joint = FixedJointBuilder::new();
    world.multibody_joints.insert(a, b, joint, true).unwrap();
    assert!(!anchored(&world), "a floating tree");
    let post = world.bodies.insert(RigidBodyBuilder::fixed());
    assert_eq!(inertial_record(&world.bodies[post]), None);
    // What only keeps a pair from touching holds nothing.
    let nothing = GenericJointBuilder::new(JointAxesMask::empty());
    world.impulse_joints.insert(post, a, nothing, true);
    assert!(!anchored(&world));
    world
        .impulse_joints
        .insert(post, a, SphericalJointBuilder::new(), true);
    assert!(anchored(&world));
}
