//! A sweep on disk: `manifest.json`, and a file per run in `runs/`, whole or absent.

use super::grid::Grid;
use crate::error::CommandError;
use crate::files;
use crate::provenance::Provenance;
use crate::settings::Request;
use serde::{Deserialize, Serialize};
use serde_json::Value;
use std::fs;
use std::io::ErrorKind;
use std::path::{Path, PathBuf};

/// What a sweep is, and who started it.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
pub struct SweepManifest {
    /// What is swept.
    pub sweep: Grid,
    /// How many runs that is.
    pub runs: usize,
    /// Program, machine, time of the first start.
    pub made: Provenance,
}

/// The folder of a sweep.
pub struct SweepFolder {
    path: PathBuf,
    /// Its manifest.
    pub manifest: SweepManifest,
}

/// Reads a file; `None` if there is none.
fn read(path: &Path) -> Result<Option<String>, CommandError> {
    match fs::read_to_string(path) {
        Ok(text) => Ok(Some(text)),
        Err(error) if error.kind() == ErrorKind::NotFound => Ok(None),
        Err(error) => Err(CommandError::Usage(format!(
            "{}: cannot be read: {error}",
            path.display()
        ))),
    }
}

/// Where two sweeps differ, in words.
fn difference(there: &SweepManifest, here: &SweepManifest) -> Option<String> {
    let (old, new) = (
        serde_json::to_value(&there.sweep).unwrap_or_default(),
        serde_json::to_value(&here.sweep).unwrap_or_default(),
    );
    let fields = new.as_object().into_iter().flatten();
    let mut parts: Vec<_> = fields
        .filter(|(name, value)| old[name.as_str()] != **value)
        .map(|(name, value)| format!("`{name}` is {} there and {value} here", old[name.as_str()]))
        .collect();
    let (old, new) = (&there.made.versions, &here.made.versions);
    if old != new {
        parts.push(format!("it was made by {old:?}, this is {new:?}"));
    }
    (!parts.is_empty()).then(|| parts.join("; "))
}

impl SweepFolder {
    /// Creates the folder, or goes on with the one that is there.
    ///
    /// # Errors
    /// A usage error when another sweep lives there, saying where it differs; an output error.
    pub fn start(path: &Path, manifest: SweepManifest) -> Result<Self, CommandError> {
        if let Some(there) = Self::find(path)? {
            if let Some(difference) = difference(&there.manifest, &manifest) {
                return Err(CommandError::Usage(format!(
                    "{} holds another sweep: {difference}; choose another --out, or remove the folder",
                    path.display()
                )));
            }
            return Ok(there);
        }
        let folder = Self {
            path: path.to_owned(),
            manifest,
        };
        files::create_folder(&folder.path.join("runs"))?;
        let text = serde_json::to_string_pretty(&folder.manifest)
            .map_err(|error| CommandError::Scene(error.to_string()))?;
        files::write_atomically(&folder.path.join("manifest.json"), &(text + "\n"))?;
        Ok(folder)
    }

    /// The sweep of a folder.
    ///
    /// # Errors
    /// A usage error when there is none, or its manifest can't be read.
    pub fn open(path: &Path) -> Result<Self, CommandError> {
        Self::find(path)?.ok_or_else(|| {
            CommandError::Usage(format!(
                "{}: no sweep is there (no manifest.json)",
                path.display()
            ))
        })
    }

    fn find(path: &Path) -> Result<Option<Self>, CommandError> {
        let file = path.join("manifest.json");
        let Some(text) = read(&file)? else {
            return Ok(None);
        };
        let manifest = serde_json::from_str(&text).map_err(|error| {
            CommandError::Usage(format!(
                "{}: not the manifest of a sweep: {error}",
                file.display()
            ))
        })?;
        Ok(Some(Self {
            path: path.to_owned(),
            manifest,
        }))
    }

    /// Refuses a folder of another sweep.
    ///
    /// # Errors
    /// A usage error saying where they differ.
    pub fn same_sweep(&self, other: &Self) -> Result<(), CommandError> {
        match difference(&self.manifest, &other.manifest) {
            None => Ok(()),
            Some(difference) => Err(CommandError::Usage(format!(
                "{} and {} are not parts of one sweep: {difference} ({0} is \"there\")",
                self.path.display(),
                other.path.display()
            ))),
        }
    }

    /// The folder itself.
    pub fn path(&self) -> &Path {
        &self.path
    }

    /// The file of a run.
    pub fn row_path(&self, run: usize) -> PathBuf {
        self.path.join("runs").join(format!("{run:06}.json"))
    }

    /// The row of a run; `None` if it is absent, or no whole JSON.
    ///
    /// # Errors
    /// A usage error when the row is that of another run.
    pub fn row(&self, run: usize, case: &Request) -> Result<Option<Value>, CommandError> {
        let path = self.row_path(run);
        let Some(text) = read(&path)? else {
            return Ok(None);
        };
        // Rows appear whole; what isn't was damaged later, and the run is made again.
        let Ok(row) = serde_json::from_str::<Value>(&text) else {
            return Ok(None);
        };
        let request = serde_json::from_value::<Request>(row["manifest"]["request"].clone());
        if request.is_ok_and(|request| request == *case) {
            return Ok(Some(row));
        }
        Err(CommandError::Usage(format!(
            "{} is not run {run} of this sweep; remove it, and it is made again",
            path.display()
        )))
    }

    /// All rows, by the numbers of their runs.
    ///
    /// # Errors
    /// As [`Self::row`].
    pub fn rows(&self, cases: &[Request]) -> Result<Vec<Option<Value>>, CommandError> {
        let rows = cases.iter().enumerate();
        rows.map(|(run, case)| self.row(run, case)).collect()
    }

    /// Removes unfinished files of these runs that killed sweeps left; no other process writes them.
    pub fn clear(&self, ours: impl Fn(&usize) -> bool) {
        let half = |name: &str| {
            let (run, _) = name.strip_prefix('.')?.split_once(".json.")?;
            name.ends_with(".part")
                .then(|| run.parse::<usize>().ok())
                .flatten()
        };
        let entries = fs::read_dir(self.path.join("runs")).into_iter().flatten();
        for entry in entries.flatten() {
            if half(&entry.file_name().to_string_lossy()).is_some_and(|run| ours(&run)) {
                // Whether it can be removed changes nothing for the rows.
                let _ = fs::remove_file(entry.path());
            }
        }
    }

    /// Adds a row.
    ///
    /// # Errors
    /// An output error naming the file.
    pub fn put(&self, run: usize, text: &str) -> Result<(), CommandError> {
        files::write_atomically(&self.row_path(run), text)
    }
}
