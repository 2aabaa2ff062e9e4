//! What `run` and `compare` have in common: the scene, and where its results go.

use super::outputs::{Outputs, Written};
use crate::choices;
use crate::drive::drive;
use crate::error::CommandError;
use crate::force_log::Stated;
use crate::interrupt::Stop;
use crate::output::{self, JsonTarget, Shape};
use crate::plot;
use crate::progress::Show;
use crate::provenance::Provenance;
use crate::robot_args::RobotArgs;
use crate::runner::{Done, Run, Tracing};
use crate::settings::{Precision, Request, RunSettings};
use crate::table::Figures;
use crate::{compare, summary};
use clap::Args;
use std::path::PathBuf;
use stickslip_rerun::Sink;

#[derive(Debug, Args)]
pub(super) struct SceneArgs {
    /// Solver tried first, see `stickslip list`
    #[arg(long, value_name = "NAME", value_parser = choices::solver(), hide_possible_values = true)]
    solver: Option<String>,
    /// Time step in seconds [default: the scenario's]
    #[arg(long, value_name = "S", allow_negative_numbers = true)]
    dt: Option<f64>,
    /// Simulated time in seconds [default: the scenario's]
    #[arg(long, value_name = "S", allow_negative_numbers = true)]
    duration: Option<f64>,
    /// Robot file, for scenarios with a robot
    #[arg(long, value_name = "FILE.urdf")]
    robot: Option<PathBuf>,
    /// Object of `carry` and `grasp`: box, ball, cylinder, or a robot file; its size, mass and friction: --set side=, mass=, mu=
    #[arg(long, value_name = "FILE.urdf|SHAPE")]
    object: Option<String>,
    /// Scene file, for the scenario `scene` (format: docs/scene_file.md)
    #[arg(long, value_name = "FILE.toml")]
    pub(super) scene: Option<PathBuf>,
    /// Key of the scenario, see `stickslip list SCENARIO` (repeatable)
    #[arg(long, value_name = "KEY=VALUE")]
    set: Vec<String>,
    /// Seed of what is random in the scenario
    #[arg(long, value_name = "N", default_value_t = 0, allow_negative_numbers = true,
          value_parser = choices::seed)]
    seed: u64,
    /// Precision of the physics engine; contacts are solved in f64 either way
    #[arg(long, value_name = "P", default_value = "f64", value_enum)]
    precision: Precision,
    /// Print all figures, not only the main ones
    #[arg(long)]
    all: bool,
    /// Folder for everything: SCENARIO.json, SCENARIO.rrd, csv/ and plots/
    #[arg(long, value_name = "DIR")]
    out: Option<PathBuf>,
    /// Write the result as JSON, with what it takes to repeat the run; `-` is standard output
    #[arg(long, value_name = "FILE|-")]
    json: Option<String>,
    /// In the JSON, contacts and forces of every step instead of the last one
    #[arg(long)]
    contacts: bool,
    /// Write figures, the values of every step, its contacts and its forces as CSV into a folder
    #[arg(long, value_name = "DIR")]
    csv: Option<PathBuf>,
    /// Draw gap, slip, forces, residual, pivots and times over time as SVG into a folder
    #[arg(long, value_name = "DIR")]
    plots: Option<PathBuf>,
    /// Print neither table nor progress
    #[arg(long)]
    quiet: bool,
    // Last: what follows would come under its heading.
    #[command(flatten)]
    robot_args: RobotArgs,
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
            scene: self.scene.clone(),
            robot_args: self.robot_args.clone(),
            set: {
                let object = self.object.iter().map(|what| format!("object={what}"));
                object.chain(self.set.iter().cloned()).collect()
            },
            seed: self.seed,
            precision: self.precision,
        })
    }

    /// Where everything goes; `recording` is the sink by its flag, if that was given, or by default.
    pub(super) fn outputs(
        &self,
        scenario: &str,
        given: Option<Option<Sink>>,
        usual: Option<Sink>,
    ) -> Outputs {
        let below = |name: &str| self.out.as_ref().map(|out| out.join(name));
        let json = self.json.as_deref().map(JsonTarget::parse);
        let into_folder = below(&format!("{scenario}.rrd")).map(Sink::File);
        Outputs {
            recording: given.unwrap_or_else(|| into_folder.or(usual)),
            json: json.or_else(|| below(&format!("{scenario}.json")).map(JsonTarget::File)),
            csv: self.csv.clone().or_else(|| below("csv")),
            plots: self.plots.clone().or_else(|| below("plots")),
            folder: self.out.clone(),
        }
    }

    /// A run of these settings, that keeps what the outputs need.
    pub(super) fn start(
        settings: &RunSettings,
        outputs: &Outputs,
        made: &Provenance,
    ) -> Result<Run, CommandError> {
        let tracing = if outputs.csv.is_some() || outputs.plots.is_some() {
            Tracing::On
        } else {
            Tracing::Off
        };
        let mut run = Run::new(settings, tracing)?;
        if outputs.json.is_some() {
            run.mark(made.clone());
        }
        Ok(run)
    }

    /// Lets runs keep the contacts and forces that the outputs need.
    ///
    /// # Errors
    /// When their files can't be created.
    pub(super) fn keep_forces(
        &self,
        runs: &mut [Run],
        outputs: &Outputs,
    ) -> Result<(), CommandError> {
        let stated = match (&outputs.json, self.contacts) {
            (None, _) => Stated::Nothing,
            (Some(_), false) => Stated::Last,
            (Some(_), true) => Stated::Every,
        };
        if outputs.csv.is_none() && stated == Stated::Nothing {
            return Ok(());
        }
        let stems = compare::stems(runs.iter().map(|run| {
            let settings = run.settings();
            (
                settings.scenario.name,
                settings.model.as_str(),
                settings.solver_name(),
            )
        }));
        for (run, stem) in runs.iter_mut().zip(&stems) {
            let folder = outputs.csv.as_deref().map(|folder| (folder, &**stem));
            run.keep_forces(folder, stated)?;
        }
        Ok(())
    }

    /// Runs and writes everything but recordings. An output that can't be written doesn't keep the
    /// others from being written.
    pub(super) fn complete(
        &self,
        runs: Vec<Run>,
        steps: u64,
        outputs: &Outputs,
        shape: Shape,
    ) -> Result<(), CommandError> {
        let stop = Stop::listen()?;
        let mut done = drive(runs, steps, Show::unless(self.quiet), &stop)?;
        if shape == Shape::Array {
            compare::complete(&mut done);
        }
        let mut troubles: Vec<_> = done.iter_mut().flat_map(|d| d.troubles.drain(..)).collect();
        let mut written = Written::default();
        written.recording(outputs.recording.as_ref(), &done);
        troubles.extend(write_csv(outputs, &done, &mut written).err());
        troubles.extend(write_plots(outputs, &done, &mut written).err());
        let results: Vec<_> = done.iter().map(|d| &d.result).collect();
        let json = match &outputs.json {
            Some(target) => output::write_json(target, &results, shape),
            None => Ok(()),
        };
        // What could not be written is at least shown.
        let lost = json.is_err();
        match (&outputs.json, json) {
            (_, Err(error)) => troubles.push(error),
            (Some(JsonTarget::File(path)), Ok(())) => {
                written.add(path, "result; repeat the run: stickslip replay FILE");
            }
            _ => {}
        }
        written.problems(&done);
        if !self.quiet || lost {
            let figures = if self.all {
                Figures::All
            } else {
                Figures::Main
            };
            let text = summary::text(&results, figures) + &written.text();
            match outputs.json {
                Some(JsonTarget::Stdout) => eprintln!("{}", text.trim_end()),
                _ => output::print(text.trim_end()),
            }
        }
        // Comparisons are about what differs; a single run has a verdict of its own.
        if troubles.is_empty()
            && shape == Shape::Object
            && let Some(bad) = results.iter().find(|r| r.has_missed())
        {
            return Err(CommandError::Missed(bad.verdict()));
        }
        CommandError::all(troubles)
    }
}

fn write_csv(outputs: &Outputs, done: &[Done], written: &mut Written) -> Result<(), CommandError> {
    let Some(folder) = &outputs.csv else {
        return Ok(());
    };
    let stems = compare::stems_of(done);
    for (d, stem) in done.iter().zip(&stems) {
        let [steps, result] = output::write_csv(folder, stem, &d.result, &d.trace)?;
        written.add(&result, "figures");
        written.add(&steps, "values of every step");
        for table in &d.tables {
            written.add(table, "of every step; columns: docs/forces.md");
        }
    }
    Ok(())
}

fn write_plots(
    outputs: &Outputs,
    done: &[Done],
    written: &mut Written,
) -> Result<(), CommandError> {
    let (Some(folder), Some(first)) = (&outputs.plots, done.first()) else {
        return Ok(());
    };
    let labels = compare::labels(done);
    let curves = compare::curves(done, &labels);
    let (title, stem) = match (done, &*labels) {
        ([_], [label]) => {
            let title = format!("{}, {label}", first.result.scenario);
            (title, compare::stems_of(done).concat())
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
    plot::write(folder, &plots)?;
    written.add(folder, &format!("{} plots", plots.len()));
    Ok(())
}
