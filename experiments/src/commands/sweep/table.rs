//! The rows of a sweep as one CSV.

use super::grid::Grid;
use crate::catalog::SCENARIOS;
use crate::error::CommandError;
use crate::manifest::command_line;
use crate::output;
use crate::settings::Request;
use serde_json::Value;
use std::collections::BTreeSet;

/// Columns that every sweep has, before those of its own keys and figures.
const FIRST: [&str; 12] = [
    "run",
    "scenario",
    "model",
    "solver",
    "precision",
    "dt_s",
    "duration_s",
    "seed",
    "robot",
    "outcome",
    "error",
    "steps",
];

/// Columns at the end: what else it takes to repeat the run.
const LAST: [&str; 6] = [
    "trajectory_hash",
    "stickslip",
    "cpu",
    "cores",
    "started",
    "command",
];

/// A value as a cell: empty for null, which is what JSON makes of a number that is not finite.
fn cell(value: &Value) -> String {
    match value {
        Value::Null => String::new(),
        Value::String(text) => text.clone(),
        other => other.to_string(),
    }
}

/// Names of the fields of an object in any of the rows, sorted.
fn names<'a>(rows: &'a [(usize, &Value)], object: &str) -> Vec<&'a str> {
    let fields = rows.iter().filter_map(|(_, row)| row[object].as_object());
    let names: BTreeSet<_> = fields.flatten().map(|(name, _)| name.as_str()).collect();
    names.into_iter().collect()
}

/// The value of a key in a request: the last one set counts.
pub(crate) fn setting<'a>(request: &'a Request, name: &str) -> Option<&'a str> {
    let pairs = request.set.iter().rev().filter_map(|s| s.split_once('='));
    let mut values = pairs
        .filter(|(key, _)| *key == name)
        .map(|(_, value)| value);
    values.next()
}

/// Duration of a run \[s\], the scenario's own if none is asked for.
fn duration(request: &Request) -> String {
    let scenario = SCENARIOS.iter().find(|s| s.name == request.scenario);
    let duration = request.duration.or(scenario.map(|s| s.duration));
    duration.map(|x| x.to_string()).unwrap_or_default()
}

/// The table: columns of every sweep, one per key that was set (`set.KEY`), one per figure of any run
/// (sorted by name), statistics, times, and what it takes to repeat a run.
///
/// # Errors
/// None that a user could cause: rows of unlike length.
pub(super) fn csv(
    grid: &Grid,
    cases: &[Request],
    rows: &[(usize, &Value)],
) -> Result<String, CommandError> {
    let (figures, stats, times) = (
        names(rows, "metrics"),
        names(rows, "solver_stats"),
        names(rows, "timing_us"),
    );
    let keys = grid.set.iter().map(|axis| format!("set.{}", axis.name));
    let header = FIRST.iter().map(|s| (*s).to_owned()).chain(keys);
    let header = header.chain(figures.iter().chain(&stats).map(|s| (*s).to_owned()));
    let header = header.chain(times.iter().map(|s| format!("{s}_us")));
    let header = header.chain(LAST.iter().map(|s| (*s).to_owned()));
    let lines = rows.iter().map(|(run, row)| {
        let request = &cases[*run];
        let robot = request.robot.as_deref();
        let mut cells = vec![run.to_string()];
        cells.extend(["scenario", "model", "solver", "precision", "dt"].map(|f| cell(&row[f])));
        cells.push(duration(request));
        cells.push(cell(&row["seed"]));
        cells.push(robot.map(|p| p.display().to_string()).unwrap_or_default());
        cells.extend(["outcome", "error", "steps"].map(|f| cell(&row[f])));
        let set = |name: &str| setting(request, name).unwrap_or_default().to_owned();
        cells.extend(grid.set.iter().map(|axis| set(&axis.name)));
        cells.extend(figures.iter().map(|f| cell(&row["metrics"][f])));
        cells.extend(stats.iter().map(|f| cell(&row["solver_stats"][f])));
        cells.extend(times.iter().map(|f| cell(&row["timing_us"][f])));
        let manifest = &row["manifest"];
        let made = &manifest["made"];
        cells.push(cell(&manifest["trajectory_hash"]));
        cells.push(cell(&row["versions"]["stickslip"]));
        cells.extend(["cpu", "cores"].map(|f| cell(&made["machine"][f])));
        cells.push(cell(&made["started"]));
        cells.push(command_line(request));
        cells
    });
    output::csv_text(header, lines)
}
