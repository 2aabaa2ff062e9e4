//! The command line.

use crate::dump::Dumps;
use crate::error::CommandError;
use crate::output::{self, JsonTarget, Shape};
use crate::progress::Show;
use crate::runner::{Run, Tracing, drive};
use crate::settings::{Model, Precision, Request, RunSettings};
use crate::{check, compare, listing, solve, table};
use clap::{Args, Parser, Subcommand};
use std::path::PathBuf;
use std::process::ExitCode;
use stickslip_rerun::{RecorderOptions, RerunRecorder, Sink};

/// Contact that really sticks: experiments with stickslip, the contact backend for rapier.
#[derive(Debug, Parser)]
#[command(name = "stickslip", version, arg_required_else_help = true)]
struct Cli {
    #[command(subcommand)]
    command: Command,
}

#[derive(Debug, Subcommand)]
enum Command {
    /// Run one scenario: a table on standard output, a recording in SCENARIO.rrd
    Run(RunArgs),
    /// Run one scenario under several models, step by step in turn: one table
    Compare(CompareArgs),
    /// Solve one contact problem from a file, see docs/problem_file.md
    Solve(solve::SolveArgs),
    /// Say everything wrong or dropped in a robot file
    Check(check::CheckArgs),
    /// List scenarios with their keys, models and solvers
    List,
}

#[derive(Debug, Args)]
struct SceneArgs {
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
    /// Folder searched for package:// (repeatable)
    #[arg(long, value_name = "DIR")]
    package_path: Vec<PathBuf>,
    /// Key of the scenario, see `stickslip list` (repeatable)
    #[arg(long, value_name = "KEY=VALUE")]
    set: Vec<String>,
    /// Seed of everything random
    #[arg(long, value_name = "N", default_value_t = 0)]
    seed: u64,
    /// Precision of the engine: f64 or f32
    #[arg(long, value_name = "P", default_value = "f64")]
    precision: String,
    /// Write the result as JSON; `-` is standard output
    #[arg(long, value_name = "FILE|-")]
    json: Option<String>,
    /// Write figures and per-step values as CSV into a folder
    #[arg(long, value_name = "DIR")]
    csv: Option<PathBuf>,
    /// No table, no progress
    #[arg(long)]
    quiet: bool,
}

#[derive(Debug, Args)]
struct RunArgs {
    /// Scenario
    #[arg(default_value = "grasp")]
    scenario: String,
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

#[derive(Debug, Args)]
struct CompareArgs {
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
    #[command(flatten)]
    scene: SceneArgs,
}

impl SceneArgs {
    fn request(&self, scenario: &str, model: Option<&str>) -> Result<Request, CommandError> {
        Ok(Request {
            scenario: scenario.to_owned(),
            model: model.map(str::to_owned),
            solver: self.solver.clone(),
            dt: self.dt,
            duration: self.duration,
            robot: self.robot.clone(),
            package_paths: self.package_path.clone(),
            set: self.set.clone(),
            seed: self.seed,
            precision: Precision::parse(&self.precision)?,
        })
    }

    fn json(&self) -> Result<Option<JsonTarget>, CommandError> {
        let target = self.json.as_deref().map(JsonTarget::parse);
        if let Some(JsonTarget::File(path)) = &target {
            output::check_file_target(path)?;
        }
        Ok(target)
    }

    fn tracing(&self) -> Tracing {
        if self.csv.is_some() {
            Tracing::On
        } else {
            Tracing::Off
        }
    }

    fn show(&self) -> Show {
        if self.quiet {
            Show::Never
        } else {
            Show::OnTerminal
        }
    }

    /// Runs and writes everything but recordings.
    fn complete(&self, runs: Vec<Run>, steps: u64, shape: Shape) -> Result<(), CommandError> {
        let json = self.json()?;
        let (mut results, traces): (Vec<_>, Vec<_>) =
            drive(runs, steps, self.show())?.into_iter().unzip();
        if shape == Shape::Array {
            compare::complete(&mut results);
        }
        if let Some(folder) = &self.csv {
            let stems = compare::stems(&results);
            for ((result, trace), stem) in results.iter().zip(&traces).zip(&stems) {
                output::write_csv(folder, stem, result, trace)?;
            }
        }
        if !self.quiet {
            let table = table::table(&results);
            match json {
                Some(JsonTarget::Stdout) => eprintln!("{table}"),
                _ => output::print(&table),
            }
        }
        match json {
            Some(target) => output::write_json(&target, &results, shape),
            None => Ok(()),
        }
    }
}

fn run(args: &RunArgs) -> Result<(), CommandError> {
    let request = args.scene.request(&args.scenario, args.model.as_deref())?;
    let settings = RunSettings::new(&request)?;
    args.scene.json()?;
    let sink = match &args.rerun {
        Some(text) => Sink::parse(text).map_err(|e| CommandError::Usage(e.to_string()))?,
        None => Some(Sink::File(format!("{}.rrd", settings.scenario.name).into())),
    };
    if let Some(Sink::File(path)) = &sink {
        output::check_file_target(path)?;
    }
    // The scene first: a recording of a scene that can't be built would be a file too many.
    let mut run = Run::new(&settings, args.scene.tracing())?;
    run.dump_to(match &args.dump_problems {
        Some(folder) => Dumps::every(folder)?,
        None => Dumps::troubled(sink.as_ref(), settings.scenario.name),
    });
    if let Some(sink) = sink {
        let recorder = RerunRecorder::new(sink, RecorderOptions::default())
            .map_err(|e| CommandError::Recording(e.to_string()))?;
        run.record_to(recorder)?;
    }
    args.scene
        .complete(vec![run], settings.steps, Shape::Object)
}

fn compare(args: &CompareArgs) -> Result<(), CommandError> {
    let mut runs = Vec::new();
    let mut steps = 0;
    for (name, solver) in compare::columns(&args.models) {
        let mut request = args.scene.request(&args.scenario, Some(name))?;
        if let Some(solver) = solver {
            request.solver = Some(solver.to_owned());
        } else if Model::parse(name)? == Model::Host {
            // The solver is a choice among ours; beside them, rapier keeps its own.
            request.solver = None;
        }
        let settings = RunSettings::new(&request)?;
        steps = settings.steps;
        runs.push(Run::new(&settings, args.scene.tracing())?);
    }
    args.scene.complete(runs, steps, Shape::Array)
}

/// Parses the command line and does what it says; errors go to standard error. Exit status 0, or
/// 1 when something failed on the way, or 2 for bad input.
pub fn command() -> ExitCode {
    let cli = Cli::parse();
    let done = match &cli.command {
        Command::Run(args) => run(args),
        Command::Compare(args) => compare(args),
        Command::Solve(args) => solve::solve(args),
        Command::Check(args) => check::check(args),
        Command::List => {
            output::print(&listing::text());
            Ok(())
        }
    };
    match done {
        Ok(()) => ExitCode::SUCCESS,
        Err(error) => {
            eprintln!("error: {error}");
            error.exit_code()
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use clap::CommandFactory;

    #[test]
    fn the_command_line_is_consistent() {
        Cli::command().debug_assert();
    }

    #[test]
    fn run_without_a_scenario_is_grasp() {
        let cli = Cli::try_parse_from(["stickslip", "run"]).unwrap();
        assert!(
            matches!(cli.command, Command::Run(RunArgs { scenario, .. }) if scenario == "grasp")
        );
    }
}
