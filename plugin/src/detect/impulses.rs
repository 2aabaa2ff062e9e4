//! Our impulses where rapier shows them: in the points of the narrow phase's manifolds.
//!
//! The narrow phase lets nobody write to its pairs but the query dispatcher that finds their points
//! ([`crate::detect::dispatch`]). So the impulses of a step stand there from the next detection on. The dispatcher is told no
//! names of colliders; a pair is known by where its manifolds lie in memory, which stays as long as the pair has any.

use crate::base::contact::{Contact, key};
use crate::base::convert::to_real;
use crate::base::tolerances;
use crate::detect::place::{self, ByPlace};
use rapier::geometry::{ColliderHandle, ContactManifold, ContactPair, NarrowPhase};
use std::collections::HashMap;
use std::sync::atomic::{AtomicUsize, Ordering};

/// The impulse of one contact.
#[derive(Clone, Copy, Debug, Default)]
#[cfg_attr(
    feature = "serde-serialize",
    derive(serde::Serialize, serde::Deserialize)
)]
pub(crate) struct Shown {
    key: u64,
    /// Along normal, s and t [N s].
    impulse: [f64; 3],
}

impl Shown {
    pub(crate) fn of(contact: &Contact) -> Self {
        Self {
            key: contact.point.key,
            impulse: contact.impulse,
        }
    }
}

/// Writes the impulses of a pair's contacts to the points of its manifolds, the normal ones also as what rapier's solver would
/// start from. A contact that detection no longer names adds to the first point. O(points x contacts of the pair).
pub(crate) fn write(
    manifolds: &mut [ContactManifold],
    ends: [ColliderHandle; 2],
    contacts: impl Iterator<Item = Shown> + Clone,
) {
    let mut left: f64 = contacts.clone().map(|contact| contact.impulse[0]).sum();
    for (number, manifold) in manifolds.iter_mut().enumerate() {
        for index in 0..manifold.points.len() {
            let key = key(ends, number, manifold, index);
            let found = contacts.clone().find(|contact| contact.key == key);
            let [n, s, t] = found.unwrap_or_default().impulse;
            let data = &mut manifold.points[index].data;
            (data.impulse, data.warmstart_impulse) = (to_real(n), to_real(n));
            data.tangent_impulse = [to_real(s), to_real(t)].into();
            left -= n;
        }
    }
    let mut points = manifolds.iter_mut().flat_map(|m| m.points.iter_mut());
    if let Some(point) = points.next() {
        point.data.impulse += to_real(left);
        point.data.warmstart_impulse = point.data.impulse;
    }
}

/// Whether the impulses of a pair's contacts are those shown.
fn are_shown(now: &[Shown], shown: &[Shown]) -> bool {
    let all = now.iter().flat_map(|point| point.impulse);
    let off = tolerances::NEGLIGIBLE * all.fold(0.0, |most: f64, z| most.max(z.abs()));
    let is_same = |(a, b): (&Shown, &Shown)| {
        let mut pairs = a.impulse.iter().zip(&b.impulse);
        a.key == b.key && pairs.all(|(a, b)| (a - b).abs() <= off)
    };
    now.len() == shown.len() && now.iter().zip(shown).all(is_same)
}

/// Where the manifolds of the pairs of this step lie, in the order in which their contacts were read.
#[derive(Debug, Default)]
pub(crate) struct Places(Vec<(usize, [ColliderHandle; 2])>);

impl Places {
    pub(crate) fn clear(&mut self) {
        self.0.clear();
    }

    /// Takes over those of others, behind its own.
    pub(crate) fn append(&mut self, others: &mut Self) {
        self.0.append(&mut others.0);
    }

    /// Notes a pair that is read.
    pub(crate) fn note(&mut self, pair: &ContactPair) {
        let manifolds = pair.manifolds();
        if !manifolds.is_empty() {
            self.0.push((
                place::of_manifolds(manifolds),
                [pair.collider1, pair.collider2],
            ));
        }
    }
}

/// The impulses of a step by pair; buffers are kept from step to step. Of a pair whose impulses are those shown
/// already, these stay.
#[derive(Debug, Default)]
#[cfg_attr(
    feature = "serde-serialize",
    derive(serde::Serialize, serde::Deserialize)
)]
pub(crate) struct Impulses {
    pairs: Vec<Pair>,
    points: Vec<Shown>,
    #[cfg_attr(feature = "serde-serialize", serde(skip))]
    last: (Vec<Pair>, Vec<Shown>),
    /// By where its manifolds lie, the number of a pair.
    #[cfg_attr(feature = "serde-serialize", serde(skip))]
    places: ByPlace<usize>,
    /// The number of the pair that is likely to be asked for next: they are looked at in the order in which they were read.
    #[cfg_attr(feature = "serde-serialize", serde(skip))]
    next: AtomicUsize,
}

#[derive(Clone, Copy, Debug)]
#[cfg_attr(
    feature = "serde-serialize",
    derive(serde::Serialize, serde::Deserialize)
)]
struct Pair {
    ends: [ColliderHandle; 2],
    from: usize,
    count: usize,
    /// Whether its impulses are not shown yet.
    is_changed: bool,
    /// Where its manifolds lie.
    #[cfg_attr(feature = "serde-serialize", serde(skip))]
    place: usize,
}

impl Impulses {
    /// Takes the impulses of the step. O(contacts).
    pub(crate) fn take(&mut self, places: &Places, contacts: &[Contact]) {
        let Self {
            pairs,
            points,
            last,
            places: numbers,
            next,
        } = self;
        *next.get_mut() = 0;
        std::mem::swap(pairs, &mut last.0);
        std::mem::swap(points, &mut last.1);
        pairs.clear();
        points.clear();
        points.extend(contacts.iter().map(Shown::of));
        let mut from = 0;
        for &(place, ends) in &places.0 {
            let of = |contact: &&Contact| contact.point.colliders == ends.map(Some);
            let count = contacts[from..].iter().take_while(of).count();
            let same = |pair: &&Pair| pair.place == place && pair.ends == ends;
            let known = last.0.get(pairs.len()).filter(same).or_else(|| {
                let number = numbers.get(&place)?;
                last.0.get(*number).filter(same)
            });
            let now = &mut points[from..from + count];
            let shown = known.and_then(|pair| last.1.get(pair.from..pair.from + pair.count));
            let is_changed = shown.is_none_or(|shown| !are_shown(now, shown));
            if let (false, Some(shown)) = (is_changed, shown) {
                now.copy_from_slice(shown);
            }
            pairs.push(Pair {
                ends,
                from,
                count,
                is_changed,
                place,
            });
            from += count;
        }
        let have_moved = pairs.len() != last.0.len()
            || (pairs.iter().zip(&last.0)).any(|(now, then)| now.place != then.place);
        if have_moved {
            numbers.clear();
            numbers.extend(pairs.iter().map(|pair| pair.place).zip(0..));
        }
    }

    /// The colliders of the pairs whose impulses are not shown yet.
    pub(crate) fn changed(&self) -> impl Iterator<Item = [ColliderHandle; 2]> {
        let changed = self.pairs.iter().filter(|pair| pair.is_changed);
        changed.map(|pair| pair.ends)
    }

    /// Finds out where the pairs lie after a pipeline was restored. O(pairs), once.
    pub(crate) fn find(&mut self, narrow_phase: &NarrowPhase) {
        if self.pairs.is_empty() || !self.places.is_empty() {
            return;
        }
        let named = self.pairs.iter().map(|pair| pair.ends).zip(0..);
        let numbers: HashMap<[ColliderHandle; 2], usize> = named.collect();
        for pair in narrow_phase.contact_pairs() {
            let number = numbers.get(&[pair.collider1, pair.collider2]);
            if let (Some(number), false) = (number, pair.manifolds().is_empty()) {
                let place = place::of_manifolds(pair.manifolds());
                self.places.insert(place, *number);
                self.pairs[*number].place = place;
            }
        }
    }

    /// What is known of the pair whose manifolds these are, before they are computed again.
    pub(crate) fn of(
        &self,
        manifolds: &[ContactManifold],
    ) -> Option<([ColliderHandle; 2], &[Shown])> {
        if manifolds.is_empty() {
            return None;
        }
        let place = place::of_manifolds(manifolds);
        let next = self.next.load(Ordering::Relaxed);
        let number = match self.pairs.get(next) {
            Some(pair) if pair.place == place => next,
            _ => *self.places.get(&place)?,
        };
        self.next.store(number + 1, Ordering::Relaxed);
        let pair = self.pairs.get(number)?;
        let points = self.points.get(pair.from..pair.from + pair.count)?;
        Some((pair.ends, points))
    }
}
