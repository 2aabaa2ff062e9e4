//! Plain xacro, expanded: properties, macros with defaults and blocks, includes, conditions,
//! arithmetic, and the substitutions arg, find, env, optenv, dirname and eval.
//!
//! Written here because the crates there are either have no bound on what a few nested macros grow
//! to, or no conditional expressions, and no lines to name in a message. What isn't plain (YAML,
//! Python beyond expressions, namespaces of includes) is refused by name.
//!
//! Everything is bounded: [`MAX_STEPS`] elements and evaluations, [`MAX_TEXT`] bytes in values,
//! [`MAX_CALLS`] calls within calls.

mod eval;
mod expand;
mod parse;
mod scope;
mod substitute;
#[cfg(test)]
mod tests;
mod tree;
mod value;
mod values;
mod write;

use std::{collections::BTreeMap, path::Path, rc::Rc};

use roxmltree::Document;

use crate::{
    error::UrdfError,
    findings::{Findings, Place},
    resolve::Resolver,
    scan::{self, Source},
};

/// Elements written and expressions evaluated in all.
const MAX_STEPS: usize = 300_000;

/// Bytes of all values and texts made in all.
const MAX_TEXT: usize = 32 << 20;

/// Macro calls, includes and property references within one another.
const MAX_CALLS: usize = 24;

/// Why a file can't be expanded.
#[derive(Debug)]
pub(crate) struct Fault {
    line: u32,
    /// Its file, unless that is the robot file.
    file: Option<Rc<str>>,
    element: String,
    reason: String,
    /// Whether it is a call of something that isn't there, which a reader of URDF skips.
    absent: bool,
}

/// What becomes of calls of what isn't there.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) enum Leftovers {
    /// An error: the file is xacro.
    Refused,
    /// Dropped with a note: the file is a URDF, whose reader skips what it doesn't know.
    Dropped,
}

/// What the file is expanded with.
pub(crate) struct Surroundings<'a> {
    pub resolver: &'a Resolver,
    pub arguments: &'a BTreeMap<String, String>,
    pub leftovers: Leftovers,
}

/// The robot text that a xacro document describes.
///
/// # Errors
/// [`UrdfError::Xacro`] with line and element.
pub(crate) fn expand(
    source: &Source,
    document: &Document,
    around: &Surroundings,
    found: &mut Findings,
) -> Result<Source, UrdfError> {
    let expanded = tree::tree(source, document, None)
        .and_then(|root| expand::document(&root, found.path(), around))
        .and_then(|(root, dropped)| Ok((write::text(&root)?, dropped)));
    let ((text, origins), dropped) = expanded.map_err(|fault| fault.error(found.path()))?;
    for (fault, count) in dropped {
        let times = if count > 1 {
            format!(" ({count} times)")
        } else {
            String::new()
        };
        let (line, element) = fault.place();
        let slip = format!("{}; dropped{times}", fault.reason);
        found.repaired(&Place { line, element }, slip);
    }
    Ok(Source::expanded(text, origins, 0))
}

impl Fault {
    /// Line and element.
    fn place(&self) -> (Option<u32>, String) {
        match &self.file {
            None => (Some(self.line), self.element.clone()),
            Some(file) => (
                None,
                format!("{} (line {} of {file})", self.element, self.line),
            ),
        }
    }

    fn error(self, robot: &Path) -> UrdfError {
        let (line, element) = self.place();
        UrdfError::Xacro {
            file: robot.into(),
            line,
            element,
            reason: self.reason,
        }
    }
}

/// A file named by an include, as its own tree.
fn included(path: &Path, by: &tree::Element) -> Result<Rc<tree::Element>, Fault> {
    let mut found = Findings::new(path, crate::model::Strictness::Tolerant);
    let text = crate::file::text_of(path).map_err(|e| by.fault(e.to_string()))?;
    let mut source = Source::new(&text, &mut found);
    scan::prepare(&mut source, &mut found).map_err(|e| by.fault(e.to_string()))?;
    let Some(document) = scan::parse(&source, &mut found) else {
        let reason = found.errors.first().map(ToString::to_string);
        return Err(by.fault(reason.unwrap_or_default()));
    };
    tree::tree(&source, &document, Some(path.to_string_lossy().into()))
}
