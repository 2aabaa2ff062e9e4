//! What keeps a file from being expanded, and the bounds that an expansion keeps to.

use std::{path::Path, rc::Rc};

use crate::error::UrdfError;

/// Elements written and expressions evaluated in all.
pub(super) const MAX_STEPS: usize = 300_000;

/// Bytes of all values and texts made in all.
pub(super) const MAX_TEXT: usize = 32 << 20;

/// Macro calls, includes and property references within one another.
pub(super) const MAX_CALLS: usize = 24;

/// Why a file can't be expanded.
#[derive(Debug)]
pub(crate) struct Fault {
    pub(super) line: u32,
    /// Its file, unless that is the robot file.
    pub(super) file: Option<Rc<str>>,
    pub(super) element: String,
    pub(super) reason: String,
    /// Whether it is a call of something that isn't there, which a reader of URDF skips.
    pub(super) absent: bool,
}

impl Fault {
    /// Line and element.
    pub(super) fn place(&self) -> (Option<u32>, String) {
        match &self.file {
            None => (Some(self.line), self.element.clone()),
            Some(file) => (
                None,
                format!("{} (line {} of {file})", self.element, self.line),
            ),
        }
    }

    pub(super) fn error(self, robot: &Path) -> UrdfError {
        let (line, element) = self.place();
        UrdfError::Xacro {
            file: robot.into(),
            line,
            element,
            reason: self.reason,
        }
    }
}
