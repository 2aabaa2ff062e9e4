//! Worlds in other units of length, told by rapier's `length_unit`.

use super::{G, World, num, vec3};
use crate::base::convert::real;
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

/// Bodies on hinges and sliders, one for each kind of row: drives and stops of impulse joints and of trees, a weld to a hand that turns, a
/// weld and a stop that are far off at first, and a coupling. In each step the angle of each body about z [rad], its rate [rad/s], its
/// way along x \[m\] and the torque impulse of its impulse joint [kg m^2/s].
fn joints(model: ModelName, length_unit: f64) -> Vec<Vec<[f64; 4]>> {
    let mut world = World::with_model(0.01, model);
    world.params.length_unit = num(length_unit);
    world.gravity = vec3(0.0, 0.0, 0.0);
    let half = |x: f64| num(x * length_unit);
    let at = |x: f64| vec3(x * length_unit, 0.0, 0.0);
    let turned = |angle: f64| vec3(0.0, 0.0, angle);
    let hinge = || RevoluteJointBuilder::new(Vector::Z);
    let drive = || GenericJoint::from(hinge().motor_velocity(num(5.0), num(40.0)));
    let stop = || GenericJoint::from(hinge().limits([num(-0.1), num(0.3)]));
    let slider = PrismaticJointBuilder::new(Vector::X).motor_velocity(half(2.0), num(40.0));
    let weld = || GenericJoint::from(FixedJointBuilder::new());
    // Joint, whether it is one of a tree, angle and rate of the body, rate of what it is joined to.
    let kinds: [(GenericJoint, bool, [f64; 3]); 9] = [
        (drive(), false, [0.0; 3]),
        (drive(), true, [0.0; 3]),
        (slider.into(), false, [0.0; 3]),
        (stop(), false, [0.0, 5.0, 0.0]),
        (stop(), false, [0.0, -5.0, 0.0]),
        (stop(), true, [0.0, 5.0, 0.0]),
        (weld(), false, [0.0, 0.0, 5.0]),
        (weld(), false, [0.5, 0.0, 0.0]),
        (stop(), false, [0.5, 0.0, 0.0]),
    ];
    let mut bodies = Vec::new();
    for (k, (joint, is_tree, [angle, rate, led])) in kinds.into_iter().enumerate() {
        let place = at(2.0 * k as f64);
        let base = RigidBodyBuilder::kinematic_velocity_based().angvel(turned(led));
        let base = world.bodies.insert(base.translation(place));
        let body = RigidBodyBuilder::dynamic()
            .translation(place)
            .rotation(turned(angle));
        let cube = ColliderBuilder::cuboid(half(0.1), half(0.2), half(0.3)).mass(num(2.0));
        let body = world.add(body.angvel(turned(rate)), cube);
        let impulse = match is_tree {
            false => Some(world.impulse_joints.insert(base, body, joint, true)),
            true => {
                world.multibody_joints.insert(base, body, joint, true);
                let tree = world.multibody(body);
                tree.damping_mut().fill(num(0.0));
                tree.generalized_velocity_mut()[0] = num(rate);
                None
            }
        };
        bodies.push((body, 2.0 * k as f64, impulse));
    }
    // Two hinges of a chain, the second of which turns twice as far, 0.2 rad off at first.
    let base = world
        .bodies
        .insert(RigidBodyBuilder::fixed().translation(at(30.0)));
    let mut parent = base;
    for _ in 0..2 {
        let cube = ColliderBuilder::cuboid(half(0.1), half(0.2), half(0.3)).mass(num(2.0));
        let body = world.add(RigidBodyBuilder::dynamic().translation(at(30.0)), cube);
        world.multibody_joints.insert(parent, body, hinge(), true);
        bodies.push((body, 30.0, None));
        parent = body;
    }
    let tree = world.multibody(parent);
    tree.damping_mut().fill(num(0.0));
    tree.generalized_velocity_mut()[0] = num(1.0);
    tree.add_dof_coupling(MultibodyDofCoupling {
        link1: 1,
        dof1: 0,
        axis1: 5,
        link2: 2,
        dof2: 0,
        axis2: 5,
        coeff: num(2.0),
        offset: num(0.2),
    });
    let mut seen = Vec::new();
    for _ in 0..50 {
        world.step();
        let of = |&(body, x, joint): &(RigidBodyHandle, f64, Option<ImpulseJointHandle>)| {
            let impulse = joint.and_then(|joint| world.pipeline.joint_impulses(joint));
            let torque = impulse.map_or(0.0, |impulse| real(impulse.angular_world().z));
            let rotation = world.bodies[body].rotation();
            [
                2.0 * real(rotation.z).atan2(real(rotation.w)),
                world.angvel(body).z,
                world.position(body).x / length_unit - x,
                torque / length_unit.powi(2),
            ]
        };
        seen.push(bodies.iter().map(of).collect());
    }
    seen
}

/// What drives, stops, welds and couplings do to a body does not depend on the unit of length.
#[test]
fn joints_are_the_same_in_other_units() {
    for model in [ModelName::Cone, ModelName::NoSlip, ModelName::Ccp] {
        let metres = joints(model, 1.0);
        let last = &metres[49];
        assert!((last[0][1] - 5.0).abs() < 1e-5, "{last:?}");
        assert!(
            (last[3][0] - 0.3).abs() < 1e-3 && (last[4][0] + 0.1).abs() < 1e-3,
            "{last:?}"
        );
        assert!(last[7][0].abs() < 0.1 && last[8][0] < 0.4, "{last:?}");
        for length_unit in [1024.0, 0.0078125] {
            for (step, (a, b)) in metres.iter().zip(joints(model, length_unit)).enumerate() {
                for (k, (a, b)) in a.iter().zip(b).enumerate() {
                    for (a, b) in a.iter().zip(b) {
                        assert!(
                            (a - b).abs() < 2e-4,
                            "{model:?}, {length_unit}, {k}, step {step}: {a} {b}"
                        );
                    }
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
