//! `stickslip report`: the table of every experiment beside what papers and other simulators report.

mod experiment;
mod judged;
mod list;
mod outcome;
mod page;

use crate::compare;
use crate::drive::drive;
use crate::error::CommandError;
use crate::files;
use crate::interrupt::Stop;
use crate::manifest::command_line;
use crate::output;
use crate::plot;
use crate::progress::Show;
use crate::provenance::Provenance;
use crate::runner::{Done, Run, Tracing};
use crate::settings::{Request, RunSettings};
use crate::table::{self, Figures};
use clap::Args;
use comfy_table::{Cell, Color};
use experiment::Experiment;
use judged::Judged;
use list::experiments;
use nalgebra::Vector3;
use outcome::{Outcome, Row};
use serde_json::json;
use std::io::IsTerminal;
use std::path::{Path, PathBuf};
use stickslip_rerun::Sink;

#[derive(Debug, Args)]
pub(crate) struct ReportArgs {
    /// Folder of the report: a page, its table as CSV and JSON, plots, recordings and results
    #[arg(long, value_name = "DIR", required_unless_present = "markdown")]
    out: Option<PathBuf>,
    /// Write the summary and the table alone as a Markdown file, such as docs/validation.md
    #[arg(long, value_name = "FILE")]
    markdown: Option<PathBuf>,
    /// Only these experiments; A1 stands for A1-times and A1-hold
    #[arg(long, value_name = "A1,B4-polygon,..", value_delimiter = ',')]
    only: Vec<String>,
    /// Shorter runs, for a first look
    #[arg(long)]
    short: bool,
    /// Folder of public robots, the one that holds example-robot-data [default: $STICKSLIP_ROBOTS]
    #[arg(long, value_name = "DIR")]
    robots: Option<PathBuf>,
    /// Print neither progress nor table
    #[arg(long)]
    quiet: bool,
}

impl ReportArgs {
    /// The experiments asked for.
    fn chosen(&self) -> Result<Vec<&'static Experiment>, CommandError> {
        let is = |e: &Experiment, word: &str| {
            let rest = e.id.strip_prefix(word);
            rest.is_some_and(|rest| rest.is_empty() || rest.starts_with('-'))
        };
        for word in &self.only {
            if !experiments().any(|e| is(e, word)) {
                let known: Vec<_> = experiments().map(|e| e.id.as_str()).collect();
                return Err(CommandError::Usage(format!(
                    "unknown experiment `{word}`; the experiments are {}",
                    known.join(", ")
                )));
            }
        }
        let wanted =
            |e: &&Experiment| self.only.is_empty() || self.only.iter().any(|word| is(e, word));
        Ok(experiments().filter(wanted).collect())
    }

    fn robots(&self) -> Option<PathBuf> {
        let default = || std::env::var_os("STICKSLIP_ROBOTS").map(PathBuf::from);
        self.robots.clone().or_else(default)
    }

    /// The requests of an experiment, one per model.
    ///
    /// # Errors
    /// When the experiment needs a robot and there is no folder of robots.
    fn requests(&self, experiment: &Experiment) -> Result<Vec<Request>, CommandError> {
        let robot = match (&experiment.robot, self.robots()) {
            (None, _) => None,
            (Some(file), Some(folder)) => Some(folder.join("example-robot-data/robots").join(file)),
            (Some(file), None) => {
                return Err(CommandError::Scene(format!(
                    "not run: needs {file}; name the folder of robots with --robots"
                )));
            }
        };
        let request = |(model, solver): (&str, Option<&str>)| Request {
            scenario: experiment.scenario.clone(),
            model: Some(model.to_owned()),
            solver: solver.map(str::to_owned),
            dt: experiment.dt,
            duration: Some(experiment.duration[usize::from(self.short)]),
            robot: robot.clone(),
            set: experiment.set.clone(),
            ..Request::default()
        };
        let columns = compare::columns(&experiment.models);
        Ok(columns.into_iter().map(request).collect())
    }
}

/// The command line that repeats an experiment.
fn command(requests: &[Request], models: &[String]) -> String {
    let Some(first) = requests.first() else {
        return String::new();
    };
    let plain = Request {
        model: None,
        solver: None,
        ..first.clone()
    };
    let run = command_line(&plain);
    format!(
        "{} --models {}",
        run.replacen("stickslip run", "stickslip compare", 1),
        models.join(",")
    )
}

/// Runs, records, draws.
fn make(
    args: &ReportArgs,
    experiment: &'static Experiment,
    made: &Provenance,
    stop: &Stop,
) -> Result<Outcome, CommandError> {
    let requests = args.requests(experiment)?;
    let settings: Vec<_> = requests
        .iter()
        .map(RunSettings::new)
        .collect::<Result<_, _>>()?;
    let steps = settings.iter().map(|s| s.steps).max().unwrap_or_default();
    let mut runs = Vec::new();
    for settings in &settings {
        let mut run = Run::new(settings, Tracing::On)?;
        run.mark(made.clone());
        runs.push(run);
    }
    let folder = args.out.as_deref();
    let recording = folder.filter(|_| runs.iter().any(Run::has_bodies));
    if let Some(folder) = recording {
        let recordings = folder.join("recordings");
        files::create_folder(&recordings)?;
        let path = recordings.join(format!("{}.rrd", experiment.id));
        compare::record(&mut runs, &Sink::File(path), Vector3::zeros())?;
    }
    let mut done = drive(runs, steps, Show::unless(args.quiet), stop)?;
    compare::complete(&mut done);
    let mut errors: Vec<_> = done.iter_mut().flat_map(|d| d.troubles.drain(..)).collect();
    let interrupted = |e: &CommandError| matches!(e, CommandError::Interrupted { .. });
    if let Some(place) = errors.iter().position(interrupted) {
        return Err(errors.swap_remove(place));
    }
    let results: Vec<_> = done.iter().map(|d| &d.result).collect();
    let mut plots = Vec::new();
    if let Some(folder) = folder {
        let results_folder = folder.join("results");
        files::create_folder(&results_folder)?;
        let file = results_folder.join(format!("{}.json", experiment.id));
        let target = output::JsonTarget::File(file);
        errors.extend(output::write_json(&target, &results, output::Shape::Array).err());
        plots = draw(folder, experiment, &done)?;
    }
    Ok(Outcome {
        experiment,
        command: command(&requests, &experiment.models),
        rows: outcome::rows(experiment, &results),
        table: table::table(&results, Figures::All),
        plots,
        recording: recording.is_some() && done.iter().all(|d| d.is_recorded),
        errors: errors.iter().map(CommandError::to_string).collect(),
    })
}

/// Draws the plots of an experiment; gives their names.
fn draw(
    folder: &Path,
    experiment: &Experiment,
    done: &[Done],
) -> Result<Vec<String>, CommandError> {
    let labels = compare::labels(done);
    let curves = compare::curves(done, &labels);
    let mut plots = plot::over_time(&experiment.id, &curves);
    for (name, _) in &mut plots {
        *name = format!("{}-{name}", experiment.id);
    }
    plot::write(&folder.join("plots"), &plots)?;
    Ok(plots.into_iter().map(|(name, _)| name).collect())
}

/// Writes what was asked for: the page and its table, the Markdown file.
fn write(args: &ReportArgs, outcomes: &[Outcome], made: &Provenance) -> Result<(), CommandError> {
    if let Some(file) = &args.markdown {
        let mut page = page::validation(outcomes, made, args.short);
        if let Some(robots) = args.robots() {
            // Whose page it is, the folder is another one.
            page = page.replace(&*robots.to_string_lossy(), "$STICKSLIP_ROBOTS");
        }
        files::write_atomically(file, &page)?;
    }
    let Some(folder) = &args.out else {
        return Ok(());
    };
    let markdown = page::markdown(outcomes, made, args.short);
    let rows: Vec<_> = outcomes.iter().flat_map(|o| &o.rows).collect();
    let tree = json!({ "made": made, "rows": rows });
    let json = serde_json::to_string_pretty(&tree);
    let json = json.map_err(|e| CommandError::Scene(e.to_string()))?;
    let files = [
        ("report.html", page::page(&markdown)),
        ("report.md", markdown),
        ("report.csv", page::csv(outcomes)?),
        ("report.json", json + "\n"),
    ];
    files
        .iter()
        .try_for_each(|(name, text)| files::write_atomically(&folder.join(name), text))
}

/// The rows of an experiment for the terminal, their verdicts in colour there.
fn shown(rows: &[Row]) -> String {
    let colour = std::io::stdout().is_terminal();
    let mut table = table::plain();
    for row in rows {
        let color = match row.judged {
            Judged::Pass => Color::Green,
            Judged::Miss => Color::Red,
            Judged::NoBound => Color::DarkGrey,
        };
        let cells = row.cells().into_iter().enumerate();
        table.add_row(cells.map(|(column, text)| match column {
            8 if colour => Cell::new(text).fg(color),
            _ => Cell::new(text),
        }));
    }
    table::text(&table)
}

/// How many figures are as they should be, and where the report is.
fn conclusion(args: &ReportArgs, outcomes: &[Outcome]) -> String {
    let mut out = format!("\n{}\n\nWritten:", page::tally(outcomes));
    let page = args.out.as_ref().map(|folder| folder.join("report.html"));
    for file in page.iter().chain(&args.markdown) {
        out += &format!("\n  {}", file.display());
    }
    out
}

pub(crate) fn report(args: &ReportArgs) -> Result<(), CommandError> {
    let made = Provenance::now();
    let chosen = args.chosen()?;
    if let Some(file) = &args.markdown {
        files::check_file_target(file)?;
    }
    if let Some(folder) = &args.out {
        files::check_folder_target(folder)?;
        files::create_folder(folder)?;
    }
    let stop = Stop::listen()?;
    let mut outcomes = Vec::new();
    let mut troubles = Vec::new();
    for experiment in chosen {
        let outcome = match make(args, experiment, &made, &stop) {
            Ok(outcome) => outcome,
            Err(CommandError::Interrupted { signal, .. }) => {
                let said = format!(
                    "interrupted in {}; the page has the {} experiments before it",
                    experiment.id,
                    outcomes.len()
                );
                troubles.push(CommandError::Interrupted { signal, said });
                break;
            }
            // One experiment that can't be made doesn't keep the others from being made.
            Err(error) => Outcome {
                experiment,
                command: String::new(),
                rows: Vec::new(),
                table: String::new(),
                plots: Vec::new(),
                recording: false,
                errors: vec![error.to_string()],
            },
        };
        let errors = outcome.errors.iter();
        troubles.extend(errors.map(|e| CommandError::Scene(format!("{}: {e}", experiment.id))));
        if !args.quiet && !outcome.rows.is_empty() {
            output::print(&shown(&outcome.rows));
        }
        outcomes.push(outcome);
        // After each, so that whatever ends the report leaves a page behind.
        write(args, &outcomes, &made)?;
    }
    if !args.quiet {
        output::print(&conclusion(args, &outcomes));
    }
    CommandError::all(troubles)
}
