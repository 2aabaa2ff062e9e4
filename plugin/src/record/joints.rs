//! Joints with one coordinate, as a recorder takes them.

use crate::convert::{isometry, real};
use nalgebra::Vector3;
use rapier::prelude::*;
use stickslip_core::record::{JointMotion, JointRecord, JointSample};

/// Where a joint of one coordinate is among rapier's multibodies.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct JointProbe {
    multibody: MultibodyIndex,
    link: usize,
    axis: usize,
}

impl JointProbe {
    /// The joint above a link, if it has just one coordinate.
    pub fn new(joints: &MultibodyJointSet, multibody: MultibodyIndex, link: usize) -> Option<Self> {
        let found = joints.get_multibody(multibody)?.link(link)?;
        let locked = found.joint().data.locked_axes.bits();
        let mut free = (0..6).filter(|axis| locked >> axis & 1 == 0);
        match (found.is_root(), free.next(), free.next()) {
            (false, Some(axis), None) => Some(Self {
                multibody,
                link,
                axis,
            }),
            _ => None,
        }
    }

    /// All joints of one coordinate, in the order of bodies. O(links).
    pub fn all(joints: &MultibodyJointSet) -> Vec<Self> {
        let links = joints.iter().map(|(_, id, _, _)| (id.multibody, id.id));
        links
            .filter_map(|(multibody, link)| Self::new(joints, multibody, link))
            .collect()
    }

    fn find<'a>(
        &self,
        joints: &'a MultibodyJointSet,
    ) -> Option<(&'a Multibody, &'a MultibodyLink)> {
        let multibody = joints.get_multibody(self.multibody)?;
        Some((multibody, multibody.link(self.link)?))
    }

    /// The body that the joint moves.
    pub fn body(&self, joints: &MultibodyJointSet) -> Option<RigidBodyHandle> {
        self.find(joints).map(|(_, link)| link.rigid_body_handle())
    }

    fn motor<'a>(&self, link: &'a MultibodyLink) -> Option<&'a JointMotor> {
        let data = &link.joint().data;
        let motor = &data.motors[self.axis];
        let works = data.motor_axes.bits() >> self.axis & 1 == 1
            && (motor.stiffness != 0.0 || motor.damping != 0.0);
        works.then_some(motor)
    }

    /// What doesn't change, for a joint of this name that moves body number `body` of the scene; `None` when
    /// the joint is gone.
    pub fn record(
        &self,
        joints: &MultibodyJointSet,
        name: &str,
        body: usize,
    ) -> Option<JointRecord> {
        let (_, link) = self.find(joints)?;
        let frame = isometry(&link.joint().data.local_frame2);
        let mut unit = Vector3::zeros();
        unit[self.axis % 3] = 1.0;
        let motor = self.motor(link);
        Some(JointRecord {
            name: name.to_owned(),
            body,
            anchor: frame.translation.vector,
            axis: frame.rotation * unit,
            motion: if self.axis < 3 {
                JointMotion::Sliding
            } else {
                JointMotion::Turning
            },
            effort: motor.map(|m| real(m.max_force)).filter(|f| *f < 1e30),
        })
    }

    /// What the joint does at the end of a step of length `h` \[s\]. A drive's effort is that of the implicit
    /// spring and damper, `kp (q* + h v* - q+) + kd (v* - v+)` within its limit; one whose gains count per
    /// inertia doesn't state it.
    pub fn sample(&self, joints: &MultibodyJointSet, h: f64) -> JointSample {
        let Some((multibody, link)) = self.find(joints) else {
            return JointSample::default();
        };
        let position = real(link.joint().coords()[self.axis]);
        let velocity = multibody.generalized_velocity();
        let velocity = velocity.get(link.assembly_id()).copied().map_or(0.0, real);
        let motor = self.motor(link);
        let effort = motor
            .filter(|m| m.model == MotorModel::ForceBased)
            .map(|m| {
                let (kp, kd) = (real(m.stiffness), real(m.damping));
                let (target, speed) = (real(m.target_pos), real(m.target_vel));
                let wanted = kp * (target + h * speed - position) + kd * (speed - velocity);
                let most = real(m.max_force);
                wanted.max(-most).min(most)
            });
        JointSample {
            position,
            velocity,
            target: motor
                .filter(|m| m.stiffness != 0.0)
                .map(|m| real(m.target_pos)),
            effort,
        }
    }
}
