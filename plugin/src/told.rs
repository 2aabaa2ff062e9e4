//! Motion that no coordinate of the problem accounts for: of fixed and kinematic bodies.

use crate::convert::{isometry, point, vector};
use crate::surface::Motion;
use nalgebra::{Point3, Vector3};
use rapier::prelude::*;
use stickslip_core::models::ContactSolution;
use stickslip_core::problem::ContactProblem;

/// Shortfall of a compromise as a multiple of the speed asked for from which on it is none: rest falls
/// short by that speed.
const SHORT: f64 = 2.0;

/// Speed of a compromise as a multiple of what there was and what is asked for: lever arms may multiply it.
const FAST: f64 = 20.0;

/// The largest speed that bodies moving as told and moving surfaces ask of contacts [m/s].
pub(crate) fn asked(problem: &ContactProblem) -> f64 {
    let contacts = problem.contacts().iter();
    contacts.fold(0.0, |most, c| {
        let [s, t] = c.surface_velocity;
        most.max(-c.normal_drift).max(s.hypot(t))
    })
}

/// Whether the compromise found between demands that contradict each other (a pusher drives a box that
/// sticks to the floor into a wall) is worse than rest: it falls short by `relaxed` of what is `asked`. Rows that
/// nearly depend on each other make one of huge impulses, which end anywhere.
pub(crate) fn is_wild(
    (asked, relaxed): (f64, f64),
    problem: &ContactProblem,
    solution: &ContactSolution,
) -> bool {
    let fastest = |v: &[f64]| v.iter().fold(0.0_f64, |most, v| most.max(v.abs()));
    let most = FAST * (fastest(problem.v_free()) + asked);
    asked > 0.0 && (relaxed > SHORT * asked || fastest(&solution.v_plus) > most)
}

/// Velocity of a body that moves as told: linear at the centre of mass, angular, and that centre.
pub(crate) fn told_twist(rb: &RigidBody, h: f64) -> (Vector3<f64>, Vector3<f64>, Point3<f64>) {
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

/// How the point at `at` of a body that moves as told moves.
pub(crate) fn told_motion(
    set: &RigidBodySet,
    handle: RigidBodyHandle,
    at: &Point3<f64>,
    h: f64,
) -> Motion {
    let Some(rb) = set.get(handle) else {
        return Motion::default();
    };
    let (linear, angular, com) = told_twist(rb, h);
    Motion::about(&linear, &angular, &(at - com))
}
