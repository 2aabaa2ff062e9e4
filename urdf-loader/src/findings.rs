//! Where the stages of reading put what they find.

use std::{
    collections::HashMap,
    path::{Path, PathBuf},
};

use crate::{
    error::UrdfError,
    model::{Diagnosis, Note, NoteKind, RobotModel, Strictness},
};

/// Errors and notes about one file.
pub(crate) struct Findings<'a> {
    file: &'a Path,
    strictness: Strictness,
    pub(crate) errors: Vec<UrdfError>,
    notes: Vec<Note>,
    /// Lines of links and joints, by element.
    lines: HashMap<String, u32>,
}

/// A place in the file: a line, where one is known, and an element.
#[derive(Debug, Clone, PartialEq)]
pub(crate) struct Place {
    pub line: Option<u32>,
    pub element: String,
}

impl Place {
    /// An element without a line.
    pub(crate) fn of(element: impl Into<String>) -> Self {
        Self {
            line: None,
            element: element.into(),
        }
    }

    /// A joint.
    pub(crate) fn joint(name: &str) -> Self {
        Self::of(format!("joint `{name}`"))
    }

    /// A link.
    pub(crate) fn link(name: &str) -> Self {
        Self::of(format!("link `{name}`"))
    }

    /// A part of the element.
    pub(crate) fn part(&self, part: &str) -> Self {
        Self {
            line: self.line,
            element: format!("{}, {part}", self.element),
        }
    }
}

impl<'a> Findings<'a> {
    pub(crate) fn new(file: &'a Path, strictness: Strictness) -> Self {
        Self {
            file,
            strictness,
            errors: Vec::new(),
            notes: Vec::new(),
            lines: HashMap::new(),
        }
    }

    /// Remembers where an element stands, for later notes about it.
    pub(crate) fn stands_at(&mut self, place: &Place) {
        if let Some(line) = place.line {
            self.lines.entry(place.element.clone()).or_insert(line);
        }
    }

    fn line(&self, place: &Place) -> Option<u32> {
        place
            .line
            .or_else(|| self.lines.get(&place.element).copied())
    }

    pub(crate) fn file(&self) -> PathBuf {
        self.file.into()
    }

    pub(crate) fn strictness(&self) -> Strictness {
        self.strictness
    }

    pub(crate) fn path(&self) -> &'a Path {
        self.file
    }

    pub(crate) fn note(&mut self, kind: NoteKind, place: &Place, text: impl Into<String>) {
        self.notes.push(Note {
            kind,
            line: self.line(place),
            element: place.element.clone(),
            text: text.into(),
        });
    }

    /// A slip against the format that was repaired: a note, or an error where nothing may be.
    pub(crate) fn repaired(&mut self, place: &Place, text: impl Into<String>) {
        let text = text.into();
        match self.strictness {
            Strictness::Tolerant => self.note(NoteKind::Repaired, place, text),
            Strictness::Strict => self.errors.push(UrdfError::NotStrict {
                file: self.file(),
                line: self.line(place),
                element: place.element.clone(),
                slip: text,
            }),
        }
    }

    /// An element that can't be read.
    pub(crate) fn bad_element(&mut self, place: &Place, reason: impl Into<String>) {
        self.errors.push(UrdfError::BadElement {
            file: self.file(),
            line: self.line(place),
            element: place.element.clone(),
            reason: reason.into(),
        });
    }

    /// The findings about another file, which these notes name.
    pub(crate) fn take(&mut self, other: Findings) {
        let file = other.file.display();
        self.notes.extend(other.notes.iter().map(|note| Note {
            element: format!("{} of {file}", note.element),
            ..note.clone()
        }));
        self.errors.extend(other.errors);
    }

    pub(crate) fn split(self) -> (Vec<UrdfError>, Vec<Note>) {
        (self.errors, self.notes)
    }

    pub(crate) fn done(self, model: Option<RobotModel>) -> Diagnosis {
        let model = model
            .filter(|_| self.errors.is_empty())
            .map(|m| RobotModel {
                notes: self.notes.clone(),
                ..m
            });
        Diagnosis {
            model,
            errors: self.errors,
            notes: self.notes,
        }
    }
}
