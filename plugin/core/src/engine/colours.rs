//! Which groups of units may be visited side by side.

use std::cmp::Reverse;
use std::ops::Range;

/// No second body.
pub(super) const NONE: u32 = u32::MAX;

/// Consecutive units on the same bodies.
#[derive(Clone, Debug)]
pub(super) struct Group {
    /// First coordinates.
    pub(super) bodies: [u32; 2],
    /// What it is visited as: groups of another kind are not visited at once with it.
    pub(super) kind: u32,
    pub(super) units: Range<u32>,
    /// Whether all units are likely to be left at nothing.
    pub(super) is_idle: bool,
}

/// A group in the order of visits.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub(super) struct Place {
    /// Groups of a colour act on no body in common.
    colour: u32,
    is_idle: bool,
    kind: u32,
    /// Groups of as many units are side by side.
    units: Reverse<u32>,
    pub(super) group: u32,
}

impl Place {
    /// Whether two groups may be visited at once.
    pub(super) fn may_join(&self, other: &Self) -> bool {
        let class = |place: &Self| (place.colour, place.is_idle, place.kind);
        class(self) == class(other)
    }
}

/// Sorts groups by colour; memory is reused.
#[derive(Clone, Debug, Default)]
pub(super) struct Colours {
    /// Colours taken on each body, a bit each.
    taken: Vec<u64>,
    places: Vec<Place>,
}

impl Colours {
    /// Groups in the order in which they are visited. Each has the first colour that its bodies have left; those that are idle choose
    /// last. A body with more groups than there are bits has the others one by one. Where groups are not visited side by side, they
    /// keep their order, the idle ones last. O(groups log groups).
    pub(super) fn sort(
        &mut self,
        is_side_by_side: bool,
        range: Range<usize>,
        bodies: usize,
        groups: &[Group],
    ) -> &[Place] {
        self.taken.clear();
        self.taken.resize(bodies, 0);
        self.places.clear();
        for is_idle in [false, true] {
            let own = range.clone().map(|g| (g, &groups[g]));
            for (g, group) in own.filter(|(_, group)| group.is_idle == is_idle) {
                let alone = u64::BITS + self.places.len() as u32;
                let colour = match is_side_by_side {
                    true => self.colour(group).unwrap_or(alone),
                    false => alone,
                };
                self.places.push(Place {
                    colour,
                    is_idle,
                    kind: group.kind,
                    units: Reverse(group.units.len() as u32),
                    group: g as u32,
                });
            }
        }
        if is_side_by_side {
            self.places.sort_unstable();
        }
        &self.places
    }

    /// The first colour that no group before has on the bodies of this one.
    fn colour(&mut self, group: &Group) -> Option<u32> {
        let bodies = group.bodies.map(|at| (at / 6) as usize);
        let taken = |b: usize| self.taken.get(b).copied().unwrap_or(0);
        let colour = (taken(bodies[0]) | taken(bodies[1])).trailing_ones();
        let bit = 1_u64.checked_shl(colour)?;
        for body in bodies {
            if let Some(taken) = self.taken.get_mut(body) {
                *taken |= bit;
            }
        }
        Some(colour)
    }
}
