//! Coefficients beyond rapier's, and the spin rows they ask for.

use super::{EPS, World, num, vec3};
use crate::ContactMaterial;
use crate::convert::vector;
use nalgebra::Vector3;
use rapier::prelude::*;

/// A free ball on the ground, and a ball that hangs on a hinge and rests on another free ball.
fn balls() -> (World, [RigidBodyHandle; 3]) {
    let mut world = World::new(0.01);
    world.ground();
    let ball = || ColliderBuilder::ball(num(0.1)).density(num(500.0));
    let at = |x: f64, z: f64| RigidBodyBuilder::dynamic().translation(vec3(x, 0.0, z));
    let free = world.add(at(2.0, 0.1), ball());
    let lower = world.add(at(0.0, 0.1), ball());
    let frame = world
        .bodies
        .insert(RigidBodyBuilder::fixed().translation(vec3(-0.5, 0.0, 0.3)));
    let arm = world.add(at(0.0, 0.3), ball());
    let hinge = RevoluteJointBuilder::new(Vector::Y).local_anchor2(vec3(-0.5, 0.0, 0.0));
    world
        .multibody_joints
        .insert(frame, arm, hinge, true)
        .unwrap();
    (world, [free, lower, arm])
}

/// The rows times the velocities are the relative angular velocity about n, s and t, for free bodies
/// and for links.
#[test]
fn spin_rows_are_relative_angular_velocities() {
    let (mut world, [free, lower, _]) = balls();
    world
        .pipeline
        .set_material(ContactMaterial {
            mu_torsional: 0.01,
            mu_rolling: 0.02,
            mu_viscous: 0.3,
            mu_across: Some(0.4),
            compliance: 0.0,
        })
        .unwrap();
    for (body, spin) in [(free, vec3(1.0, -2.0, 3.0)), (lower, vec3(0.5, 0.7, -0.9))] {
        world.bodies[body].set_angvel(spin, true);
    }
    let angular = |world: &World, body: Option<RigidBodyHandle>| {
        let body = body.and_then(|b| world.bodies.get(b));
        body.map_or_else(Vector3::zeros, |b| vector(b.angvel()))
    };
    for step in 0..3 {
        let before: Vec<_> = world
            .bodies
            .iter()
            .map(|(handle, _)| (handle, angular(&world, Some(handle))))
            .collect();
        let spin_of = |body: Option<RigidBodyHandle>| {
            let found = before.iter().find(|(handle, _)| Some(*handle) == body);
            found.map_or_else(Vector3::zeros, |(_, spin)| *spin)
        };
        world.step();
        let problem = world.pipeline.problem();
        let mut links = 0;
        for (c, contact) in world.pipeline.contacts().iter().enumerate() {
            let data = &problem.contacts()[c];
            assert_eq!(data.mu_across, Some(0.4));
            assert_eq!((data.mu_torsional, data.mu_rolling), (0.01, 0.02));
            let rows = problem.spin_rows(c).unwrap();
            let [first, second] = contact.point.bodies.map(spin_of);
            let [s, t] = contact.tangents;
            for (row, axis) in rows.iter().zip([contact.point.normal, s, t]) {
                let rate = problem.row(*row).dot(problem.v());
                let expected = (second - first).dot(&axis);
                assert!(
                    (rate - expected).abs() < 100.0 * EPS,
                    "step {step}, contact {c}: {rate} against {expected}"
                );
            }
            links += usize::from(contact.point.bodies.iter().all(Option::is_some));
        }
        assert!(links > 0, "nothing touched the link");
    }
}

#[test]
fn contacts_without_spin_friction_have_no_spin_rows() {
    let (mut world, _) = balls();
    world.step();
    assert!(world.pipeline.problem().spins().is_empty());
    assert!(!world.pipeline.contacts().is_empty());
}

#[test]
fn coefficients_out_of_range_are_refused_and_change_nothing() {
    let (mut world, _) = balls();
    for wrong in [-1.0, f64::NAN, f64::INFINITY] {
        let material = ContactMaterial {
            mu_rolling: wrong,
            ..ContactMaterial::default()
        };
        let refused = world.pipeline.set_material(material).unwrap_err();
        assert_eq!(refused.name, "mu_rolling");
        assert_eq!(*world.pipeline.material(), ContactMaterial::default());
    }
}
