//! Why a problem file was refused.

use std::fmt::Display;
use std::path::{Path, PathBuf};
use stickslip_core::problem::ProblemError;

/// Why a problem file was refused. Entries are named as in the text, counted from 0: `N[3][7]`.
#[derive(Clone, Debug, PartialEq, thiserror::Error)]
pub enum ProblemFileError {
    /// What is wrong in a file.
    #[error("{}: {error}", path.display())]
    InFile {
        /// The file.
        path: PathBuf,
        /// What is wrong.
        #[source]
        error: Box<ProblemFileError>,
    },
    /// The file holds nothing.
    #[error("the file is empty; a problem is an object: {{\"h\": 0.01, \"M\": [[1.0]], ...}}")]
    Empty,
    /// The text is not JSON, or a value is not of the kind its place wants.
    #[error("{}{reason} (line {line}, column {column})", prefix(entry))]
    Text {
        /// The entry, empty for the file as a whole.
        entry: String,
        /// What is wrong.
        reason: String,
        /// Line, from 1.
        line: usize,
        /// Column, from 1.
        column: usize,
    },
    /// A value is absent, of the wrong length or out of range, or the file as a whole is refused.
    #[error("{}{reason}", prefix(entry))]
    Entry {
        /// The entry, empty for the file as a whole.
        entry: String,
        /// What is wrong, and what to do.
        reason: String,
    },
    /// The numbers make no problem.
    #[error(transparent)]
    Problem(#[from] ProblemError),
}

impl ProblemFileError {
    pub(crate) fn in_file(self, path: &Path) -> Self {
        Self::InFile {
            path: path.to_owned(),
            error: Box::new(self),
        }
    }

    /// What the operating system said to reading.
    pub(crate) fn unreadable(reason: impl Display) -> Self {
        Self::entry("", format!("cannot be read: {reason}"))
    }

    pub(crate) fn entry(entry: impl Into<String>, reason: impl Display) -> Self {
        Self::Entry {
            entry: entry.into(),
            reason: reason.to_string(),
        }
    }
}

fn prefix(entry: &str) -> String {
    match entry {
        "" => String::new(),
        entry => format!("{entry}: "),
    }
}
