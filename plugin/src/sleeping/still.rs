//! What counts as still, and as touching.

use crate::contacts::ContactPoint;
use crate::convert::{point, real, vector};
use crate::detect::World;
use nalgebra::Vector3;
use rapier::prelude::*;

/// Whether a contact is closed or may close in the coming step: the gap against what the two surfaces approach
/// each other along the normal, and what gravity, `drop` a body, may add to that.
pub(super) fn closes(set: &RigidBodySet, contact: &ContactPoint, drop: f64, h: f64) -> bool {
    let gap = contact.gap();
    let advance = |side: usize, along: Vector3<f64>| {
        let rb = contact.bodies[side].and_then(|handle| set.get(handle));
        rb.map_or(0.0, |rb| {
            let arm = contact.points[side] - point(rb.center_of_mass());
            let velocity = vector(rb.linvel()) + vector(rb.angvel()).cross(&arm);
            h * velocity.dot(&along) + drop
        })
    };
    gap <= 0.0 || gap <= advance(0, contact.normal) + advance(1, -contact.normal)
}

/// Rapier's rule, with the end velocity for the drift of a step: half the speed of the farthest
/// point below the linear threshold, and, for bodies without colliders, the angular speed below the
/// angular one. A platform must not move at all.
pub(super) fn is_still(rb: &RigidBody, length_unit: Real) -> bool {
    let activation = rb.activation();
    let (linear, angular) = (rb.linvel().length(), rb.angvel().length());
    if rb.is_kinematic() {
        return linear == 0.0 && angular == 0.0 && rb.position() == rb.next_position();
    }
    let extent = rb.mass_properties().max_extent();
    let threshold = activation.normalized_linear_threshold * length_unit;
    let turns_slowly = if extent > 0.0 {
        activation.angular_threshold >= 0.0 && real(angular) < std::f64::consts::FRAC_PI_2
    } else {
        angular < activation.angular_threshold
    };
    turns_slowly && 0.5 * (linear + angular * extent) < threshold
}

/// Puts a body to sleep: without velocity, joints included.
pub(super) fn lay_down(world: &mut World<'_>, handle: RigidBodyHandle) {
    if let Some(rb) = world.bodies.get_mut(handle) {
        rb.sleep();
    }
    let Some(id) = world.multibody_joints.rigid_body_link(handle) else {
        return;
    };
    let multibody = id.multibody;
    if let Some(multibody) = world.multibody_joints.get_multibody_mut(multibody) {
        multibody.generalized_velocity_mut().fill(0.0);
    }
}
