//! `stickslip check`: everything wrong or dropped in a robot file.

use crate::error::CommandError;
use crate::output;
use clap::Args;
use comfy_table::{Cell, CellAlignment, Table, presets};
use serde_json::{Value, json};
use std::path::PathBuf;
use stickslip_urdf_f64::{Diagnosis, LoadOptions, RobotModel, diagnose};

/// Arguments of `check`.
#[derive(Debug, Args)]
pub(crate) struct CheckArgs {
    /// Robot file
    #[arg(value_name = "FILE.urdf")]
    file: PathBuf,
    /// Folder searched for package:// (repeatable)
    #[arg(long, value_name = "DIR")]
    package_path: Vec<PathBuf>,
    /// Write the findings as JSON; `-` is standard output
    #[arg(long, value_name = "FILE|-")]
    json: Option<String>,
}

/// Prints links, joints and findings. Errors of the file end with exit status 2.
pub(crate) fn check(args: &CheckArgs) -> Result<(), CommandError> {
    let options = LoadOptions {
        package_paths: args.package_path.clone(),
        ..LoadOptions::default()
    };
    let found = diagnose(&args.file, &options);
    match args.json.as_deref() {
        Some(target) => write_json(args, &found, target)?,
        None => print(&found),
    }
    match found.errors.as_slice() {
        [] => Ok(()),
        [one] => Err(CommandError::Robot(one.to_string())),
        [first, rest @ ..] => {
            let mut text = first.to_string();
            for error in rest {
                text += &format!("\nerror: {error}");
            }
            Err(CommandError::Robot(text))
        }
    }
}

fn print(found: &Diagnosis) {
    for warning in &found.notes {
        output::print(&format!("warning: {warning}"));
    }
    if let Some(model) = &found.model {
        output::print(&links(model));
    }
}

fn links(model: &RobotModel) -> String {
    let mut table = Table::new();
    table.load_preset(presets::UTF8_HORIZONTAL_ONLY);
    table.set_header([
        "link",
        "mass [kg]",
        "collisions",
        "joint above",
        "type",
        "limits",
        "effort",
    ]);
    for (number, link) in model.links.iter().enumerate() {
        let mass = link
            .inertial
            .map_or_else(String::new, |i| format!("{:.6}", i.mass));
        let joint = model.joint_above(number);
        let text = |x: Option<String>| Cell::new(x.unwrap_or_default());
        table.add_row([
            Cell::new(&link.name),
            Cell::new(mass).set_alignment(CellAlignment::Right),
            Cell::new(link.collisions.len()).set_alignment(CellAlignment::Right),
            text(joint.map(|j| j.name.clone())),
            text(joint.map(|j| format!("{:?}", j.kind).to_lowercase())),
            text(
                joint
                    .and_then(|j| j.limits)
                    .map(|l| format!("{} .. {}", l.lower, l.upper)),
            ),
            text(joint.and_then(|j| j.effort).map(|e| e.to_string())),
        ]);
    }
    format!(
        "robot {}: {} links, {:.6} kg, {} collision shapes\n{table}",
        model.name,
        model.links.len(),
        model.mass(),
        model.collision_count()
    )
}

fn write_json(args: &CheckArgs, found: &Diagnosis, target: &str) -> Result<(), CommandError> {
    let robot = found.model.as_ref().map(|model| {
        let links = model.links.iter().enumerate().map(|(number, link)| {
            json!({
                "name": link.name,
                "mass_kg": link.inertial.map(|i| i.mass),
                "collisions": link.collisions.len(),
                "joint": model.joint_above(number).map(|j| j.name.clone()),
            })
        });
        json!({
            "name": model.name,
            "mass_kg": model.mass(),
            "collisions": model.collision_count(),
            "links": links.collect::<Vec<Value>>(),
        })
    });
    let errors: Vec<_> = found
        .errors
        .iter()
        .map(|e| json!({ "element": e.element(), "message": e.to_string() }))
        .collect();
    let value = json!({
        "file": args.file.display().to_string(),
        "ok": found.errors.is_empty(),
        "errors": errors,
        "warnings": found.notes.iter().map(ToString::to_string).collect::<Vec<_>>(),
        "robot": robot,
    });
    let text = serde_json::to_string_pretty(&value)
        .map_err(|error| CommandError::Scene(error.to_string()))?;
    match output::JsonTarget::parse(target) {
        output::JsonTarget::Stdout => output::print(&text),
        output::JsonTarget::File(path) => {
            output::check_file_target(&path)?;
            output::write_atomically(&path, &(text + "\n"))?;
        }
    }
    Ok(())
}
