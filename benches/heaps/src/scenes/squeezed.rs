//! Bodies wedged between what moves and what is fixed, and starts that overlap: the fastest body, the longest step.

use super::Entry;

pub(super) const ENTRIES: &[Entry] = &[];
