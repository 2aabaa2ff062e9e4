//! `stickslip solve`: one contact problem from a file.

mod answer;
mod settings;
mod text;

use crate::choices;
use crate::error::CommandError;
use crate::files;
use crate::output::{self, JsonTarget};
use answer::Answer;
use clap::Args;
use settings::Asked;
use std::io::Read;
use std::path::{Path, PathBuf};
use stickslip_core::models::Solver;
use stickslip_core::report::SolveStatus;
use stickslip_problem_file::{ProblemFile, read_problem, read_problem_from};

/// Arguments of `solve`.
#[derive(Debug, Args)]
pub(crate) struct SolveArgs {
    /// Problem file; `-` is standard input
    #[arg(value_name = "PROBLEM.json")]
    file: PathBuf,
    /// Contact model, see `stickslip list` [default: the file's, else cone]
    #[arg(long, value_name = "NAME", value_parser = choices::model(), hide_possible_values = true)]
    model: Option<String>,
    /// Solver tried first, see `stickslip list` [default: the file's, else the model's first]
    #[arg(long, value_name = "NAME", value_parser = choices::solver(), hide_possible_values = true)]
    solver: Option<String>,
    /// Setting of the model, see `stickslip list grasp` (repeatable)
    #[arg(long, value_name = "KEY=VALUE")]
    set: Vec<String>,
    /// Write the answer as JSON; `-` is standard output
    #[arg(long, value_name = "FILE|-")]
    json: Option<String>,
    /// Print no table
    #[arg(long)]
    quiet: bool,
}

/// Prints the answer. An answer that does not satisfy the conditions ends with exit status 1.
pub(crate) fn solve(args: &SolveArgs) -> Result<(), CommandError> {
    let json = args.json.as_deref().map(JsonTarget::parse);
    if let Some(JsonTarget::File(path)) = &json {
        files::check_file_target(path)?;
    }
    let ProblemFile { problem, context } = read(&args.file)?;
    let asked = Asked {
        model: args.model.as_deref(),
        solver: args.solver.as_deref(),
        set: &args.set,
    };
    let chosen = settings::choose(&asked, &context)?;
    let model = stickslip::model(chosen.model, chosen.settings)
        .map_err(|error| CommandError::Usage(error.to_string()))?;
    let mut solver = Solver::of(model);
    let report = solver.solve(&problem);
    let (model, solution) = (solver.model(), solver.solution());
    let answer = Answer::new(&problem, model.name(), solution, &report);
    if !args.quiet {
        let table = text::table(&problem, model.settings(), &answer, solution);
        match &json {
            Some(JsonTarget::Stdout) => eprintln!("{table}"),
            _ => output::print(&table),
        }
    }
    if let Some(target) = &json {
        let text = serde_json::to_string_pretty(&answer)
            .map_err(|error| CommandError::Scene(error.to_string()))?;
        match target {
            JsonTarget::Stdout => output::print(&text),
            JsonTarget::File(path) => files::write_atomically(path, &(text + "\n"))?,
        }
    }
    if is_solved(report.status) {
        return Ok(());
    }
    Err(CommandError::Unsolved {
        file: args.file.display().to_string(),
        status: report.status.as_str().to_owned(),
        meaning: text::meaning(report.status),
    })
}

/// Whether the answer satisfies every condition of the model.
fn is_solved(status: SolveStatus) -> bool {
    matches!(
        status,
        SolveStatus::Solved | SolveStatus::SolvedInMotion | SolveStatus::SeveralSolutions
    )
}

fn read(path: &Path) -> Result<ProblemFile, CommandError> {
    let read = if path == Path::new("-") {
        let stream: &mut dyn Read = &mut std::io::stdin().lock();
        read_problem_from(stream).map_err(|error| format!("standard input: {error}"))
    } else {
        read_problem(path).map_err(|error| error.to_string())
    };
    read.map_err(CommandError::Usage)
}
