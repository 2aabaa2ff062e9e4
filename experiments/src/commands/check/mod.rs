//! `stickslip check`: everything wrong, repaired or dropped in a robot file, and what it becomes.

mod all;
mod placed;
mod report;

use crate::double::scenes::robot_options::load_options;
use crate::error::CommandError;
use crate::files;
use crate::output;
use crate::robot_args::RobotArgs;
use clap::Args;
use placed::Placed;
use serde_json::Value;
use std::path::{Path, PathBuf};
use std::time::Instant;
use stickslip_urdf_f64::{Diagnosis, Note, NoteKind, diagnose};

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

/// What became of a file.
struct Outcome {
    found: Diagnosis,
    /// The robot in a world of its own; the reason if it can't be placed; `None` if it wasn't read.
    placed: Option<Result<Placed, String>>,
    /// Wall time of reading the file with its meshes, and of placing the robot \[s\].
    seconds: [f64; 2],
}

impl Outcome {
    fn of(file: &Path, args: &RobotArgs) -> Self {
        let start = Instant::now();
        let found = diagnose(file, &load_options(args));
        let read = start.elapsed().as_secs_f64();
        let readable = found.model.as_ref().filter(|_| found.errors.is_empty());
        let placed = readable.map(|model| Placed::new(model, args));
        let place = start.elapsed().as_secs_f64() - read;
        Self {
            found,
            placed,
            seconds: [read, place],
        }
    }

    /// Notes about what was repaired or changed.
    fn repaired(&self) -> impl Iterator<Item = &Note> {
        let notes = self.found.notes.iter();
        notes.filter(|n| matches!(n.kind, NoteKind::Repaired | NoteKind::Changed))
    }

    fn repairs(&self) -> usize {
        self.repaired().count()
    }

    /// `loads`, `loads repaired` or `refused`.
    fn verdict(&self) -> &'static str {
        match &self.placed {
            Some(Ok(_)) if self.repairs() == 0 => "loads",
            Some(Ok(_)) => "loads repaired",
            _ => "refused",
        }
    }

    /// Why it is refused, in the order found.
    fn reasons(&self) -> Vec<String> {
        let errors = self.found.errors.iter().map(ToString::to_string);
        let placed = self.placed.as_ref().and_then(|p| p.as_ref().err()).cloned();
        errors.chain(placed).collect()
    }
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
        // Standard output holds answers; a refusal is none.
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
