//! The robot in the crate `k`'s terms. The only place that converts between its nalgebra and ours.

use k::nalgebra as kna;
use nalgebra::Isometry3;

use super::KinematicsError;
use crate::model::{Joint, JointKind, Limits, RobotModel};

/// Longest way from the root: `k` frees its nodes by recursion, which must fit a thread's stack.
const MOST_JOINTS: usize = 1000;

/// Ours to `k`'s, bit by bit.
pub(super) fn to_k(x: &Isometry3<f64>) -> kna::Isometry3<f64> {
    let q = x.rotation.coords;
    let rotation = kna::Quaternion::from(kna::Vector4::from([q.x, q.y, q.z, q.w]));
    kna::Isometry3::from_parts(
        kna::Translation3::from(<[f64; 3]>::from(x.translation.vector)),
        kna::UnitQuaternion::new_unchecked(rotation),
    )
}

/// A node of `k`: a joint between these bounds, its origin after `before`. Kinds that `k` lacks
/// stand still.
pub(super) fn node(
    model: &RobotModel,
    joint: &Joint,
    before: &Isometry3<f64>,
    bounds: Option<Limits>,
) -> Result<k::Node<f64>, KinematicsError> {
    let bad = |reason| KinematicsError::BadJoint {
        robot: model.name.clone(),
        joint: joint.name.clone(),
        reason,
    };
    let origin = before * joint.origin;
    let finite = |v: &[f64]| v.iter().all(|x| x.is_finite());
    let rotation = &origin.rotation.coords;
    if !(finite(origin.translation.vector.as_slice()) && finite(rotation.as_slice())) {
        return Err(bad("its origin is not finite"));
    }
    if !finite(joint.axis.as_slice()) {
        return Err(bad("its axis is not finite"));
    }
    // `k` panics on anything else.
    if bounds.is_some_and(|b| b.lower.partial_cmp(&b.upper).is_none_or(|o| o.is_gt())) {
        return Err(bad("its lower limit is not below its upper limit"));
    }
    let axis = kna::Unit::new_unchecked(kna::Vector3::from(<[f64; 3]>::from(
        joint.axis.into_inner(),
    )));
    let kind = match joint.kind {
        JointKind::Revolute | JointKind::Continuous => k::JointType::Rotational { axis },
        JointKind::Prismatic => k::JointType::Linear { axis },
        _ => k::JointType::Fixed,
    };
    Ok(k::NodeBuilder::new()
        .name(&joint.name)
        .joint_type(kind)
        .limits(bounds.map(|b| k::joint::Range::new(b.lower, b.upper)))
        .origin(to_k(&origin))
        .into_node())
}

impl RobotModel {
    /// The robot as a chain of the crate `k`: a node per joint under the joint's name, below a
    /// fixed node `root` that stands for the root link. Mimicking joints follow the joint that leads
    /// their chain. Spherical, planar and floating joints, which `k` lacks, are fixed at zero.
    ///
    /// # Errors
    /// [`KinematicsError::BadJoint`], [`KinematicsError::TooDeep`].
    pub fn k_chain(&self) -> Result<k::Chain<f64>, KinematicsError> {
        let mut depth = vec![0; self.links.len()];
        for joint in &self.joints {
            depth[joint.child] = depth[joint.parent] + 1;
        }
        check_depth(self, depth.into_iter().max().unwrap_or(0))?;
        let root = k::NodeBuilder::new().name("root").into_node();
        let mut nodes: Vec<k::Node<f64>> = vec![root];
        for joint in &self.joints {
            let node = node(self, joint, &Isometry3::identity(), joint.limits)?;
            node.set_parent(&nodes[joint.parent]);
            nodes.push(node);
        }
        for (i, joint) in self.joints.iter().enumerate() {
            if joint.mimic.is_some() {
                let m = self.leader(i);
                let mimic = k::joint::Mimic::new(m.multiplier, m.offset);
                nodes[i + 1].set_mimic_parent(&nodes[m.joint + 1], mimic);
            }
        }
        Ok(k::Chain::from_nodes(nodes))
    }
}

/// Refuses what `k` can't free.
pub(super) fn check_depth(model: &RobotModel, joints: usize) -> Result<(), KinematicsError> {
    if joints <= MOST_JOINTS {
        return Ok(());
    }
    Err(KinematicsError::TooDeep {
        robot: model.name.clone(),
        joints,
        most: MOST_JOINTS,
    })
}
