//! Springs, motors and limits of coupled axes.

use super::*;
use std::f64::consts::PI;

const H: f64 = 0.01;

/// A spring along x: (m + h c + h^2 k) v+ = m v - h k (x - length), step by step, and the
/// frequency sqrt(k / m) where it is not damped.
#[test]
fn a_spring_is_implicit_along_its_line() {
    for damping in [0.0, 3.0] {
        let (mass, k, length) = (2.0, 50.0, 1.0);
        let mut world = World::new(H);
        world.gravity = Vector::ZERO;
        let root = anchor(&mut world);
        let ball = body(&mut world, mass, [0.01; 3], [1.3, 0.0, 0.0]);
        let spring = SpringJointBuilder::new(num(length), num(k), num(damping));
        let spring = world.impulse_joints.insert(root, ball, spring, true);
        let (mut x, mut v) = (1.3, 0.0);
        let mut crossings = Vec::new();
        for step in 0..400 {
            world.step();
            let before = x;
            v = (mass * v - H * k * (x - length)) / (mass + H * damping + H * H * k);
            x += H * v;
            assert_close(world.position(ball).x, x, FINE);
            let pull = world.pipeline.joint_impulses(spring).unwrap();
            assert_close(pull.motor[0], pull.impulse[0], FINE);
            if (before - length) * (x - length) < 0.0 {
                crossings.push(f64::from(step) * H);
            }
        }
        if damping == 0.0 {
            let halves = (crossings.len() - 1) as f64;
            let period = 2.0 * (crossings[crossings.len() - 1] - crossings[0]) / halves;
            // Implicit Euler is slower by (omega h)^2 / 3, a crossing is known to a step.
            let expected = 2.0 * PI * (mass / k).sqrt();
            assert_close(period / expected, 1.0, 0.01);
        }
    }
}

/// A wheel of 0.5 kg m^2 about x between the world and a motor.
fn wheel(
    motor: impl FnOnce(RevoluteJointBuilder) -> RevoluteJointBuilder,
) -> (World, RigidBodyHandle, ImpulseJointHandle) {
    let mut world = World::new(H);
    let root = anchor(&mut world);
    let wheel = body(&mut world, 4.0, [0.5, 0.3, 0.3], [0.0; 3]);
    let joint = motor(RevoluteJointBuilder::new(Vector::X));
    let joint = world.impulse_joints.insert(root, wheel, joint, true);
    (world, wheel, joint)
}

/// A strong velocity motor reaches its velocity; with a small largest torque it gets there with
/// that torque, omega = tau t / I.
#[test]
fn a_motor_reaches_its_velocity_within_its_torque() {
    let (mut world, body, joint) = wheel(|joint| {
        joint
            .motor_velocity(num(5.0), num(1e6))
            .motor_model(MotorModel::ForceBased)
            .motor_max_force(num(2.0))
    });
    for step in 1..=200 {
        world.step();
        let expected = (2.0 / 0.5 * H * f64::from(step)).min(5.0);
        assert_close(world.angvel(body).x, expected, 1e-4);
        let torque = world.pipeline.joint_impulses(joint).unwrap().motor[3] / H;
        assert!(torque <= 2.0 * (1.0 + FINE), "{torque}");
    }
    let (mut world, body, _) = wheel(|joint| joint.motor_velocity(num(5.0), num(1e9)));
    world.step();
    // Short by 1 / (h damping).
    assert_close(world.angvel(body).x, 5.0, 1e-4);
}

/// Implicit position motors of both models, the acceleration-based one per unit of inertia:
/// (I + h kd + h^2 kp) w+ = I w + h kp (q* - q).
#[test]
fn a_position_motor_is_implicit_in_both_models() {
    for (model, unit) in [
        (MotorModel::ForceBased, 1.0),
        (MotorModel::AccelerationBased, 0.5),
    ] {
        let (kp, kd) = (30.0, 4.0);
        let (mut world, body, joint) = wheel(|joint| {
            joint
                .motor_model(model)
                .motor_position(num(2.5), num(kp / unit), num(kd / unit))
        });
        let (mut q, mut w) = (0.0, 0.0);
        for _ in 0..300 {
            world.step();
            w = (0.5 * w + H * kp * (2.5 - q)) / (0.5 + H * kd + H * H * kp);
            q += H * w;
            assert_close(world.angvel(body).x, w, 10.0 * FINE);
        }
        let angle = relative(&world, joint).rotation.angle();
        assert_close(angle, 2.5, 1e-3);
    }
}

/// The short way round: from 170 degrees to -170 degrees over 180.
#[test]
fn a_position_motor_turns_the_short_way() {
    let start = 170.0_f64.to_radians();
    let (mut world, body, joint) =
        wheel(|joint| joint.motor_position(num(-start), num(100.0), num(20.0)));
    let turned = pose([0.0; 3], [start, 0.0, 0.0]);
    world.bodies[body].set_position(to_pose(&turned), true);
    let mut least = f64::INFINITY;
    for _ in 0..300 {
        world.step();
        least = least.min(relative(&world, joint).rotation.angle());
    }
    assert!(least > start - 1e-3, "{least}");
    let end = relative(&world, joint).rotation.scaled_axis().x;
    assert_close(end, -start, 1e-3);
}

/// A ball joint with coupled swing: the third axis stays within its cone, however it is thrown,
/// and slides along it.
#[test]
fn coupled_angular_limits_are_a_cone() {
    let mut world = World::new(H);
    let root = anchor(&mut world);
    let bob = body(&mut world, 1.0, [0.02; 3], [0.5, 0.0, 0.0]);
    let joint = GenericJointBuilder::new(JointAxesMask::LIN_AXES)
        .coupled_axes(JointAxesMask::ANG_Y | JointAxesMask::ANG_Z)
        .local_anchor2(vec3(-0.5, 0.0, 0.0))
        .limits(JointAxis::AngY, [num(0.0), num(0.6)]);
    let joint = world.impulse_joints.insert(root, bob, joint, true);
    world.bodies[bob].set_linvel(vec3(0.0, 2.0, 0.0), true);
    world.bodies[bob].set_angvel(vec3(1.0, 0.0, 4.0), true);
    let (mut widest, mut farthest): (f64, f64) = (0.0, 0.0);
    for _ in 0..500 {
        world.step();
        let along = relative(&world, joint).rotation * Vector3::x();
        widest = widest.max(along.x.clamp(-1.0, 1.0).acos());
        farthest = farthest.max(opening(&world, joint));
    }
    assert!(widest > 0.59, "{widest}");
    assert!(widest <= 0.6 + 10.0 * CLOSED, "{:e}", widest - 0.6);
    assert!(farthest <= CLOSED, "{farthest:e}");
}

/// An angular range around half a turn works as any other, a whole turn limits nothing.
#[test]
fn angular_ranges_may_lie_anywhere() {
    for (range, expected) in [
        ([0.5 * PI, 1.5 * PI], 1.5 * PI),
        ([-4.0, 4.0], f64::INFINITY),
    ] {
        let (mut world, body, joint) = wheel(|joint| joint.limits(range.map(num)));
        let half = pose([0.0; 3], [PI - 0.1, 0.0, 0.0]);
        world.bodies[body].set_position(to_pose(&half), true);
        world.bodies[body].set_angvel(vec3(3.0, 0.0, 0.0), true);
        world.run(100);
        let speed = world.angvel(body).x;
        if expected.is_finite() {
            let angle = relative(&world, joint).rotation.scaled_axis().x;
            assert_close(angle, expected - 2.0 * PI, CLOSED);
            assert_close(speed, 0.0, FINE);
        } else {
            assert_close(speed, 3.0, FINE);
        }
    }
}
