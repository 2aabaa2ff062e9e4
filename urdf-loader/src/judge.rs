//! Whether a body could move by itself.

use nalgebra::Matrix3;

use crate::{
    assembly::Body,
    error::UrdfError,
    inertia::{self, Strictness},
    model::{ImpossibleInertia, RobotModel},
};

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
pub(crate) fn odd_members(model: &RobotModel, body: &Body) -> Vec<(usize, String)> {
    let fault = |link: usize| {
        let i = model.links[link].inertial?;
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
    match model.inertia_policy.impossible {
        ImpossibleInertia::Accept => Ok(()),
        _ => inertia::check_triangle(tensor),
    }
}
