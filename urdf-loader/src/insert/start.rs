//! The initial configuration.

use super::{error::InsertError, options::InsertOptions};
use crate::model::{Joint, JointKind, Limits, RobotModel};

/// Initial coordinates of all joints, as many as they have; warnings included.
pub(super) fn coordinates(
    model: &RobotModel,
    options: &InsertOptions,
    warnings: &mut Vec<String>,
) -> Result<Vec<Vec<f64>>, InsertError> {
    let what = "the initial configuration";
    known(model, what, options.initial.keys(), |j| j.kind.dofs() == 1)?;
    known(model, what, options.initial_coordinates.keys(), |j| {
        j.kind.dofs() > 1
    })?;
    let mut positions = positions(model, options, warnings)?;
    model.follow(&mut positions);
    for (joint, &follows) in model.joints.iter().zip(&positions) {
        if joint.mimic.is_some() {
            warn_of_follower(joint, follows, options, warnings);
        }
    }
    model
        .joints
        .iter()
        .zip(positions)
        .map(|(joint, q)| match joint.kind.dofs() {
            0 => Ok(Vec::new()),
            1 => Ok(vec![q]),
            count => several(model, joint, count, options),
        })
        .collect()
}

/// Positions of joints with one coordinate that lead themselves; 0 for all others.
fn positions(
    model: &RobotModel,
    options: &InsertOptions,
    warnings: &mut Vec<String>,
) -> Result<Vec<f64>, InsertError> {
    let ranges = ranges(model);
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
        if joint.mimic.is_some() {
            continue;
        }
        let wanted = asked.unwrap_or(0.0);
        let own = joint.limits.map_or(wanted, |l| l.clamp(wanted));
        q[i] = ranges[i].map_or(own, |l| l.clamp(wanted));
        if q[i] != wanted {
            let origin = if asked.is_some() { "asked for" } else { "zero" };
            let whose = if q[i] == own {
                "its limits"
            } else {
                "the limits of joints that follow it"
            };
            warnings.push(format!(
                "joint `{}`: initial position {wanted} ({origin}) is outside {whose}, starts at {}",
                joint.name, q[i]
            ));
        }
    }
    Ok(q)
}

/// Where a joint may stand so that it and all that follow it are within their limits; its own
/// limits if there is no such place.
fn ranges(model: &RobotModel) -> Vec<Option<Limits>> {
    let mut out: Vec<Option<Limits>> = model.joints.iter().map(|j| j.limits).collect();
    for (i, joint) in model.joints.iter().enumerate() {
        let (Some(limits), true) = (joint.limits, joint.mimic.is_some()) else {
            continue;
        };
        let m = model.leader(i);
        if m.multiplier == 0.0 || m.joint == i {
            continue;
        }
        let ends = [limits.lower, limits.upper].map(|q| (q - m.offset) / m.multiplier);
        let [a, b] = ends;
        let both = Limits {
            lower: out[m.joint].map_or(f64::MIN, |l| l.lower).max(a.min(b)),
            upper: out[m.joint].map_or(f64::MAX, |l| l.upper).min(a.max(b)),
        };
        if both.lower <= both.upper {
            out[m.joint] = Some(both);
        }
    }
    out
}

fn warn_of_follower(
    joint: &Joint,
    follows: f64,
    options: &InsertOptions,
    warnings: &mut Vec<String>,
) {
    let asked = options.initial.get(&joint.name);
    if asked.is_some_and(|asked| *asked != follows) {
        warnings.push(format!(
            "joint `{}` mimics another, so it starts at {follows} and not as asked",
            joint.name
        ));
    }
    // Its limit, carried to the leader and back, is off by round-off.
    let slack = 1e-12 * follows.abs().max(1.0);
    let outside = |l: &Limits| follows < l.lower - slack || follows > l.upper + slack;
    if joint.limits.as_ref().is_some_and(outside) {
        warnings.push(format!(
            "joint `{}`: mimicking puts it at {follows}, outside its limits",
            joint.name
        ));
    }
}

/// Coordinates of a joint with several.
fn several(
    model: &RobotModel,
    joint: &Joint,
    count: usize,
    options: &InsertOptions,
) -> Result<Vec<f64>, InsertError> {
    let Some(asked) = options.initial_coordinates.get(&joint.name) else {
        return Ok(vec![0.0; count]);
    };
    let what = |what: &str| format!("{what} of joint `{}`", joint.name);
    if asked.len() != count {
        let wanted = match joint.kind {
            JointKind::Floating => "6: a translation and a rotation vector",
            JointKind::Spherical => "3: a rotation vector",
            _ => "3: two translations and an angle",
        };
        let given = asked.len() as f64;
        return Err(bad(
            model,
            what("number of initial coordinates"),
            given,
            wanted,
        ));
    }
    if let Some(&value) = asked.iter().find(|x| !x.is_finite()) {
        return Err(bad(model, what("initial coordinate"), value, "finite"));
    }
    Ok(asked.clone())
}

/// Refuses names that aren't joints of the wanted kind.
pub(super) fn known<'a>(
    model: &RobotModel,
    what: &'static str,
    names: impl Iterator<Item = &'a String>,
    fits: impl Fn(&Joint) -> bool,
) -> Result<(), InsertError> {
    for name in names {
        let joint = model.joints.iter().find(|j| &j.name == name);
        if !joint.is_some_and(&fits) {
            return Err(InsertError::UnknownJoint {
                robot: model.name.clone(),
                what,
                joint: name.clone(),
                known: model
                    .joints
                    .iter()
                    .filter(|j| fits(j))
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
