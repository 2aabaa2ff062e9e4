//! The command line.

mod compare;
mod outputs;
mod run;
mod scene;

use crate::error::CommandError;
use crate::{check, listing, output, replay, report, solve, sweep};
use clap::{CommandFactory, Parser, Subcommand};
use compare::CompareArgs;
use run::RunArgs;
use std::ffi::OsString;
use std::process::ExitCode;

/// Experiments with stickslip, a contact backend for the physics engine rapier: contact that really sticks.
#[derive(Debug, Parser)]
#[command(name = "stickslip", version, arg_required_else_help = true)]
struct Cli {
    #[command(subcommand)]
    command: Command,
}

#[derive(Debug, Subcommand)]
enum Command {
    /// Run one scenario: print its verdict and main figures, write a recording to SCENARIO.rrd.
    ///
    /// Exit status: 0, or 3 when something fell, slid away, was dropped or is out of reach, or a bound of a scene file is missed, 2 for bad input, 1 for what
    /// failed on the way, 130 after Ctrl-C
    Run(RunArgs),
    /// Run one scenario under several models side by side: one table
    Compare(CompareArgs),
    /// Run one scenario for every combination of models, keys, time steps, seeds and robots: a row per run
    Sweep(sweep::SweepArgs),
    /// Gather the rows of a sweep that was made in parts into one table
    Merge(sweep::MergeArgs),
    /// Repeat a run from its JSON and check that it is identical, bit by bit
    Replay(replay::ReplayArgs),
    /// Run every experiment and compare its figures with those of papers and other simulators
    Report(report::ReportArgs),
    /// Solve one contact problem from a file (format: docs/problem_file.md)
    Solve(solve::SolveArgs),
    /// Load a robot file and list everything that is wrong, repaired or ignored in it
    Check(check::CheckArgs),
    /// List scenarios, models and solvers; of one scenario, its keys and figures
    List(listing::ListArgs),
    /// Print a shell script that completes commands, flags and their values
    Completions {
        /// The shell
        shell: clap_complete::Shell,
    },
}

/// Parses the command line and does what it says; errors go to standard error. Exit status 0, or
/// 1 when something failed on the way, or 2 for bad input, or 3 when a run ended otherwise than it should, or 130
/// after Ctrl-C.
pub fn command() -> ExitCode {
    ExitCode::from(command_from(std::env::args_os()))
}

/// [`command`] with the arguments given, the program's name first; gives the exit status. For programs that are this command
/// and have arguments of their own before it.
pub fn command_from(arguments: impl IntoIterator<Item = OsString>) -> u8 {
    let cli = match Cli::try_parse_from(arguments) {
        Ok(cli) => cli,
        Err(error) => {
            // What can't be written has nobody to read it.
            let _ = error.print();
            return u8::try_from(error.exit_code()).unwrap_or(2);
        }
    };
    let done = match &cli.command {
        Command::Run(args) => run::run(args),
        Command::Compare(args) => compare::compare(args),
        Command::Sweep(args) => sweep::sweep(args),
        Command::Merge(args) => sweep::merge(args),
        Command::Replay(args) => replay::replay(args),
        Command::Report(args) => report::report(args),
        Command::Solve(args) => solve::solve(args),
        Command::Check(args) => check::check(args),
        Command::List(args) => {
            output::print(&listing::text(args));
            Ok(())
        }
        Command::Completions { shell } => {
            let mut script = Vec::new();
            clap_complete::generate(*shell, &mut Cli::command(), "stickslip", &mut script);
            output::print(String::from_utf8_lossy(&script).trim_end());
            Ok(())
        }
    };
    match done {
        Ok(()) => 0,
        // The verdict has been printed.
        Err(error @ CommandError::Missed(_)) => error.status(),
        Err(error) => {
            eprintln!("error: {error}");
            error.status()
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_command_line_is_consistent() {
        Cli::command().debug_assert();
    }

    /// Brackets are escaped for rustdoc; a terminal shows the escapes.
    #[test]
    fn no_help_shows_a_backslash() {
        let mut command = Cli::command();
        command.build();
        for sub in command.get_subcommands_mut() {
            let text = sub.render_long_help().to_string();
            let bad = text.lines().find(|line| line.contains('\\'));
            assert_eq!(bad, None, "{}", sub.get_name());
        }
    }

    #[test]
    fn completions_know_the_values_of_choices() {
        let mut script = Vec::new();
        clap_complete::generate(
            clap_complete::Shell::Bash,
            &mut Cli::command(),
            "stickslip",
            &mut script,
        );
        let script = String::from_utf8(script).unwrap();
        for word in ["stewart-trinkle", "free-flight", "active-set", "f32 f64"] {
            assert!(script.contains(word), "{word}");
        }
    }

    #[test]
    fn run_without_a_scenario_is_grasp() {
        let cli = Cli::try_parse_from(["stickslip", "run"]).unwrap();
        assert!(
            matches!(cli.command, Command::Run(RunArgs { scenario, .. }) if scenario == "grasp")
        );
    }
}
