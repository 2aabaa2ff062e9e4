//! Results as a table for the terminal.

use crate::result::RunResult;
use comfy_table::{Cell, CellAlignment, Table, presets};

/// More results than that get a row each, with their main figures only.
const MOST_COLUMNS: usize = 6;

/// One table with the results' notes below it.
pub fn table(results: &[&RunResult]) -> String {
    let Some(first) = results.first() else {
        return String::new();
    };
    // Runs that end by themselves may have fewer steps than others.
    let steps = results.iter().map(|r| r.steps).max().unwrap_or_default();
    let title = format!(
        "{} ({steps} steps of {} s, {})",
        first.scenario, first.dt, first.precision
    );
    let mut table = Table::new();
    table.load_preset(presets::UTF8_HORIZONTAL_ONLY);
    if results.len() > MOST_COLUMNS {
        by_row(&mut table, title, results);
    } else {
        by_column(&mut table, title, results);
    }
    let notes = results.iter().flat_map(|r| &r.notes);
    notes.fold(table.to_string(), |text, note| text + "\n" + note)
}

fn name(result: &RunResult) -> String {
    format!("{} / {}", result.model, result.solver)
}

fn right(text: &str) -> Cell {
    Cell::new(text).set_alignment(CellAlignment::Right)
}

/// A row per result: outcome, the scenario's main figures, and how the solves went.
fn by_row(table: &mut Table, title: String, results: &[&RunResult]) {
    let figures = results.iter().flat_map(|r| r.summary.iter().copied());
    let mut names = vec!["outcome"];
    for figure in figures {
        let stated = results.iter().any(|r| r.metric(figure).is_some());
        if stated && !names.contains(&figure) {
            names.push(figure);
        }
    }
    names.extend(["residual_max", "fallbacks", "failures", "solve_median_us"]);
    let mut header = vec![title];
    header.extend(names.iter().map(|n| (*n).to_owned()));
    table.set_header(header);
    for result in results {
        let rows = rows(result);
        let text = |name: &&str| rows.iter().find(|(n, _)| n == name).map(|(_, text)| text);
        let mut line = vec![Cell::new(name(result))];
        line.extend(names.iter().map(|n| right(text(n).map_or("", |t| t))));
        table.add_row(line);
    }
}

/// A column per result, with everything that is known.
fn by_column(table: &mut Table, title: String, results: &[&RunResult]) {
    let mut header = vec![title];
    header.extend(results.iter().map(|r| name(r)));
    table.set_header(header);
    let columns: Vec<_> = results.iter().map(|r| rows(r)).collect();
    // Names in the order in which they first appear: models may have figures of their own.
    let mut names: Vec<&str> = Vec::new();
    for (name, _) in columns.iter().flatten() {
        if !names.contains(&name.as_str()) {
            names.push(name);
        }
    }
    for name in names {
        let mut line = vec![Cell::new(name)];
        line.extend(columns.iter().map(|column| {
            let text = column
                .iter()
                .find(|(n, _)| n == name)
                .map_or("", |(_, text)| text);
            right(text)
        }));
        table.add_row(line);
    }
}

/// Everything the table shows of a result, as name and text.
pub(crate) fn rows(result: &RunResult) -> Vec<(String, String)> {
    let mut rows = vec![("outcome".to_owned(), result.outcome.clone())];
    rows.extend(
        result
            .metrics
            .iter()
            .map(|(name, value)| (name.clone(), number(*value))),
    );
    let stats = &result.solver_stats;
    let count = |x: Option<usize>| x.map(|x| x.to_string());
    let value = |x: Option<f64>| x.map(number);
    let timing = &result.timing_us;
    let more = [
        ("failures", count(stats.failures)),
        ("fallbacks", count(stats.fallbacks)),
        ("pivots_mean", value(stats.pivots_mean)),
        ("pivots_max", count(stats.pivots_max)),
        ("residual_max", value(stats.residual_max)),
        ("contacts_mean", Some(number(stats.contacts_mean))),
        ("contacts_max", Some(stats.contacts_max.to_string())),
        ("step_median_us", Some(number(timing.step_median))),
        ("step_p99_us", Some(number(timing.step_p99))),
        ("detect_median_us", value(timing.detect_median)),
        ("assemble_median_us", value(timing.assemble_median)),
        ("solve_median_us", value(timing.solve_median)),
        ("solve_total_us", value(timing.solve_total)),
        ("integrate_median_us", value(timing.integrate_median)),
    ];
    rows.extend(more.map(|(name, text)| (name.to_owned(), text.unwrap_or_default())));
    if let Some(left_out) = stats.spins_left_out_max {
        rows.push(("spins_left_out_max".to_owned(), left_out.to_string()));
    }
    if let Some(comparison) = &result.comparison {
        rows.extend(comparison.named().map(|(name, ratio)| {
            let text = ratio.map(number).unwrap_or_default();
            (name.to_owned(), text)
        }));
    }
    rows
}

/// Four significant digits, as short as they can be read.
pub(crate) fn number(x: f64) -> String {
    let size = x.abs();
    if x == 0.0 {
        "0".to_owned()
    } else if (1e-2..1e5).contains(&size) {
        let digits = (3 - size.log10().floor() as i32).max(0) as usize;
        format!("{x:.digits$}")
    } else {
        format!("{x:.3e}")
    }
}

#[cfg(test)]
mod tests {
    use super::number;

    #[test]
    fn numbers_keep_four_digits() {
        assert_eq!(number(0.0), "0");
        assert_eq!(number(2.0), "2.000");
        assert_eq!(number(12.345), "12.35");
        assert_eq!(number(0.000_123_4), "1.234e-4");
        assert_eq!(number(123_456.0), "1.235e5");
        assert_eq!(number(-0.05), "-0.05000");
    }
}
