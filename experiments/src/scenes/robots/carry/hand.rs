//! The hand of a robot: two fingers that close on what is between them, and what carries them.
//!
//! Nothing is assumed of signs or of where a joint's zero is: which way a finger closes, and how far it opens, is found
//! from where its shapes are over the joint's range.

use super::super::super::super::urdf::{IkOptions, IkTarget, JointKind, RobotHandles, RobotModel};
use super::super::super::stage::world::World;
use super::fingers::{Fingers, group};
use crate::error::CommandError;
use nalgebra::{Isometry3, Point3, Rotation3, Translation3, UnitQuaternion, Vector3};
use std::collections::BTreeMap;

/// To which inverse kinematics must reach [m, rad]: what it leaves from step to step is noise in the hand's
/// acceleration, here 1e-3 m/s^2 at steps of 1 ms.
const REACHED: f64 = 1e-9;
/// Solves of the position of a hand whose direction changes with it.
const TURNS: usize = 8;
/// Height that the fingers' line may have over its length.
const LEVEL: f64 = 0.05;

/// What drives fingers: a joint, its effort per force of each finger, positive along its coordinate, and the way of the
/// fingers per coordinate [1 or m/rad]. One for both where one finger mimics the other: on its coordinate their forces add up.
#[derive(Clone, Copy, Debug, PartialEq)]
pub(super) struct FingerDrive {
    pub(super) joint: usize,
    pub(super) share: f64,
    pub(super) lever: f64,
}

/// Where everything of the hand is in the model.
pub(super) struct Hand {
    model: RobotModel,
    /// Link that carries the fingers.
    pub(super) link: usize,
    pub(super) fingers: Fingers,
    pub(super) drives: Vec<FingerDrive>,
    /// Joints of the arm that move the hand.
    pub(super) arm: Vec<usize>,
    /// Turn of the robot about the vertical, which brings the fingers' line along x where the arm can't.
    pub(super) yaw: UnitQuaternion<f64>,
    /// Whether the arm moves the hand up and down only.
    pub(super) only_lifts: bool,
    /// From the hand's frame to what it takes: origin in the middle of the fingers' shapes, y from one
    /// finger to the other, z the way it reaches.
    tool: Isometry3<f64>,
    /// Joint positions last reached.
    pub(super) positions: Vec<f64>,
}

impl Hand {
    /// Finds the hand of a robot that stands at these joint positions, its root in the world's origin.
    ///
    /// # Errors
    /// When it hasn't two fingers on one link, or no joint moves that link.
    pub(super) fn new(
        model: &RobotModel,
        positions: Vec<f64>,
        trial: (&World, &RobotHandles),
    ) -> Result<Self, CommandError> {
        let fail = |what: String| {
            CommandError::Robot(format!(
                "{}: robot `{}` can't carry: {what}",
                model.file.display(),
                model.name
            ))
        };
        let fingers = Fingers::find(model, &positions, trial).map_err(fail)?;
        let link = fingers.link;
        let arm = above(model, link);
        if arm.is_empty() {
            return Err(fail(format!(
                "no joint moves its hand, link `{}`",
                model.links[link].name
            )));
        }
        let poses = model.link_poses(&positions);
        let hand = poses[link];
        let y = hand.inverse_transform_vector(&fingers.line);
        let reach = fingers.middle(model, &hand, trial);
        let forwards = reach - y * reach.dot(&y);
        let Some(z) = forwards.try_normalize(1e-6) else {
            return Err(fail(
                "its fingers don't reach anywhere beyond their link".to_owned(),
            ));
        };
        let axes = Rotation3::from_basis_unchecked(&[y.cross(&z), y, z]);
        let tool = Isometry3::from_parts(
            Translation3::from(reach),
            UnitQuaternion::from_rotation_matrix(&axes),
        );
        let (mut yaw, mut only_lifts) = (UnitQuaternion::identity(), false);
        if arm.len() < 6 {
            let line = fingers.line;
            if line.z.abs() > LEVEL {
                return Err(fail(format!(
                    "its fingers close along ({:.2}, {:.2}, {:.2}), not level, and an arm of {} joints can't turn them; choose another start with --set pose=",
                    line.x,
                    line.y,
                    line.z,
                    arm.len()
                )));
            }
            let turn = -f64::atan2(line.y, line.x);
            yaw = UnitQuaternion::from_axis_angle(&Vector3::z_axis(), turn);
            only_lifts = !moves_everywhere(model, &positions, link, &arm);
        }
        let drives = drives(model, &fingers);
        Ok(Self {
            drives,
            model: model.clone(),
            link,
            fingers,
            arm,
            yaw,
            only_lifts,
            tool,
            positions,
        })
    }

    /// Links of the fingers, with what is fixed to them.
    pub(super) fn tips(&self) -> Vec<usize> {
        let tips = self.fingers.tips.iter();
        tips.flat_map(|tip| group(&self.model, *tip)).collect()
    }

    /// Links of the palm.
    pub(super) fn palm(&self) -> Vec<usize> {
        group(&self.model, self.link)
    }

    /// The same in the frame of the robot's root.
    pub(super) fn in_root(&self) -> Isometry3<f64> {
        self.model.link_poses(&self.positions)[self.link] * self.tool
    }

    /// Pose of what the hand takes, in the world: y across the fingers, z the way it reaches.
    pub(super) fn pose(&self) -> Isometry3<f64> {
        self.yaw * self.in_root()
    }

    /// From now on it takes this much farther beyond the middle of its fingers \[m\].
    pub(super) fn take_deeper(&mut self, deep: f64) {
        self.tool *= Translation3::new(0.0, 0.0, deep);
    }

    /// Moves the joints so that the hand takes at a pose (as [`Self::pose`]); a hand with fewer than six
    /// joints keeps the direction it has, one that is only lifted its place as well.
    ///
    /// # Errors
    /// When it is out of reach, with the limits that are in the way.
    pub(super) fn reach(&mut self, pose: &Isometry3<f64>) -> Result<(), String> {
        let wanted = self.yaw.inverse() * pose;
        if self.arm.len() >= 6 {
            return self.solve(&IkTarget::pose(wanted * self.tool.inverse()));
        }
        for _ in 0..TURNS {
            let mut way = wanted.translation.vector - self.in_root().translation.vector;
            if self.only_lifts {
                way = Vector3::new(0.0, 0.0, way.z);
            }
            if way.norm() <= REACHED {
                return Ok(());
            }
            let hand = self.model.link_poses(&self.positions)[self.link];
            let mut target = IkTarget::position(Point3::from(hand.translation.vector + way));
            if self.only_lifts {
                target.held = [false, false, true, false, false, false];
            }
            self.solve(&target)?;
        }
        Ok(())
    }

    fn solve(&mut self, target: &IkTarget) -> Result<(), String> {
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
            .ik(name, target, &options)
            .map_err(|e| format!("{e} ({})", self.limits()))?;
        for joint in &self.arm {
            self.positions[*joint] = found.positions[*joint];
        }
        self.model.follow(&mut self.positions);
        Ok(())
    }

    /// The joints of the arm with where they are and may go.
    fn limits(&self) -> String {
        let each = self.arm.iter().map(|j| {
            let joint = &self.model.joints[*j];
            let range = joint.limits.map_or_else(
                || "no limits".to_owned(),
                |l| format!("from {} to {}", l.lower, l.upper),
            );
            format!("`{}` is at {:.4}, {range}", joint.name, self.positions[*j])
        });
        let all: Vec<_> = each.collect();
        format!("joints of its arm: {}", all.join("; "))
    }

    /// Opens the fingers so that their faces are `wide` apart, or as far as they go; how wide that is \[m\].
    pub(super) fn open(&mut self, wide: f64, trial: (&World, &RobotHandles)) -> f64 {
        let (model, fingers) = (&self.model, &self.fingers);
        fingers.open(model, &mut self.positions, wide, trial)
    }

    /// Where the fingers are, for messages.
    pub(super) fn finger_limits(&self) -> String {
        let each = self.fingers.joints.iter().map(|j| {
            let joint = &self.model.joints[*j];
            let range = joint
                .limits
                .map_or_else(String::new, |l| format!(" of {} to {}", l.lower, l.upper));
            format!("`{}` at {:.4}{range}", joint.name, self.positions[*j])
        });
        each.collect::<Vec<_>>().join(", ")
    }
}

/// Whether an arm moves its hand in all three directions: the rank of the hand's Jacobian here.
fn moves_everywhere(model: &RobotModel, positions: &[f64], link: usize, arm: &[usize]) -> bool {
    let poses = model.link_poses(positions);
    let hand = poses[link].translation.vector;
    let mut grown = nalgebra::Matrix3::<f64>::zeros();
    for &j in arm {
        let joint = &model.joints[j];
        let at = poses[joint.child];
        let axis = at.rotation * joint.axis.into_inner();
        let column = match joint.kind {
            JointKind::Prismatic => axis,
            _ => axis.cross(&(hand - at.translation.vector)),
        };
        grown += column * column.transpose();
    }
    let values = grown.symmetric_eigenvalues();
    // Squares of lengths: a direction that moves by a thousandth of the others does not count.
    values.min() > 1e-6 * values.max()
}

/// Efforts of the joints that lead the fingers per force of each finger: `q_2 = c q_1 + q_0` turns a force
/// of the follower into c times as much at its leader.
fn drives(model: &RobotModel, fingers: &Fingers) -> Vec<FingerDrive> {
    let mut out: Vec<FingerDrive> = Vec::new();
    for k in 0..2 {
        let leader = model.leader(fingers.joints[k]);
        let share = fingers.closing[k] * fingers.levers[k] * leader.multiplier;
        let lever = (fingers.levers[k] * leader.multiplier).abs();
        match out.iter_mut().find(|drive| drive.joint == leader.joint) {
            Some(drive) => drive.share += share,
            None => out.push(FingerDrive {
                joint: leader.joint,
                share,
                lever,
            }),
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
