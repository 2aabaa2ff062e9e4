//! `stickslip compare`.

use super::run::sink;
use super::scene::SceneArgs;
use crate::compare;
use crate::error::CommandError;
use crate::output::Shape;
use crate::provenance::Provenance;
use crate::settings::RunSettings;
use clap::Args;
use nalgebra::Vector3;

#[derive(Debug, Args)]
pub(super) struct CompareArgs {
    /// Scenario
    scenario: String,
    /// Models or model:solver, separated by commas; `host` is rapier's own contact solver, `all` every
    /// model of ours
    #[arg(
        long,
        value_name = "A,B:SOLVER,..",
        value_delimiter = ',',
        required = true
    )]
    models: Vec<String>,
    /// off, FILE.rrd, spawn, connect or connect=URL: all models in one recording; off by default
    #[arg(long, value_name = "WHERE", default_value = "off")]
    rerun: String,
    /// Where each model's world stands from that of the one before it in the recording \[m\]
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
    let sink = sink(&args.rerun)?;
    args.scene.check_targets(sink.as_ref())?;
    let mut runs = Vec::new();
    let mut steps = 0;
    for (name, solver) in compare::columns(&args.models) {
        let mut request = args.scene.request(&args.scenario, Some(name))?;
        request.solver = compare::solver(name, solver, request.solver.as_deref())?;
        let mut settings = RunSettings::new(&request)?;
        settings.is_drawn = sink.is_some();
        steps = settings.steps;
        runs.push(args.scene.start(&settings, &made)?);
    }
    if let Some(sink) = sink {
        compare::record(&mut runs, &sink, offset)?;
    }
    args.scene.complete(runs, steps, Shape::Array)
}
