//! What is decided before rapier's sets are touched.

use nalgebra::Isometry3;

use super::options::{Base, Drive, InsertOptions};
use crate::{assembly::Assembly, model::RobotModel};

/// Everything decided before the sets are touched.
pub(super) struct Plan<'a> {
    pub(super) model: &'a RobotModel,
    pub(super) options: &'a InsertOptions,
    pub(super) assembly: Assembly,
    pub(super) base: Base,
    /// Initial coordinates of every joint of the model.
    pub(super) start: Vec<Vec<f64>>,
    /// Drives of every joint of the model, one per coordinate.
    pub(super) drives: Vec<Vec<Drive>>,
}

impl Plan<'_> {
    /// Poses of all bodies in the world at the initial configuration, in the order of the assembly.
    pub(super) fn poses(&self) -> Vec<Isometry3<f64>> {
        let mut poses: Vec<Isometry3<f64>> = Vec::with_capacity(self.assembly.bodies.len());
        for body in &self.assembly.bodies {
            poses.push(match body.joint {
                None => self.options.pose * self.assembly.base_in_root * self.base_motion(),
                Some(j) => {
                    let motion = self.model.joints[j].motion_of(&self.start[j]);
                    poses[body.parent] * body.joint_in_parent * motion
                }
            });
        }
        poses
    }

    /// Where an empty root's `floating` joint has the base.
    fn base_motion(&self) -> Isometry3<f64> {
        let base = self.assembly.bodies[0].members[0].link;
        match base.checked_sub(1) {
            Some(j) if self.assembly.declares_floating() => {
                self.model.joints[j].motion_of(&self.start[j])
            }
            _ => Isometry3::identity(),
        }
    }
}
