//! Multibodies as a whole: in flight, on supports, and as controllers see them.

mod controllers;
mod fast;
mod flight;
mod supported;

use super::{EPS, G, World, assert_close, num, vec3};
use crate::base::convert::{real, vector};
use nalgebra::Vector3;
use rapier::prelude::*;

/// A floating root with its centre of mass off the origin and a swinging link, in free fall.
fn tumbling(world: &mut World) -> [RigidBodyHandle; 2] {
    let shape = |size: f64| ColliderBuilder::cuboid(num(size), num(2.0 * size), num(0.5 * size));
    let base = world.add(
        RigidBodyBuilder::dynamic().translation(vec3(0.0, 0.0, 2.0)),
        shape(0.2)
            .translation(vec3(0.15, -0.05, 0.1))
            .density(num(100.0)),
    );
    let arm = world.add(
        RigidBodyBuilder::dynamic(),
        shape(0.1)
            .translation(vec3(0.3, 0.0, 0.0))
            .density(num(200.0)),
    );
    let joint = RevoluteJointBuilder::new(Vector::Y)
        .local_anchor1(vec3(0.3, 0.0, 0.2))
        .contacts_enabled(false);
    world
        .multibody_joints
        .insert(base, arm, joint, true)
        .unwrap();
    world.multibody(base).damping_mut().fill(num(0.0));
    world.step();
    for (v, x) in world
        .multibody(base)
        .generalized_velocity_mut()
        .iter_mut()
        .zip([0.5, 0.0, 1.0, 0.7, 2.0, -1.0, 3.0])
    {
        *v = num(x);
    }
    [base, arm]
}

/// Centre of mass and angular momentum about it, from rapier's public body data.
fn momentum(world: &World, bodies: &[RigidBodyHandle]) -> (Vector3<f64>, Vector3<f64>) {
    let mass = |b: &RigidBodyHandle| real(world.bodies[*b].mass());
    let com_of = |b: &RigidBodyHandle| vector(world.bodies[*b].center_of_mass());
    let total: f64 = bodies.iter().map(mass).sum();
    let com = bodies
        .iter()
        .map(|b| com_of(b) * mass(b))
        .sum::<Vector3<f64>>()
        / total;
    let angular = bodies
        .iter()
        .map(|b| {
            let spin = inertia(world, *b) * world.angvel(*b);
            spin + (com_of(b) - com).cross(&(world.linvel(*b) * mass(b)))
        })
        .sum();
    (com, angular)
}

/// Inertia of a body about its own centre of mass, in the axes of the world.
fn inertia(world: &World, body: RigidBodyHandle) -> nalgebra::Matrix3<f64> {
    let rb = &world.bodies[body];
    let r = crate::base::convert::rotation(*rb.rotation()).to_rotation_matrix();
    r.matrix()
        * crate::base::convert::local_inertia(&rb.mass_properties().local_mprops)
        * r.matrix().transpose()
}

/// Linear momentum of bodies [N s].
fn linear_momentum(world: &World, bodies: &[RigidBodyHandle]) -> Vector3<f64> {
    let of = bodies
        .iter()
        .map(|b| world.linvel(*b) * real(world.bodies[*b].mass()));
    of.sum()
}

/// Kinetic energy of bodies \[J\].
fn kinetic(world: &World, bodies: &[RigidBodyHandle]) -> f64 {
    let of = bodies.iter().map(|b| {
        let (m, v) = (real(world.bodies[*b].mass()), world.linvel(*b));
        let w = world.angvel(*b);
        0.5 * (m * v.norm_squared() + w.dot(&(inertia(world, *b) * w)))
    });
    of.sum()
}
