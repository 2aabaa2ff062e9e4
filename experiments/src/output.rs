//! Results to the terminal and to files. Files appear whole or not at all.

use crate::error::CommandError;
use crate::result::RunResult;
use crate::trace::{COLUMNS, Row};
use comfy_table::{Cell, CellAlignment, Table, presets};
use std::fmt::Write as _;
use std::fs;
use std::io::Write as _;
use std::path::{Path, PathBuf};

/// Where the JSON goes.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum JsonTarget {
    /// Standard output; the table then goes to standard error.
    Stdout,
    /// A file.
    File(PathBuf),
}

impl JsonTarget {
    /// `-` is standard output.
    pub fn parse(text: &str) -> Self {
        if text == "-" {
            Self::Stdout
        } else {
            Self::File(text.into())
        }
    }
}

/// Refuses a file whose folder isn't there, before the run rather than after it.
///
/// # Errors
/// A usage error naming the folder.
pub fn check_file_target(path: &Path) -> Result<(), CommandError> {
    let folder = folder_of(path);
    if path.is_dir() || path.file_name().is_none() {
        return Err(CommandError::Usage(format!(
            "{} is not a file name",
            path.display()
        )));
    }
    if folder.is_dir() {
        return Ok(());
    }
    Err(CommandError::Usage(format!(
        "{}: the folder {} does not exist; create it first",
        path.display(),
        folder.display()
    )))
}

fn folder_of(path: &Path) -> &Path {
    match path.parent() {
        Some(folder) if !folder.as_os_str().is_empty() => folder,
        _ => Path::new("."),
    }
}

/// Writes a file under a temporary name beside it, then renames it.
///
/// # Errors
/// An output error naming the file.
pub fn write_atomically(path: &Path, text: &str) -> Result<(), CommandError> {
    let fail = |error: std::io::Error| CommandError::Output {
        path: path.to_owned(),
        reason: error.to_string(),
    };
    let name = path.file_name().unwrap_or_default().to_string_lossy();
    let temporary = folder_of(path).join(format!(".{name}.{}.part", std::process::id()));
    let written = fs::File::create(&temporary)
        .and_then(|mut file| {
            file.write_all(text.as_bytes())
                .and_then(|()| file.sync_all())
        })
        .and_then(|()| fs::rename(&temporary, path));
    written.map_err(|error| {
        // The rest of a failed write; whether it can be removed changes nothing.
        let _ = fs::remove_file(&temporary);
        fail(error)
    })
}

/// Writes text to standard output; a closed pipe is no error.
pub fn print(text: &str) {
    let _ = writeln!(std::io::stdout(), "{text}");
}

/// Writes JSON where it should go: one object for one result, an array for several.
///
/// # Errors
/// An output error.
pub fn write_json(
    target: &JsonTarget,
    results: &[RunResult],
    many: Shape,
) -> Result<(), CommandError> {
    let text = match (many, results) {
        (Shape::Object, [one]) => serde_json::to_string_pretty(one),
        _ => serde_json::to_string_pretty(results),
    };
    let text = text.map_err(|error| CommandError::Scene(error.to_string()))?;
    match target {
        JsonTarget::Stdout => {
            print(&text);
            Ok(())
        }
        JsonTarget::File(path) => write_atomically(path, &(text + "\n")),
    }
}

/// Whether the JSON is an object or an array.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Shape {
    /// One result.
    Object,
    /// A list of results.
    Array,
}

/// Writes `STEM-steps.csv` and `STEM-result.csv` into a folder, which is created if needed.
///
/// # Errors
/// An output error.
pub fn write_csv(
    folder: &Path,
    stem: &str,
    result: &RunResult,
    trace: &[Row],
) -> Result<(), CommandError> {
    fs::create_dir_all(folder).map_err(|error| CommandError::Output {
        path: folder.to_owned(),
        reason: error.to_string(),
    })?;
    let mut steps = COLUMNS.join(",") + "\n";
    for row in trace {
        let cells = row.map(|x| x.map(|x| x.to_string()).unwrap_or_default());
        steps += &(cells.join(",") + "\n");
    }
    write_atomically(&folder.join(format!("{stem}-steps.csv")), &steps)?;
    let mut figures = String::from("figure,value\n");
    for (name, value) in rows(result) {
        // Writing to a string can't fail.
        let _ = writeln!(figures, "{name},{value}");
    }
    write_atomically(&folder.join(format!("{stem}-result.csv")), &figures)
}

/// Everything the table shows of a result, as name and text.
fn rows(result: &RunResult) -> Vec<(String, String)> {
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
        ("integrate_median_us", value(timing.integrate_median)),
    ];
    rows.extend(more.map(|(name, text)| (name.to_owned(), text.unwrap_or_default())));
    if let Some(comparison) = &result.comparison {
        for (name, ratio) in [
            ("solve_speedup_to_first", comparison.solve_speedup_to_first),
            ("step_speedup_to_first", comparison.step_speedup_to_first),
        ] {
            rows.push((name.to_owned(), value(ratio).unwrap_or_default()));
        }
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

/// One table: a column per result.
pub fn table(results: &[RunResult]) -> String {
    let mut table = Table::new();
    table.load_preset(presets::UTF8_HORIZONTAL_ONLY);
    let Some(first) = results.first() else {
        return String::new();
    };
    let mut header = vec![format!(
        "{} ({} steps of {} s, {})",
        first.scenario, first.steps, first.dt, first.precision
    )];
    header.extend(
        results
            .iter()
            .map(|r| format!("{} / {}", r.model, r.solver)),
    );
    table.set_header(header);
    let columns: Vec<_> = results.iter().map(rows).collect();
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
            Cell::new(text).set_alignment(CellAlignment::Right)
        }));
        table.add_row(line);
    }
    let notes = results.iter().flat_map(|r| &r.notes);
    notes.fold(table.to_string(), |text, note| text + "\n" + note)
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
