//! Results to the terminal and to files. Files appear whole or not at all.

use crate::error::CommandError;
use crate::files;
use crate::result::RunResult;
use crate::table::figures;
use crate::trace::{COLUMNS, Row};
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
    results: &[&RunResult],
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
        JsonTarget::File(path) => files::write_atomically(path, &(text + "\n")),
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

/// A table as CSV [RFC 4180]: its header, then a row per line.
///
/// # Errors
/// When a row has not as many cells as the header.
pub fn csv_text<H, R>(header: H, rows: R) -> Result<String, CommandError>
where
    H: IntoIterator<Item: AsRef<[u8]>>,
    R: IntoIterator<Item: IntoIterator<Item: AsRef<[u8]>>>,
{
    let wrong = |e: &dyn std::error::Error| CommandError::Scene(format!("CSV: {e}"));
    let mut writer = csv::Writer::from_writer(Vec::new());
    writer.write_record(header).map_err(|e| wrong(&e))?;
    for row in rows {
        writer.write_record(row).map_err(|e| wrong(&e))?;
    }
    let bytes = writer.into_inner().map_err(|e| wrong(&e))?;
    String::from_utf8(bytes).map_err(|e| wrong(&e))
}

/// Writes `STEM-steps.csv` and `STEM-result.csv` into a folder, which is created if needed; numbers with all
/// digits. Gives the paths.
///
/// # Errors
/// An output error.
pub fn write_csv(
    folder: &Path,
    stem: &str,
    result: &RunResult,
    trace: &[Row],
) -> Result<[PathBuf; 2], CommandError> {
    files::create_folder(folder)?;
    let steps = trace.iter().map(|row| {
        let cells = row.iter();
        cells.map(|x| x.map(|x| x.to_string()).unwrap_or_default())
    });
    let outcome = ["outcome".to_owned(), result.outcome.clone()];
    let figures = figures(result).into_iter();
    let figures = figures.map(|(name, figure)| [name, figure.full()]);
    let files = [
        (format!("{stem}-steps.csv"), csv_text(COLUMNS, steps)?),
        (
            format!("{stem}-result.csv"),
            csv_text(["figure", "value"], std::iter::once(outcome).chain(figures))?,
        ),
    ];
    let paths = files.each_ref().map(|(name, _)| folder.join(name));
    for (path, (_, text)) in paths.iter().zip(&files) {
        files::write_atomically(path, text)?;
    }
    Ok(paths)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn cells_are_quoted_where_they_must() {
        let row = ["a", "b c", "d,e", "said \"f\"", "two\nlines", ""];
        let text = csv_text(["1", "2", "3", "4", "5", "6"], [row]).unwrap();
        assert_eq!(
            text,
            "1,2,3,4,5,6\na,b c,\"d,e\",\"said \"\"f\"\"\",\"two\nlines\",\n"
        );
    }
}
