//! Speed limits of joints, kept by the engine on request.

use rapier::dynamics::MultibodyJointSet;

use super::{
    convert::real,
    handles::{JointHandle, RobotHandles},
};
use crate::model::Limits;

impl RobotHandles {
    /// Makes every joint with a speed limit keep to it in the step of `dt` seconds that follows; to be
    /// called before each step. What moves a joint faster meets as much force as it takes, as at a
    /// stop.
    ///
    /// In one step a joint gets no farther than `velocity dt` from where it stands, so that is where
    /// its stops are moved to: `max(lower, q - velocity dt) <= q+ <= min(upper, q + velocity dt)`.
    /// Joints with one coordinate have speed limits; the file's own stops come back by
    /// [`RobotHandles::restore_limits`].
    pub fn keep_speed_limits(&self, joints: &mut MultibodyJointSet, dt: f64) {
        for joint in &self.joints {
            let (Some(speed), Some(q)) = (joint.velocity, joint.position(joints)) else {
                continue;
            };
            #[allow(clippy::useless_conversion)] // `Real` is f32 in one of the two crates.
            let stops = within(joint.limits, f64::from(q), speed * dt);
            joint.set_limits(joints, stops);
        }
    }

    /// Puts the position limits of the file back where [`RobotHandles::keep_speed_limits`] moved them.
    pub fn restore_limits(&self, joints: &mut MultibodyJointSet) {
        for joint in self.joints.iter().filter(|j| j.velocity.is_some()) {
            let none = Limits {
                lower: f64::from(f32::MIN),
                upper: f64::from(f32::MAX),
            };
            joint.set_limits(joints, joint.limits.unwrap_or(none));
        }
    }
}

impl JointHandle {
    /// Moves the stops of a joint with one coordinate.
    fn set_limits(&self, joints: &mut MultibodyJointSet, stops: Limits) {
        let Some(c) = self.coordinates.filter(|c| c.count == 1) else {
            return;
        };
        let Some(index) = joints.rigid_body_link(self.body).map(|l| l.multibody) else {
            return;
        };
        let multibody = joints.get_multibody_mut(index);
        if let Some(link) = multibody.and_then(|m| m.link_mut(c.link_id)) {
            let range = [real(stops.lower), real(stops.upper)];
            link.joint.data.set_limits(c.axis, range);
        }
    }
}

/// Where a joint at `q` may be after it moved by `reach` at most; one beyond its limits comes back to
/// them.
fn within(limits: Option<Limits>, q: f64, reach: f64) -> Limits {
    let q = limits.map_or(q, |l| l.clamp(q));
    Limits {
        lower: limits.map_or(q - reach, |l| l.lower.max(q - reach)),
        upper: limits.map_or(q + reach, |l| l.upper.min(q + reach)),
    }
}
