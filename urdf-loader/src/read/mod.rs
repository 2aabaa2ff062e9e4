//! From the text of a robot file to a [`RobotModel`]: scan, parse, sort, convert, validate.
//!
//! Errors and warnings are collected, so that one look tells everything; a stage that needs the
//! one before it stops there.

mod closures;
mod doubts;
mod joints;
mod links;
mod masses;
mod meshes;
mod pose;
mod repair;
mod scale;
mod topology;
mod transmissions;

use std::path::Path;

use closures::Absent;

use crate::{
    error::UrdfError,
    file::text_of,
    findings::{Findings, Place},
    model::{Diagnosis, LoadOptions, NoteKind, RobotModel},
    resolve::Resolver,
    scan::{self, Scan, Source},
    xacro::{self, Leftovers, Surroundings},
};

/// Reads a robot file and lists everything wrong with it, not just the first thing.
pub fn diagnose(path: &Path, options: &LoadOptions) -> Diagnosis {
    match text_of(path) {
        Ok(text) => robot(&text, path, options),
        Err(error) => Diagnosis {
            model: None,
            errors: vec![error],
            notes: Vec::new(),
        },
    }
}

impl RobotModel {
    /// Reads and validates a URDF file with the meshes of its collision shapes.
    ///
    /// # Errors
    /// The first thing wrong, with file and element ([`diagnose`] lists all).
    pub fn from_file(path: &Path, options: &LoadOptions) -> Result<Self, UrdfError> {
        Self::from_urdf(&text_of(path)?, path, options)
    }

    /// The same from text. `file` names it in messages and is where relative paths start.
    ///
    /// # Errors
    /// As [`RobotModel::from_file`].
    pub fn from_urdf(text: &str, file: &Path, options: &LoadOptions) -> Result<Self, UrdfError> {
        let found = robot(text, file, options);
        match (found.model, found.errors.into_iter().next()) {
            (_, Some(error)) => Err(error),
            (Some(model), None) => Ok(model),
            (None, None) => Err(UrdfError::NoLinks { file: file.into() }),
        }
    }
}

/// Everything there is to say about a robot text.
fn robot(text: &str, file: &Path, options: &LoadOptions) -> Diagnosis {
    let mut found = Findings::new(file, options.strictness);
    let model = read(text, options, &mut found);
    found.done(model)
}

fn read(text: &str, options: &LoadOptions, found: &mut Findings) -> Option<RobotModel> {
    let densities = options.inertia.densities();
    let positive = densities.map(|density| ("density", density));
    for (what, value) in positive.chain([("scale", options.scale)]) {
        if !(value.is_finite() && value > 0.0) {
            found.errors.push(UrdfError::BadOption {
                file: found.file(),
                what,
                value,
                wanted: "finite and positive",
            });
            return None;
        }
    }
    let mut source = Source::new(text, found);
    let scan = look(&mut source, options, found)?;
    if scan.links.is_empty() {
        found.errors.push(UrdfError::NoLinks { file: found.file() });
    }
    if !found.errors.is_empty() {
        return None;
    }
    let parsed = match urdf_rs::read_from_string(&scan.text) {
        Ok(robot) => robot,
        Err(e) => {
            let (file, reason) = (found.file(), e.to_string());
            found.errors.push(UrdfError::NotUrdf { file, reason });
            return None;
        }
    };
    agree(&scan, &parsed, found);
    let order = topology::sort(&parsed, found)?;
    let links = links::convert(&parsed, &order, options, found);
    let joints = joints::convert(&parsed, &order, &scan, found);
    let mut model = RobotModel {
        name: parsed.name.clone(),
        file: found.file(),
        links,
        joints,
        inertia_policy: options.inertia.under(options.strictness),
        transmissions: Vec::new(),
        closures: Vec::new(),
        notes: Vec::new(),
    };
    model.transmissions = transmissions::convert(&scan.transmissions, &model, found);
    model.closures = closures::convert(&scan.loops, &model, Absent::LeftOut, found);
    let more = closures::second_parents(&parsed, &order.closing, &model, found);
    model.closures.extend(more);
    if let Some(path) = &options.closures {
        let more = closures::side_file(path, &model, found);
        model.closures.extend(more);
    }
    scale::apply(&mut model, options.scale);
    if found.errors.is_empty() {
        masses::validate(&mut model, found);
    }
    if found.errors.is_empty() {
        doubts::note(&model, found);
    }
    Some(model)
}

/// The structure of the file, expanded if it is xacro. `None` leaves errors.
fn look(source: &mut Source, options: &LoadOptions, found: &mut Findings) -> Option<Scan> {
    if let Err(error) = scan::prepare(source, found) {
        found.errors.push(error);
        return None;
    }
    let document = scan::parse(source, found)?;
    let Some((at, text)) = scan::first_macro(&document) else {
        return scan::scan(source, &document, found);
    };
    let place = source.place(at, "robot".into());
    let named_so = found.path().extension().is_some_and(|e| e == "xacro");
    if named_so {
        found.note(NoteKind::Changed, &place, "xacro, expanded");
    } else {
        found.repaired(
            &place,
            format!("`{text}` is xacro left in a URDF; expanded"),
        );
    }
    let resolver = Resolver::new(found.path(), &options.package_paths);
    let around = Surroundings {
        resolver: &resolver,
        arguments: &options.xacro_args,
        leftovers: if named_so {
            Leftovers::Refused
        } else {
            Leftovers::Dropped
        },
    };
    let expanded = match xacro::expand(source, &document, &around, found) {
        Ok(expanded) => expanded,
        Err(error) => {
            found.errors.push(error);
            return None;
        }
    };
    let document = scan::parse(&expanded, found)?;
    scan::scan(&expanded, &document, found)
}

/// What the XML declares must be what the parser delivers: nothing vanishes silently.
fn agree(scan: &Scan, parsed: &urdf_rs::Robot, found: &mut Findings) {
    let mut disagree = |element: String, declared: usize, read: usize, what: &str| {
        if declared != read {
            let reason = format!("{declared} {what} declared, but {read} could be read");
            found.bad_element(&Place::of(element), reason);
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
