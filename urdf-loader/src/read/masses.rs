//! Which inertias are needed, and which are impossible.
//!
//! The base of the robot is judged here only as a note: whether it moves is decided when the
//! robot is placed in a scene. Links welded to it by fixed joints go with it.

use super::repair;
use crate::{
    assembly::{Assembly, FixedJoints},
    error::UrdfError,
    findings::{Findings, Place},
    inertia,
    judge::{judge, odd_members},
    model::{ImpossibleInertia, NoteKind, RobotModel},
};

pub(super) fn validate(model: &mut RobotModel, found: &mut Findings) {
    let policy = model.inertia_policy;
    repair::apply(model, policy, found);
    if policy.impossible == ImpossibleInertia::Accept {
        for link in &model.links {
            if let Some(Err(reason)) = link.inertial.map(|i| inertia::check_triangle(&i.inertia)) {
                let text = format!("inertia accepted as asked: {reason}");
                found.note(NoteKind::Doubtful, &Place::link(&link.name), text);
            }
        }
    }
    for body in &Assembly::new(model, FixedJoints::Merge).bodies {
        if let Err(error) = judge(model, body) {
            match body.joint {
                Some(_) => found.errors.push(error),
                None if matches!(error, UrdfError::NoMass { mass: 0.0, .. }) => {}
                None => found.note(
                    NoteKind::Doubtful,
                    &Place::of(error.element()),
                    format!("matters if the base floats: {error}"),
                ),
            }
        } else {
            for (link, reason) in odd_members(model, body) {
                found.note(
                    NoteKind::Doubtful,
                    &Place::link(&model.links[link].name),
                    format!("impossible inertia: {reason}; the body it is fixed to is sound"),
                );
            }
        }
    }
}
