//! What counts as still, and as touching.

use crate::contacts::ContactPoint;
use crate::convert::real;
use crate::detect::World;
use rapier::prelude::*;

/// Whether a contact is closed or may close in the coming step: the gap against what both bodies can
/// cover.
pub(super) fn closes(set: &RigidBodySet, point: &ContactPoint, drop: f64, h: f64) -> bool {
    let gap = point.gap();
    let cover = |handle: Option<RigidBodyHandle>| {
        handle.and_then(|handle| set.get(handle)).map_or(0.0, |rb| {
            let extent = real(rb.mass_properties().max_extent());
            let speed = real(rb.linvel().length()) + real(rb.angvel().length()) * extent;
            h * speed + drop
        })
    };
    gap <= 0.0 || gap <= cover(point.bodies[0]) + cover(point.bodies[1])
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
