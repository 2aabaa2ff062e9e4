//! Which inertias are needed, which are impossible, and the opt-in replacement from the geometry.
//!
//! The base of the robot is judged here only as a warning: whether it moves is decided when the
//! robot is placed in a scene. Links welded to it by fixed joints go with it.

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
        }
    }
}

/// Whether a body could move by itself; the error names the link at fault.
pub(crate) fn judge(model: &RobotModel, body: &Body) -> Result<(), UrdfError> {
    let file = || model.file.clone();
    let first = model.links[body.members[0].link].name.clone();
    let bad = |link: &str, reason: String, tensor| UrdfError::BadInertia {
        file: file(),
        link: link.into(),
        reason,
        eigenvalues: inertia::principal_moments(tensor),
    };
    for m in &body.members {
        let link = &model.links[m.link];
        let Some(i) = &link.inertial else { continue };
        if i.mass < 0.0 {
            return Err(bad(
                &link.name,
                format!("the mass {} is negative", i.mass),
                &i.inertia,
            ));
        }
        if i.mass == 0.0 {
            let reason = "the mass is zero but the inertia is not".into();
            return Err(bad(&link.name, reason, &i.inertia));
        }
        inertia::check(&i.inertia, Strictness::MayBeThin)
            .map_err(|reason| bad(&link.name, reason, &i.inertia))?;
    }
    let joint = body
        .joint
        .map_or("base".into(), |j| model.joints[j].name.clone());
    match &body.inertial {
        Some(i) if i.mass > 0.0 => inertia::check(&i.inertia, Strictness::Definite)
            .map_err(|reason| bad(&first, reason, &i.inertia)),
        other => Err(UrdfError::NoMass {
            file: file(),
            link: first,
            joint,
            mass: other.map_or(0.0, |i| i.mass),
        }),
    }
}

/// Replaces impossible inertias of a body's links, then, if the body as a whole still can't move,
/// those of every link that is not sound by itself.
fn replace(model: &mut RobotModel, body: &Body, density: f64, found: &mut Findings) {
    if judge(model, body).is_ok() {
        return;
    }
    let sound = |model: &RobotModel, link: usize, how| {
        model.links[link]
            .inertial
            .is_some_and(|i| i.mass > 0.0 && inertia::check(&i.inertia, how).is_ok())
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
