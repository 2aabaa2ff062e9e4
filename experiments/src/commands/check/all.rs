//! `stickslip check --all DIR`: every robot file below a folder, a row each.

use super::outcome::Outcome;
use crate::digits::count;
use crate::error::CommandError;
use crate::robot_args::RobotArgs;
use crate::table::{self, right};
use comfy_table::Cell;
use serde_json::{Value, json};
use std::io::{IsTerminal as _, Write as _};
use std::path::{Path, PathBuf};

/// Robot files of a folder: far beyond any collection.
const MAX_FILES: usize = 100_000;
/// Folders within folders.
const MAX_DEPTH: usize = 64;
/// Entries of all folders together.
const MAX_ENTRIES: usize = 10_000_000;

/// What is kept of a file.
pub(super) struct Row {
    /// Path from the folder.
    file: PathBuf,
    verdict: &'static str,
    repairs: usize,
    seconds: f64,
    /// Why it is refused, else what was repaired.
    reasons: Vec<String>,
    /// Links, coordinates, colliders and mass \[kg\] of what loads.
    robot: Option<(usize, usize, usize, f64)>,
}

/// Checks every `.urdf` below a folder; links to folders are not followed.
///
/// # Errors
/// When the folder can't be read, holds no robot file, or more than is reasonable.
pub(super) fn rows(folder: &Path, args: &RobotArgs) -> Result<Vec<Row>, CommandError> {
    let files = files(folder)?;
    let shown = std::io::stderr().is_terminal();
    let mut rows = Vec::with_capacity(files.len());
    for (number, file) in files.iter().enumerate() {
        if shown {
            let name = file.strip_prefix(folder).unwrap_or(file).display();
            eprint!("\r\x1b[K{} of {}: {name}", number + 1, files.len());
            let _ = std::io::stderr().flush();
        }
        rows.push(row(folder, file, args));
    }
    if shown {
        eprint!("\r\x1b[K");
    }
    Ok(rows)
}

fn row(folder: &Path, file: &Path, args: &RobotArgs) -> Row {
    let outcome = Outcome::of(file, args);
    let start = format!("{}: ", file.display());
    let mut reasons = outcome.reasons();
    if reasons.is_empty() {
        reasons = outcome.repaired().map(ToString::to_string).collect();
    }
    for reason in &mut reasons {
        if let Some(rest) = reason.strip_prefix(&start) {
            *reason = rest.to_owned();
        }
    }
    let placed = outcome.placed.as_ref().and_then(|p| p.as_ref().ok());
    let robot = outcome.found.model.as_ref().zip(placed);
    Row {
        file: file.strip_prefix(folder).unwrap_or(file).to_owned(),
        verdict: outcome.verdict(),
        repairs: outcome.repairs(),
        seconds: outcome.seconds.iter().sum(),
        reasons,
        robot: robot.map(|(m, p)| (m.links.len(), p.dofs, p.collider_count(), m.mass())),
    }
}

/// Files that end in `.urdf`, sorted.
fn files(folder: &Path) -> Result<Vec<PathBuf>, CommandError> {
    let usage = |path: &Path, reason: &dyn std::fmt::Display| {
        CommandError::Usage(format!("{}: {reason}", path.display()))
    };
    let mut found = Vec::new();
    let mut entries = 0;
    let mut open = vec![(folder.to_owned(), 0)];
    while let Some((folder, depth)) = open.pop() {
        let list = std::fs::read_dir(&folder).map_err(|e| usage(&folder, &e))?;
        for entry in list {
            let entry = entry.map_err(|e| usage(&folder, &e))?;
            let path = entry.path();
            let kind = entry.file_type().map_err(|e| usage(&path, &e))?;
            if kind.is_dir() && depth < MAX_DEPTH {
                open.push((path, depth + 1));
            } else if path
                .extension()
                .is_some_and(|e| e.eq_ignore_ascii_case("urdf"))
                && path.is_file()
            {
                found.push(path);
            }
            entries += 1;
            if entries > MAX_ENTRIES || found.len() > MAX_FILES {
                let reason =
                    format!("holds more than {MAX_FILES} robot files or {MAX_ENTRIES} entries");
                return Err(usage(&folder, &reason));
            }
        }
    }
    if found.is_empty() {
        return Err(usage(folder, &"no file in it ends in .urdf"));
    }
    found.sort();
    Ok(found)
}

/// A row per file, and how many loaded.
pub(super) fn text(rows: &[Row]) -> String {
    let mut table = table::plain();
    table.set_header([
        "file",
        "outcome",
        "links",
        "dofs",
        "colliders",
        "mass [kg]",
        "reasons",
    ]);
    for row in rows {
        let mut cells = vec![Cell::new(row.file.display()), Cell::new(row.verdict)];
        match row.robot {
            Some((links, dofs, colliders, mass)) => {
                let numbers = [links, dofs, colliders].map(|n| n.to_string());
                cells.extend(numbers.map(right));
                cells.push(right(super::report::kilograms(mass)));
            }
            None => cells.extend(std::iter::repeat_n(Cell::new(""), 4)),
        }
        let first = row.reasons.first().cloned().unwrap_or_default();
        let more = match row.reasons.len() {
            0 | 1 => String::new(),
            n => format!(" (and {} more)", n - 1),
        };
        cells.push(Cell::new(first + &more));
        table.add_row(cells);
    }
    format!("{}\n\n{}", table::text(&table), summary(rows))
}

/// `14 files: 10 load, 3 load repaired, 1 is refused`.
pub(super) fn summary(rows: &[Row]) -> String {
    let of = |verdict: &str| rows.iter().filter(|r| r.verdict == verdict).count();
    format!(
        "{}: {} load, {} load repaired, {} refused",
        count(rows.len(), "file"),
        of("loads"),
        of("loads repaired"),
        of("refused")
    )
}

/// How many are refused.
pub(super) fn refused(rows: &[Row]) -> usize {
    rows.iter().filter(|r| r.verdict == "refused").count()
}

/// The same by name; docs/robots.md describes them.
pub(super) fn json(folder: &Path, rows: &[Row]) -> Value {
    let files = rows.iter().map(|row| {
        let robot = row.robot.map(|(links, dofs, colliders, mass)| {
            json!({ "links": links, "dofs": dofs, "colliders": colliders, "mass_kg": mass })
        });
        json!({
            "file": row.file.display().to_string(),
            "verdict": row.verdict,
            "repairs": row.repairs,
            "seconds": row.seconds,
            "reasons": row.reasons,
            "robot": robot,
        })
    });
    json!({
        "folder": folder.display().to_string(),
        "ok": refused(rows) == 0,
        "refused": refused(rows),
        "files": files.collect::<Vec<_>>(),
    })
}
