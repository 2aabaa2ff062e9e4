//! How fast the drives of an impulse joint move what they drive.

use super::demand::{Law, demands};
use super::measure::{Measure, Relative};
use crate::base::convert::{isometry, point, vector};
use rapier::prelude::*;

/// Calls `each` with the present rate of every coordinate that a drive works on [m/s or rad/s], and whether it is an
/// angle. A motor without stiffness and target velocity only brakes: it is no drive.
pub(crate) fn driven_rates(
    joint: &ImpulseJoint,
    set: &RigidBodySet,
    mut each: impl FnMut(f64, bool),
) {
    let [Some(one), Some(two)] = [joint.body1(), joint.body2()].map(|body| set.get(body)) else {
        return;
    };
    let frames = [
        isometry(one.position()) * isometry(&joint.data.local_frame1),
        isometry(two.position()) * isometry(&joint.data.local_frame2),
    ];
    let relative = Relative::of(&frames, None);
    let at = relative.at;
    let [v1, v2] = [one, two].map(|rb| {
        let arm = at - point(rb.center_of_mass());
        vector(rb.linvel()) + vector(rb.angvel()).cross(&arm)
    });
    let (linear, angular) = (v2 - v1, vector(two.angvel()) - vector(one.angvel()));
    demands(&joint.data, |demand| {
        let Law::Motor(motor) = demand.law else {
            return;
        };
        let drives = motor.stiffness > 0.0 || motor.damping > 0.0 && motor.velocity != 0.0;
        if !drives || motor.max_force <= 0.0 {
            return;
        }
        if let Some(slope) = demand.measure.slope(&relative) {
            let rate = slope.linear.dot(&linear) + slope.angular.dot(&angular);
            each(rate, matches!(demand.measure, Measure::Angle(_)));
        }
    });
}
