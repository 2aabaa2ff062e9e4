//! The forces of a run, written while it goes on: `contacts.csv` and `forces.csv`, and what the JSON states of them.

use crate::error::CommandError;
use crate::files;
use crate::forces::{self, CONTACT_COLUMNS, FORCE_COLUMNS, Parts};
use crate::session::ContactSample;
use serde::Serialize;
use serde_json::Value;
use std::path::{Path, PathBuf};
use stickslip_files::Draft;

/// Of which steps the JSON states contacts and forces.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub enum Stated {
    /// Of none.
    #[default]
    Nothing,
    /// Of the last one.
    Last,
    /// Of every one.
    Every,
}

/// A table on its way to its file.
struct Table {
    path: PathBuf,
    rows: csv::Writer<Draft>,
}

impl Table {
    fn create(path: PathBuf, columns: &[&str]) -> Result<Self, CommandError> {
        let draft = Draft::create(&path).map_err(|e| unwritten(&path, &e))?;
        let mut builder = csv::WriterBuilder::new();
        let mut rows = builder.has_headers(false).from_writer(draft);
        let begun = rows.write_record(columns);
        begun.map_err(|e| unwritten(&path, &e))?;
        Ok(Self { path, rows })
    }

    fn add(&mut self, row: impl Serialize) -> Result<(), CommandError> {
        let added = self.rows.serialize(row);
        added.map_err(|e| unwritten(&self.path, &e))
    }

    fn keep(self) -> Result<PathBuf, CommandError> {
        let Self { path, rows } = self;
        let draft = rows.into_inner().map_err(|e| unwritten(&path, &e))?;
        draft.keep().map_err(|e| unwritten(&path, &e))?;
        Ok(path)
    }
}

fn unwritten(path: &Path, error: &dyn std::fmt::Display) -> CommandError {
    CommandError::Output {
        path: path.to_owned(),
        reason: error.to_string(),
    }
}

/// Takes the contacts of every step.
pub(crate) struct ForceLog {
    parts: Parts,
    tables: Option<[Table; 2]>,
    stated: Stated,
    contacts: Vec<Value>,
    forces: Vec<Value>,
}

/// What a log leaves behind.
#[derive(Default)]
pub(crate) struct Forces {
    pub(crate) files: Vec<PathBuf>,
    pub(crate) contacts: Option<Vec<Value>>,
    pub(crate) forces: Option<Vec<Value>>,
}

impl ForceLog {
    /// Into the files `STEM-contacts.csv` and `STEM-forces.csv` of a folder, which is created, if one is given.
    ///
    /// # Errors
    /// An output error.
    pub(crate) fn new(
        parts: Parts,
        folder: Option<(&Path, &str)>,
        stated: Stated,
    ) -> Result<Self, CommandError> {
        let tables = match folder {
            None => None,
            Some((folder, stem)) => {
                files::create_folder(folder)?;
                let path = |what: &str| folder.join(format!("{stem}-{what}.csv"));
                Some([
                    Table::create(path("contacts"), CONTACT_COLUMNS)?,
                    Table::create(path("forces"), FORCE_COLUMNS)?,
                ])
            }
        };
        Ok(Self {
            parts,
            tables,
            stated,
            contacts: Vec::new(),
            forces: Vec::new(),
        })
    }

    /// Takes a step, `(number, time at its end)`. The first row that can't be written ends the files. O(contacts).
    ///
    /// # Errors
    /// An output error.
    pub(crate) fn add(
        &mut self,
        step: (u64, f64),
        contacts: &[ContactSample],
    ) -> Result<(), CommandError> {
        let rows = forces::contact_rows(&self.parts, step, contacts);
        let pairs = forces::force_rows(&self.parts, step, contacts);
        if self.stated != Stated::Nothing {
            if self.stated == Stated::Last {
                self.contacts.clear();
                self.forces.clear();
            }
            // Numbers and words: nothing that JSON could not hold.
            let value = |row| serde_json::to_value(row).unwrap_or_default();
            self.contacts.extend(rows.map(value));
            let values = pairs.iter().map(serde_json::to_value);
            self.forces.extend(values.map(Result::unwrap_or_default));
        }
        let Some([contact_table, force_table]) = &mut self.tables else {
            return Ok(());
        };
        let mut rows = forces::contact_rows(&self.parts, step, contacts);
        let mut written = rows.try_for_each(|row| contact_table.add(row));
        for row in &pairs {
            written = written.and_then(|()| force_table.add(row));
        }
        if written.is_err() {
            self.tables = None;
        }
        written
    }

    /// Gives the files their names.
    pub(crate) fn finish(self, troubles: &mut Vec<CommandError>) -> Forces {
        let mut files = Vec::new();
        for table in self.tables.into_iter().flatten() {
            match table.keep() {
                Ok(path) => files.push(path),
                Err(error) => troubles.push(error),
            }
        }
        let stated = self.stated != Stated::Nothing;
        Forces {
            files,
            contacts: stated.then_some(self.contacts),
            forces: stated.then_some(self.forces),
        }
    }
}
