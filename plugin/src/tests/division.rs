//! A step that is divided is one step to its user.

use super::{G, World, assert_close, cube_of, num, vec3};
use crate::base::convert::real;
use crate::{ContactPoint, ContactSource, ModelName};
use rapier::prelude::*;
use stickslip_core::report::SolveStatus;

const H: f64 = 1.0 / 60.0;

/// Rods on joints beside the scene under test, far away, without gravity: they whip so fast that steps are divided.
fn whip(world: &mut World) {
    let mut last: Option<RigidBodyHandle> = None;
    for k in 0..6 {
        let at = vec3(100.0 + f64::from(k), 0.0, 0.0);
        let props = MassProperties::new(Vector::ZERO, num(1.0), vec3(0.01, 0.08, 0.08));
        let side = if k % 2 == 0 { 1.0 } else { -1.0 };
        let rod = RigidBodyBuilder::dynamic()
            .additional_mass_properties(props)
            .gravity_scale(num(0.0))
            .angvel(vec3(60.0, 140.0 * side, 100.0))
            .translation(at);
        let rod = world.bodies.insert(rod);
        if let Some(last) = last.replace(rod) {
            let joint = SphericalJointBuilder::new()
                .local_anchor1(vec3(0.5, 0.0, 0.0))
                .local_anchor2(vec3(-0.5, 0.0, 0.0));
            world.impulse_joints.insert(last, rod, joint, true);
        }
    }
}

/// A cube of 1 m on the ground, another one that hangs on a fixed joint; their handles and that of the joint.
fn scene(world: &mut World) -> ([RigidBodyHandle; 2], ImpulseJointHandle) {
    world.ground();
    let cube = || ColliderBuilder::cuboid(num(0.5), num(0.5), num(0.5));
    let resting = RigidBodyBuilder::dynamic().translation(vec3(0.0, 0.0, 0.5));
    let hanging = RigidBodyBuilder::dynamic().translation(vec3(5.0, 0.0, 3.0));
    let bodies = [resting, hanging].map(|body| world.add(body, cube()));
    let hook = world.bodies.insert(RigidBodyBuilder::fixed());
    let joint = FixedJointBuilder::new().local_anchor1(vec3(5.0, 0.0, 3.0));
    let joint = world.impulse_joints.insert(hook, bodies[1], joint, true);
    (bodies, joint)
}

/// The impulses of contacts and joints are those of the whole step, at rest as in the step's parts; what rests stays where
/// it is, and the next step, divided or not, starts from impulses of its own length.
#[test]
fn impulses_are_those_of_the_whole_step() {
    let mut world = World::with_model(H, ModelName::Cone);
    let ([resting, hanging], joint) = scene(&mut world);
    world.run(20);
    whip(&mut world);
    let mut divided = 0;
    for _ in 0..10 {
        let report = world.try_step(&()).unwrap();
        divided += usize::from(report.substeps > 1);
        let pressed: f64 = (world.pipeline.contacts().iter())
            .map(|contact| contact.impulse[0])
            .sum();
        let weight = real(world.bodies[resting].mass()) * G * H;
        assert_close(pressed, weight, 1e-5 * weight);
        let shown = world.impulse_joints.get(joint).unwrap().impulses;
        assert_close(real(shown[2]).abs(), weight, 1e-4 * weight);
        let held = world.pipeline.joint_impulses(joint).unwrap();
        assert_close(held.impulse[2].abs(), weight, 1e-4 * weight);
        for (body, z) in [(resting, 0.5), (hanging, 3.0)] {
            assert_close(world.position(body).z, z, 1e-6);
        }
    }
    assert!(divided > 0);
}

/// A kinematic body goes as far as its user says, and carries what lies on it at a constant velocity.
#[test]
fn kinematic_bodies_reach_their_targets() {
    let mut world = World::with_model(H, ModelName::Cone);
    whip(&mut world);
    let plate = RigidBodyBuilder::kinematic_position_based().translation(vec3(0.0, 0.0, -0.1));
    let shape = ColliderBuilder::cuboid(num(2.0), num(2.0), num(0.1)).friction(num(1.0));
    let plate = world.add(plate, shape);
    let cube = RigidBodyBuilder::dynamic().translation(vec3(0.0, 0.0, 0.5));
    let shape = ColliderBuilder::cuboid(num(0.5), num(0.5), num(0.5)).friction(num(1.0));
    let cube = world.add(cube, shape);
    let (mut divided, mut way) = (0, 0.0);
    for step in 0..30 {
        way += 1e-3 * f64::from(step) * H;
        let target = vec3(way, 0.0, -0.1);
        world.bodies[plate].set_next_kinematic_translation(target);
        let report = world.try_step(&()).unwrap();
        divided += usize::from(report.substeps > 1);
        assert_eq!(world.bodies[plate].translation(), target);
        assert_close(world.position(cube).x, way, 1e-5);
    }
    assert!(divided > 0);
}

/// A kinematic turntable turns at a constant rate over the parts of its step too: a cube on it goes round with it.
#[test]
fn kinematic_bodies_turn_over_the_parts() {
    let mut world = World::with_model(H, ModelName::NoSlip);
    whip(&mut world);
    let plate = RigidBodyBuilder::kinematic_position_based().translation(vec3(0.3, 0.0, -0.1));
    let shape = ColliderBuilder::cuboid(num(3.0), num(3.0), num(0.1));
    let plate = world.add(plate, shape);
    let cube = cube_of(&mut world, 1.0, [1.3, 0.0, 0.5]);
    let (mut divided, mut angle) = (0, 0.0);
    for step in 0..30 {
        angle += 1e-3 * f64::from(step) * H;
        let turn = Rotation::from_rotation_z(num(angle));
        world.bodies[plate].set_next_kinematic_rotation(turn);
        let report = world.try_step(&()).unwrap();
        divided += usize::from(report.substeps > 1);
        let (sin, cos) = angle.sin_cos();
        assert_close(world.position(cube).x, 0.3 + cos, 1e-5);
        assert_close(world.position(cube).y, sin, 1e-5);
    }
    assert!(divided > 0);
}

/// Two joints that contradict each other by 5 mm stay open whatever the step: it is divided while they open, not for ever.
#[test]
fn contradictory_joints_do_not_divide_steps_for_ever() {
    let mut world = World::with_model(H, ModelName::Cone);
    world.gravity = Vector::ZERO;
    let fixed = world.bodies.insert(RigidBodyBuilder::fixed());
    let body = cube_of(&mut world, 1.0, [0.0, 0.0, 0.0]);
    for x in [0.0, 0.005] {
        let joint = FixedJointBuilder::new().local_anchor1(vec3(x, 0.0, 0.0));
        world.impulse_joints.insert(fixed, body, joint, true);
    }
    let mut parts = Vec::new();
    for _ in 0..60 {
        let report = world.try_step(&()).unwrap();
        parts.push(report.substeps);
        assert_eq!(report.solve.status, SolveStatus::JointsOpen);
    }
    assert!(parts[30..].iter().all(|n| *n == 1), "{parts:?}");
}

struct Nothing;

impl ContactSource for Nothing {
    fn contacts(&mut self, _: &RigidBodySet, _: &ColliderSet, _: f64, _: &mut Vec<ContactPoint>) {}
}

/// Points that a user gives are those of the step's start: such a step is not divided.
#[test]
fn steps_with_given_contact_points_are_whole() {
    let mut world = World::with_model(H, ModelName::Cone);
    whip(&mut world);
    world.pipeline.set_contact_source(Some(Box::new(Nothing)));
    for _ in 0..5 {
        assert_eq!(world.try_step(&()).unwrap().substeps, 1);
    }
}
