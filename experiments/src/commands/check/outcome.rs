//! What became of a robot file.

use super::placed::Placed;
use crate::double::scenes::robots::robot_options::load_options;
use crate::robot_args::RobotArgs;
use std::path::Path;
use std::time::Instant;
use stickslip_urdf_f64::{Diagnosis, Note, NoteKind, diagnose};

/// What became of a file.
pub(super) struct Outcome {
    pub(super) found: Diagnosis,
    /// The robot in a world of its own; the reason if it can't be placed; `None` if it wasn't read.
    pub(super) placed: Option<Result<Placed, String>>,
    /// Wall time of reading the file with its meshes, and of placing the robot \[s\].
    pub(super) seconds: [f64; 2],
}

impl Outcome {
    pub(super) fn of(file: &Path, args: &RobotArgs) -> Self {
        let start = Instant::now();
        let found = diagnose(file, &load_options(args));
        let read = start.elapsed().as_secs_f64();
        let readable = found.model.as_ref().filter(|_| found.errors.is_empty());
        let placed = readable.map(|model| Placed::new(model, args));
        let place = start.elapsed().as_secs_f64() - read;
        Self {
            found,
            placed,
            seconds: [read, place],
        }
    }

    /// Notes about what was repaired or changed.
    pub(super) fn repaired(&self) -> impl Iterator<Item = &Note> {
        let notes = self.found.notes.iter();
        notes.filter(|n| matches!(n.kind, NoteKind::Repaired | NoteKind::Changed))
    }

    pub(super) fn repairs(&self) -> usize {
        self.repaired().count()
    }

    /// `loads`, `loads repaired` or `refused`.
    pub(super) fn verdict(&self) -> &'static str {
        match &self.placed {
            Some(Ok(_)) if self.repairs() == 0 => "loads",
            Some(Ok(_)) => "loads repaired",
            _ => "refused",
        }
    }

    /// Why it is refused, in the order found.
    pub(super) fn reasons(&self) -> Vec<String> {
        let errors = self.found.errors.iter().map(ToString::to_string);
        let placed = self.placed.as_ref().and_then(|p| p.as_ref().err()).cloned();
        errors.chain(placed).collect()
    }
}
