//! The CSV of a sweep, for tests.

use std::collections::BTreeMap;
use std::fs;
use std::path::Path;

/// Columns of a CSV by their names.
pub fn columns(text: &str) -> BTreeMap<String, Vec<String>> {
    let mut lines = text.lines().map(cells);
    let header = lines.next().unwrap();
    let mut columns: BTreeMap<String, Vec<String>> = BTreeMap::new();
    for line in lines {
        assert_eq!(line.len(), header.len(), "{line:?}");
        for (name, cell) in header.iter().zip(line) {
            columns.entry(name.clone()).or_default().push(cell);
        }
    }
    columns
}

/// The cells of a line; commas within quotes are part of a cell.
fn cells(line: &str) -> Vec<String> {
    let mut cells = vec![String::new()];
    let mut quoted = false;
    for c in line.chars() {
        match c {
            '"' => quoted = !quoted,
            ',' if !quoted => cells.push(String::new()),
            c => cells.last_mut().unwrap().push(c),
        }
    }
    cells
}

/// What of a sweep must not depend on how it was made.
pub fn content(folder: &Path) -> BTreeMap<String, Vec<String>> {
    let mut columns = columns(&fs::read_to_string(folder.join("runs.csv")).unwrap());
    columns.retain(|name, _| name != "started" && !name.ends_with("_us"));
    columns
}
