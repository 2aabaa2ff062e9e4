//! `stickslip sweep` and `stickslip merge`: a scenario over the product of lists.

mod folder;
mod gather;
mod grid;
mod merge;
mod over;
pub(crate) mod table;
mod work;

#[cfg(test)]
pub(crate) use grid::Axis;
pub(crate) use grid::Grid;
pub(crate) use merge::{MergeArgs, merge};

use crate::choices;
use crate::error::CommandError;
use crate::files;
use crate::interrupt::Stop;
use crate::output;
use crate::progress::Show;
use crate::provenance::Provenance;
use crate::robot_args::RobotArgs;
use crate::runner::session;
use crate::settings::{Precision, Request, RunSettings};
use clap::Args;
use folder::{SweepFolder, SweepManifest};
use gather::gather;
use std::path::PathBuf;
use std::str::FromStr;
use work::Work;

/// Which runs of a sweep one process makes.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Shard {
    /// Which of them, from 1.
    part: usize,
    /// How many there are.
    parts: usize,
}

impl FromStr for Shard {
    type Err = String;

    fn from_str(text: &str) -> Result<Self, String> {
        let bad = || format!("`{text}` is not of the form i/n with i from 1 to n");
        let (part, parts) = text.split_once('/').ok_or_else(bad)?;
        let number = |text: &str| text.parse::<usize>().map_err(|_| bad());
        let (part, parts) = (number(part)?, number(parts)?);
        if (1..=parts).contains(&part) {
            Ok(Self { part, parts })
        } else {
            Err(bad())
        }
    }
}

impl Shard {
    /// Every `parts`-th run is this shard's.
    fn has(self, run: usize) -> bool {
        run % self.parts == self.part - 1
    }
}

#[derive(Debug, Args)]
pub(crate) struct SweepArgs {
    /// Scenario, see `stickslip list`
    #[arg(value_parser = choices::scenario(), hide_possible_values = true)]
    scenario: String,
    /// Models, or MODEL:SOLVER, separated by commas; `all` is every model but `host`
    #[arg(long, value_name = "A,B:SOLVER,..", value_delimiter = ',')]
    models: Vec<String>,
    /// Solver of the models that state none, see `stickslip list`
    #[arg(long, value_name = "NAME", value_parser = choices::solver(), hide_possible_values = true)]
    solver: Option<String>,
    /// Key of the scenario with the values it takes, or ranges FROM:TO:STEP of them (repeatable); a key whose
    /// value is text takes one value each time
    #[arg(long, value_name = "KEY=A,B,..")]
    set: Vec<String>,
    /// Time steps in seconds
    #[arg(
        long,
        value_name = "S,..",
        value_delimiter = ',',
        allow_hyphen_values = true
    )]
    dt: Vec<f64>,
    /// Simulated times in seconds
    #[arg(
        long,
        value_name = "S,..",
        value_delimiter = ',',
        allow_hyphen_values = true
    )]
    duration: Vec<f64>,
    /// Seeds of what is random in the scenario, or ranges of them
    #[arg(
        long,
        alias = "seeds",
        value_name = "N,M-K,..",
        value_delimiter = ',',
        allow_hyphen_values = true,
        default_value = "0"
    )]
    seed: Vec<String>,
    /// Robot files
    #[arg(long, value_name = "FILE.urdf,..", value_delimiter = ',')]
    robot: Vec<PathBuf>,
    /// Scene file, for the scenario `scene` (format: docs/scene_file.md)
    #[arg(long, value_name = "FILE.toml")]
    scene: Option<PathBuf>,
    /// Precisions of the physics engine
    #[arg(
        long,
        value_name = "P,..",
        value_delimiter = ',',
        default_value = "f64",
        value_enum
    )]
    precision: Vec<Precision>,
    /// Runs at a time [default: one per core]. Runs that share a core take longer, and their times show it
    #[arg(long, value_name = "N", value_parser = clap::value_parser!(u16).range(1..))]
    jobs: Option<u16>,
    /// Folder of the sweep: runs.csv, manifest.json and a file per run in runs/. The same command goes on
    /// where it was interrupted
    #[arg(long, value_name = "DIR")]
    out: PathBuf,
    /// Make part I of N of the runs; `stickslip merge` puts the parts together
    #[arg(long, value_name = "I/N")]
    shard: Option<Shard>,
    /// Draw figures over what is swept as SVG into a folder
    #[arg(long, value_name = "DIR")]
    plots: Option<PathBuf>,
    /// Print neither progress nor summary
    #[arg(long)]
    quiet: bool,
    // Last: what follows would come under its heading.
    #[command(flatten)]
    robot_args: RobotArgs,
}

impl SweepArgs {
    fn grid(&self) -> Result<Grid, CommandError> {
        Ok(Grid {
            scenario: self.scenario.clone(),
            models: self.models.clone(),
            solver: self.solver.clone(),
            dt: self.dt.clone(),
            duration: self.duration.clone(),
            robots: self.robot.clone(),
            scene: self.scene.clone(),
            robot_args: self.robot_args.clone(),
            set: grid::axes(&self.scenario, &self.set)?,
            seeds: grid::seeds(&self.seed)?,
            precisions: self.precision.clone(),
        })
    }

    fn jobs(&self) -> usize {
        let cores = || std::thread::available_parallelism().map_or(1, usize::from);
        self.jobs.map_or_else(cores, usize::from)
    }
}

/// Builds one scene for every robot, so that a bad file is known before the sweep has begun.
fn check_scenes(cases: &[Request]) -> Result<(), CommandError> {
    let mut seen: Vec<&Option<PathBuf>> = Vec::new();
    for case in cases {
        if !seen.contains(&&case.robot) {
            seen.push(&case.robot);
            session(&RunSettings::new(case)?)?;
        }
    }
    Ok(())
}

pub(crate) fn sweep(args: &SweepArgs) -> Result<(), CommandError> {
    let made = Provenance::now();
    let grid = args.grid()?;
    let cases = grid.cases()?;
    files::check_folder_target(&args.out)?;
    if let Some(folder) = &args.plots {
        files::check_folder_target(folder)?;
    }
    check_scenes(&cases)?;
    let manifest = SweepManifest {
        sweep: grid,
        runs: cases.len(),
        made: made.clone(),
    };
    let folder = SweepFolder::start(&args.out, manifest)?;
    let ours = |run: &usize| args.shard.is_none_or(|shard| shard.has(*run));
    folder.clear(ours);
    let rows = folder.rows(&cases)?;
    let todo: Vec<_> = (0..cases.len())
        .filter(ours)
        .filter(|run| rows[*run].is_none())
        .collect();
    // The rows are read again once the runs are done.
    drop(rows);
    if !args.quiet && folder.manifest.sweep.seeds_change_nothing() {
        eprintln!(
            "note: nothing in `{}` is random: runs that differ in their seed alone are the same",
            args.scenario
        );
    }
    let stop = Stop::listen()?;
    let work = Work {
        folder: &folder,
        cases: &cases,
        made: &made,
        stop: &stop,
        jobs: args.jobs(),
        show: Show::unless(args.quiet),
    };
    let again = "the same command goes on from here";
    let done = work.run(&todo).map_err(|error| {
        CommandError::Several(vec![
            error,
            CommandError::Scene(format!(
                "the rows in {} are whole; what could not be written went to standard output; {again}",
                args.out.display()
            )),
        ])
    })?;
    if let Some(signal) = stop.asked() {
        let left = todo.len() as u64 - done;
        return Err(CommandError::Interrupted {
            signal,
            said: format!(
                "interrupted: {done} runs made now, {left} left, nothing half done; {again}"
            ),
        });
    }
    if let Some(shard) = args.shard {
        if !args.quiet {
            output::print(&format!(
                "part {} of {}: {done} runs made now; when all parts are done: stickslip merge {}",
                shard.part,
                shard.parts,
                args.out.display()
            ));
        }
        return Ok(());
    }
    if !args.quiet {
        output::print(&format!(
            "{done} runs made now, {} were there",
            cases.len() as u64 - done
        ));
    }
    gather(&folder, &cases, args.plots.as_deref(), args.quiet)
}
