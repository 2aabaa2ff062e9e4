//! Dominant bodies push, and are not pushed, unless what they push moves them in turn.

use super::{EPS, World, assert_close, num, vec3};
use crate::base::convert::real;
use crate::{ModelName, ModelSettings};
use nalgebra::Vector3;
use rapier::prelude::*;

/// A body of higher dominance is not moved by a contact with one of lower dominance.
#[test]
fn dominance_makes_a_body_immovable_for_the_other() {
    let mut world = World::new(0.005);
    world.gravity = Vector::ZERO;
    let ball = || ColliderBuilder::ball(num(0.1)).mass(num(1.0));
    let boss = world.add(RigidBodyBuilder::dynamic().dominance_group(5), ball());
    let builder = RigidBodyBuilder::dynamic()
        .translation(vec3(0.21, 0.0, 0.0))
        .linvel(vec3(-3.0, 0.0, 0.0));
    let other = world.add(builder, ball());
    world.run(20);
    assert!(world.linvel(boss).norm() < EPS);
    assert_close(world.linvel(other).x, 0.0, 100.0 * EPS);
    assert_close(world.position(other).x, 0.2, 100.0 * EPS);
}

/// Two bars that a hinge joins fold onto each other in no gravity: their momentum stays, and their energy does not grow,
/// also where one dominates the other.
#[test]
fn dominance_over_a_joined_body_makes_no_momentum() {
    for model in [ModelName::NoSlip, ModelName::Cone] {
        for [own, other] in [[0, 0], [3, 0], [0, 3]] {
            let mut world = World::new(1.0 / 60.0);
            world
                .pipeline
                .set_model(model, ModelSettings::default())
                .unwrap();
            world.gravity = Vector::ZERO;
            let bar = |mass| ColliderBuilder::cuboid(num(0.3), num(0.05), num(0.1)).mass(num(mass));
            let body = |x: f64, spin: f64, group| {
                RigidBodyBuilder::dynamic()
                    .translation(vec3(x, 0.0, 0.0))
                    .linvel(vec3(0.0, -0.35 * spin, 0.0) * num(x.signum()))
                    .angvel(vec3(0.0, 0.0, spin))
                    .dominance_group(group)
            };
            let a = world.add(body(-0.35, 4.0, own), bar(1.0));
            let b = world.add(body(0.35, -4.0, other), bar(10.0));
            let hinge = RevoluteJointBuilder::new(vec3(0.0, 0.0, 1.0))
                .local_anchor1(vec3(0.35, 0.0, 0.0))
                .local_anchor2(vec3(-0.35, 0.0, 0.0))
                .contacts_enabled(true);
            world.impulse_joints.insert(a, b, hinge, true);
            let momentum = |world: &World| world.linvel(a) + world.linvel(b) * 10.0;
            let energy = |world: &World| -> f64 {
                let bodies = world.bodies.iter();
                bodies.map(|(_, body)| real(body.kinetic_energy())).sum()
            };
            let (before, most) = (momentum(&world), energy(&world));
            let mut touched = false;
            for _ in 0..240 {
                world.step();
                touched |= !world.pipeline.contacts().is_empty();
            }
            let case = format!("{model} {own} {other}");
            assert!(touched, "{case}");
            let drift = (momentum(&world) - before).norm();
            assert!(drift < 1e-3 * before.norm(), "{case}: {drift}");
            let now = energy(&world);
            assert!(now < 1.01 * most, "{case}: {now} J of {most}");
        }
    }
}

/// The same through a third body: two bars that hang on one and close like a jaw, alone in space.
#[test]
fn dominance_that_joints_lead_back_makes_no_momentum() {
    for [own, other] in [[0, 0], [3, 0], [0, 3]] {
        let mut world = World::new(1.0 / 60.0);
        world.gravity = Vector::ZERO;
        let body = |x: f64, spin: f64, group| {
            RigidBodyBuilder::dynamic()
                .translation(vec3(x, 0.4, 0.0))
                .linvel(vec3(0.4 * -spin, 0.0, 0.0))
                .angvel(vec3(0.0, 0.0, spin))
                .dominance_group(group)
        };
        let back = RigidBodyBuilder::dynamic().translation(vec3(0.0, -0.05, 0.0));
        let back = world.add(back, ColliderBuilder::cuboid(num(0.5), num(0.04), num(0.1)));
        let bar = |mass| ColliderBuilder::cuboid(num(0.05), num(0.4), num(0.1)).mass(num(mass));
        let a = world.add(body(-0.4, -3.0, own), bar(1.0));
        let b = world.add(body(0.4, 3.0, other), bar(10.0));
        for (jaw, x) in [(a, -0.4), (b, 0.4)] {
            let hinge = RevoluteJointBuilder::new(vec3(0.0, 0.0, 1.0))
                .local_anchor1(vec3(x, 0.05, 0.0))
                .local_anchor2(vec3(0.0, -0.4, 0.0))
                .contacts_enabled(false);
            world.impulse_joints.insert(back, jaw, hinge, true);
        }
        let momentum = |world: &World| -> Vector3<f64> {
            let bodies = world.bodies.iter();
            let parts = bodies.map(|(handle, rb)| world.linvel(handle) * real(rb.mass()));
            parts.sum()
        };
        let before = momentum(&world);
        let mut touched = false;
        for _ in 0..120 {
            world.step();
            touched |= !world.pipeline.contacts().is_empty();
        }
        assert!(touched, "{own} {other}");
        let drift = (momentum(&world) - before).norm();
        assert!(drift < 1e-3 * before.norm(), "{own} {other}: {drift}");
    }
}
