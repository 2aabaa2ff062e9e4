//! `stickslip check`: everything wrong, repaired or dropped in a robot file, and what it becomes.

mod all;
mod outcome;
mod placed;
mod report;

use crate::error::CommandError;
use crate::files;
use crate::output;
use crate::robot_args::RobotArgs;
use clap::Args;
use outcome::Outcome;
use serde_json::Value;
use std::path::{Path, PathBuf};

/// Arguments of `check`.
#[derive(Debug, Args)]
pub(crate) struct CheckArgs {
    /// Robot file
    #[arg(
        value_name = "FILE.urdf",
        required_unless_present = "all",
        conflicts_with = "all"
    )]
    file: Option<PathBuf>,
    /// Check every .urdf below a folder instead: a row per file, with the reasons
    #[arg(long, value_name = "DIR")]
    all: Option<PathBuf>,
    /// Write the findings as JSON (docs/robots.md); `-` is standard output
    #[arg(long, value_name = "FILE|-")]
    json: Option<String>,
    // Last: what follows would come under its heading.
    #[command(flatten)]
    robot_args: RobotArgs,
}

/// Prints links, joints and findings of a file, or a row per file of a folder. Where one is refused the exit status
/// is 2.
pub(crate) fn check(args: &CheckArgs) -> Result<(), CommandError> {
    let target = args.json.as_deref().map(output::JsonTarget::parse);
    if let Some(output::JsonTarget::File(path)) = &target {
        files::check_file_target(path)?;
    }
    if let Some(folder) = &args.all {
        let rows = all::rows(folder, &args.robot_args)?;
        match &target {
            None => output::print(&all::text(&rows)),
            Some(target) => write(target, &all::json(folder, &rows))?,
        }
        return match all::refused(&rows) {
            0 => Ok(()),
            _ => Err(CommandError::Robot(all::summary(&rows))),
        };
    }
    let file = args.file.as_deref().unwrap_or(Path::new(""));
    let outcome = Outcome::of(file, &args.robot_args);
    match &target {
        // Standard output holds answers; a refusal goes to standard error.
        None if outcome.reasons().is_empty() => output::print(&report::text(&outcome)),
        None => eprintln!("{}", report::text(&outcome)),
        Some(target) => write(target, &report::json(file, &outcome))?,
    }
    let reasons = outcome.reasons();
    if reasons.is_empty() {
        return Ok(());
    }
    Err(CommandError::Robot(reasons.join("\nerror: ")))
}

fn write(target: &output::JsonTarget, value: &Value) -> Result<(), CommandError> {
    let text = serde_json::to_string_pretty(value)
        .map_err(|error| CommandError::Scene(error.to_string()))?;
    match target {
        output::JsonTarget::Stdout => {
            output::print(&text);
            Ok(())
        }
        output::JsonTarget::File(path) => files::write_atomically(path, &(text + "\n")),
    }
}
