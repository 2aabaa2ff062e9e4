//! What is made of the rows of a sweep.

use super::folder::SweepFolder;
use super::{over, table};
use crate::error::CommandError;
use crate::files;
use crate::output;
use crate::plot;
use crate::settings::Request;
use serde_json::Value;
use std::path::Path;

/// Writes `runs.csv` and plots from the rows that are there.
///
/// # Errors
/// Runs that are missing, runs that failed, and what could not be written.
pub(super) fn gather(
    folder: &SweepFolder,
    cases: &[Request],
    plots: Option<&Path>,
    quiet: bool,
) -> Result<(), CommandError> {
    let rows = folder.rows(cases)?;
    let there: Vec<(usize, &Value)> = rows
        .iter()
        .enumerate()
        .filter_map(|(run, row)| Some((run, row.as_ref()?)))
        .collect();
    let file = folder.path().join("runs.csv");
    let grid = &folder.manifest.sweep;
    files::write_atomically(&file, &table::csv(grid, cases, &there)?)?;
    if !quiet {
        output::print(&format!("{} rows in {}", there.len(), file.display()));
    }
    if let Some(plots) = plots {
        plot::write(plots, &over::over_sweep(grid, cases, &there))?;
    }
    let mut troubles = Vec::new();
    if there.len() < cases.len() {
        troubles.push(CommandError::Scene(format!(
            "{} of {} runs are missing; make them with the sweep's command, then merge again",
            cases.len() - there.len(),
            cases.len()
        )));
    }
    let mut failed = there.iter().filter(|(_, row)| row["error"].is_string());
    if let Some((run, row)) = failed.next() {
        troubles.push(CommandError::Scene(format!(
            "{} of {} runs failed; the first is run {run}: {}",
            failed.count() + 1,
            cases.len(),
            row["error"].as_str().unwrap_or_default()
        )));
    }
    CommandError::all(troubles)
}
