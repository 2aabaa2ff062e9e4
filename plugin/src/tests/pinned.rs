//! A jaw of a multibody that pins something fixed, its axis in the plane of contact: friction has no lever there, and the
//! normal force is the torque by the lever. The tangential rows were 1e-8 of the lever in f32, which is round-off of places
//! and axes; held, they took the whole torque, with forces of up to 1e8 N.

use super::{EPS, World, num, vec3};
use crate::ModelName;
use rapier::prelude::*;

/// Normal and friction force, by torque and lever, that a jaw of a size, mass and pose presses with.
fn pressed(model: ModelName, size: f64, torque: f64, pose: Pose, is_round: bool) -> [f64; 2] {
    let h = 0.01;
    let mut world = World::with_model(h, model);
    world.gravity = vec3(0.0, 0.0, 0.0);
    world.params.length_unit = num(size);
    let lever = 0.06 * size;
    let root = world.bodies.insert(RigidBodyBuilder::fixed().pose(pose));
    let half = [0.07, 0.01, 0.02].map(|x| size * x);
    let shape = ColliderBuilder::cuboid(num(half[0]), num(half[1]), num(half[2]));
    let shape = shape.translation(vec3(lever, half[1], 0.0));
    // An angular acceleration of about 100 rad/s^2.
    let density = 2e4 * torque / size.powi(5);
    let body = RigidBodyBuilder::dynamic().pose(pose);
    let jaw = world.add(body, shape.density(num(density)));
    let joint = RevoluteJointBuilder::new(Vector::Z)
        .motor_model(MotorModel::ForceBased)
        .motor_velocity(num(-1e3), num(1e3 * torque))
        .motor_max_force(num(torque));
    world.multibody_joints.insert(root, jaw, joint, true);
    let radius = 0.03 * size;
    let tube = match is_round {
        true => ColliderBuilder::ball(num(radius)),
        false => ColliderBuilder::capsule_z(num(radius), num(radius)),
    };
    let at = pose * vec3(lever, -radius, 0.0);
    let tube = tube.position(Pose::from_parts(at, pose.rotation));
    let tube = world.colliders.insert(tube);
    world.run(10);
    let jaw = world.bodies[jaw].colliders()[0];
    let (mut normal, mut friction) = (0.0, 0.0);
    for contact in world.pipeline.contacts_between(jaw, tube) {
        let [n, s, t] = contact.impulse.map(|f| f / h * lever / torque);
        normal += n;
        friction += s.hypot(t);
    }
    [normal, friction]
}

/// Over sizes, torques (masses go with them) and poses, near the origin and away from it by ten sizes.
#[test]
fn friction_without_a_lever_pins_nothing() {
    let mut faults = Vec::new();
    for model in [
        ModelName::NoSlip,
        ModelName::NoSlipReleasing,
        ModelName::Cone,
    ] {
        for size in [1e-3, 0.03, 1.0, 30.0, 1e3] {
            for k in 0..16 {
                let angle = f64::from(k);
                let turn = [angle, (2.3 * angle).sin(), (1.7 * angle).cos() * angle].map(num);
                let away = size * if k < 8 { 0.0 } else { 10.0 };
                let at = vec3(away * angle.sin(), away, -away * angle.cos());
                let pose = Pose::new(at, Vector::from(turn));
                let torque = 0.45 * 1.3_f64.powi(k) * size * size;
                // At this size no contact with the capsule is found, under any model.
                let is_round = k % 2 == 0 || size < 0.01;
                let [normal, friction] = pressed(model, size, torque, pose, is_round);
                if !((normal - 1.0).abs() < 0.01 && friction < 0.2) {
                    faults.push(format!("{model:?} {size} {k}: {normal} {friction}"));
                }
            }
        }
    }
    assert!(faults.is_empty(), "{faults:#?}");
}

/// A gap that a step of second order leaves under a contact that pressed does not end its friction; a contact that did not
/// press, or is farther away than contacts are kept for, has none.
#[test]
fn what_pressed_keeps_its_friction_over_a_small_gap() {
    for (model, lift, holds) in [
        (ModelName::NoSlip, 5e-5, true),
        (ModelName::NoSlipReleasing, 5e-5, true),
        (ModelName::NoSlip, 5e-3, false),
    ] {
        let h = 0.005;
        let mut world = World::with_model(h, model);
        world.gravity = vec3(3.0, 0.0, -9.81);
        world.ground();
        let body = RigidBodyBuilder::dynamic().translation(vec3(0.0, 0.0, 0.5));
        let shape = ColliderBuilder::cuboid(num(0.5), num(0.5), num(0.5)).mass(num(2.0));
        let body = world.add(body, shape);
        world.run(20);
        let at = world.position(body);
        let up = vec3(at.x, at.y, at.z + lift);
        world.bodies[body].set_translation(up, true);
        world.step();
        let slip = world.linvel(body).x;
        let expected = if holds { 0.0 } else { 3.0 * h };
        assert!(
            (slip - expected).abs() < 1e3 * EPS,
            "{model} {lift}: {slip}"
        );
        world.run(20);
        assert!(world.linvel(body).norm() < 1e-2, "{model} {lift}");
    }
}

/// Over the same gap a contact that did not press in the last step has no friction in the step that closes it.
#[test]
fn what_did_not_press_has_no_friction_over_a_small_gap() {
    for model in [
        ModelName::NoSlip,
        ModelName::NoSlipReleasing,
        ModelName::Viscous,
    ] {
        let h = 0.005;
        let mut world = World::with_model(h, model);
        world.gravity = vec3(3.0, 0.0, -9.81);
        world.ground();
        let body = RigidBodyBuilder::dynamic().translation(vec3(0.0, 0.0, 0.5 + 5e-5));
        let shape = ColliderBuilder::cuboid(num(0.5), num(0.5), num(0.5)).mass(num(2.0));
        let body = world.add(body, shape);
        world.step();
        let slip = world.linvel(body).x;
        assert!((slip - 3.0 * h).abs() < 1e3 * EPS, "{model}: {slip}");
        assert!(
            world.linvel(body).z > -9.81 * h,
            "{model}: the step closes the gap"
        );
    }
}
