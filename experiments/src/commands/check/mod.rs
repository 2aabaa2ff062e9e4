//! `stickslip check`: everything wrong, repaired or dropped in a robot file, and what it becomes.

mod placed;
mod report;

use crate::double::scenes::robot_options::load_options;
use crate::error::CommandError;
use crate::files;
use crate::output;
use crate::robot_args::RobotArgs;
use clap::Args;
use placed::Placed;
use std::path::PathBuf;
use std::time::Instant;
use stickslip_urdf_f64::{Diagnosis, NoteKind, diagnose};

/// Arguments of `check`.
#[derive(Debug, Args)]
pub(crate) struct CheckArgs {
    /// Robot file
    #[arg(value_name = "FILE.urdf")]
    file: PathBuf,
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
    fn of(args: &CheckArgs) -> Self {
        let start = Instant::now();
        let found = diagnose(&args.file, &load_options(&args.robot_args));
        let read = start.elapsed().as_secs_f64();
        let readable = found.model.as_ref().filter(|_| found.errors.is_empty());
        let placed = readable.map(|model| Placed::new(model, &args.robot_args));
        let place = start.elapsed().as_secs_f64() - read;
        Self {
            found,
            placed,
            seconds: [read, place],
        }
    }

    fn repairs(&self) -> usize {
        let notes = self.found.notes.iter();
        notes
            .filter(|n| matches!(n.kind, NoteKind::Repaired | NoteKind::Changed))
            .count()
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

/// Prints links, joints and findings. A refused file ends with exit status 2.
pub(crate) fn check(args: &CheckArgs) -> Result<(), CommandError> {
    let target = args.json.as_deref().map(output::JsonTarget::parse);
    if let Some(output::JsonTarget::File(path)) = &target {
        files::check_file_target(path)?;
    }
    let outcome = Outcome::of(args);
    match target {
        // Standard output holds answers; a refusal is none.
        None if outcome.reasons().is_empty() => output::print(&report::text(&outcome)),
        None => eprintln!("{}", report::text(&outcome)),
        Some(target) => {
            let value = report::json(&args.file, &outcome);
            let text = serde_json::to_string_pretty(&value)
                .map_err(|error| CommandError::Scene(error.to_string()))?;
            match target {
                output::JsonTarget::Stdout => output::print(&text),
                output::JsonTarget::File(path) => {
                    files::write_atomically(&path, &(text + "\n"))?;
                }
            }
        }
    }
    let reasons = outcome.reasons();
    if reasons.is_empty() {
        return Ok(());
    }
    Err(CommandError::Robot(reasons.join("\nerror: ")))
}
