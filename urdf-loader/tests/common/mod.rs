//! Robot files on this computer, and random numbers for tests.

#![allow(dead_code)] // Every test file compiles its own copy and uses a part of it.

use std::path::{Path, PathBuf};

/// Robot files (`*.urdf`) below the folder that an environment variable names, sorted; `None` with
/// a message when it isn't set.
pub fn robots(variable: &str) -> Option<Vec<PathBuf>> {
    let Some(folder) = std::env::var_os(variable) else {
        println!("skipped: {variable} is not set");
        return None;
    };
    let mut found = Vec::new();
    collect(Path::new(&folder), &mut found);
    assert!(!found.is_empty(), "no *.urdf below {}", folder.display());
    found.sort();
    Some(found)
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

/// SplitMix64 (Steele, Lea, Flood 2014): the same numbers from the same seed everywhere.
pub struct Random(pub u64);

impl Random {
    /// Uniform in [0, 1).
    pub fn unit(&mut self) -> f64 {
        self.0 = self.0.wrapping_add(0x9E37_79B9_7F4A_7C15);
        let mut z = self.0;
        z = (z ^ (z >> 30)).wrapping_mul(0xBF58_476D_1CE4_E5B9);
        z = (z ^ (z >> 27)).wrapping_mul(0x94D0_49BB_1331_11EB);
        ((z ^ (z >> 31)) >> 11) as f64 / (1u64 << 53) as f64
    }

    /// Uniform in [lower, upper).
    pub fn between(&mut self, lower: f64, upper: f64) -> f64 {
        lower + (upper - lower) * self.unit()
    }
}
