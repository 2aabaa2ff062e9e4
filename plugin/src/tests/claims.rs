//! Scenes that other simulators are reported to fail (experiments C5 to C8), with what they show here:
//! `cargo test --lib claims -- --nocapture` prints the figures.

use super::{World, num, vec3};
use crate::base::convert::real;
use rapier::prelude::*;

const F32: bool = size_of::<Real>() == 4;

fn figure(claim: &str, value: f64, unit: &str) {
    let precision = if F32 { "f32" } else { "f64" };
    println!("{claim} ({precision}): {value:.1e} {unit}");
}

fn cube(world: &mut World, z: f64, mass: f64) -> RigidBodyHandle {
    let body = RigidBodyBuilder::dynamic().translation(vec3(0.0, 0.0, z));
    let shape = ColliderBuilder::cuboid(num(0.5), num(0.5), num(0.5)).mass(num(mass));
    world.add(body, shape)
}

/// C5: a light cube under one a thousand times as heavy, and under a stack of both.
#[test]
fn c5_a_mass_ratio_of_a_thousand_overlaps_by_less_than_ten_micrometres() {
    let mut world = World::new(0.005);
    world.ground();
    for (k, mass) in [1.0, 1000.0, 1.0, 1000.0].into_iter().enumerate() {
        cube(&mut world, 0.5 + k as f64, mass);
    }
    let mut deepest: f64 = 0.0;
    for _ in 0..400 {
        world.step();
        let gaps = world.pipeline.contacts().iter().map(|c| -c.gap);
        deepest = gaps.fold(deepest, f64::max);
    }
    figure("C5 overlap", deepest, "m");
    assert!(deepest < 1e-5, "{deepest:e}");
}

/// C6: a resting cube costs no pivot from its warm start.
#[test]
fn c6_a_resting_cube_needs_no_pivot() {
    let mut world = World::new(0.005);
    world.ground();
    cube(&mut world, 0.5, 1.0);
    world.run(5);
    let pivots: usize = (0..100).map(|_| world.step().solve.pivots).sum();
    figure("C6 pivots in 100 steps", pivots as f64, "");
    assert_eq!(pivots, 0);
}

/// C7: the contact forces of a standing robot (a body on four driven legs) add up to its weight.
#[test]
fn c7_the_contact_forces_of_a_robot_are_its_weight() {
    let h = 0.002;
    let mut world = World::new(h);
    world.ground();
    let trunk = RigidBodyBuilder::dynamic().translation(vec3(0.0, 0.0, 0.45));
    let shape = ColliderBuilder::cuboid(num(0.25), num(0.15), num(0.05)).mass(num(8.0));
    let trunk = world.add(trunk, shape);
    let mut all = vec![trunk];
    for (x, y) in [(0.2, 0.1), (0.2, -0.1), (-0.2, 0.1), (-0.2, -0.1)] {
        let shape = ColliderBuilder::capsule_z(num(0.17), num(0.03)).mass(num(0.7));
        let leg = world.add(RigidBodyBuilder::dynamic(), shape);
        let hip = RevoluteJointBuilder::new(Vector::Y)
            .local_anchor1(vec3(x, y, -0.05))
            .local_anchor2(vec3(0.0, 0.0, 0.2))
            .contacts_enabled(false)
            .motor_model(MotorModel::ForceBased)
            .motor_position(num(0.1 * x.signum()), num(200.0), num(20.0));
        world
            .multibody_joints
            .insert(trunk, leg, hip, true)
            .unwrap();
        all.push(leg);
    }
    world.run(2000);
    // The force acts on body 1; that of the ground on a robot that is body 0 is its opposite.
    let on_robot = |c: &crate::Contact| {
        let up = real(c.force(num(h)).z);
        let robot = c.point.bodies[1].is_some_and(|b| all.contains(&b));
        if robot { up } else { -up }
    };
    let carried: f64 = world.pipeline.contacts().iter().map(on_robot).sum();
    let mass: f64 = all.iter().map(|b| real(world.bodies[*b].mass())).sum();
    let weight = mass * -real(world.gravity.z);
    let off = (carried / weight - 1.0).abs();
    figure("C7 error of the sum of forces", off, "of the weight");
    let allowed = if F32 { 1e-4 } else { 1e-6 };
    assert!(off < allowed, "{carried} {weight}: {off:e}");
}

/// C8: after each bounce the ball rises to e^2 of the height before, and never higher.
#[test]
fn c8_a_ball_bounces_to_e_squared() {
    let mut worst: f64 = 0.0;
    for e in [0.3, 0.5, 0.8, 1.0] {
        let mut world = World::new(0.001);
        world.ground();
        let ball = RigidBodyBuilder::dynamic().translation(vec3(0.0, 0.0, 1.1));
        let shape = ColliderBuilder::ball(num(0.1))
            .restitution(num(e))
            .restitution_combine_rule(CoefficientCombineRule::Max);
        let ball = world.add(ball, shape);
        let (mut heights, mut last, mut rising) = (vec![1.0], 1.1, false);
        while heights.len() < 4 && heights[heights.len() - 1] > 0.05 {
            world.step();
            let z = world.position(ball).z;
            // The apex may be halfway between two steps, at equal heights.
            if rising && z <= last {
                heights.push(last - 0.1);
            }
            rising = z > last;
            last = z;
        }
        assert!(heights.len() >= 3, "{e}: {heights:?}");
        for pair in heights.windows(2) {
            let off = pair[1] / (e * e * pair[0]) - 1.0;
            worst = worst.max(off.abs());
            assert!(pair[1] <= pair[0] * 1.0001, "{e}: {heights:?}");
        }
    }
    figure("C8 error of e^2", worst, "");
    assert!(worst < 0.02, "{worst}");
}
