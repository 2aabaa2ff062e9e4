//! Bodies that roll and slide over flush tiles and seams: what the seams take from them.

use super::Entry;

pub(super) const ENTRIES: &[Entry] = &[];
