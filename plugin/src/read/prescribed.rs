//! Motion that no coordinate of the problem accounts for: of fixed and kinematic bodies.

use crate::base::convert::{isometry, point, vector};
use crate::base::surface::Motion;
use nalgebra::{Point3, Vector3};
use rapier::prelude::*;

/// Velocity of a body that moves as prescribed: linear at the centre of mass, angular, and that centre.
pub(crate) fn prescribed_twist(
    rb: &RigidBody,
    h: f64,
) -> (Vector3<f64>, Vector3<f64>, Point3<f64>) {
    let com = point(rb.center_of_mass());
    if rb.body_type() == RigidBodyType::KinematicPositionBased {
        let (now, next) = (isometry(rb.position()), isometry(rb.next_position()));
        let local = point(rb.local_center_of_mass());
        let turn = next.rotation * now.rotation.inverse();
        (
            (next * local - now * local) / h,
            turn.scaled_axis() / h,
            com,
        )
    } else if rb.is_fixed() {
        (Vector3::zeros(), Vector3::zeros(), com)
    } else {
        (vector(rb.linvel()), vector(rb.angvel()), com)
    }
}

/// How the point at `at` of a body that moves as prescribed moves.
pub(crate) fn prescribed_motion(
    set: &RigidBodySet,
    handle: RigidBodyHandle,
    at: &Point3<f64>,
    h: f64,
) -> Motion {
    let Some(rb) = set.get(handle) else {
        return Motion::default();
    };
    let (linear, angular, com) = prescribed_twist(rb, h);
    Motion::about(&linear, &angular, &(at - com))
}
