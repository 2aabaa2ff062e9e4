//! Joints that close loops, and pairs of bodies that shall not touch: rapier's impulse joints.

use std::collections::BTreeSet;

use nalgebra::{Isometry3, Translation3, Vector3};
use rapier::dynamics::{
    GenericJoint, ImpulseJointHandle, ImpulseJointSet, JointAxesMask, RigidBodyHandle, RigidBodySet,
};

use super::{
    convert::{from_pose, pose},
    handles::{ClosureHandle, LinkHandle},
    joints::{axes, locked},
    options::SelfCollision,
    plan::Plan,
};
use crate::model::{JointKind, axis_turn};

/// Gap (m) or angle (rad) from which a loop counts as open at the initial configuration: well above
/// single-precision round-off at robot scale.
const OPEN: f64 = 1e-5;

/// Adds the closures. A loop within one rigid body, and one that is open at the initial
/// configuration, is said in the warnings.
pub(super) fn insert(
    plan: &Plan,
    links: &[LinkHandle],
    (bodies, joints): (&RigidBodySet, &mut ImpulseJointSet),
    warnings: &mut Vec<String>,
) -> Vec<ClosureHandle> {
    let mut out = Vec::new();
    for closure in &plan.model.closures {
        let ends = closure.links.map(|l| &links[l]);
        let names = || {
            format!(
                "closure `{}` ({} - {})",
                closure.name, ends[0].name, ends[1].name
            )
        };
        if ends[0].body == ends[1].body {
            warnings.push(format!(
                "{}: both links are one rigid body, so it is left out",
                names()
            ));
            continue;
        }
        let turn = Isometry3::from_parts(
            Translation3::identity(),
            axis_turn(closure.kind, &closure.axis),
        );
        let frames: [Isometry3<f64>; 2] =
            [0, 1].map(|k| from_pose(&ends[k].offset) * closure.frames[k] * turn);
        let placed = [0, 1].map(|k| {
            let body = bodies.get(ends[k].body);
            body.map_or(frames[k], |b| from_pose(b.position()) * frames[k])
        });
        let [gap, angle] = open(closure.kind, &placed);
        if gap > OPEN || angle > OPEN {
            warnings.push(format!(
                "{} is open by {gap:.3e} m and {angle:.3e} rad at the initial configuration; the \
                 first step closes it with a jerk; start elsewhere",
                names()
            ));
        }
        let mut data = GenericJoint::new(locked(closure.kind));
        data.set_local_frame1(pose(&frames[0]));
        data.set_local_frame2(pose(&frames[1]));
        data.set_contacts_enabled(plan.options.self_collision == SelfCollision::On);
        out.push(ClosureHandle {
            name: closure.name.clone(),
            kind: closure.kind,
            joint: joints.insert(ends[0].body, ends[1].body, data, true),
        });
    }
    out
}

impl ClosureHandle {
    /// How far the loop is open: distance (m) and angle (rad) between its two frames along and about
    /// what the joint holds. `None` when the joint or a body is gone.
    pub fn gap(&self, bodies: &RigidBodySet, joints: &ImpulseJointSet) -> Option<[f64; 2]> {
        let joint = joints.get(self.joint)?;
        let placed = |body: RigidBodyHandle, frame| {
            let body = bodies.get(body)?;
            Some(from_pose(body.position()) * from_pose(&frame))
        };
        let placed = [
            placed(joint.body1(), joint.data.local_frame1)?,
            placed(joint.body2(), joint.data.local_frame2)?,
        ];
        Some(open(self.kind, &placed))
    }
}

/// How far two frames are from where a joint of this kind holds them: length of the locked
/// translations (m) and of the locked part of the rotation vector (rad).
fn open(kind: JointKind, placed: &[Isometry3<f64>; 2]) -> [f64; 2] {
    let apart = placed[0].inv_mul(&placed[1]);
    let free = axes(kind);
    let held = |v: Vector3<f64>, first: usize| {
        let is_free = |k: usize| free.iter().any(|&a| a as usize == first + k);
        Vector3::from_fn(|k, _| if is_free(k) { 0.0 } else { v[k] }).norm()
    };
    let turned = apart.rotation.scaled_axis();
    // About a free axis the frames may be anywhere: what is held is the axis itself.
    let angle = match kind {
        JointKind::Revolute | JointKind::Continuous => axis_angle(&apart, Vector3::x()),
        JointKind::Planar => axis_angle(&apart, Vector3::z()),
        _ => held(turned, 3),
    };
    [held(apart.translation.vector, 0), angle]
}

fn axis_angle(apart: &Isometry3<f64>, axis: Vector3<f64>) -> f64 {
    axis.angle(&(apart.rotation * axis))
}

/// Keeps pairs of bodies from touching: rapier ignores contacts between bodies that a joint without
/// contacts joins, and these joints hold nothing.
pub(super) fn keep_apart(
    pairs: &BTreeSet<(usize, usize)>,
    handles: &[RigidBodyHandle],
    joints: &mut ImpulseJointSet,
) -> Vec<ImpulseJointHandle> {
    let mut data = GenericJoint::new(JointAxesMask::empty());
    data.set_contacts_enabled(false);
    let join = |&(a, b): &(usize, usize)| joints.insert(handles[a], handles[b], data, true);
    pairs.iter().map(join).collect()
}
