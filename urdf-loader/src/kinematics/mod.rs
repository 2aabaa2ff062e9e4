//! Where links are at given joint positions, and which positions put a link where it should be.
//!
//! Forward kinematics is our own, inverse kinematics the crate `k`'s. What `k` would panic on
//! (crossed limits, joints that mimic joints which aren't there) never gets there.

mod chain;
mod error;
mod inverse;
mod spread;

use nalgebra::Isometry3;

pub use error::KinematicsError;
pub use inverse::{IkOptions, IkSolution, IkTarget};

use crate::model::{Mimic, RobotModel};

impl RobotModel {
    /// A joint in terms of the joint that leads it, through a whole chain of mimics:
    /// `q = multiplier q[joint] + offset`. A joint that follows none leads itself, with multiplier
    /// 1 and offset 0. O(length of the chain).
    pub fn leader(&self, joint: usize) -> Mimic {
        let mut out = Mimic {
            joint,
            multiplier: 1.0,
            offset: 0.0,
        };
        // Circles are refused on loading; the count ends those that were made later.
        for _ in 0..self.joints.len() {
            let Some(next) = self.joints.get(out.joint).and_then(|j| j.mimic) else {
                break;
            };
            out = Mimic {
                joint: next.joint,
                multiplier: out.multiplier * next.multiplier,
                offset: out.multiplier * next.offset + out.offset,
            };
        }
        out
    }

    /// Sets the positions of mimicking joints from those they follow. One value per joint (rad or
    /// m).
    pub fn follow(&self, positions: &mut [f64]) {
        for i in 0..self.joints.len().min(positions.len()) {
            if self.joints[i].mimic.is_some() {
                let m = self.leader(i);
                if let Some(&q) = positions.get(m.joint) {
                    positions[i] = m.multiplier * q + m.offset;
                }
            }
        }
    }

    /// Poses of all links in the root link's frame (links) from the pose of every joint's child in
    /// that joint's frame (joints; identity where there is none): for joints with several
    /// coordinates too. O(links).
    pub fn link_poses_at(&self, motions: &[Isometry3<f64>]) -> Vec<Isometry3<f64>> {
        let mut poses = vec![Isometry3::identity(); self.links.len()];
        for (i, joint) in self.joints.iter().enumerate() {
            let motion = motions.get(i).copied().unwrap_or_default();
            poses[joint.child] = poses[joint.parent] * joint.origin * motion;
        }
        poses
    }
}
