//! Fast bodies with continuous detection against each other: none passes.

use super::Entry;

pub(super) const ENTRIES: &[Entry] = &[];
