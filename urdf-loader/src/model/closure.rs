//! Joints that close kinematic loops, which the tree of a URDF can't hold.

use nalgebra::{Isometry3, Unit, Vector3};

use super::JointKind;

/// A joint between two links that are already joined through the tree.
///
/// It holds frame `frames[0]` of link `links[0]` and frame `frames[1]` of link `links[1]` together,
/// except for what `kind` leaves free: about (or along) `axis` of those frames.
#[derive(Debug, Clone, PartialEq)]
pub struct Closure {
    /// Name (may be empty).
    pub name: String,
    /// What stays free between the two frames; never [`JointKind::Floating`].
    pub kind: JointKind,
    /// Indices of the two links.
    pub links: [usize; 2],
    /// Pose of the joint frame in each link's frame. Where the file places it in one link only, the
    /// other is what coincides with it when all joints stand at zero.
    pub frames: [Isometry3<f64>; 2],
    /// Axis in the joint frame; x unless stated.
    pub axis: Unit<Vector3<f64>>,
}
