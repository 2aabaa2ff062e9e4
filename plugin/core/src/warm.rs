//! What one solve leaves to the next: which rows were active, and their impulses.

use crate::problem::ContactProblem;
use crate::solution::ContactSolution;
use serde::{Deserialize, Deserializer, Serialize, Serializer};
use std::collections::HashMap;
use std::hash::{BuildHasherDefault, Hasher};
use std::sync::Arc;

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

/// Something known of each contact or scalar row of the last solve, by key. Index first (the next problem usually has
/// the same rows), then a map.
#[derive(Clone, Debug, Default, Serialize, Deserialize)]
#[serde(transparent)]
struct Table<T> {
    entries: Vec<(u64, T)>,
    #[serde(skip)]
    map: HashMap<u64, u32, BuildHasherDefault<Mix>>,
    #[serde(skip)]
    mapped: bool,
}

impl<T> Table<T> {
    /// Makes the map if one of these keys, the rows of the coming solve in order, has another index
    /// than last time.
    fn prepare(&mut self, mut keys: impl Iterator<Item = u64>) {
        let mut last = self.entries.iter();
        if self.mapped
            || self.entries.is_empty()
            || keys.all(|key| last.next().is_some_and(|entry| entry.0 == key))
        {
            return;
        }
        self.map.clear();
        self.map.reserve(self.entries.len());
        let places = self.entries.iter().zip(0..);
        self.map.extend(places.map(|(entry, at)| (entry.0, at)));
        self.mapped = true;
    }

    fn get(&self, index: usize, key: u64) -> Option<&T> {
        let entry = match self.entries.get(index) {
            Some(entry) if entry.0 == key => Some(entry),
            _ if self.mapped => self.entries.get(*self.map.get(&key)? as usize),
            _ => None,
        };
        entry.map(|(_, known)| known)
    }

    /// Takes what a solve recorded; its list gets the old memory.
    fn commit(&mut self, next: &mut Vec<(u64, T)>) {
        std::mem::swap(&mut self.entries, next);
        self.mapped = false;
    }
}

/// Recorded state of a contact whose tangential rows held, pressed or not; bits below are the model's own.
pub(crate) const HELD: u32 = 8;

/// Flags of up to 192 variables of a contact.
pub(crate) type Bits = [u64; 3];

/// What is known of a contact.
#[derive(Clone, Copy, Debug, Default, Serialize, Deserialize)]
struct ContactMemory {
    /// Which of its rows were active.
    state: u32,
    /// Basic variables, for models whose contacts have more than 32 of them.
    basis: Bits,
    /// `f_n, f_s, f_t` and the three spin impulses.
    impulses: [f64; 6],
}

/// What is known of a scalar row.
#[derive(Clone, Copy, Debug, Default, Serialize, Deserialize)]
struct ScalarMemory {
    state: u32,
    impulse: f64,
}

/// What is known from the last solve; it does not change during the next one.
#[derive(Clone, Debug, Default, Serialize, Deserialize)]
struct Known {
    contacts: Table<ContactMemory>,
    scalars: Table<ScalarMemory>,
    /// Whether impulses were recorded.
    has_impulses: bool,
}

/// What the running solve records.
#[derive(Clone, Debug, Default)]
struct Record {
    contacts: Vec<(u64, ContactMemory)>,
    scalars: Vec<(u64, ScalarMemory)>,
    has_impulses: bool,
}

/// The active rows of the last solve, and its impulses where the model starts from them, found again
/// by the rows' keys. Of rows that share a key the last one counts, unless they keep their index.
///
/// It serializes, so that a saved simulation goes on as if it had not been interrupted.
#[derive(Clone, Debug, Default)]
pub struct WarmStart {
    /// Shared with the threads of a parallel solve while it runs; `None`: nothing is known.
    known: Option<Arc<Known>>,
    next: Record,
}

impl Serialize for WarmStart {
    fn serialize<S: Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
        self.known.as_deref().serialize(serializer)
    }
}

impl<'de> Deserialize<'de> for WarmStart {
    fn deserialize<D: Deserializer<'de>>(deserializer: D) -> Result<Self, D::Error> {
        let known = Option::<Known>::deserialize(deserializer)?;
        Ok(Self {
            known: known.map(Arc::new),
            next: Record::default(),
        })
    }
}

impl WarmStart {
    /// No memory: a cold start.
    pub fn new() -> Self {
        Self::default()
    }

    /// Forgets everything (keeps the memory).
    pub fn clear(&mut self) {
        if let Some(known) = &mut self.known {
            let known = Arc::make_mut(known);
            known.contacts.entries.clear();
            known.contacts.mapped = false;
            known.scalars.entries.clear();
            known.scalars.mapped = false;
        }
    }

    /// Whether nothing is known of any row.
    pub(crate) fn is_empty(&self) -> bool {
        let known = self.known.as_ref();
        known.is_none_or(|known| {
            known.contacts.entries.is_empty() && known.scalars.entries.is_empty()
        })
    }

    /// Knows what `other` knows, for a solve of the same problem beside it.
    #[cfg(feature = "parallel")]
    pub(crate) fn share(&mut self, other: &Self) {
        self.known.clone_from(&other.known);
    }

    /// Knows nothing any more, so that the other one may learn.
    #[cfg(feature = "parallel")]
    pub(crate) fn part(&mut self) {
        self.known = None;
    }

    /// Takes over what `other` recorded of the groups of an island.
    #[cfg(feature = "parallel")]
    pub(crate) fn adopt(&mut self, other: &Self, problem: &ContactProblem, groups: &[u32]) {
        for &g in groups {
            match (g as usize).checked_sub(problem.contact_count()) {
                Some(scalar) => self.next.scalars[scalar] = other.next.scalars[scalar],
                None => self.next.contacts[g as usize] = other.next.contacts[g as usize],
            }
        }
    }

    fn known_contact(&self, index: usize, key: u64) -> Option<&ContactMemory> {
        self.known.as_ref()?.contacts.get(index, key)
    }

    fn known_scalar(&self, index: usize, key: u64) -> Option<&ScalarMemory> {
        self.known.as_ref()?.scalars.get(index, key)
    }

    fn has_impulses(&self) -> bool {
        self.known.as_ref().is_some_and(|known| known.has_impulses)
    }

    /// State of a contact in the last solve.
    pub(crate) fn contact(&self, index: usize, key: u64) -> Option<u32> {
        self.known_contact(index, key).map(|known| known.state)
    }

    /// State of a scalar row in the last solve.
    pub(crate) fn scalar(&self, index: usize, key: u64) -> Option<u32> {
        self.known_scalar(index, key).map(|known| known.state)
    }

    /// Impulses of a contact in the last solve: n, s, t and the three spins.
    pub(crate) fn contact_impulse(&self, index: usize, key: u64) -> Option<[f64; 6]> {
        let known = self.known_contact(index, key)?;
        self.has_impulses().then_some(known.impulses)
    }

    /// Impulse of a scalar row in the last solve.
    pub(crate) fn scalar_impulse(&self, index: usize, key: u64) -> Option<f64> {
        let known = self.known_scalar(index, key)?;
        self.has_impulses().then_some(known.impulse)
    }

    /// Basic variables of a group of the problem, contact or scalar, in the last solve.
    pub(crate) fn group_basis(&self, problem: &ContactProblem, group: usize) -> Option<Bits> {
        match group.checked_sub(problem.contact_count()) {
            None => {
                let known = self.known_contact(group, problem.contacts()[group].key);
                known.map(|known| known.basis)
            }
            Some(scalar) => {
                let state = self.scalar(scalar, problem.scalars()[scalar].0);
                state.map(|state| [u64::from(state), 0, 0])
            }
        }
    }

    /// Starts recording a solve; the last one's states stay readable until [`Self::commit`].
    pub(crate) fn begin(&mut self, problem: &ContactProblem) {
        if let Some(known) = &mut self.known {
            let known = Arc::make_mut(known);
            known
                .contacts
                .prepare(problem.contacts().iter().map(|c| c.key));
            known.scalars.prepare(problem.scalars().iter().map(|s| s.0));
        }
        self.begin_record(problem);
    }

    /// Starts recording, the part of [`Self::begin`] that each thread of a parallel solve does.
    pub(crate) fn begin_record(&mut self, problem: &ContactProblem) {
        let next = &mut self.next;
        let (contacts, scalars) = (problem.contacts().iter(), problem.scalars().iter());
        next.contacts.clear();
        next.contacts
            .extend(contacts.map(|c| (c.key, ContactMemory::default())));
        next.scalars.clear();
        next.scalars
            .extend(scalars.map(|s| (s.0, ScalarMemory::default())));
        next.has_impulses = false;
    }

    /// Adds to the recorded state of a contact.
    pub(crate) fn record_contact(&mut self, index: usize, bits: u32) {
        self.next.contacts[index].1.state |= bits;
    }

    /// Sets the recorded state of a scalar row.
    pub(crate) fn record_scalar(&mut self, index: usize, state: u32) {
        self.next.scalars[index].1.state = state;
    }

    /// Sets the recorded basic variables of a contact or scalar: those of its own that `basic` numbers.
    pub(crate) fn record_basis(
        &mut self,
        problem: &ContactProblem,
        group: usize,
        basic: impl Iterator<Item = usize>,
    ) {
        let mut bits = Bits::default();
        for i in basic {
            bits[i / 64] |= 1 << (i % 64);
        }
        match group.checked_sub(problem.contact_count()) {
            None => self.next.contacts[group].1.basis = bits,
            Some(scalar) => self.record_scalar(scalar, bits[0] as u32),
        }
    }

    /// Goes on knowing the states of an island's groups.
    pub(crate) fn keep(&mut self, problem: &ContactProblem, groups: &[u32]) {
        let Some(known) = &self.known else { return };
        for &g in groups {
            match (g as usize).checked_sub(problem.contact_count()) {
                None => {
                    let (key, memory) = &mut self.next.contacts[g as usize];
                    *memory = known
                        .contacts
                        .get(g as usize, *key)
                        .copied()
                        .unwrap_or_default();
                }
                Some(scalar) => {
                    let (key, memory) = &mut self.next.scalars[scalar];
                    *memory = known.scalars.get(scalar, *key).copied().unwrap_or_default();
                }
            }
        }
    }

    /// Records all impulses of an answer and which contacts held, for models that start from them.
    pub(crate) fn record_impulses(&mut self, answer: &ContactSolution) {
        self.next.has_impulses = true;
        for (i, (_, memory)) in self.next.contacts.iter_mut().enumerate() {
            let [a, b, d] = answer.f_spin[i];
            memory.impulses = [answer.f_n[i], answer.f_s[i], answer.f_t[i], a, b, d];
            memory.state |= if answer.held[i] { HELD } else { 0 };
        }
        for ((_, memory), &f) in self.next.scalars.iter_mut().zip(&answer.f_scalar) {
            memory.impulse = f;
        }
    }

    /// Ends recording: what was recorded is known from now on.
    pub(crate) fn commit(&mut self) {
        let known = Arc::make_mut(self.known.get_or_insert_default());
        let next = &mut self.next;
        known.contacts.commit(&mut next.contacts);
        known.scalars.commit(&mut next.scalars);
        known.has_impulses = next.has_impulses;
    }
}
