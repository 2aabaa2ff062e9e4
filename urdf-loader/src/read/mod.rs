//! From the text of a robot file to a [`RobotModel`]: scan, parse, sort, convert, validate.
//!
//! Errors and warnings are collected, so that one look tells everything; a stage that needs the
//! one before it stops there.

mod joints;
mod links;
mod masses;
mod topology;

use std::path::Path;

pub(crate) use masses::judge;

use crate::{
    error::UrdfError,
    model::{Diagnosis, LoadOptions, RobotModel},
    scan::{self, Scan},
};

/// Where the stages put what they find.
struct Findings<'a> {
    file: &'a Path,
    errors: Vec<UrdfError>,
    warnings: Vec<String>,
}

impl Findings<'_> {
    fn done(self, model: Option<RobotModel>) -> Diagnosis {
        let model = model
            .filter(|_| self.errors.is_empty())
            .map(|m| RobotModel {
                warnings: self.warnings.clone(),
                ..m
            });
        Diagnosis {
            model,
            errors: self.errors,
            warnings: self.warnings,
        }
    }
}

/// The text of a robot file.
pub(crate) fn file(path: &Path) -> Result<String, UrdfError> {
    std::fs::read_to_string(path).map_err(|e| UrdfError::Unreadable {
        file: path.into(),
        reason: e.to_string(),
    })
}

/// Everything there is to say about a robot text.
pub(crate) fn robot(text: &str, file: &Path, options: &LoadOptions) -> Diagnosis {
    let mut found = Findings {
        file,
        errors: Vec::new(),
        warnings: Vec::new(),
    };
    let Some(scan) = scan::scan(text, file, &mut found.errors) else {
        return found.done(None);
    };
    found.warnings.extend(scan.warnings.iter().cloned());
    if scan.links.is_empty() {
        found.errors.push(UrdfError::NoLinks { file: file.into() });
    }
    if !found.errors.is_empty() {
        return found.done(None);
    }
    let parsed = match urdf_rs::read_from_string(&scan.text) {
        Ok(robot) => robot,
        Err(e) => {
            let reason = e.to_string();
            found.errors.push(UrdfError::NotUrdf {
                file: file.into(),
                reason,
            });
            return found.done(None);
        }
    };
    agree(&scan, &parsed, &mut found);
    let Some(order) = topology::sort(&parsed, &mut found) else {
        return found.done(None);
    };
    let links = links::convert(&parsed, &order, options, &mut found);
    let joints = joints::convert(&parsed, &order, &scan, &mut found);
    let mut model = RobotModel {
        name: parsed.name.clone(),
        file: file.into(),
        links,
        joints,
        inertia_policy: options.inertia,
        warnings: Vec::new(),
    };
    if found.errors.is_empty() {
        masses::validate(&mut model, options, &mut found);
    }
    found.done(Some(model))
}

/// What the XML declares must be what the parser delivers: nothing vanishes silently.
fn agree(scan: &Scan, parsed: &urdf_rs::Robot, found: &mut Findings) {
    let mut disagree = |element: String, declared: usize, read: usize, what: &str| {
        if declared != read {
            let reason = format!("{declared} {what} declared, but {read} could be read");
            let file = found.file.into();
            found.errors.push(UrdfError::BadElement {
                file,
                element,
                reason,
            });
        }
    };
    disagree(
        "robot".into(),
        scan.links.len(),
        parsed.links.len(),
        "links",
    );
    disagree(
        "robot".into(),
        scan.joint_count,
        parsed.joints.len(),
        "joints",
    );
    for (declared, link) in scan.links.iter().zip(&parsed.links) {
        let element = || format!("link `{}`", declared.name);
        disagree(
            element(),
            declared.collisions,
            link.collision.len(),
            "collision shapes",
        );
        disagree(
            element(),
            declared.visuals,
            link.visual.len(),
            "visual shapes",
        );
    }
}

/// URDF `<origin>`: R = Rz(yaw) Ry(pitch) Rx(roll).
fn pose(origin: &urdf_rs::Pose) -> nalgebra::Isometry3<f64> {
    let [x, y, z] = *origin.xyz;
    let [roll, pitch, yaw] = *origin.rpy;
    nalgebra::Isometry3::from_parts(
        nalgebra::Translation3::new(x, y, z),
        nalgebra::UnitQuaternion::from_euler_angles(roll, pitch, yaw),
    )
}
