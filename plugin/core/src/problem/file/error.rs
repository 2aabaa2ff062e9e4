//! Why a problem file was refused.

use super::super::ProblemError;
use crate::mass::MassError;
use std::path::{Path, PathBuf};

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
    /// The operating system refused.
    #[error("cannot be read: {reason}")]
    Unreadable {
        /// What it said.
        reason: String,
    },
    /// The operating system refused.
    #[error("cannot be written: {reason}")]
    Unwritable {
        /// What it said.
        reason: String,
    },
    /// The file is larger than any that is read.
    #[error("larger than {limit} bytes, the most that is read")]
    TooLarge {
        /// The limit \[bytes\].
        limit: u64,
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
    /// A field is absent, or fields contradict each other.
    #[error("{reason}")]
    Fields {
        /// Which, and what to do.
        reason: String,
    },
    /// A list has the wrong length.
    #[error("{entry}: has {found}, wants {wanted}")]
    Shape {
        /// The list.
        entry: String,
        /// Its length, with what it counts.
        found: String,
        /// The length it should have, and why.
        wanted: String,
    },
    /// A value is out of range.
    #[error("{entry}: {reason}")]
    Value {
        /// The entry.
        entry: String,
        /// What is wrong.
        reason: String,
    },
    /// A block of the mass matrix was refused.
    #[error("{entry}: {error}")]
    Mass {
        /// The block.
        entry: String,
        /// Why.
        #[source]
        error: MassError,
    },
    /// The numbers make no problem.
    #[error(transparent)]
    Problem(#[from] ProblemError),
}

impl ProblemFileError {
    pub(super) fn in_file(self, path: &Path) -> Self {
        Self::InFile {
            path: path.to_owned(),
            error: Box::new(self),
        }
    }

    pub(super) fn value(entry: impl Into<String>, reason: impl Into<String>) -> Self {
        Self::Value {
            entry: entry.into(),
            reason: reason.into(),
        }
    }

    pub(super) fn fields(reason: impl Into<String>) -> Self {
        Self::Fields {
            reason: reason.into(),
        }
    }
}

fn prefix(entry: &str) -> String {
    if entry.is_empty() {
        String::new()
    } else {
        format!("{entry}: ")
    }
}
