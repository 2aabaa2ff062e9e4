//! Plain xacro, expanded: properties, macros with defaults and blocks, includes, conditions,
//! arithmetic, and the substitutions arg, find, env, optenv, dirname and eval.
//!
//! Written here because the crates there are either have no bound on what a few nested macros grow
//! to, or no conditional expressions, and no lines to name in a message. What isn't plain (YAML,
//! Python beyond expressions, namespaces of includes) is refused by name.
//!
//! Everything is bounded: [`fault::MAX_STEPS`] elements and evaluations, [`fault::MAX_TEXT`] bytes in values,
//! [`fault::MAX_CALLS`] calls within calls.

mod eval;
mod expand;
mod fault;
mod parse;
mod scope;
mod substitute;
#[cfg(test)]
mod tests;
mod tree;
mod value;
mod values;
mod write;

use roxmltree::Document;

pub(crate) use expand::{Leftovers, Surroundings};

use crate::{
    error::UrdfError,
    findings::{Findings, Place},
    scan::Source,
};

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
