//! `stickslip compare`.

use super::run::sink;
use super::scene::SceneArgs;
use crate::choices;
use crate::compare;
use crate::error::CommandError;
use crate::output::Shape;
use crate::provenance::Provenance;
use crate::settings::RunSettings;
use clap::Args;
use nalgebra::Vector3;

#[derive(Debug, Args)]
pub(super) struct CompareArgs {
    /// Scenario, see `stickslip list`
    #[arg(value_parser = choices::scenario(), hide_possible_values = true)]
    scenario: String,
    /// Models, or MODEL:SOLVER, separated by commas. `host` is rapier's own contact solver, `all` stands for
    /// every model but that
    #[arg(
        long,
        value_name = "A,B:SOLVER,..",
        value_delimiter = ',',
        required = true
    )]
    models: Vec<String>,
    /// Where the recording of all models goes: off, FILE.rrd, spawn, connect or connect=URL [default: off,
    /// with --out SCENARIO.rrd]
    #[arg(long, value_name = "WHERE")]
    rerun: Option<String>,
    /// In the recording, offset of each model's world from the one before [m]
    #[arg(
        long,
        value_name = "X,Y,Z",
        value_delimiter = ',',
        allow_hyphen_values = true,
        default_value = "0,0,0"
    )]
    offset: Vec<f64>,
    #[command(flatten)]
    scene: SceneArgs,
}

impl CompareArgs {
    fn offset(&self) -> Result<Vector3<f64>, CommandError> {
        match self.offset[..] {
            [x, y, z] if [x, y, z].iter().all(|x| x.is_finite()) => Ok(Vector3::new(x, y, z)),
            _ => Err(CommandError::Usage(format!(
                "--offset must be three finite numbers X,Y,Z [m], not {:?}",
                self.offset
            ))),
        }
    }
}

pub(super) fn compare(args: &CompareArgs) -> Result<(), CommandError> {
    let made = Provenance::now();
    let offset = args.offset()?;
    let given = args.rerun.as_deref().map(sink).transpose()?;
    let outputs = args.scene.outputs(&args.scenario, given, None);
    let mut runs = Vec::new();
    let mut steps = 0;
    for (name, solver) in compare::columns(&args.models) {
        let mut request = args.scene.request(&args.scenario, Some(name))?;
        request.solver = compare::solver(name, solver, request.solver.as_deref())?;
        let mut settings = RunSettings::new(&request)?;
        settings.is_drawn = outputs.recording.is_some();
        steps = settings.steps;
        runs.push(SceneArgs::start(&settings, &outputs, &made)?);
    }
    outputs.check()?;
    if let Some(sink) = &outputs.recording {
        compare::record(&mut runs, sink, offset)?;
    }
    args.scene.keep_forces(&mut runs, &outputs)?;
    args.scene.complete(runs, steps, &outputs, Shape::Array)
}
