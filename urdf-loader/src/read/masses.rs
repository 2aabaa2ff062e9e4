//! Which inertias are needed, which are impossible, and the opt-in replacement from the geometry.
//!
//! The base of the robot is judged here only as a warning: whether it moves is decided when the
//! robot is placed in a scene. Links welded to it by fixed joints go with it.

use nalgebra::Matrix3;

use super::Findings;
use crate::{
    assembly::{Assembly, Body, FixedJoints},
    error::UrdfError,
    inertia::{self, Strictness},
    model::{InertiaPolicy, JointKind, LoadOptions, RobotModel},
};

pub(super) fn validate(model: &mut RobotModel, options: &LoadOptions, found: &mut Findings) {
    let assembly = Assembly::new(model, FixedJoints::Merge);
    for body in &assembly.bodies {
        if let Some(j) = body.joint
            && model.joints[j].kind == JointKind::Floating
        {
            found.errors.push(UrdfError::UnsupportedJoint {
                file: found.file.into(),
                joint: model.joints[j].name.clone(),
                reason: "a floating joint may only stand alone between a root link without mass \
                         and shapes and the robot's base; split the file into two robots"
                    .into(),
            });
        }
        if let InertiaPolicy::FromGeometry { density } = options.inertia {
            replace(model, body, density, found);
        }
    }
    if options.inertia == InertiaPolicy::AcceptImpossible {
        for link in &model.links {
            if let Some(Err(reason)) = link.inertial.map(|i| inertia::check_triangle(&i.inertia)) {
                let name = &link.name;
                found.warnings.push(format!(
                    "link `{name}`: inertia accepted as asked: {reason}"
                ));
            }
        }
    }
    // Again, with what was replaced.
    for body in &Assembly::new(model, FixedJoints::Merge).bodies {
        if let Err(error) = judge(model, body) {
            match body.joint {
                Some(_) => found.errors.push(error),
                None if matches!(error, UrdfError::NoMass { mass: 0.0, .. }) => {}
                None => found
                    .warnings
                    .push(format!("matters if the base floats: {error}")),
            }
        } else {
            for (link, reason) in odd_members(model, body) {
                let name = &model.links[link].name;
                found.warnings.push(format!(
                    "link `{name}`: impossible inertia: {reason}; the body it is fixed to is sound"
                ));
            }
        }
    }
}

/// Whether a body could move by itself; the error names the link at fault.
///
/// Only the mass properties of the whole body enter the equations of motion, so an impossible
/// inertia of a link that is fixed to a heavier one is no error as long as the whole is sound
/// (published robots have such place-holders); [`odd_members`] tells of them.
pub(crate) fn judge(model: &RobotModel, body: &Body) -> Result<(), UrdfError> {
    let bad = |link: usize, reason: String| UrdfError::BadInertia {
        file: model.file.clone(),
        link: model.links[link].name.clone(),
        reason,
        eigenvalues: model.links[link]
            .inertial
            .map_or([0.0; 3], |i| inertia::principal_moments(&i.inertia)),
    };
    let odd = odd_members(model, body);
    let negative = |link: &usize| model.links[*link].inertial.is_some_and(|i| i.mass < 0.0);
    if let Some((link, reason)) = odd.iter().find(|(link, _)| negative(link)) {
        return Err(bad(*link, reason.clone()));
    }
    let whole = body.inertial.filter(|i| i.mass > 0.0);
    let sound = whole.map(|i| {
        inertia::check(&i.inertia, Strictness::Definite).and_then(|()| triangle(model, &i.inertia))
    });
    let first = body.members[0].link;
    match (sound, odd.into_iter().next()) {
        (Some(Ok(())), _) => Ok(()),
        (_, Some((link, reason))) => Err(bad(link, reason)),
        (Some(Err(reason)), None) => Err(bad(first, reason)),
        (None, None) => Err(UrdfError::NoMass {
            file: model.file.clone(),
            link: model.links[first].name.clone(),
            joint: body
                .joint
                .map_or("base".into(), |j| model.joints[j].name.clone()),
            mass: body.inertial.map_or(0.0, |i| i.mass),
        }),
    }
}

/// Links of a body whose own inertia is impossible, and why.
fn odd_members(model: &RobotModel, body: &Body) -> Vec<(usize, String)> {
    let fault = |link: usize| {
        let i = model.links[link].inertial?;
        if i.mass < 0.0 {
            return Some(format!("the mass {} is negative", i.mass));
        }
        if i.mass == 0.0 {
            return Some("the mass is zero but the inertia is not".into());
        }
        inertia::check(&i.inertia, Strictness::MayBeThin)
            .and_then(|()| triangle(model, &i.inertia))
            .err()
    };
    let members = body.members.iter().map(|m| m.link);
    members
        .filter_map(|link| Some((link, fault(link)?)))
        .collect()
}

fn triangle(model: &RobotModel, tensor: &Matrix3<f64>) -> Result<(), String> {
    match model.inertia_policy {
        InertiaPolicy::AcceptImpossible => Ok(()),
        InertiaPolicy::Refuse | InertiaPolicy::FromGeometry { .. } => {
            inertia::check_triangle(tensor)
        }
    }
}

/// Replaces impossible inertias of a body's links, then, if the body as a whole still can't move,
/// those of every link that is not sound by itself.
fn replace(model: &mut RobotModel, body: &Body, density: f64, found: &mut Findings) {
    if judge(model, body).is_ok() {
        return;
    }
    let sound = |model: &RobotModel, link: usize, how| {
        model.links[link].inertial.is_some_and(|i| {
            i.mass > 0.0
                && inertia::check(&i.inertia, how).is_ok()
                && triangle(model, &i.inertia).is_ok()
        })
    };
    for (how, absent_too) in [(Strictness::MayBeThin, false), (Strictness::Definite, true)] {
        for m in &body.members {
            let absent = model.links[m.link].inertial.is_none();
            if sound(model, m.link, how) || (absent && !absent_too) {
                continue;
            }
            let link = &model.links[m.link];
            let bare = link.collisions.is_empty() && link.visuals.is_empty();
            if bare && absent {
                continue;
            }
            let mass = link.inertial.map_or(0.0, |i| i.mass);
            match inertia::from_geometry(link, mass, density) {
                Ok(new) => {
                    found.warnings.push(format!(
                        "link `{}`: inertia taken from its shapes (mass {:.6} kg)",
                        link.name, new.mass
                    ));
                    model.links[m.link].inertial = Some(new);
                }
                // A fixed base needs no inertia.
                Err(reason) if body.joint.is_some() => {
                    let (file, link) = (found.file.into(), link.name.clone());
                    found
                        .errors
                        .push(UrdfError::NoInertiaFromGeometry { file, link, reason });
                }
                Err(_) => {}
            }
        }
        let whole = Assembly::new(model, FixedJoints::Merge);
        let now = whole
            .bodies
            .iter()
            .find(|b| b.members[0].link == body.members[0].link);
        if now.is_some_and(|b| judge(model, b).is_ok()) {
            return;
        }
    }
}
