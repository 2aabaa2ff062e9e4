//! `stickslip replay`: a run again, and whether it is the same.

use crate::drive::drive;
use crate::error::CommandError;
use crate::interrupt::Stop;
use crate::manifest::{Manifest, file_hash};
use crate::metrics::of_the_machine;
use crate::output;
use crate::progress::Show;
use crate::provenance::Provenance;
use crate::runner::{Done, Run, Tracing};
use crate::settings::RunSettings;
use clap::Args;
use serde::Deserialize;
use serde_json::Value;
use std::fs;
use std::path::PathBuf;

#[derive(Debug, Args)]
pub(crate) struct ReplayArgs {
    /// JSON of `run` or `compare`, or a run of a sweep (runs/000000.json)
    #[arg(value_name = "RUN.json")]
    run: PathBuf,
    /// Print no progress, and nothing at all when the runs are identical
    #[arg(long)]
    quiet: bool,
}

/// A result as it was written.
#[derive(Debug, Deserialize)]
struct Recorded {
    manifest: Manifest,
    steps: u64,
    outcome: String,
    #[serde(default)]
    error: Option<String>,
    metrics: Value,
    solver_stats: Value,
}

impl Recorded {
    /// Steps to repeat, at most `asked` of them: a run that a step ended is repeated with that step, which
    /// counts as none.
    fn attempts(&self, asked: u64) -> u64 {
        let failed = self.error.is_some() && self.outcome == "failed";
        (self.steps + u64::from(failed)).min(asked)
    }
}

/// One result or a list of them.
fn recorded(args: &ReplayArgs) -> Result<Vec<Recorded>, CommandError> {
    let bad = |what: String| CommandError::Usage(format!("{}: {what}", args.run.display()));
    let text = fs::read_to_string(&args.run).map_err(|e| bad(format!("cannot be read: {e}")))?;
    let value: Value =
        serde_json::from_str(&text).map_err(|e| bad(format!("not a run's JSON: {e}")))?;
    let results = match value {
        Value::Array(results) => results,
        one => vec![one],
    };
    let read = |result: Value| {
        if result.get("manifest").is_none() {
            return Err(bad(
                "it has no manifest; `run --json`, `compare --json` and `sweep` write one"
                    .to_owned(),
            ));
        }
        serde_json::from_value(result).map_err(|e| bad(format!("not a run's JSON: {e}")))
    };
    results.into_iter().map(read).collect()
}

/// What differs, beginning with what tells most; `None` if nothing does.
fn difference(then: &Recorded, now: &Done) -> Result<Option<String>, CommandError> {
    let new = serde_json::to_value(&now.result).map_err(|e| CommandError::Scene(e.to_string()))?;
    let mark = &new["manifest"]["trajectory_hash"];
    let moved = *mark != then.manifest.trajectory_hash.as_str();
    let differs = |name: &str, old: &Value, new: &Value| {
        (old != new).then(|| format!("`{name}` was {old} and is {new}"))
    };
    let mut first = differs("steps", &then.steps.into(), &new["steps"]);
    // What was interrupted then is not now; up to there it must be the same.
    if then.error.is_none() {
        first =
            first.or_else(|| differs("outcome", &then.outcome.as_str().into(), &new["outcome"]));
    }
    let figures = now.result.metrics.iter().map(|(name, _)| name.as_str());
    let ours = figures.filter(|name| !of_the_machine(name));
    for name in ours {
        first = first.or_else(|| differs(name, &then.metrics[name], &new["metrics"][name]));
    }
    for (name, value) in new["solver_stats"].as_object().into_iter().flatten() {
        first = first.or_else(|| differs(name, &then.solver_stats[name], value));
    }
    Ok(match (moved, first) {
        (false, None) => None,
        (false, Some(first)) => Some(format!("the motion is the same, but {first}")),
        (true, Some(first)) => Some(format!("the first figure that differs: {first}")),
        (true, None) => Some("the motion differs in its bits, no figure does".to_owned()),
    })
}

/// What else is not as it was.
fn circumstances(then: &Manifest, made: &Provenance) -> String {
    let mut parts = Vec::new();
    if then.made.versions != made.versions {
        parts.push(format!(
            "made by {:?}, this is {:?}",
            then.made.versions, made.versions
        ));
    }
    if then.made.machine != made.machine {
        parts.push(format!(
            "on {}, this is {}",
            then.made.machine.cpu, made.machine.cpu
        ));
    }
    if then.made.build != made.build {
        parts.push(format!("{} build, this is {}", then.made.build, made.build));
    }
    let robot = then.request.robot.as_deref();
    if robot.is_some_and(|path| file_hash(path) != then.robot_hash) {
        parts.push("the robot file is not what it was".to_owned());
    }
    let scene = then.request.scene.as_deref();
    if scene.is_some_and(|path| file_hash(path) != then.scene_hash) {
        parts.push("the scene file is not what it was".to_owned());
    }
    match parts.is_empty() {
        true => String::new(),
        false => format!(" ({})", parts.join("; ")),
    }
}

pub(crate) fn replay(args: &ReplayArgs) -> Result<(), CommandError> {
    let made = Provenance::now();
    let recorded = recorded(args)?;
    let settings: Vec<_> = recorded
        .iter()
        .map(|then| RunSettings::new(&then.manifest.request))
        .collect::<Result<_, _>>()?;
    let stop = Stop::listen()?;
    let show = Show::unless(args.quiet);
    let mut troubles = Vec::new();
    for (then, settings) in recorded.iter().zip(&settings) {
        let mut run = Run::new(settings, Tracing::Off)?;
        run.mark(made.clone());
        let Some(done) = drive(vec![run], then.attempts(settings.steps), show, &stop)?.pop() else {
            continue;
        };
        if let Some(signal) = stop.asked() {
            let said = "interrupted: the replay is not complete".to_owned();
            return Err(CommandError::Interrupted { signal, said });
        }
        let name = format!(
            "{} with {} by {}",
            settings.scenario.name, done.result.model, done.result.solver
        );
        let steps = done.result.steps;
        match difference(then, &done)? {
            None if args.quiet => {}
            None => output::print(&format!(
                "{name}: identical, bit by bit: {steps} steps, {}",
                then.manifest.trajectory_hash
            )),
            Some(what) => troubles.push(CommandError::Differs(format!(
                "{name}: not the same run: {what}{}",
                circumstances(&then.manifest, &made)
            ))),
        }
    }
    CommandError::all(troubles)
}
