//! Robot files on this computer.

#![allow(dead_code)] // Every test file compiles its own copy and uses a part of it.

use std::path::{Path, PathBuf};

/// The folder or file that an environment variable names. Tests that ask for one are ignored by default.
pub fn named(variable: &str) -> PathBuf {
    let path = std::env::var_os(variable);
    PathBuf::from(path.unwrap_or_else(|| panic!("{variable} is not set, see CONTRIBUTING.md")))
}

/// Robot files (`*.urdf`) below the folder that an environment variable names, sorted.
pub fn robots(variable: &str) -> Vec<PathBuf> {
    let folder = named(variable);
    let mut found = Vec::new();
    collect(&folder, &mut found);
    assert!(!found.is_empty(), "no *.urdf below {}", folder.display());
    found.sort();
    found
}

fn collect(folder: &Path, found: &mut Vec<PathBuf>) {
    for entry in std::fs::read_dir(folder).into_iter().flatten().flatten() {
        let path = entry.path();
        if path.is_dir() {
            collect(&path, found);
        } else if path.extension().is_some_and(|e| e == "urdf") {
            found.push(path);
        }
    }
}
