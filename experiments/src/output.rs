//! Results to the terminal and to files. Files appear whole or not at all.

use crate::error::CommandError;
use crate::result::RunResult;
use crate::table::rows;
use crate::trace::{COLUMNS, Row};
use std::fmt::Write as _;
use std::fs;
use std::io::Write as _;
use std::path::{Path, PathBuf};
use stickslip_files::folder_of;

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

/// Refuses a file that can't be written, before the run rather than after it.
///
/// # Errors
/// A usage error naming the file or its folder.
pub fn check_file_target(path: &Path) -> Result<(), CommandError> {
    let folder = folder_of(path);
    if path.is_dir() || path.file_name().is_none() {
        return Err(CommandError::Usage(format!(
            "{} is not a file name",
            path.display()
        )));
    }
    if !folder.is_dir() {
        return Err(CommandError::Usage(format!(
            "{}: the folder {} does not exist; create it first",
            path.display(),
            folder.display()
        )));
    }
    if path.exists() && !path.is_file() {
        // A pipe or a device is written as it is.
        return Ok(());
    }
    check_writable(folder)
}

/// Refuses a folder that can't be created or written into, before the run rather than after it.
///
/// # Errors
/// A usage error naming the folder.
pub fn check_folder_target(path: &Path) -> Result<(), CommandError> {
    let mut existing = path;
    while !existing.exists() {
        existing = folder_of(existing);
    }
    if !existing.is_dir() {
        return Err(CommandError::Usage(format!(
            "{}: {} is not a folder",
            path.display(),
            existing.display()
        )));
    }
    check_writable(existing)
}

fn check_writable(folder: &Path) -> Result<(), CommandError> {
    stickslip_files::check_folder(folder).map_err(|error| {
        CommandError::Usage(format!("{}: cannot be written: {error}", folder.display()))
    })
}

/// Writes a file whole or not at all. Through a link the file behind it; what is no regular file (a pipe,
/// a device) is written as it is.
///
/// # Errors
/// An output error naming the file.
pub fn write_atomically(path: &Path, text: &str) -> Result<(), CommandError> {
    stickslip_files::write(path, text).map_err(|error| CommandError::Output {
        path: path.to_owned(),
        reason: error.to_string(),
    })
}

/// Creates a folder and those above it.
///
/// # Errors
/// An output error naming the folder.
pub fn create_folder(folder: &Path) -> Result<(), CommandError> {
    fs::create_dir_all(folder).map_err(|error| CommandError::Output {
        path: folder.to_owned(),
        reason: error.to_string(),
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

/// A line of a CSV [RFC 4180]: cells with commas, quotes or line ends in quotes.
pub fn csv_line<S: AsRef<str>>(cells: impl IntoIterator<Item = S>) -> String {
    let quoted = |cell: S| {
        let cell = cell.as_ref();
        if cell.contains([',', '"', '\n', '\r']) {
            format!("\"{}\"", cell.replace('"', "\"\""))
        } else {
            cell.to_owned()
        }
    };
    let cells: Vec<_> = cells.into_iter().map(quoted).collect();
    cells.join(",") + "\n"
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
    create_folder(folder)?;
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

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn cells_are_quoted_where_they_must() {
        let line = csv_line(["a", "b c", "d,e", "said \"f\"", "two\nlines", ""]);
        assert_eq!(line, "a,b c,\"d,e\",\"said \"\"f\"\"\",\"two\nlines\",\n");
    }
}
