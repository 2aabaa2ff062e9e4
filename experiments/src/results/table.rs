//! Results as a table for the terminal.

use crate::digits::number;
use crate::result::RunResult;
use comfy_table::{
    Cell, CellAlignment, ColumnConstraint, ContentArrangement, Table, TableComponent, presets,
};
use std::ops::Range;

/// More results than that get a row each.
const MOST_COLUMNS: usize = 6;

/// Which figures a table shows.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Figures {
    /// Those that the scenario is about, and how the solves went.
    Main,
    /// All there are.
    All,
}

/// One table of all results.
pub fn table(results: &[&RunResult], figures: Figures) -> String {
    let Some(first) = results.first() else {
        return String::new();
    };
    // Runs that end by themselves may have fewer steps than others.
    let steps = results.iter().map(|r| r.steps).max().unwrap_or_default();
    let title = format!(
        "{} ({steps} steps of {} s, {})",
        first.scenario, first.dt, first.precision
    );
    let names = names(results, figures);
    if results.len() > MOST_COLUMNS {
        return fitted(names.len(), room(), |part| {
            let mut table = plain();
            by_row(&mut table, title.clone(), results, &names[part]);
            lines(&table)
        });
    }
    fitted(results.len(), room(), |part| {
        let mut table = plain();
        by_column(&mut table, title.clone(), &results[part], &names);
        lines(&table)
    })
}

/// Columns of the terminal; `None` where there is none.
fn room() -> Option<usize> {
    Table::new().width().map(usize::from)
}

/// A table of so many columns beside its first, or, where that is too wide, several of as many as fit.
fn fitted(count: usize, room: Option<usize>, table: impl Fn(Range<usize>) -> String) -> String {
    let fits = |text: &str| room.is_none_or(|room| widest(text) <= room);
    let in_parts = |size: usize| -> Vec<String> {
        let starts = (0..count).step_by(size);
        starts
            .map(|from| table(from..(from + size).min(count)))
            .collect()
    };
    for size in (2..=count).rev() {
        let parts = in_parts(size);
        if parts.iter().all(|part| fits(part)) {
            return parts.join("\n\n");
        }
    }
    in_parts(1).join("\n\n")
}

/// Characters of the longest line.
fn widest(text: &str) -> usize {
    let lines = text.lines().map(|line| line.chars().count());
    lines.max().unwrap_or_default()
}

/// An empty table: a line below the header, none between rows.
pub(crate) fn plain() -> Table {
    let mut table = Table::new();
    table.load_preset(presets::NOTHING);
    table.set_style(TableComponent::HeaderLines, '─');
    table.set_style(TableComponent::MiddleHeaderIntersections, '─');
    table
}

/// Hides columns that have no text below their header.
pub(crate) fn hide_empty(table: &mut Table) {
    let hidden = ColumnConstraint::Hidden;
    for column in 0..table.column_count() {
        let cells = || {
            table
                .row_iter()
                .filter_map(|row| row.cell_iter().nth(column))
        };
        if cells().all(|cell| cell.content().is_empty())
            && let Some(column) = table.column_mut(column)
        {
            column.set_constraint(hidden);
        }
    }
}

/// A table without the blanks that pad its last column; cells of one that is too wide for the terminal are broken.
pub(crate) fn text(table: &Table) -> String {
    let text = lines(table);
    match room() {
        Some(room) if widest(&text) > room => {
            let mut narrow = table.clone();
            narrow.set_content_arrangement(ContentArrangement::Dynamic);
            lines(&narrow)
        }
        _ => text,
    }
}

fn lines(table: &Table) -> String {
    let lines: Vec<_> = table.lines().map(|l| l.trim_end().to_owned()).collect();
    lines.join("\n")
}

/// Names of the figures, in the order in which they first appear: models may have some of their own.
fn names(results: &[&RunResult], figures: Figures) -> Vec<String> {
    let mut names = Vec::new();
    for result in results {
        for name in shown(result, figures) {
            if !names.contains(&name) {
                names.push(name);
            }
        }
    }
    names
}

/// What is shown of a result beside its outcome.
const SOLVES: [&str; 4] = ["residual_max", "fallbacks", "failures", "solve_median_us"];

fn shown(result: &RunResult, figures: Figures) -> Vec<String> {
    let all = rows(result).into_iter().map(|(name, _)| name);
    if figures == Figures::All {
        return all.collect();
    }
    let mut shown = vec!["outcome".to_owned()];
    let known = self::figures(result);
    let judged = result.criteria.iter().map(|c| c.figure.as_str());
    for name in result.summary.iter().copied().chain(judged) {
        let stated = |(n, figure): &(String, Figure)| n == name && *figure != Figure::Nothing;
        if known.iter().any(stated) && shown.iter().all(|s| s != name) {
            shown.push(name.to_owned());
        }
    }
    shown.extend(SOLVES.map(str::to_owned));
    if let Some(comparison) = &result.comparison {
        shown.extend(comparison.named().map(|(name, _)| name.to_owned()));
    }
    shown
}

fn name(result: &RunResult) -> String {
    format!("{} / {}", result.model, result.solver)
}

pub(crate) fn right(text: impl ToString) -> Cell {
    Cell::new(text).set_alignment(CellAlignment::Right)
}

/// A row per result.
fn by_row(table: &mut Table, title: String, results: &[&RunResult], names: &[String]) {
    let mut header = vec![title];
    header.extend(names.iter().cloned());
    table.set_header(header);
    for result in results {
        let rows = rows(result);
        let text = |name: &String| rows.iter().find(|(n, _)| n == name).map(|(_, text)| text);
        let mut line = vec![Cell::new(name(result))];
        line.extend(names.iter().map(|n| right(text(n).map_or("", |t| t))));
        table.add_row(line);
    }
}

/// A column per result.
fn by_column(table: &mut Table, title: String, results: &[&RunResult], names: &[String]) {
    let mut header = vec![Cell::new(title)];
    header.extend(results.iter().map(|r| right(name(r))));
    table.set_header(header);
    let columns: Vec<_> = results.iter().map(|r| rows(r)).collect();
    for name in names {
        let mut line = vec![Cell::new(name)];
        line.extend(columns.iter().map(|column| {
            let found = column.iter().find(|(n, _)| n == name);
            right(found.map_or("", |(_, text)| text))
        }));
        table.add_row(line);
    }
}

/// What a figure is.
#[derive(Clone, Copy, Debug, PartialEq)]
pub(crate) enum Figure {
    /// A measured number.
    Number(f64),
    /// How many.
    Count(usize),
    /// Not stated.
    Nothing,
}

impl Figure {
    /// With four digits, for the reader.
    fn short(self) -> String {
        match self {
            Self::Number(x) => number(x),
            other => other.full(),
        }
    }

    /// With all digits: the shortest text that is read back as the same number.
    pub(crate) fn full(self) -> String {
        match self {
            Self::Number(x) => x.to_string(),
            Self::Count(n) => n.to_string(),
            Self::Nothing => String::new(),
        }
    }
}

/// Every figure of a result with its name.
pub(crate) fn figures(result: &RunResult) -> Vec<(String, Figure)> {
    let metrics = result.metrics.iter();
    let mut out: Vec<_> = metrics
        .map(|(name, x)| (name.clone(), Figure::Number(*x)))
        .collect();
    let stats = &result.solver_stats;
    let count = |n: Option<usize>| n.map_or(Figure::Nothing, Figure::Count);
    let value = |x: Option<f64>| x.map_or(Figure::Nothing, Figure::Number);
    let timing = &result.timing_us;
    let more = [
        ("failures", count(stats.failures)),
        ("fallbacks", count(stats.fallbacks)),
        ("pivots_mean", value(stats.pivots_mean)),
        ("pivots_max", count(stats.pivots_max)),
        ("residual_max", value(stats.residual_max)),
        ("steps_above_1e_8", count(stats.steps_above_1e_8)),
        ("steps_above_1e_6", count(stats.steps_above_1e_6)),
        ("steps_above_1e_4", count(stats.steps_above_1e_4)),
        ("contacts_mean", Figure::Number(stats.contacts_mean)),
        ("contacts_max", Figure::Count(stats.contacts_max)),
        ("step_median_us", Figure::Number(timing.step_median)),
        ("step_p99_us", Figure::Number(timing.step_p99)),
        ("step_mean_us", Figure::Number(timing.step_mean)),
        ("step_max_us", Figure::Number(timing.step_max)),
        ("detect_median_us", value(timing.detect_median)),
        ("assemble_median_us", value(timing.assemble_median)),
        ("solve_median_us", value(timing.solve_median)),
        ("solve_total_us", value(timing.solve_total)),
        ("integrate_median_us", value(timing.integrate_median)),
    ];
    out.extend(more.map(|(name, figure)| (name.to_owned(), figure)));
    if let Some(left_out) = stats.spins_left_out_max {
        out.push(("spins_left_out_max".to_owned(), Figure::Count(left_out)));
    }
    if let Some(comparison) = &result.comparison {
        let named = comparison.named();
        out.extend(named.map(|(name, ratio)| (name.to_owned(), value(ratio))));
    }
    out
}

/// Everything the table shows of a result, as name and text.
fn rows(result: &RunResult) -> Vec<(String, String)> {
    let outcome = ("outcome".to_owned(), result.outcome.clone());
    let figures = figures(result)
        .into_iter()
        .map(|(name, f)| (name, f.short()));
    std::iter::once(outcome).chain(figures).collect()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_wide_table_becomes_several() {
        let table = |part: Range<usize>| {
            let cells: Vec<String> = part.map(|k| format!("column_{k}")).collect();
            cells.join(" ")
        };
        assert_eq!(fitted(3, None, table), "column_0 column_1 column_2");
        assert_eq!(fitted(3, Some(20), table), "column_0 column_1\n\ncolumn_2");
        assert_eq!(fitted(2, Some(3), table), "column_0\n\ncolumn_1");
    }
}
