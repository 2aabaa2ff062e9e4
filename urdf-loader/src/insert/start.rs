//! The initial configuration, and which joints are driven towards it.

use super::{
    InsertError,
    options::{Drive, InsertOptions},
};
use crate::model::{JointKind, RobotModel};

/// Initial positions of all joints (0 for those without a single coordinate), warnings included.
pub(super) fn positions(
    model: &RobotModel,
    options: &InsertOptions,
    warnings: &mut Vec<String>,
) -> Result<Vec<f64>, InsertError> {
    known(model, "the initial configuration", options.initial.keys())?;
    let mut q = vec![0.0; model.joints.len()];
    for (i, joint) in model.joints.iter().enumerate() {
        if joint.kind.dofs() != 1 {
            continue;
        }
        let asked = options.initial.get(&joint.name).copied();
        if let Some(value) = asked.filter(|v| !v.is_finite()) {
            let what = format!("initial position of joint `{}`", joint.name);
            return Err(bad(model, what, value, "a finite number"));
        }
        let wanted = asked.unwrap_or(0.0);
        q[i] = joint.limits.map_or(wanted, |l| l.clamp(wanted));
        if q[i] != wanted && joint.mimic.is_none() {
            let origin = if asked.is_some() { "asked for" } else { "zero" };
            warnings.push(format!(
                "joint `{}`: initial position {wanted} ({origin}) is outside its limits, starts \
                 at {}",
                joint.name, q[i]
            ));
        }
    }
    for (i, joint) in model.joints.iter().enumerate() {
        if joint.mimic.is_none() {
            continue;
        }
        let follows = followed(model, &q, i);
        if options
            .initial
            .get(&joint.name)
            .is_some_and(|asked| *asked != follows)
        {
            warnings.push(format!(
                "joint `{}` mimics another, so it starts at {follows} and not as asked",
                joint.name
            ));
        }
        if joint.limits.is_some_and(|l| l.clamp(follows) != follows) {
            warnings.push(format!(
                "joint `{}`: mimicking puts it at {follows}, outside its limits",
                joint.name
            ));
        }
        q[i] = follows;
    }
    Ok(q)
}

/// The position that a chain of mimics gives joint `i`. Chains end: circles are refused on loading.
fn followed(model: &RobotModel, q: &[f64], i: usize) -> f64 {
    match model.joints[i].mimic {
        Some(m) => m.multiplier * followed(model, q, m.joint) + m.offset,
        None => q[i],
    }
}

/// The drive of every joint.
pub(super) fn drives(
    model: &RobotModel,
    options: &InsertOptions,
    warnings: &mut Vec<String>,
) -> Result<Vec<Option<Drive>>, InsertError> {
    known(model, "a drive", options.joint_drives.keys())?;
    let mut out = vec![None; model.joints.len()];
    for (i, joint) in model.joints.iter().enumerate() {
        if joint.kind.dofs() != 1 {
            continue;
        }
        let own = options.joint_drives.get(&joint.name).copied();
        let Some(drive) = own.or(options.drive.filter(|_| joint.mimic.is_none())) else {
            continue;
        };
        for (what, value) in [("stiffness", drive.stiffness), ("damping", drive.damping)] {
            if !(value.is_finite() && value >= 0.0) {
                let what = format!("drive {what} of joint `{}`", joint.name);
                return Err(bad(model, what, value, "a finite number, zero or more"));
            }
        }
        if joint.effort == Some(0.0) {
            warnings.push(format!(
                "joint `{}` has effort limit 0, so it gets no drive",
                joint.name
            ));
        } else {
            out[i] = Some(drive);
        }
    }
    Ok(out)
}

fn known<'a>(
    model: &RobotModel,
    what: &'static str,
    names: impl Iterator<Item = &'a String>,
) -> Result<(), InsertError> {
    for name in names {
        let joint = model.joints.iter().find(|j| &j.name == name);
        if joint.is_none_or(|j| j.kind.dofs() != 1) {
            return Err(InsertError::UnknownJoint {
                robot: model.name.clone(),
                what,
                joint: name.clone(),
                known: model
                    .joints
                    .iter()
                    .filter(|j| j.kind != JointKind::Fixed && j.kind.dofs() == 1)
                    .map(|j| j.name.clone())
                    .collect(),
            });
        }
    }
    Ok(())
}

pub(super) fn bad(
    model: &RobotModel,
    what: impl Into<String>,
    value: f64,
    wanted: &'static str,
) -> InsertError {
    InsertError::BadOption {
        robot: model.name.clone(),
        what: what.into(),
        value,
        wanted,
    }
}
