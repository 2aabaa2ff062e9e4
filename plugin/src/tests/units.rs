//! Worlds in other units of length, told by rapier's `length_unit`.

use super::{G, World, num, vec3};
use crate::{ModelName, StepError};
use rapier::prelude::*;

/// A ball that bounces, boxes that overlap, a box that slides and a fast ball that meets a plate in mid-step, in units of
/// which a metre has so many: heights of the ball and of the upper box, and the ways of the others \[m\].
fn moves(model: ModelName, length_unit: f64) -> Vec<[f64; 4]> {
    let mut world = World::with_model(0.01, model);
    world.params.length_unit = num(length_unit);
    world.gravity = vec3(0.0, 0.0, -G * length_unit);
    world.ground();
    let at = |x: f64, y: f64, z: f64| {
        RigidBodyBuilder::dynamic().translation(vec3(
            x * length_unit,
            y * length_unit,
            z * length_unit,
        ))
    };
    let half = |x: f64| num(x * length_unit);
    let cube = || ColliderBuilder::cuboid(half(0.1), half(0.1), half(0.1)).mass(num(1.0));
    let ball = ColliderBuilder::ball(half(0.1)).mass(num(1.0));
    let ball = world.add(at(0.0, 0.0, 0.3), ball.restitution(num(0.8)));
    world.add(at(1.0, 0.0, 0.1), cube());
    let upper = world.add(at(1.0, 0.0, 0.27), cube());
    let slider = at(0.0, 2.0, 0.1).linvel(vec3(0.5 * length_unit, 0.0, 0.0));
    let slider = world.add(slider, cube().friction(num(0.5)));
    let plate = ColliderBuilder::cuboid(half(0.01), half(1.0), half(1.0));
    let plate = plate.translation(vec3(
        3.0 * length_unit,
        4.0 * length_unit,
        1.0 * length_unit,
    ));
    world.colliders.insert(plate);
    let bullet = at(0.0, 4.0, 1.0).linvel(vec3(110.0 * length_unit, 0.0, 0.0));
    let bullet = world.add(bullet, ColliderBuilder::ball(half(0.02)).mass(num(0.1)));
    let mut seen = Vec::new();
    for _ in 0..120 {
        world.step();
        let [ball, upper] = [ball, upper].map(|b| world.position(b).z);
        let [slider, bullet] = [slider, bullet].map(|b| world.position(b).x);
        seen.push([ball, upper, slider, bullet].map(|x| x / length_unit));
    }
    seen
}

/// A metre of 1,024 units, or of an eighth of one: the same motion. Without the unit the small speed of the last bounces
/// is none, and an overlap is pushed out a thousand times more slowly. In f32 what counts as one place on a shape is 10 um at
/// most whatever the unit, so that shapes of 2 cm differ.
#[test]
fn a_world_in_other_units_is_the_same_world() {
    let (near, others) = match size_of::<Real>() {
        4 => (2e-5, [1024.0, 16.0]),
        _ => (1e-6, [1024.0, 0.125]),
    };
    for model in [ModelName::Cone, ModelName::NoSlip, ModelName::Ccp] {
        let metres = moves(model, 1.0);
        for length_unit in others {
            for (step, (a, b)) in metres.iter().zip(moves(model, length_unit)).enumerate() {
                for (a, b) in a.iter().zip(b) {
                    assert!(
                        (a - b).abs() < near,
                        "{model:?}, {length_unit}, step {step}: {a} {b} of {:?}",
                        metres[step]
                    );
                }
            }
        }
    }
}

/// Drives about hinges and along sliders, by impulse joints and in trees, a stop, and a hand that turns what it is welded to, in units of
/// which a metre has so many: angles turned [rad] and ways [m].
fn drives(model: ModelName, length_unit: f64) -> Vec<Vec<f64>> {
    let mut world = World::with_model(0.01, model);
    world.params.length_unit = num(length_unit);
    world.gravity = vec3(0.0, 0.0, 0.0);
    let half = |x: f64| num(x * length_unit);
    let at = |x: f64| vec3(x * length_unit, 0.0, 0.0);
    let cube = || ColliderBuilder::cuboid(half(0.1), half(0.2), half(0.3)).mass(num(2.0));
    let mut turning = Vec::new();
    let mut sliding = Vec::new();
    for (k, x) in (0..5).map(|k| (k, 2.0 * f64::from(k))) {
        let base = world
            .bodies
            .insert(RigidBodyBuilder::fixed().translation(at(x)));
        let body = world.add(RigidBodyBuilder::dynamic().translation(at(x)), cube());
        let hinge = || RevoluteJointBuilder::new(Vector::Z).motor_velocity(num(5.0), num(40.0));
        let slider = PrismaticJointBuilder::new(Vector::X).motor_velocity(half(2.0), num(40.0));
        match k {
            0 => {
                world.impulse_joints.insert(base, body, hinge(), true);
            }
            1 => {
                world.impulse_joints.insert(base, body, slider, true);
            }
            2 => {
                world.multibody_joints.insert(base, body, hinge(), true);
                world.multibody(body).damping_mut().fill(num(0.0));
            }
            3 => {
                let limits = [num(-0.1), num(0.3)];
                let hinge = RevoluteJointBuilder::new(Vector::Z).limits(limits);
                world.multibody_joints.insert(base, body, hinge, true);
                world.multibody(body).damping_mut().fill(num(0.0));
                world.multibody(body).generalized_velocity_mut()[0] = num(5.0);
            }
            _ => {
                let hand = RigidBodyBuilder::kinematic_velocity_based().translation(at(x));
                let hand = world.bodies.insert(hand.angvel(vec3(0.0, 0.0, 5.0)));
                let weld = FixedJointBuilder::new();
                world.impulse_joints.insert(hand, body, weld, true);
            }
        }
        match k {
            1 => sliding.push((body, x)),
            _ => turning.push(body),
        }
    }
    let mut seen = Vec::new();
    for _ in 0..50 {
        world.step();
        let turned = turning.iter().map(|&body| world.angvel(body).z);
        let slid = sliding
            .iter()
            .map(|&(body, x)| world.position(body).x / length_unit - x);
        seen.push(turned.chain(slid).collect());
    }
    seen
}

/// What drives and welds make of a body does not depend on the unit of length: an angle per second is no way per second.
#[test]
fn drives_are_the_same_in_other_units() {
    for model in [ModelName::Cone, ModelName::NoSlip, ModelName::Ccp] {
        let metres = drives(model, 1.0);
        assert!((metres[49][0] - 5.0).abs() < 1e-5, "{:?}", metres[49]);
        for length_unit in [1024.0, 0.0078125] {
            for (step, (a, b)) in metres.iter().zip(drives(model, length_unit)).enumerate() {
                for (k, (a, b)) in a.iter().zip(b).enumerate() {
                    assert!(
                        (a - b).abs() < 1e-4,
                        "{model:?}, {length_unit}, {k}, step {step}: {a} {b}"
                    );
                }
            }
        }
    }
}

#[test]
fn a_unit_that_is_none_is_refused() {
    for unit in [0.0, -1.0, f64::NAN, f64::INFINITY] {
        let mut world = World::new(0.01);
        world.params.length_unit = num(unit);
        let refused = world.try_step(&());
        assert!(
            matches!(refused, Err(StepError::BadLengthUnit { .. })),
            "{unit}"
        );
    }
}
