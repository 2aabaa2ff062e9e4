//! Drives, roots and changes while sleeping is allowed: how far things moved.

use super::Entry;

pub(super) const ENTRIES: &[Entry] = &[];
