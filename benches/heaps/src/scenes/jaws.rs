//! Jaws, pinned parts and shaken hands: forces and what is still held.

use super::Entry;

pub(super) const ENTRIES: &[Entry] = &[];
