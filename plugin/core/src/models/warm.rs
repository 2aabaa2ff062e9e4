//! Which rows were active in the last solve.

use std::collections::HashMap;
use std::hash::{BuildHasherDefault, Hasher};

/// Mixes a 64-bit key; the keys are names, not input of strangers.
#[derive(Clone, Debug, Default)]
struct Mix(u64);

impl Hasher for Mix {
    fn finish(&self) -> u64 {
        self.0
    }
    fn write(&mut self, bytes: &[u8]) {
        for &b in bytes {
            self.write_u64(u64::from(b));
        }
    }
    fn write_u64(&mut self, key: u64) {
        let x = (self.0 ^ key).wrapping_mul(0x9e37_79b9_7f4a_7c15);
        self.0 = x ^ (x >> 29);
    }
}

/// What was active, by key. Index first (the next problem usually has the same rows), then a map.
#[derive(Clone, Debug, Default)]
struct Table {
    entries: Vec<(u64, u8)>,
    map: HashMap<u64, u8, BuildHasherDefault<Mix>>,
    mapped: bool,
}

impl Table {
    fn get(&mut self, index: usize, key: u64) -> Option<u8> {
        if let Some(&(k, state)) = self.entries.get(index)
            && k == key
        {
            return Some(state);
        }
        if self.entries.is_empty() {
            return None;
        }
        if !self.mapped {
            self.map.clear();
            self.map.reserve(self.entries.len());
            self.map.extend(self.entries.iter().copied());
            self.mapped = true;
        }
        self.map.get(&key).copied()
    }

    fn begin(&mut self) {
        self.entries.clear();
        self.mapped = false;
    }
}

/// The active rows of the last solve, found again by the rows' keys. Of rows that share a key the
/// last one counts, unless they keep their index.
#[derive(Clone, Debug, Default)]
pub struct WarmStart {
    contacts: Table,
    scalars: Table,
}

impl WarmStart {
    /// No memory: a cold start.
    pub fn new() -> Self {
        Self::default()
    }

    /// Forgets everything (keeps the memory).
    pub fn clear(&mut self) {
        self.contacts.begin();
        self.scalars.begin();
    }

    pub(super) fn contact(&mut self, index: usize, key: u64) -> Option<u8> {
        self.contacts.get(index, key)
    }

    pub(super) fn scalar(&mut self, index: usize, key: u64) -> Option<u8> {
        self.scalars.get(index, key)
    }

    /// Starts recording anew.
    pub(super) fn begin(&mut self) {
        self.clear();
    }

    pub(super) fn push_contact(&mut self, key: u64, state: u8) {
        self.contacts.entries.push((key, state));
    }

    pub(super) fn push_scalar(&mut self, key: u64, state: u8) {
        self.scalars.entries.push((key, state));
    }
}
