//! The hand of a robot: two fingers that slide towards each other, and what carries them.

use super::super::super::super::urdf::{IkOptions, IkTarget, JointKind, RobotModel};
use crate::error::CommandError;
use nalgebra::{Isometry3, Point3, Rotation3, Translation3, UnitQuaternion, Vector3};
use std::collections::BTreeMap;

/// To which inverse kinematics must reach [m, rad]: what it leaves from step to step is noise in the hand's
/// acceleration, here 1e-3 m/s^2 at steps of 1 ms.
const REACHED: f64 = 1e-9;

/// Where everything of the hand is in the model.
pub(super) struct Hand {
    model: RobotModel,
    /// Link that carries the fingers.
    pub(super) link: usize,
    /// The two finger joints, and their links.
    pub(super) fingers: [usize; 2],
    pub(super) tips: [usize; 2],
    /// Sign of the joint velocity that closes each finger.
    pub(super) closing: [f64; 2],
    /// What drives them: a joint, and its force per force of each finger, positive along its coordinate. One
    /// for both where one finger mimics the other: on its coordinate their forces add up.
    pub(super) drives: Vec<(usize, f64)>,
    /// Joints of the arm that move the hand.
    pub(super) arm: Vec<usize>,
    /// From the hand's frame to what it takes: origin in the middle of the fingers' shapes, y from one
    /// finger to the other, z the way it reaches.
    tool: Isometry3<f64>,
    /// Joint positions last reached.
    pub(super) positions: Vec<f64>,
}

impl Hand {
    /// Finds the hand of a robot that stands at these joint positions.
    ///
    /// # Errors
    /// When it hasn't exactly two prismatic fingers on one link, or no joint moves that link.
    pub(super) fn new(model: &RobotModel, positions: Vec<f64>) -> Result<Self, CommandError> {
        let fail = |what: &str| {
            CommandError::Robot(format!(
                "{}: robot `{}` can't carry: {what}",
                model.file.display(),
                model.name
            ))
        };
        let last = |link: usize| {
            let mut below = model.joints.iter().filter(|j| j.parent == link);
            below.all(|j| j.kind.dofs() == 0)
        };
        let fingers: Vec<usize> = (0..model.joints.len())
            .filter(|j| {
                let joint = &model.joints[*j];
                joint.kind == JointKind::Prismatic
                    && last(joint.child)
                    && !model.links[joint.child].collisions.is_empty()
            })
            .collect();
        let Ok([a, b]) = <[usize; 2]>::try_from(fingers) else {
            return Err(fail(
                "it needs a hand with exactly two prismatic fingers, each with a collision shape",
            ));
        };
        let link = model.joints[a].parent;
        if model.joints[b].parent != link {
            return Err(fail("its fingers are not on the same link"));
        }
        let arm = above(model, link);
        if arm.is_empty() {
            return Err(fail("no joint moves its hand"));
        }
        // In the hand's frame, fingers where they are at zero.
        let joints = [a, b].map(|j| &model.joints[j]);
        let tips = joints.map(|joint| {
            let shapes = &model.links[joint.child].collisions;
            let places = shapes.iter().map(|s| joint.origin * s.origin);
            places.map(|p| p.translation.vector).sum::<Vector3<f64>>() / shapes.len() as f64
        });
        let across = joints[0].origin.rotation * joints[0].axis.into_inner();
        let reach = (tips[0] + tips[1]) * 0.5;
        let forwards = reach - across * reach.dot(&across);
        let Some(z) = forwards.try_normalize(1e-6) else {
            return Err(fail("its fingers don't reach anywhere beyond their link"));
        };
        let apart = (tips[1] - tips[0]).dot(&across);
        let y = across * if apart < 0.0 { -1.0 } else { 1.0 };
        let axes = Rotation3::from_basis_unchecked(&[y.cross(&z), y, z]);
        let tool = Isometry3::from_parts(
            Translation3::from(reach),
            UnitQuaternion::from_rotation_matrix(&axes),
        );
        let closing = [0, 1].map(|finger| {
            let axis = joints[finger].origin.rotation * joints[finger].axis.into_inner();
            // Towards the other finger, whatever the sign of the axis.
            let towards = if finger == 0 { y } else { -y };
            // A finger at one side of the middle closes away from its side.
            axis.dot(&towards).signum()
        });
        Ok(Self {
            drives: drives(model, [a, b], closing),
            model: model.clone(),
            link,
            fingers: [a, b],
            tips: [a, b].map(|j| model.joints[j].child),
            closing,
            arm,
            tool,
            positions,
        })
    }

    /// Pose of what the hand takes, in the root's frame: y across the fingers, z the way it reaches.
    pub(super) fn pose(&self) -> Isometry3<f64> {
        self.model.link_poses(&self.positions)[self.link] * self.tool
    }

    /// From now on it takes this much farther beyond the middle of its fingers \[m\].
    pub(super) fn take_deeper(&mut self, deep: f64) {
        self.tool *= Translation3::new(0.0, 0.0, deep);
    }

    /// Moves the joints so that the hand takes at a pose (as [`Self::pose`]); a hand with fewer than six
    /// joints keeps its direction.
    ///
    /// # Errors
    /// When it is out of reach.
    pub(super) fn reach(&mut self, pose: &Isometry3<f64>) -> Result<(), String> {
        let link = pose * self.tool.inverse();
        let target = if self.arm.len() >= 6 {
            IkTarget::pose(link)
        } else {
            IkTarget::position(Point3::from(link.translation.vector))
        };
        let joints = self.arm.iter();
        let start: BTreeMap<String, f64> = joints
            .map(|j| (self.model.joints[*j].name.clone(), self.positions[*j]))
            .collect();
        let options = IkOptions {
            start,
            tolerance: REACHED,
            angle_tolerance: REACHED,
            ..IkOptions::default()
        };
        let name = &self.model.links[self.link].name;
        let found = self
            .model
            .ik(name, &target, &options)
            .map_err(|e| e.to_string())?;
        for joint in &self.arm {
            self.positions[*joint] = found.positions[*joint];
        }
        Ok(())
    }
}

/// Forces of the joints that lead the fingers per force of each finger: `q_2 = c q_1 + q_0` turns a force
/// of the follower into c times as much at its leader.
fn drives(model: &RobotModel, fingers: [usize; 2], closing: [f64; 2]) -> Vec<(usize, f64)> {
    let mut out: Vec<(usize, f64)> = Vec::new();
    for (finger, sign) in fingers.into_iter().zip(closing) {
        let leader = model.leader(finger);
        let force = sign * leader.multiplier;
        match out.iter_mut().find(|(joint, _)| *joint == leader.joint) {
            Some((_, sum)) => *sum += force,
            None => out.push((leader.joint, force)),
        }
    }
    out
}

/// Joints with one coordinate between root and link, the root's first.
fn above(model: &RobotModel, link: usize) -> Vec<usize> {
    let mut out = Vec::new();
    let mut at = link;
    while at != 0 {
        let joint = &model.joints[at - 1];
        if joint.kind.dofs() == 1 {
            out.push(at - 1);
        }
        at = joint.parent;
    }
    out.reverse();
    out
}
