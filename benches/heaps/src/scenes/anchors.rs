//! Bodies on joints to what a user moves: how far the joint opens.

use super::Entry;

pub(super) const ENTRIES: &[Entry] = &[];
