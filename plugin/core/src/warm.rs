//! What one solve leaves to the next: which rows were active, and their impulses.

use crate::problem::{ContactProblem, GroupId, Island, IslandProblem};
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

/// Keys and what is known.
type Entries = Vec<(u64, Memory)>;

/// What is known of each contact, or each scalar row, of the last solve, by key. Index first (the next problem usually
/// has the same rows), then a map.
#[derive(Clone, Debug, Default, Serialize, Deserialize)]
#[serde(transparent)]
struct Table {
    entries: Entries,
    #[serde(skip)]
    map: HashMap<u64, u32, BuildHasherDefault<Mix>>,
    #[serde(skip)]
    mapped: bool,
}

impl Table {
    /// Makes the map if one of the keys of `next`, the rows of the coming solve in order, has another index
    /// than last time.
    fn prepare(&mut self, next: &Entries) {
        let mut last = self.entries.iter();
        let mut keys = next.iter().map(|entry| entry.0);
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

    fn get(&self, index: usize, key: u64) -> Option<&Memory> {
        let entry = match self.entries.get(index) {
            Some(entry) if entry.0 == key => Some(entry),
            _ if self.mapped => self.entries.get(*self.map.get(&key)? as usize),
            _ => None,
        };
        entry.map(|(_, known)| known)
    }
}

/// Recorded state of a contact whose tangential rows held, pressed or not; bits below are the model's own.
pub(crate) const HELD: u32 = 8;

/// Recorded state of a contact of an island that stands within the tolerance of motion and is too large for factors.
const STANDS: u32 = 16;

/// Flags of up to 192 variables of a contact.
pub type Bits = [u64; 3];

/// What is known of a contact or scalar row.
#[derive(Clone, Copy, Debug, Default, Serialize, Deserialize)]
struct Memory {
    /// Which of its rows were active.
    state: u32,
    /// Basic variables, for models that have more than 32 of them at a contact.
    basis: Bits,
    /// `f_n, f_s, f_t` and the three spin impulses of a contact, that of a scalar row first; `None`: not recorded.
    impulses: Option<[f64; 6]>,
}

/// Contacts and scalar rows.
type Kinds<T> = [T; 2];

/// The kind of a group of a problem, and its number among those of its kind.
fn place(group: GroupId) -> (usize, usize) {
    match group {
        GroupId::Contact(c) => (0, c.0),
        GroupId::Scalar(s) => (1, s.0),
    }
}

/// The active rows of the last solve, and its impulses where the model starts from them, found again
/// by the rows' keys. Of rows that share a key the last one counts, unless they keep their index.
///
/// It serializes, so that a saved simulation goes on as if it had not been interrupted.
#[derive(Clone, Debug, Default)]
pub struct WarmStart {
    /// What is known from the last solve, shared with the threads of a parallel one while it runs; `None`: nothing.
    known: Option<Arc<Kinds<Table>>>,
    /// What the running solve records.
    next: Kinds<Entries>,
}

impl Serialize for WarmStart {
    fn serialize<S: Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
        self.known.as_deref().serialize(serializer)
    }
}

impl<'de> Deserialize<'de> for WarmStart {
    fn deserialize<D: Deserializer<'de>>(deserializer: D) -> Result<Self, D::Error> {
        let known = Option::deserialize(deserializer)?;
        Ok(Self {
            known: known.map(Arc::new),
            next: Kinds::default(),
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
            for table in Arc::make_mut(known) {
                table.entries.clear();
                table.mapped = false;
            }
        }
    }

    /// Multiplies all impulses: those of forces that stay are in proportion to the step.
    pub fn scale(&mut self, by: f64) {
        let Some(known) = self.known.as_mut().filter(|_| by != 1.0) else {
            return;
        };
        let tables = Arc::make_mut(known).iter_mut();
        let entries = tables.flat_map(|table| &mut table.entries);
        let impulses = entries.filter_map(|entry| entry.1.impulses.as_mut());
        impulses.flatten().for_each(|f| *f *= by);
    }

    /// Whether nothing is known of any row.
    pub(crate) fn is_empty(&self) -> bool {
        let mut tables = self.known.iter().flat_map(|known| known.iter());
        tables.all(|table| table.entries.is_empty())
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
    pub(crate) fn adopt(&mut self, other: &Self, groups: &[GroupId]) {
        for &g in groups {
            let (kind, i) = place(g);
            self.next[kind][i] = other.next[kind][i];
        }
    }

    fn known(&self, kind: usize, index: usize, key: u64) -> Option<&Memory> {
        self.known.as_ref()?[kind].get(index, key)
    }

    /// State of a contact in the last solve.
    pub(crate) fn contact(&self, index: usize, key: u64) -> Option<u32> {
        self.known(0, index, key).map(|known| known.state)
    }

    /// State of a scalar row in the last solve.
    pub(crate) fn scalar(&self, index: usize, key: u64) -> Option<u32> {
        self.known(1, index, key).map(|known| known.state)
    }

    /// Impulses of a contact in the last solve: n, s, t and the three spins.
    pub(crate) fn contact_impulse(&self, index: usize, key: u64) -> Option<[f64; 6]> {
        self.known(0, index, key)?.impulses
    }

    /// Impulse of a scalar row in the last solve.
    pub(crate) fn scalar_impulse(&self, index: usize, key: u64) -> Option<f64> {
        self.known(1, index, key)?.impulses.map(|f| f[0])
    }

    /// What is known of a group of a problem that is being solved.
    fn group(&self, group: GroupId) -> Option<&Memory> {
        let (kind, i) = place(group);
        self.known(kind, i, self.next[kind][i].0)
    }

    /// Basic variables of a group of the problem, contact or scalar, in the last solve.
    pub(crate) fn group_basis(&self, group: GroupId) -> Option<Bits> {
        self.group(group).map(|known| known.basis)
    }

    /// Starts recording a solve; the last one's states stay readable until [`Self::commit`].
    pub(crate) fn begin(&mut self, problem: &ContactProblem) {
        self.begin_record(problem);
        if let Some(known) = &mut self.known {
            for (table, next) in Arc::make_mut(known).iter_mut().zip(&self.next) {
                table.prepare(next);
            }
        }
    }

    /// Starts recording, the part of [`Self::begin`] that each thread of a parallel solve does.
    pub(crate) fn begin_record(&mut self, problem: &ContactProblem) {
        let nothing = |key| (key, Memory::default());
        let [contacts, scalars] = &mut self.next;
        contacts.clear();
        contacts.extend(problem.contacts().iter().map(|c| nothing(c.key)));
        scalars.clear();
        scalars.extend(problem.scalars().iter().map(|s| nothing(s.0)));
    }

    /// Adds to the recorded state of a contact.
    pub(crate) fn record_contact(&mut self, index: usize, bits: u32) {
        self.next[0][index].1.state |= bits;
    }

    /// Records that an island stands.
    pub(crate) fn record_standing(&mut self, island: Island<'_>) {
        for c in island.contacts() {
            self.record_contact(c, STANDS);
        }
    }

    /// Whether an island stood in the last solve, with all of its contacts.
    pub(crate) fn stands(&self, IslandProblem { problem, island }: IslandProblem<'_>) -> bool {
        let known = |c: usize| self.contact(c, problem.contacts()[c].key);
        let mut contacts = island.contacts().peekable();
        contacts.peek().is_some()
            && contacts.all(|c| known(c).is_some_and(|state| state & STANDS != 0))
    }

    /// Sets the recorded state of a scalar row.
    pub(crate) fn record_scalar(&mut self, index: usize, state: u32) {
        self.next[1][index].1.state = state;
    }

    /// Sets the recorded basic variables of a contact or scalar: those of its own that `basic` numbers.
    pub(crate) fn record_basis(&mut self, group: GroupId, basic: impl Iterator<Item = usize>) {
        let mut bits = Bits::default();
        for i in basic {
            bits[i / 64] |= 1 << (i % 64);
        }
        let (kind, i) = place(group);
        self.next[kind][i].1.basis = bits;
    }

    /// Goes on knowing the states of an island's groups.
    pub(crate) fn carry_over(&mut self, groups: &[GroupId]) {
        for &g in groups {
            let known = self.group(g).copied();
            let (kind, i) = place(g);
            self.next[kind][i].1 = known.unwrap_or_default();
        }
    }

    /// Records all impulses of an answer and which contacts held, for models that start from them.
    pub(crate) fn record_impulses(&mut self, answer: &ContactSolution) {
        let [contacts, scalars] = &mut self.next;
        for (i, (_, memory)) in contacts.iter_mut().enumerate() {
            let [a, b, d] = answer.f_spin[i];
            memory.impulses = Some([answer.f_n[i], answer.f_s[i], answer.f_t[i], a, b, d]);
            memory.state |= if answer.held[i] { HELD } else { 0 };
        }
        for ((_, memory), &f) in scalars.iter_mut().zip(&answer.f_scalar) {
            memory.impulses = Some([f, 0.0, 0.0, 0.0, 0.0, 0.0]);
        }
    }

    /// Ends recording: what was recorded is known from now on.
    pub(crate) fn commit(&mut self) {
        let known = Arc::make_mut(self.known.get_or_insert_default());
        for (table, next) in known.iter_mut().zip(&mut self.next) {
            std::mem::swap(&mut table.entries, next);
            table.mapped = false;
        }
    }
}
