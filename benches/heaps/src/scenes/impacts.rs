//! Impacts that bounce, wherever they are: energy that is left, speeds after them.

use super::Entry;

pub(super) const ENTRIES: &[Entry] = &[];
