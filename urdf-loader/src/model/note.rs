//! What a file got away with.

use std::fmt;

/// Something the loader tolerated, dropped or assumed, with the place in the file.
#[derive(Debug, Clone, PartialEq, Eq, Hash)]
pub struct Note {
    /// What became of it.
    pub kind: NoteKind,
    /// Line of the robot file, counted from 1; `None` where the note is about no single line.
    pub line: Option<u32>,
    /// The element, as `link ...`, `joint ...` or `robot`.
    pub element: String,
    /// What was found and what was made of it.
    pub text: String,
}

/// What became of a part of the file that a [`Note`] is about.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash, PartialOrd, Ord)]
pub enum NoteKind {
    /// Against the format, but clear enough: read as the note says.
    Repaired,
    /// Declared in the file, without effect here.
    Ignored,
    /// Not stated in the file: a default stands in.
    Assumed,
    /// Replaced because an option asked for it.
    Changed,
    /// Kept as it is, though it is probably a mistake.
    Doubtful,
}

impl NoteKind {
    /// The word used in messages and tables.
    pub fn word(self) -> &'static str {
        match self {
            Self::Repaired => "repaired",
            Self::Ignored => "ignored",
            Self::Assumed => "assumed",
            Self::Changed => "changed",
            Self::Doubtful => "doubtful",
        }
    }
}

impl fmt::Display for Note {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "{}: ", self.kind.word())?;
        if let Some(line) = self.line {
            write!(f, "line {line}, ")?;
        }
        write!(f, "{}: {}", self.element, self.text)
    }
}
