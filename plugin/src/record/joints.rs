//! Joints with one coordinate, as a recorder takes them.

use super::Sets;
use crate::base::convert::{isometry, real, to_vector, vector};
use crate::joints::only_coordinate;
use nalgebra::Vector3;
use rapier::prelude::*;
use stickslip_record::{JointMotion, JointRecord, JointSample};

/// A joint of one coordinate, among rapier's multibodies or its impulse joints.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct JointProbe {
    place: Place,
    axis: usize,
}

#[derive(Clone, Copy, Debug, PartialEq)]
enum Place {
    Link(MultibodyIndex, usize),
    Impulse(ImpulseJointHandle),
}

/// The only free axis of a joint.
fn single(data: &GenericJoint) -> Option<usize> {
    let locked = data.locked_axes.bits();
    let mut free = (0..6).filter(|axis| locked >> axis & 1 == 0);
    match (free.next(), free.next()) {
        (Some(axis), None) => Some(axis),
        _ => None,
    }
}

impl JointProbe {
    /// The joint above a link, if it has just one coordinate.
    pub fn new(joints: &MultibodyJointSet, multibody: MultibodyIndex, link: usize) -> Option<Self> {
        let found = joints.get_multibody(multibody)?.link(link)?;
        let axis = single(&found.joint().data).filter(|_| !found.is_root())?;
        Some(Self {
            place: Place::Link(multibody, link),
            axis,
        })
    }

    /// An impulse joint, if it has just one coordinate.
    pub fn of_impulse_joint(joints: &ImpulseJointSet, handle: ImpulseJointHandle) -> Option<Self> {
        let axis = single(&joints.get(handle)?.data)?;
        Some(Self {
            place: Place::Impulse(handle),
            axis,
        })
    }

    /// All joints of one coordinate: those of multibodies in the order of bodies, then impulse joints.
    /// O(links + joints).
    pub fn all(sets: &Sets<'_>) -> Vec<Self> {
        let joints = sets.multibody_joints;
        let links = joints.iter().map(|(_, id, _, _)| (id.multibody, id.id));
        let links = links.filter_map(|(multibody, link)| Self::new(joints, multibody, link));
        let handles = sets.impulse_joints.iter().map(|(handle, _)| handle);
        links
            .chain(handles.filter_map(|h| Self::of_impulse_joint(sets.impulse_joints, h)))
            .collect()
    }

    /// Whether it is an impulse joint: rapier's own solver then states the impulse of a substep only.
    pub fn is_impulse_joint(&self) -> bool {
        matches!(self.place, Place::Impulse(_))
    }

    fn data<'a>(&self, sets: &Sets<'a>) -> Option<&'a GenericJoint> {
        Some(match self.place {
            Place::Link(multibody, link) => {
                let multibody = sets.multibody_joints.get_multibody(multibody)?;
                &multibody.link(link)?.joint().data
            }
            Place::Impulse(handle) => &sets.impulse_joints.get(handle)?.data,
        })
    }

    /// The body that the joint moves: the second of an impulse joint.
    pub fn body(&self, sets: &Sets<'_>) -> Option<RigidBodyHandle> {
        match self.place {
            Place::Link(multibody, link) => {
                let multibody = sets.multibody_joints.get_multibody(multibody)?;
                Some(multibody.link(link)?.rigid_body_handle())
            }
            Place::Impulse(handle) => Some(sets.impulse_joints.get(handle)?.body2()),
        }
    }

    fn motor<'a>(&self, data: &'a GenericJoint) -> Option<&'a JointMotor> {
        let motor = &data.motors[self.axis];
        let works = data.motor_axes.bits() >> self.axis & 1 == 1
            && (motor.stiffness != 0.0 || motor.damping != 0.0);
        works.then_some(motor)
    }

    /// What doesn't change, for a joint of this name that moves body number `body` of the scene; `None` when
    /// the joint is gone.
    pub fn record(&self, sets: &Sets<'_>, name: &str, body: usize) -> Option<JointRecord> {
        let data = self.data(sets)?;
        let frame = isometry(&data.local_frame2);
        let mut unit = Vector3::zeros();
        unit[self.axis % 3] = 1.0;
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
            effort: self
                .motor(data)
                .map(|m| real(m.max_force))
                .filter(|f| *f < 1e30),
        })
    }

    /// What the joint does at the end of the step. A drive's effort in a multibody is that of the implicit
    /// spring and damper, `kp (q* + h v* - q+) + kd (v* - v+)` within its limit, and not stated of one whose
    /// gains count per inertia; in an impulse joint it is the impulse of its row over h.
    pub fn sample(&self, sets: &Sets<'_>) -> JointSample {
        let found = match self.place {
            Place::Link(multibody, link) => self.of_link(sets, multibody, link),
            Place::Impulse(handle) => self.of_impulse(sets, handle),
        };
        found.unwrap_or_default()
    }

    fn of_link(
        &self,
        sets: &Sets<'_>,
        multibody: MultibodyIndex,
        link: usize,
    ) -> Option<JointSample> {
        let multibody = sets.multibody_joints.get_multibody(multibody)?;
        let link = multibody.link(link)?;
        let position = real(link.joint().coords()[self.axis]);
        let velocity = multibody.generalized_velocity();
        let velocity = velocity.get(link.assembly_id()).copied().map_or(0.0, real);
        let motor = self.motor(&link.joint().data);
        let h = real(sets.dt);
        let effort = motor
            .filter(|m| m.model == MotorModel::ForceBased)
            .map(|m| {
                let (kp, kd) = (real(m.stiffness), real(m.damping));
                let (target, speed) = (real(m.target_pos), real(m.target_vel));
                let wanted = kp * (target + h * speed - position) + kd * (speed - velocity);
                let most = real(m.max_force);
                wanted.max(-most).min(most)
            });
        Some(JointSample {
            position,
            velocity,
            target: target(motor),
            effort,
        })
    }

    /// The coordinate in which a joint holds its motor, and its rate.
    fn of_impulse(&self, sets: &Sets<'_>, handle: ImpulseJointHandle) -> Option<JointSample> {
        let joint = sets.impulse_joints.get(handle)?;
        let bodies = [
            sets.bodies.get(joint.body1())?,
            sets.bodies.get(joint.body2())?,
        ];
        let local = [&joint.data.local_frame1, &joint.data.local_frame2];
        let frames = [0, 1].map(|k| isometry(bodies[k].position()) * isometry(local[k]));
        let (position, velocity) = only_coordinate(&frames, self.axis, |at| {
            let at = to_vector(&at.coords);
            let [v1, v2] = bodies.map(|body| vector(body.velocity_at_point(at)));
            let [w1, w2] = bodies.map(|body| vector(body.angvel()));
            [v2 - v1, w2 - w1]
        });
        let motor = self.motor(&joint.data);
        Some(JointSample {
            position,
            velocity,
            target: target(motor),
            effort: motor.map(|m| -real(m.impulse) / real(sets.dt)),
        })
    }
}

/// What a drive aims at, if it aims at a position.
fn target(motor: Option<&JointMotor>) -> Option<f64> {
    let spring = motor.filter(|m| m.stiffness != 0.0);
    spring.map(|m| real(m.target_pos))
}
