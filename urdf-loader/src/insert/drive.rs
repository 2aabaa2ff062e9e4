//! Which joints are driven towards the initial configuration, and how hard.

use std::collections::BTreeMap;

use nalgebra::{Isometry3, Vector3};

use super::{
    error::InsertError,
    options::{Base, Drive, EffortLimits, Hold},
    plan::Plan,
    start::{bad, known},
};
use crate::model::{Joint, JointKind};

/// Drives of every joint of the model, one per coordinate; empty for joints without.
pub(super) fn drives(
    plan: &Plan,
    warnings: &mut Vec<String>,
) -> Result<Vec<Vec<Drive>>, InsertError> {
    let (model, options) = (plan.model, plan.options);
    let single = |j: &Joint| j.kind.dofs() == 1;
    known(model, "a drive", options.joint_drives.keys(), single)?;
    let gains = |drive: &Drive| [("stiffness", drive.stiffness), ("damping", drive.damping)];
    let hold = options.hold.as_ref();
    for (what, value) in hold.map_or([("", 0.0); 2], |h| {
        [
            ("hold frequency", h.frequency),
            ("hold damping ratio", h.damping_ratio),
        ]
    }) {
        if !(value.is_finite() && value >= 0.0) {
            return Err(bad(model, what, value, "a finite number, zero or more"));
        }
    }
    let inertias = hold.map(|_| inertias(plan));
    let mut out = vec![Vec::new(); model.joints.len()];
    for (i, joint) in model.joints.iter().enumerate() {
        let own = options.joint_drives.get(&joint.name).copied();
        let common = options
            .drive
            .filter(|_| single(joint) && joint.mimic.is_none());
        let drives: Vec<Drive> = match (own.or(common), hold, &inertias) {
            (Some(drive), ..) => vec![drive],
            (None, Some(hold), Some(inertias)) if joint.mimic.is_none() => inertias[i]
                .iter()
                .map(|&inertia| hold.drive(inertia))
                .collect(),
            _ => continue,
        };
        for (what, value) in drives.iter().flat_map(gains) {
            if !(value.is_finite() && value >= 0.0) {
                let what = format!("drive {what} of joint `{}`", joint.name);
                return Err(bad(model, what, value, "a finite number, zero or more"));
            }
        }
        if joint.effort == Some(0.0) && options.effort == EffortLimits::File {
            warnings.push(format!(
                "joint `{}` has effort limit 0, so it gets no drive",
                joint.name
            ));
        } else {
            out[i] = drives;
        }
    }
    Ok(out)
}

impl Hold {
    fn drive(&self, inertia: f64) -> Drive {
        Drive {
            stiffness: inertia * self.frequency * self.frequency,
            damping: 2.0 * self.damping_ratio * inertia * self.frequency,
        }
    }
}

/// Velocity of the child along each coordinate of a joint at unit rate, in the joint frame: linear
/// (of the child's origin), angular. Empty for joints that are fixed or free.
fn motions(joint: &Joint) -> Vec<[Vector3<f64>; 2]> {
    let axis = joint.axis.into_inner();
    let along = |v| [v, Vector3::zeros()];
    let about = |w| [Vector3::zeros(), w];
    match joint.kind {
        JointKind::Revolute | JointKind::Continuous => vec![about(axis)],
        JointKind::Prismatic => vec![along(axis)],
        JointKind::Planar => {
            let turn = joint.axis_turn();
            let (x, y) = (turn * Vector3::x(), turn * Vector3::y());
            vec![along(x), along(y), about(axis)]
        }
        JointKind::Spherical => [Vector3::x(), Vector3::y(), Vector3::z()]
            .map(about)
            .to_vec(),
        JointKind::Fixed | JointKind::Floating => Vec::new(),
    }
}

/// The inertia that [`Hold`] speaks of, per joint and coordinate. Leaders of mimics move their
/// followers too: multiplier^2 times their inertia. O(bodies x joints).
fn inertias(plan: &Plan) -> Vec<Vec<f64>> {
    let (model, assembly) = (plan.model, &plan.assembly);
    let poses = plan.poses();
    let mut out = vec![Vec::new(); model.joints.len()];
    for (number, body) in assembly.bodies.iter().enumerate() {
        let Some(j) = body.joint else { continue };
        let below = below(plan, number);
        // Coordinates are along and about the axes of the joint's frame, at the child's origin.
        let turn = poses[body.parent].rotation * body.joint_in_parent.rotation;
        let at = Isometry3::from_parts(poses[number].translation, turn);
        out[j] = motions(&model.joints[j])
            .iter()
            .map(|motion| {
                let mut sides = [0.0; 2];
                for ((part, pose), &is_below) in assembly.bodies.iter().zip(&poses).zip(&below) {
                    let Some(inertial) = &part.inertial else {
                        continue;
                    };
                    sides[usize::from(is_below)] += apparent(&at, motion, &inertial.moved(pose));
                }
                let [above, below] = sides;
                match plan.base {
                    Base::Floating => above.max(below),
                    _ => below,
                }
            })
            .collect();
    }
    let followers: BTreeMap<usize, f64> = (0..model.joints.len())
        .filter(|&i| model.joints[i].mimic.is_some())
        .filter_map(|i| {
            let m = model.leader(i);
            let own = out[i].first()?;
            Some((m.joint, m.multiplier * m.multiplier * own))
        })
        .fold(BTreeMap::new(), |mut sums, (leader, inertia)| {
            *sums.entry(leader).or_default() += inertia;
            sums
        });
    for (leader, inertia) in followers {
        for own in &mut out[leader] {
            *own += inertia;
        }
    }
    out
}

/// Whether each body hangs below the joint of body `top`, itself included.
fn below(plan: &Plan, top: usize) -> Vec<bool> {
    let bodies = &plan.assembly.bodies;
    let mut out = vec![false; bodies.len()];
    // Parents come first.
    for (number, body) in bodies.iter().enumerate() {
        out[number] = number == top || (body.joint.is_some() && out[body.parent]);
    }
    out
}

/// Twice the kinetic energy at unit rate: m |v + w x r|^2 + w . I w, r from the child's origin to
/// the centre of mass, all in world axes.
fn apparent(at: &Isometry3<f64>, motion: &[Vector3<f64>; 2], part: &crate::Inertial) -> f64 {
    let [v, w] = motion.map(|x| at.rotation * x);
    let r = part.com - at.translation.vector;
    part.mass * (v + w.cross(&r)).norm_squared() + w.dot(&(part.inertia * w))
}
