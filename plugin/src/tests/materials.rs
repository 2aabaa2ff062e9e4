//! Coefficients beyond rapier's, and the spin rows they ask for.

use super::{EPS, G, World, assert_close, num, vec3};
use crate::base::convert::vector;
use crate::{ContactMaterial, ModelName};
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
            ..ContactMaterial::default()
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

/// A box with its grain at `angle` to the world's x axis, thrown along x: it slides on with 0.2 along the grain and
/// 0.6 across.
fn slide(angle: f64, own: bool) -> Vector3<f64> {
    let mut world = World::with_model(0.001, ModelName::Cone);
    let ground = world.ground();
    world.colliders[ground].set_friction(num(0.2));
    let turned = RigidBodyBuilder::dynamic()
        .translation(vec3(0.0, 0.0, 0.1))
        .rotation(vec3(0.0, 0.0, angle))
        .lock_rotations()
        .linvel(vec3(2.0, 0.0, 0.0));
    let shape = ColliderBuilder::cuboid(num(0.1), num(0.1), num(0.1))
        .mass(num(1.0))
        .friction(num(0.2));
    let body = world.add(turned, shape);
    let collider = world.bodies[body].colliders()[0];
    let material = ContactMaterial {
        mu_across: Some(0.6),
        grain: Some(Vector::X),
        ..ContactMaterial::default()
    };
    if own {
        world
            .pipeline
            .set_collider_material(collider, Some(material))
            .unwrap();
        assert_eq!(world.pipeline.collider_material(collider), Some(&material));
    } else {
        world.pipeline.set_material(material).unwrap();
    }
    world.run(50);
    world.linvel(body)
}

/// The grain of a collider turns with it: across it the box is slowed by 0.6 g, along it by 0.2 g; a
/// pipeline-wide grain lies in the world, whatever the box does.
#[test]
fn a_grain_turns_with_its_collider() {
    let quarter = std::f64::consts::FRAC_PI_2;
    for (angle, own, mu) in [
        (0.0, true, 0.2),
        (quarter, true, 0.6),
        (quarter, false, 0.2),
    ] {
        let v = slide(angle, own);
        assert_close(v.x, 2.0 - mu * G * 0.05, 3e-3 * mu);
        assert_close(v.y, 0.0, 1e-4);
    }
}

/// Coefficients of two colliders are averaged, compliances add up, one without a material counts as zero.
#[test]
fn materials_of_two_colliders_combine() {
    let mut world = World::new(0.01);
    let ground = world.ground();
    let at = RigidBodyBuilder::dynamic().translation(vec3(0.0, 0.0, 0.1));
    let ball = world.add(at, ColliderBuilder::ball(num(0.1)).mass(num(1.0)));
    let ball = world.bodies[ball].colliders()[0];
    let unit = 2.0_f64.powi(-30);
    let material = |x: f64| ContactMaterial {
        mu_viscous: x,
        mu_rolling: 2.0 * x,
        compliance: x * unit,
        ..ContactMaterial::default()
    };
    world.pipeline.set_material(material(7.0)).unwrap();
    let read = |world: &mut World| {
        world.step();
        let data = &world.pipeline.problem().contacts()[0];
        (data.mu_viscous, data.mu_rolling, data.compliance)
    };
    assert_eq!(read(&mut world), (7.0, 14.0, 7.0 * unit));
    world
        .pipeline
        .set_collider_material(ball, Some(material(1.0)))
        .unwrap();
    assert_eq!(read(&mut world), (0.5, 1.0, unit));
    world
        .pipeline
        .set_collider_material(ground, Some(material(3.0)))
        .unwrap();
    assert_eq!(read(&mut world), (2.0, 4.0, 4.0 * unit));
    world.pipeline.set_collider_material(ball, None).unwrap();
    world.pipeline.set_collider_material(ground, None).unwrap();
    assert_eq!(read(&mut world), (7.0, 14.0, 7.0 * unit));
    let wrong = ContactMaterial {
        grain: Some(Vector::ZERO),
        ..ContactMaterial::default()
    };
    assert!(
        world
            .pipeline
            .set_collider_material(ball, Some(wrong))
            .is_err()
    );
}
