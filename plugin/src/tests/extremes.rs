//! Values far beyond any sensible scene: steps stay finite and bounded, and what can't be met is told.

use super::{World, cube_of, num, vec3};
use crate::ModelName;
use crate::base::convert::real;
use rapier::prelude::*;
use stickslip_core::report::SolveStatus;

const H: f64 = 1.0 / 60.0;

fn world(ground: bool) -> World {
    let mut world = World::with_model(H, ModelName::Cone);
    if ground {
        world.ground();
    }
    world
}

/// Steps, and looks that every body stays finite and no faster than `most` \[m/s\]. The worst status and the most parts of a
/// step.
fn run(world: &mut World, steps: usize, most: f64) -> (SolveStatus, usize) {
    let (mut worst, mut parts) = (SolveStatus::Solved, 0);
    for step in 0..steps {
        let report = world.try_step(&()).unwrap();
        worst = worst.max(report.solve.status);
        parts = parts.max(report.substeps);
        for (_, body) in world.bodies.iter() {
            let (at, speed) = (body.translation(), real(body.linvel().length()));
            assert!(at.is_finite() && speed <= most, "{step}: {at} {speed}");
        }
    }
    (worst, parts)
}

/// The anchors of a joint are a kilometre apart: it closes at the speed of its correction, gives no speed, and is told open.
#[test]
fn joints_a_kilometre_apart_are_told() {
    let mut world = world(false);
    world.gravity = Vector::ZERO;
    let [one, two] = [0.0, 1000.0].map(|x| cube_of(&mut world, 1.0, [x, 0.0, 0.0]));
    let joint = SphericalJointBuilder::new();
    world.impulse_joints.insert(one, two, joint, true);
    let (worst, _) = run(&mut world, 60, 1.0);
    assert_eq!(worst, SolveStatus::JointsOpen);
}

/// Links of a nanogram that carry a tonne.
#[test]
fn a_tonne_on_links_of_a_nanogram_is_bounded() {
    let mut world = world(false);
    let mut last = world.bodies.insert(RigidBodyBuilder::fixed());
    for k in 1..6 {
        let mass = if k == 5 { 1e3 } else { 1e-12 };
        let body = cube_of(&mut world, mass, [f64::from(k), 0.0, 0.0]);
        let joint = SphericalJointBuilder::new()
            .local_anchor1(vec3(0.5, 0.0, 0.0))
            .local_anchor2(vec3(-0.5, 0.0, 0.0))
            .contacts_enabled(false);
        world.impulse_joints.insert(last, body, joint, true);
        last = body;
    }
    // What falls by 5 m is no faster than 10 m/s; the links are so light that rounding moves them.
    let (_, parts) = run(&mut world, 120, 1e5);
    assert!(parts <= 16);
    let heavy = real(world.bodies[last].linvel().length());
    assert!(heavy < 20.0, "{heavy}");
}

/// A restitution of two counts as one.
#[test]
fn a_restitution_of_two_makes_no_energy() {
    let mut world = world(true);
    let ball = RigidBodyBuilder::dynamic().translation(vec3(0.0, 0.0, 2.0));
    let shape = ColliderBuilder::ball(num(0.5)).restitution(num(2.0));
    world.add(
        ball,
        shape.restitution_combine_rule(CoefficientCombineRule::Max),
    );
    run(&mut world, 600, 1.02 * (2.0 * super::G * 1.5_f64).sqrt());
}

/// Bodies that turn by 1e5 rad/s, alone, on the ground and on a joint.
#[test]
fn bodies_of_1e5_radians_a_second_are_bounded() {
    let mut world = world(true);
    let spin = vec3(6e4, 5e4, 6e4);
    let bodies = [
        [0.0, 0.0, 5.0],
        [5.0, 0.0, 0.8],
        [10.0, 0.0, 5.0],
        [11.0, 0.0, 5.0],
    ];
    let bodies = bodies.map(|at| cube_of(&mut world, 1.0, at));
    for body in bodies {
        world.bodies[body].set_angvel(spin, true);
    }
    let joint = SphericalJointBuilder::new()
        .local_anchor1(vec3(0.5, 0.0, 0.0))
        .local_anchor2(vec3(-0.5, 0.0, 0.0));
    world
        .impulse_joints
        .insert(bodies[2], bodies[3], joint, true);
    // The rim of a cube of 1 m is at most 0.87 m from its centre.
    let (_, parts) = run(&mut world, 120, 0.87 * 1e5);
    assert!(parts <= 16);
}
