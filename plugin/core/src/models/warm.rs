//! Which rows were active in the last solve.

use crate::problem::ContactProblem;
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
    /// What the running solve records.
    next: Vec<(u64, u8)>,
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

    fn clear(&mut self) {
        self.entries.clear();
        self.mapped = false;
    }

    /// Makes the recorded states the known ones.
    fn commit(&mut self) {
        std::mem::swap(&mut self.entries, &mut self.next);
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
        self.contacts.clear();
        self.scalars.clear();
    }

    /// State of a contact in the last solve.
    pub(super) fn contact(&mut self, index: usize, key: u64) -> Option<u8> {
        self.contacts.get(index, key)
    }

    /// State of a scalar row in the last solve.
    pub(super) fn scalar(&mut self, index: usize, key: u64) -> Option<u8> {
        self.scalars.get(index, key)
    }

    /// Starts recording a solve; the last one's states stay readable until [`Self::commit`].
    pub(super) fn begin(&mut self, problem: &ContactProblem) {
        let contacts = problem.contacts().iter().map(|c| (c.key, 0));
        self.contacts.next.clear();
        self.contacts.next.extend(contacts);
        let scalars = problem.scalars().iter().map(|s| (s.0, 0));
        self.scalars.next.clear();
        self.scalars.next.extend(scalars);
    }

    /// Adds to the recorded state of a contact.
    pub(super) fn record_contact(&mut self, index: usize, bits: u8) {
        self.contacts.next[index].1 |= bits;
    }

    /// Sets the recorded state of a scalar row.
    pub(super) fn record_scalar(&mut self, index: usize, state: u8) {
        self.scalars.next[index].1 = state;
    }

    /// Ends recording.
    pub(super) fn commit(&mut self) {
        self.contacts.commit();
        self.scalars.commit();
    }
}
