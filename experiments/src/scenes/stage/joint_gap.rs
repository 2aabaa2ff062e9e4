//! How far joints that are held by rows have come apart.

use super::super::super::rapier::prelude::*;
use super::convert::isometry;
use crate::metrics::larger;
use nalgebra::Vector3;

/// The largest distance that the locked translations of an impulse joint have drifted by \[m\]; `None` without
/// such joints. O(joints).
pub(in super::super) fn joint_gap(sets: &PhysicsWorld) -> Option<f64> {
    let joints = sets.impulse_joints.iter();
    let gaps = joints.filter_map(|(_, joint)| {
        let data = &joint.data;
        let locked = data.locked_axes.bits();
        // Loaders put joints without locked axes between bodies that must not touch.
        if locked & 0b111 == 0 {
            return None;
        }
        let frame = |body: RigidBodyHandle, local| {
            let body = sets.bodies.get(body)?;
            Some(isometry(body.position()) * isometry(local))
        };
        let first = frame(joint.body1(), &data.local_frame1)?;
        let second = frame(joint.body2(), &data.local_frame2)?;
        let apart = first.inv_mul(&second).translation.vector;
        let held = |k: usize| if locked >> k & 1 == 1 { apart[k] } else { 0.0 };
        Some(Vector3::from_fn(|k, _| held(k)).norm())
    });
    gaps.reduce(larger)
}
