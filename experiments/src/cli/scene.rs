//! What `run` and `compare` have in common: the scene, and where its results go.

use crate::error::CommandError;
use crate::interrupt::Stop;
use crate::output::{self, JsonTarget, Shape};
use crate::plot;
use crate::progress::Show;
use crate::provenance::Provenance;
use crate::robot_args::RobotArgs;
use crate::runner::{Done, Run, Tracing, drive};
use crate::settings::{Precision, Request, RunSettings};
use crate::{compare, table};
use clap::Args;
use std::path::PathBuf;
use stickslip_rerun::Sink;

#[derive(Debug, Args)]
pub(super) struct SceneArgs {
    /// Solver tried first
    #[arg(long, value_name = "NAME")]
    solver: Option<String>,
    /// Time step \[s\]
    #[arg(long, value_name = "S")]
    dt: Option<f64>,
    /// Simulated time \[s\]
    #[arg(long, value_name = "S")]
    duration: Option<f64>,
    /// Robot file, for scenarios with a robot
    #[arg(long, value_name = "FILE.urdf")]
    robot: Option<PathBuf>,
    #[command(flatten)]
    robot_args: RobotArgs,
    /// Key of the scenario, see `stickslip list` (repeatable)
    #[arg(long, value_name = "KEY=VALUE")]
    set: Vec<String>,
    /// Seed of everything random
    #[arg(long, value_name = "N", default_value_t = 0)]
    seed: u64,
    /// Precision of the engine: f64 or f32
    #[arg(long, value_name = "P", default_value = "f64")]
    precision: String,
    /// Write the result as JSON, with what it takes to repeat the run; `-` is standard output
    #[arg(long, value_name = "FILE|-")]
    json: Option<String>,
    /// Write figures and per-step values as CSV into a folder
    #[arg(long, value_name = "DIR")]
    csv: Option<PathBuf>,
    /// Draw gap, slip, forces, residual, pivots and times over time as SVG into a folder
    #[arg(long, value_name = "DIR")]
    plots: Option<PathBuf>,
    /// No table, no progress
    #[arg(long)]
    quiet: bool,
}

impl SceneArgs {
    pub(super) fn request(
        &self,
        scenario: &str,
        model: Option<&str>,
    ) -> Result<Request, CommandError> {
        Ok(Request {
            scenario: scenario.to_owned(),
            model: model.map(str::to_owned),
            solver: self.solver.clone(),
            dt: self.dt,
            duration: self.duration,
            robot: self.robot.clone(),
            robot_args: self.robot_args.clone(),
            set: self.set.clone(),
            seed: self.seed,
            precision: Precision::parse(&self.precision)?,
        })
    }

    fn json(&self) -> Option<JsonTarget> {
        self.json.as_deref().map(JsonTarget::parse)
    }

    /// Refuses what can't be written, before anything runs.
    pub(super) fn check_targets(&self, sink: Option<&Sink>) -> Result<(), CommandError> {
        if let Some(JsonTarget::File(path)) = self.json() {
            output::check_file_target(&path)?;
        }
        if let Some(Sink::File(path)) = sink {
            output::check_file_target(path)?;
        }
        let folders = self.csv.iter().chain(&self.plots);
        folders
            .into_iter()
            .try_for_each(|folder| output::check_folder_target(folder))
    }

    /// A run of these settings, that keeps what the outputs need.
    pub(super) fn start(
        &self,
        settings: &RunSettings,
        made: &Provenance,
    ) -> Result<Run, CommandError> {
        let tracing = if self.csv.is_some() || self.plots.is_some() {
            Tracing::On
        } else {
            Tracing::Off
        };
        let mut run = Run::new(settings, tracing)?;
        if self.json.is_some() {
            run.mark(made.clone());
        }
        Ok(run)
    }

    fn show(&self) -> Show {
        if self.quiet {
            Show::Never
        } else {
            Show::OnTerminal
        }
    }

    /// Runs and writes everything but recordings. An output that can't be written doesn't keep the
    /// others from being written.
    pub(super) fn complete(
        &self,
        runs: Vec<Run>,
        steps: u64,
        shape: Shape,
    ) -> Result<(), CommandError> {
        let stop = Stop::listen()?;
        let mut done = drive(runs, steps, self.show(), &stop);
        if shape == Shape::Array {
            compare::complete(&mut done);
        }
        let mut troubles: Vec<_> = done.iter_mut().flat_map(|d| d.troubles.drain(..)).collect();
        troubles.extend(self.write_csv(&done).err());
        troubles.extend(self.write_plots(&done).err());
        let results: Vec<_> = done.iter().map(|d| &d.result).collect();
        let written = match self.json() {
            Some(target) => output::write_json(&target, &results, shape),
            None => Ok(()),
        };
        // What could not be written is at least shown.
        let lost = written.is_err();
        troubles.extend(written.err());
        if !self.quiet || lost {
            let table = table::table(&results);
            match self.json() {
                Some(JsonTarget::Stdout) => eprintln!("{table}"),
                _ => output::print(&table),
            }
        }
        CommandError::all(troubles)
    }

    fn write_csv(&self, done: &[Done]) -> Result<(), CommandError> {
        let Some(folder) = &self.csv else {
            return Ok(());
        };
        let stems = compare::stems(done);
        let mut pairs = done.iter().zip(&stems);
        pairs.try_for_each(|(d, stem)| output::write_csv(folder, stem, &d.result, &d.trace))
    }

    fn write_plots(&self, done: &[Done]) -> Result<(), CommandError> {
        let (Some(folder), Some(first)) = (&self.plots, done.first()) else {
            return Ok(());
        };
        let labels = compare::labels(done);
        let curves = compare::curves(done, &labels);
        let (title, stem) = match (done, &*labels) {
            ([_], [label]) => {
                let title = format!("{}, {label}", first.result.scenario);
                (title, compare::stems(done).concat())
            }
            _ => (
                first.result.scenario.to_owned(),
                first.result.scenario.to_owned(),
            ),
        };
        let mut plots = plot::over_time(&title, &curves);
        for (name, _) in &mut plots {
            *name = format!("{stem}-{name}");
        }
        plot::write(folder, &plots)
    }
}
