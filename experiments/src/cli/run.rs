//! `stickslip run`.

use super::scene::SceneArgs;
use crate::choices;
use crate::dump::Dumps;
use crate::error::CommandError;
use crate::output::Shape;
use crate::provenance::Provenance;
use crate::settings::RunSettings;
use clap::Args;
use std::path::PathBuf;
use stickslip_rerun::{RecorderOptions, RerunRecorder, Sink};

/// What runs where no scenario is named.
const DEFAULT: &str = "grasp";

#[derive(Debug, Args)]
pub(super) struct RunArgs {
    /// Scenario, see `stickslip list`
    #[arg(default_value = DEFAULT, value_parser = choices::scenario(), hide_possible_values = true)]
    pub(super) scenario: String,
    /// Contact model, see `stickslip list` [default: the scenario's]
    #[arg(long, value_name = "NAME", value_parser = choices::model(), hide_possible_values = true)]
    model: Option<String>,
    /// Write the contact problem of every step into a folder, 2 GB at most. Without it those of steps that
    /// failed or fell back go to SCENARIO-failed-problems, 20 files and 64 MB at most
    #[arg(long, value_name = "DIR")]
    dump_problems: Option<PathBuf>,
    /// Where the recording goes: off, FILE.rrd, spawn (opens the Rerun viewer), connect or connect=URL
    /// [default: SCENARIO.rrd]
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
    // A scene file needs no scenario beside it.
    let scenario = match (&*args.scenario, &args.scene.scene) {
        (DEFAULT, Some(_)) => "scene",
        (scenario, _) => scenario,
    };
    let request = args.scene.request(scenario, args.model.as_deref())?;
    let mut settings = RunSettings::new(&request)?;
    let name = settings.scenario.name;
    let given = args.rerun.as_deref().map(sink).transpose()?;
    let usual = Sink::File(format!("{name}.rrd").into());
    let outputs = args.scene.outputs(name, given, Some(usual));
    settings.is_drawn = outputs.recording.is_some();
    // The scene first: a recording of a scene that can't be built would be a file too many.
    let mut run = SceneArgs::start(&settings, &outputs, &made)?;
    outputs.check()?;
    run.dump_to(match &args.dump_problems {
        Some(folder) => Dumps::every(folder)?,
        None => Dumps::troubled(outputs.recording.as_ref(), name),
    });
    if let Some(sink) = &outputs.recording {
        let recorder = RerunRecorder::new(sink.clone(), RecorderOptions::default())
            .map_err(|e| CommandError::Recording(e.to_string()))?;
        run.record_to(Box::new(recorder))?;
    }
    let mut runs = vec![run];
    args.scene.keep_forces(&mut runs, &outputs)?;
    args.scene
        .complete(runs, settings.steps, &outputs, Shape::Object)
}
