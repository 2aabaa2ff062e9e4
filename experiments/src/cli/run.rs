//! `stickslip run`.

use super::scene::SceneArgs;
use crate::dump::Dumps;
use crate::error::CommandError;
use crate::output::Shape;
use crate::provenance::Provenance;
use crate::settings::RunSettings;
use clap::Args;
use std::path::PathBuf;
use stickslip_rerun::{RecorderOptions, RerunRecorder, Sink};

#[derive(Debug, Args)]
pub(super) struct RunArgs {
    /// Scenario
    #[arg(default_value = "grasp")]
    pub(super) scenario: String,
    /// Contact model
    #[arg(long, value_name = "NAME")]
    model: Option<String>,
    /// Write the contact problem of every step into a folder; without it those of steps that failed
    /// or fell back go to SCENARIO-failed-problems
    #[arg(long, value_name = "DIR")]
    dump_problems: Option<PathBuf>,
    /// off, FILE.rrd, spawn, connect or connect=URL; SCENARIO.rrd by default
    #[arg(long, value_name = "WHERE")]
    rerun: Option<String>,
    #[command(flatten)]
    scene: SceneArgs,
}

/// The sink of `--rerun`.
pub(super) fn sink(text: &str) -> Result<Option<Sink>, CommandError> {
    Sink::parse(text).map_err(|e| CommandError::Usage(e.to_string()))
}

pub(super) fn run(args: &RunArgs) -> Result<(), CommandError> {
    let made = Provenance::now();
    let request = args.scene.request(&args.scenario, args.model.as_deref())?;
    let mut settings = RunSettings::new(&request)?;
    let sink = match &args.rerun {
        Some(text) => sink(text)?,
        None => Some(Sink::File(format!("{}.rrd", settings.scenario.name).into())),
    };
    settings.is_drawn = sink.is_some();
    args.scene.check_targets(sink.as_ref())?;
    // The scene first: a recording of a scene that can't be built would be a file too many.
    let mut run = args.scene.start(&settings, &made)?;
    run.dump_to(match &args.dump_problems {
        Some(folder) => Dumps::every(folder)?,
        None => Dumps::troubled(sink.as_ref(), settings.scenario.name),
    });
    if let Some(sink) = sink {
        let recorder = RerunRecorder::new(sink, RecorderOptions::default())
            .map_err(|e| CommandError::Recording(e.to_string()))?;
        run.record_to(Box::new(recorder))?;
    }
    args.scene
        .complete(vec![run], settings.steps, Shape::Object)
}
