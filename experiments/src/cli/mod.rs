//! The command line.

mod compare;
mod run;
mod scene;

use crate::{check, listing, output, replay, report, solve, sweep};
use clap::{Parser, Subcommand};
use compare::CompareArgs;
use run::RunArgs;
use std::process::ExitCode;

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
    /// Run a scenario over all combinations of models, keys, steps, seeds and robots: a row per run
    Sweep(sweep::SweepArgs),
    /// Put the rows of a sweep together, also of one that was made in parts
    Merge(sweep::MergeArgs),
    /// Repeat a run from its JSON and say whether it is the same, bit by bit
    Replay(replay::ReplayArgs),
    /// Run every experiment and set its figures beside those of papers and other simulators
    Report(report::ReportArgs),
    /// Solve one contact problem from a file, see docs/problem_file.md
    Solve(solve::SolveArgs),
    /// Say everything wrong or dropped in a robot file
    Check(check::CheckArgs),
    /// List scenarios with their keys, models and solvers
    List,
}

/// Parses the command line and does what it says; errors go to standard error. Exit status 0, or
/// 1 when something failed on the way, or 2 for bad input, or 130 after Ctrl-C.
pub fn command() -> ExitCode {
    let cli = Cli::parse();
    let done = match &cli.command {
        Command::Run(args) => run::run(args),
        Command::Compare(args) => compare::compare(args),
        Command::Sweep(args) => sweep::sweep(args),
        Command::Merge(args) => sweep::merge(args),
        Command::Replay(args) => replay::replay(args),
        Command::Report(args) => report::report(args),
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
