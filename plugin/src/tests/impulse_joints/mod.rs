//! Impulse joints of every kind, against closed forms and against drift.

mod drives;
mod kinds;
mod loops;
mod motion;
mod touching;

use super::{G, World, assert_close, num, vec3};
use crate::base::convert::{isometry, real, to_pose, vector};
use nalgebra::{Isometry3, Translation3, UnitQuaternion, Vector3};
use rapier::prelude::*;

/// How far a joint may be open: the rows' tolerance, or the rounding of f32 positions.
const CLOSED: f64 = if size_of::<Real>() == 4 { 2e-6 } else { 1e-9 };

/// Bound of f64 figures that don't drift.
const FINE: f64 = if size_of::<Real>() == 4 { 1e-4 } else { 1e-9 };

/// A body of the given mass and principal inertia without a shape.
fn body(world: &mut World, mass: f64, inertia: [f64; 3], at: [f64; 3]) -> RigidBodyHandle {
    let [x, y, z] = inertia;
    let props = MassProperties::new(Vector::ZERO, num(mass), vec3(x, y, z));
    let [x, y, z] = at;
    let handle = world.bodies.insert(
        RigidBodyBuilder::dynamic()
            .additional_mass_properties(props)
            .translation(vec3(x, y, z)),
    );
    // Rapier does this in the next step; energies are asked for before.
    world.bodies[handle].recompute_mass_properties_from_colliders(&world.colliders);
    handle
}

fn anchor(world: &mut World) -> RigidBodyHandle {
    world.bodies.insert(RigidBodyBuilder::fixed())
}

fn pose(at: [f64; 3], turn: [f64; 3]) -> Isometry3<f64> {
    Isometry3::from_parts(
        Translation3::from(Vector3::from(at)),
        UnitQuaternion::from_scaled_axis(Vector3::from(turn)),
    )
}

/// Frame 2 of a joint in frame 1.
fn relative(world: &World, handle: ImpulseJointHandle) -> Isometry3<f64> {
    let joint = world.impulse_joints.get(handle).unwrap();
    let [one, two] = [
        (joint.body1(), &joint.data.local_frame1),
        (joint.body2(), &joint.data.local_frame2),
    ]
    .map(|(body, frame)| isometry(world.bodies[body].position()) * isometry(frame));
    one.inverse() * two
}

/// The largest error of a joint's locked axes, those of the rotation by its quaternion.
pub(super) fn opening(world: &World, handle: ImpulseJointHandle) -> f64 {
    let relative = relative(world, handle);
    let turn = relative.rotation.imag() * 2.0;
    let locked = world.impulse_joints.get(handle).unwrap().data.locked_axes;
    let errors = relative.translation.vector.iter().chain(turn.iter());
    let of_locked = errors
        .enumerate()
        .filter(|(i, _)| locked.bits() >> i & 1 == 1);
    of_locked.map(|(_, e)| e.abs()).fold(0.0, f64::max)
}

/// Kinetic and potential energy of bodies whose mass centre is their origin.
fn energy(world: &World, bodies: &[RigidBodyHandle]) -> f64 {
    let of = |&handle: &RigidBodyHandle| {
        let rb = &world.bodies[handle];
        let mass = real(rb.mass());
        let (v, w) = (world.linvel(handle), world.angvel(handle));
        let local = isometry(rb.position()).rotation.inverse() * w;
        let inertia = vector(rb.mass_properties().local_mprops.principal_inertia());
        let spin = local.component_mul(&inertia).dot(&local);
        0.5 * mass * v.norm_squared() + 0.5 * spin + mass * G * world.position(handle).z
    };
    bodies.iter().map(of).sum()
}
