//! Which rows were active in the last solve.

use super::ContactSolution;
use crate::problem::{ContactProblem, NO_BLOCK, RowId};
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

/// Something known of each row of the last solve, by key. Index first (the next problem usually has
/// the same rows), then a map.
#[derive(Clone, Debug, Default, Serialize, Deserialize)]
#[serde(transparent)]
struct Table<T> {
    entries: Vec<(u64, T)>,
    #[serde(skip)]
    map: HashMap<u64, T, BuildHasherDefault<Mix>>,
    #[serde(skip)]
    mapped: bool,
}

impl<T: Copy> Table<T> {
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
        self.map.extend(self.entries.iter().copied());
        self.mapped = true;
    }

    fn get(&self, index: usize, key: u64) -> Option<T> {
        match self.entries.get(index) {
            Some(&(k, state)) if k == key => Some(state),
            _ if self.mapped => self.map.get(&key).copied(),
            _ => None,
        }
    }

    fn clear(&mut self) {
        self.entries.clear();
        self.mapped = false;
    }

    /// Takes what a solve recorded; its list gets the old memory.
    fn commit(&mut self, next: &mut Vec<(u64, T)>) {
        std::mem::swap(&mut self.entries, next);
        self.mapped = false;
    }
}

/// What is known from the last solve; it does not change during the next one.
#[derive(Clone, Debug, Default, Serialize, Deserialize)]
struct Known {
    contacts: Table<u32>,
    scalars: Table<u32>,
    /// `f_n, f_s, f_t` and the three spin impulses of each contact.
    contact_impulses: Table<[f64; 6]>,
    scalar_impulses: Table<f64>,
    /// Basic variables of each contact, for models whose contacts have more than 32 of them.
    bases: Table<Bits>,
    /// The wrench between the bodies of each pair, ascending by the pair.
    #[serde(default)]
    wrenches: Vec<(u64, Wrench)>,
}

/// What the impulses of a pair's contacts add to the momenta of its two blocks, six coordinates each.
pub(crate) type Wrench = [f64; 12];

/// What the running solve records.
#[derive(Clone, Debug, Default)]
struct Record {
    contacts: Vec<(u64, u32)>,
    scalars: Vec<(u64, u32)>,
    contact_impulses: Vec<(u64, [f64; 6])>,
    scalar_impulses: Vec<(u64, f64)>,
    bases: Vec<(u64, Bits)>,
    wrenches: Vec<(u64, Wrench)>,
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

/// Flags of up to 192 variables of a contact.
pub(super) type Bits = [u64; 3];

impl WarmStart {
    /// No memory: a cold start.
    pub fn new() -> Self {
        Self::default()
    }

    /// Forgets everything (keeps the memory).
    pub fn clear(&mut self) {
        if let Some(known) = &mut self.known {
            let known = Arc::make_mut(known);
            known.contacts.clear();
            known.scalars.clear();
            known.contact_impulses.clear();
            known.scalar_impulses.clear();
            known.bases.clear();
            known.wrenches.clear();
        }
    }

    /// Knows what `other` knows, for a solve of the same problem beside it.
    #[cfg(feature = "parallel")]
    pub(super) fn share(&mut self, other: &Self) {
        self.known.clone_from(&other.known);
    }

    /// Knows nothing any more, so that the other one may learn.
    #[cfg(feature = "parallel")]
    pub(super) fn part(&mut self) {
        self.known = None;
    }

    /// Takes over what `other` recorded of the groups of an island (but for impulses).
    #[cfg(feature = "parallel")]
    pub(super) fn adopt(&mut self, other: &Self, problem: &ContactProblem, groups: &[u32]) {
        if !other.next.bases.is_empty() {
            self.begin_bases(problem);
        }
        for &g in groups {
            let g = g as usize;
            if let Some(scalar) = g.checked_sub(problem.contact_count()) {
                self.next.scalars[scalar] = other.next.scalars[scalar];
                continue;
            }
            self.next.contacts[g] = other.next.contacts[g];
            if let Some(bits) = other.next.bases.get(g) {
                self.next.bases[g] = *bits;
            }
        }
    }

    /// State of a contact in the last solve.
    pub(super) fn contact(&self, index: usize, key: u64) -> Option<u32> {
        self.known.as_ref()?.contacts.get(index, key)
    }

    /// State of a scalar row in the last solve.
    pub(super) fn scalar(&self, index: usize, key: u64) -> Option<u32> {
        self.known.as_ref()?.scalars.get(index, key)
    }

    /// Impulses of a contact in the last solve: n, s, t and the three spins.
    pub(crate) fn contact_impulse(&self, index: usize, key: u64) -> Option<[f64; 6]> {
        self.known.as_ref()?.contact_impulses.get(index, key)
    }

    /// Impulse of a scalar row in the last solve.
    pub(crate) fn scalar_impulse(&self, index: usize, key: u64) -> Option<f64> {
        self.known.as_ref()?.scalar_impulses.get(index, key)
    }

    /// Basic variables of a contact in the last solve.
    pub(super) fn basis(&self, index: usize, key: u64) -> Option<Bits> {
        self.known.as_ref()?.bases.get(index, key)
    }

    /// Basic variables of a group of the problem, contact or scalar, in the last solve.
    pub(super) fn group_basis(&self, problem: &ContactProblem, group: usize) -> Option<Bits> {
        match group.checked_sub(problem.contact_count()) {
            None => self.basis(group, problem.contacts()[group].key),
            Some(scalar) => {
                let state = self.scalar(scalar, problem.scalars()[scalar].0);
                state.map(|state| [u64::from(state), 0, 0])
            }
        }
    }

    /// Sets the recorded basic variables of a contact.
    pub(super) fn record_basis(&mut self, problem: &ContactProblem, index: usize, bits: Bits) {
        self.begin_bases(problem);
        self.next.bases[index].1 = bits;
    }

    /// Makes room for basic variables, which few models record.
    fn begin_bases(&mut self, problem: &ContactProblem) {
        if self.next.bases.is_empty() {
            let keys = problem.contacts().iter().map(|c| c.key);
            self.next
                .bases
                .extend(keys.map(|key| (key, Bits::default())));
        }
    }

    /// Starts recording a solve; the last one's states stay readable until [`Self::commit`].
    pub(super) fn begin(&mut self, problem: &ContactProblem) {
        let contacts = || problem.contacts().iter().map(|c| c.key);
        let scalars = || problem.scalars().iter().map(|s| s.0);
        if let Some(known) = &mut self.known {
            let known = Arc::make_mut(known);
            known.contacts.prepare(contacts());
            known.scalars.prepare(scalars());
            known.contact_impulses.prepare(contacts());
            known.scalar_impulses.prepare(scalars());
            known.bases.prepare(contacts());
        }
        self.begin_record(problem);
    }

    /// Starts recording, the part of [`Self::begin`] that each thread of a parallel solve does.
    pub(super) fn begin_record(&mut self, problem: &ContactProblem) {
        let next = &mut self.next;
        let contacts = problem.contacts().iter();
        next.contacts.clear();
        next.contacts.extend(contacts.map(|c| (c.key, 0)));
        next.scalars.clear();
        next.scalars
            .extend(problem.scalars().iter().map(|s| (s.0, 0)));
        next.contact_impulses.clear();
        next.scalar_impulses.clear();
        next.bases.clear();
        next.wrenches.clear();
    }

    /// Records all impulses of an answer, for models that start from them.
    pub(super) fn record_impulses(&mut self, problem: &ContactProblem, answer: &ContactSolution) {
        let contacts = problem.contacts().iter().enumerate();
        self.next.contact_impulses.clear();
        self.next.contact_impulses.extend(contacts.map(|(i, c)| {
            let [a, b, d] = answer.f_spin[i];
            let f = [answer.f_n[i], answer.f_s[i], answer.f_t[i], a, b, d];
            (c.key, f)
        }));
        let scalars = problem.scalars().iter().zip(&answer.f_scalar);
        self.next.scalar_impulses.clear();
        (self.next.scalar_impulses).extend(scalars.map(|(s, &f)| (s.0, f)));
    }

    /// Records what passes between the bodies of every pair of contacts that have a name for it.
    pub(super) fn record_wrenches(&mut self, problem: &ContactProblem, answer: &ContactSolution) {
        let wrenches = &mut self.next.wrenches;
        wrenches.clear();
        for (c, contact) in problem.contacts().iter().enumerate() {
            if contact.pair == 0 {
                continue;
            }
            // Contacts of a pair usually follow each other.
            if wrenches.last().is_none_or(|last| last.0 != contact.pair) {
                wrenches.push((contact.pair, [0.0; 12]));
            }
            let Some((_, wrench)) = wrenches.last_mut() else {
                continue;
            };
            let f = [answer.f_n[c], answer.f_s[c], answer.f_t[c]];
            add_wrench(problem, [0, 1, 2].map(|k| RowId(3 * c + k)), f, wrench);
            if let Some(rows) = problem.spin_rows(c) {
                add_wrench(problem, rows, answer.f_spin[c], wrench);
            }
        }
        wrenches.sort_unstable_by_key(|entry| entry.0);
        wrenches.dedup_by(|next, kept| {
            let same = next.0 == kept.0;
            if same {
                kept.1.iter_mut().zip(next.1).for_each(|(sum, w)| *sum += w);
            }
            same
        });
    }

    /// The wrench of a pair in the last solve.
    pub(crate) fn wrench(&self, pair: u64) -> Option<Wrench> {
        let known = &self.known.as_ref()?.wrenches;
        let at = known.binary_search_by_key(&pair, |entry| entry.0).ok()?;
        Some(known[at].1)
    }

    /// Adds to the recorded state of a contact.
    pub(super) fn record_contact(&mut self, index: usize, bits: u32) {
        self.next.contacts[index].1 |= bits;
    }

    /// Sets the recorded state of a scalar row.
    pub(super) fn record_scalar(&mut self, index: usize, state: u32) {
        self.next.scalars[index].1 = state;
    }

    /// Ends recording: what was recorded is known from now on.
    pub(super) fn commit(&mut self) {
        let known = Arc::make_mut(self.known.get_or_insert_default());
        let next = &mut self.next;
        known.contacts.commit(&mut next.contacts);
        known.scalars.commit(&mut next.scalars);
        known.contact_impulses.commit(&mut next.contact_impulses);
        known.scalar_impulses.commit(&mut next.scalar_impulses);
        known.bases.commit(&mut next.bases);
        std::mem::swap(&mut known.wrenches, &mut next.wrenches);
    }
}

/// Adds what the impulses of three rows make of the momenta of their blocks; blocks of more than six coordinates
/// (trees) are left out.
fn add_wrench(problem: &ContactProblem, rows: [RowId; 3], f: [f64; 3], wrench: &mut Wrench) {
    let (group, _) = problem.group_of(rows[0]);
    let [n, s, t] = [0, 1, 2].map(|k| problem.group_row(group, k).values);
    let (first, second) = problem.group_runs(group).split_at(group.split as usize);
    let mut at = 0;
    for (side, (b, runs)) in group.blocks.into_iter().zip([first, second]).enumerate() {
        if b == NO_BLOCK {
            continue;
        }
        let block = problem.block(b as usize);
        for run in runs {
            let own = at..at + run.len as usize;
            at = own.end;
            if block.dim() > 6 {
                continue;
            }
            let place = 6 * side + run.start as usize - block.offset;
            let entries = n[own.clone()].iter().zip(&s[own.clone()]).zip(&t[own]);
            for (sum, ((n, s), t)) in wrench[place..].iter_mut().zip(entries) {
                *sum += n * f[0];
                *sum += s * f[1];
                *sum += t * f[2];
            }
        }
    }
}
