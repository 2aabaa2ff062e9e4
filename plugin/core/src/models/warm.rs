//! Which rows were active in the last solve.

use super::ContactSolution;
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

/// Something known of each row, by key. Index first (the next problem usually has the same rows),
/// then a map.
#[derive(Clone, Debug, Default)]
struct Table<T> {
    entries: Vec<(u64, T)>,
    /// What the running solve records.
    next: Vec<(u64, T)>,
    map: HashMap<u64, T, BuildHasherDefault<Mix>>,
    mapped: bool,
}

impl<T: Copy + Default> Table<T> {
    fn get(&mut self, index: usize, key: u64) -> Option<T> {
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

    fn begin(&mut self, keys: impl Iterator<Item = u64>) {
        self.next.clear();
        self.next.extend(keys.map(|key| (key, T::default())));
    }

    fn clear(&mut self) {
        self.entries.clear();
        self.next.clear();
        self.mapped = false;
    }

    /// Makes the recorded states the known ones.
    fn commit(&mut self) {
        std::mem::swap(&mut self.entries, &mut self.next);
        self.mapped = false;
    }
}

/// The active rows of the last solve, and its impulses where the model starts from them, found again
/// by the rows' keys. Of rows that share a key the last one counts, unless they keep their index.
#[derive(Clone, Debug, Default)]
pub struct WarmStart {
    contacts: Table<u32>,
    scalars: Table<u32>,
    /// `f_n, f_s, f_t` and the three spin impulses of each contact.
    contact_impulses: Table<[f64; 6]>,
    scalar_impulses: Table<f64>,
    /// Basic variables of each contact, for models whose contacts have more than 32 of them.
    bases: Table<Bits>,
}

/// Flags of up to 192 variables of a contact.
pub(super) type Bits = [u64; 3];

impl WarmStart {
    /// No memory: a cold start.
    pub fn new() -> Self {
        Self::default()
    }

    /// Forgets everything (keeps the memory).
    pub fn clear(&mut self) {
        self.contacts.clear();
        self.scalars.clear();
        self.contact_impulses.clear();
        self.scalar_impulses.clear();
        self.bases.clear();
    }

    /// State of a contact in the last solve.
    pub(super) fn contact(&mut self, index: usize, key: u64) -> Option<u32> {
        self.contacts.get(index, key)
    }

    /// State of a scalar row in the last solve.
    pub(super) fn scalar(&mut self, index: usize, key: u64) -> Option<u32> {
        self.scalars.get(index, key)
    }

    /// Impulses of a contact in the last solve: n, s, t and the three spins.
    pub(crate) fn contact_impulse(&mut self, index: usize, key: u64) -> Option<[f64; 6]> {
        self.contact_impulses.get(index, key)
    }

    /// Impulse of a scalar row in the last solve.
    pub(crate) fn scalar_impulse(&mut self, index: usize, key: u64) -> Option<f64> {
        self.scalar_impulses.get(index, key)
    }

    /// Basic variables of a contact in the last solve.
    pub(super) fn basis(&mut self, index: usize, key: u64) -> Option<Bits> {
        self.bases.get(index, key)
    }

    /// Sets the recorded basic variables of a contact.
    pub(super) fn record_basis(&mut self, problem: &ContactProblem, index: usize, bits: Bits) {
        if self.bases.next.is_empty() {
            self.bases.begin(problem.contacts().iter().map(|c| c.key));
        }
        self.bases.next[index].1 = bits;
    }

    /// Starts recording a solve; the last one's states stay readable until [`Self::commit`].
    pub(super) fn begin(&mut self, problem: &ContactProblem) {
        self.contacts
            .begin(problem.contacts().iter().map(|c| c.key));
        self.scalars.begin(problem.scalars().iter().map(|s| s.0));
        self.contact_impulses.next.clear();
        self.scalar_impulses.next.clear();
        self.bases.next.clear();
    }

    /// Records all impulses of an answer, for models that start from them.
    pub(super) fn record_impulses(&mut self, problem: &ContactProblem, answer: &ContactSolution) {
        let contacts = problem.contacts().iter().enumerate();
        self.contact_impulses.next.clear();
        self.contact_impulses.next.extend(contacts.map(|(i, c)| {
            let [a, b, d] = answer.f_spin[i];
            let f = [answer.f_n[i], answer.f_s[i], answer.f_t[i], a, b, d];
            (c.key, f)
        }));
        let scalars = problem.scalars().iter().zip(&answer.f_scalar);
        self.scalar_impulses.next.clear();
        self.scalar_impulses
            .next
            .extend(scalars.map(|(s, &f)| (s.0, f)));
    }

    /// Adds to the recorded state of a contact.
    pub(super) fn record_contact(&mut self, index: usize, bits: u32) {
        self.contacts.next[index].1 |= bits;
    }

    /// Sets the recorded state of a scalar row.
    pub(super) fn record_scalar(&mut self, index: usize, state: u32) {
        self.scalars.next[index].1 = state;
    }

    /// Ends recording.
    pub(super) fn commit(&mut self) {
        self.contacts.commit();
        self.scalars.commit();
        self.contact_impulses.commit();
        self.scalar_impulses.commit();
        self.bases.commit();
    }
}
