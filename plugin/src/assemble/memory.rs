//! What the contacts of a step leave to the next one.

use crate::base::contact::{Contact, ContactPoint};
use crate::base::pair::{Ends, ends};

/// Contacts of the last step by their names; memory is reused.
#[derive(Default, Debug)]
#[cfg_attr(
    feature = "serde-serialize",
    derive(serde::Serialize, serde::Deserialize)
)]
pub(super) struct Memory {
    /// Pair and key of the contacts whose impact is due since the last step, sorted.
    impacts: Vec<(Option<Ends>, u64)>,
    /// By point of this step: whether its impact is due. Empty if no impact is.
    #[cfg_attr(feature = "serde-serialize", serde(skip))]
    due: Vec<bool>,
    /// Keys of the contacts that pressed at the end of the last step, sorted, under models that ask whether a contact is
    /// closed.
    pressed: Vec<u64>,
}

impl Memory {
    /// Finds the points whose impact is due: those of the last step's names, else the nearest of their pair, whose
    /// features have got other names.
    pub(super) fn find_due(&mut self, points: &[ContactPoint]) {
        self.due.clear();
        if self.impacts.is_empty() {
            return;
        }
        for run in points.chunk_by(|a, b| a.colliders == b.colliders) {
            let first = self.due.len();
            let pair = pair(&run[0]);
            let from = self.impacts.partition_point(|impact| impact.0 < pair);
            let found = &self.impacts[from..];
            let found = &found[..found.partition_point(|impact| impact.0 == pair)];
            let is_named = |point: &ContactPoint| found.iter().any(|impact| impact.1 == point.key);
            self.due.extend(run.iter().map(is_named));
            if found.is_empty() || pair.is_none() || self.due[first..].contains(&true) {
                continue;
            }
            let gaps = run.iter().map(ContactPoint::gap).enumerate();
            let nearest = gaps.min_by(|a, b| a.1.total_cmp(&b.1));
            if let Some((number, _)) = nearest {
                self.due[first + number] = true;
            }
        }
    }

    /// Whether the impact of a point of this step is due.
    pub(super) fn is_due(&self, number: usize) -> bool {
        self.due.get(number).copied().unwrap_or(false)
    }

    pub(super) fn forget_impacts(&mut self) {
        self.impacts.clear();
    }

    /// Adds a contact whose impact comes in the next step; [`Self::sort_impacts`] ends with them.
    pub(super) fn add_impact(&mut self, point: &ContactPoint) {
        self.impacts.push((pair(point), point.key));
    }

    pub(super) fn sort_impacts(&mut self) {
        self.impacts.sort_unstable();
    }

    /// Remembers the contacts that pressed, in place of those of the step before.
    pub(super) fn press<'a>(&mut self, contacts: impl Iterator<Item = &'a Contact>) {
        self.pressed.clear();
        self.pressed
            .extend(contacts.map(|contact| contact.point.key));
        self.pressed.sort_unstable();
    }

    /// Whether a contact pressed at the end of the last step.
    pub(super) fn has_pressed(&self, key: u64) -> bool {
        self.pressed.binary_search(&key).is_ok()
    }
}

/// The colliders of a point, if it has any.
fn pair(point: &ContactPoint) -> Option<Ends> {
    let [a, b] = point.colliders;
    Some(ends(a?, b?))
}
