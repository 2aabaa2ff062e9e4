//! Shares of a large island that threads sweep side by side.
//!
//! Units stand in the order of the first body they act on, and bodies breadth first, so none acts on bodies far apart.
//! Where no share reaches beyond the bodies that the next one begins with, every second share is independent: the even
//! ones are swept at once, then the odd ones. The shares are the same for any number of threads, and so are the bits.

use crate::law::worse;
use crate::threads::both;
use crate::tolerances::LARGE_SYSTEM;
use std::ops::Range;

/// Even shares of a large island.
const LANES: usize = 4;

/// Units that stand side by side, or the visits made of them, and the first impulse and velocity they have.
#[derive(Clone, Debug, Default)]
pub(super) struct Share {
    pub(super) units: Range<usize>,
    pub(super) from: [usize; 2],
}

/// What sweeps write to: impulses and velocities, those before the last pair and, of impulses, those it began with. A
/// share has them from its first impulse and coordinate (`from`) to those of the next share of its side.
pub(super) struct Lists<'a, T> {
    pub(super) z: &'a mut [T],
    pub(super) old: &'a mut [T],
    pub(super) before: &'a mut [T],
    pub(super) v: &'a mut [T],
    pub(super) v_before: &'a mut [T],
    pub(super) from: [usize; 2],
}

/// The shares of an island; memory is reused.
#[derive(Clone, Debug, Default)]
pub(super) struct Shares {
    even: Vec<Share>,
    odd: Vec<Share>,
}

/// Work on the visits of a share; what it returns is summed in the order of the shares.
pub(super) trait Work<T>: Fn(Range<usize>, Lists<'_, T>) -> f64 + Sync {}
impl<T, F: Fn(Range<usize>, Lists<'_, T>) -> f64 + Sync> Work<T> for F {}

impl Shares {
    /// One share of everything.
    pub(super) fn whole(&mut self, units: usize) {
        self.odd.clear();
        self.even.clear();
        self.even.push(Share {
            units: 0..units,
            from: [0; 2],
        });
    }

    /// Parts units by the velocities they reach, the first to the last, into as many shares as it is worth. O(units).
    pub(super) fn part(&mut self, units: usize, reach: impl Fn(usize) -> Range<usize>) {
        let mut lanes = (units / LARGE_SYSTEM).min(LANES);
        while lanes > 1 {
            if self.cut(2 * lanes, units, &reach).is_some() {
                return;
            }
            lanes /= 2;
        }
        self.whole(units);
    }

    /// Cuts them into so many shares; none where one would be empty or reach too far.
    fn cut(
        &mut self,
        count: usize,
        units: usize,
        reach: &impl Fn(usize) -> Range<usize>,
    ) -> Option<()> {
        self.even.clear();
        self.odd.clear();
        let first = |i: usize| reach(i).start;
        // A share begins where the first body changes.
        let border = |k: usize| match k {
            0 => Some(0),
            _ if k >= count => Some(units),
            _ => (units * k / count..units).find(|&i| first(i) != first(i - 1)),
        };
        for k in 0..count {
            let own = border(k)?..border(k + 1)?;
            let after = border(k + 2)?;
            let end = if after < units {
                first(after)
            } else {
                usize::MAX
            };
            if own.is_empty() || own.clone().any(|i| reach(i).end > end) {
                return None;
            }
            let from = match k {
                0 => [0; 2],
                _ => [0, first(own.start)],
            };
            let side = if k % 2 == 0 {
                &mut self.even
            } else {
                &mut self.odd
            };
            side.push(Share { units: own, from });
        }
        Some(())
    }

    /// Does something to every share, in their order.
    pub(super) fn each(&mut self, mut work: impl FnMut(&mut Share)) {
        let mut odd = self.odd.iter_mut();
        for even in &mut self.even {
            work(even);
            odd.next().into_iter().for_each(&mut work);
        }
    }

    /// How many shares may be swept at once.
    pub(super) fn lanes(&self) -> usize {
        self.even.len()
    }

    /// The units of the even and of the odd shares.
    #[cfg(test)]
    pub(super) fn sides(&self) -> [Vec<Range<usize>>; 2] {
        [&self.even, &self.odd].map(|side| side.iter().map(|share| share.units.clone()).collect())
    }

    /// Work on the even shares, which have all of the lists among them.
    pub(super) fn even<T: Send>(&self, lists: Lists<'_, T>, work: &impl Work<T>) -> f64 {
        side_by_side(&self.even, lists, work)
    }

    /// Work on the odd shares.
    pub(super) fn odd<T: Send>(&self, lists: Lists<'_, T>, work: &impl Work<T>) -> f64 {
        side_by_side(&self.odd, lists, work)
    }

    /// The worst that a look at the units of each share finds.
    pub(super) fn worst(&self, look: &(impl Fn(Range<usize>) -> f64 + Sync)) -> f64 {
        worse(worst_of(&self.even, look), worst_of(&self.odd, look))
    }
}

impl<T> Lists<'_, T> {
    /// The same, to give away for a while.
    pub(super) fn again(&mut self) -> Lists<'_, T> {
        Lists {
            z: self.z,
            old: self.old,
            before: self.before,
            v: self.v,
            v_before: self.v_before,
            from: self.from,
        }
    }

    /// What lies before these places, and the rest.
    fn split(self, from: [usize; 2]) -> [Self; 2] {
        let [at, v_at] = [0, 1].map(|k| from[k] - self.from[k]);
        let (z, z_rest) = self.z.split_at_mut(at);
        let (old, old_rest) = self.old.split_at_mut(at);
        let (before, before_rest) = self.before.split_at_mut(at);
        let (v, v_rest) = self.v.split_at_mut(v_at);
        let (v_before, v_before_rest) = self.v_before.split_at_mut(v_at);
        let rest = Self {
            z: z_rest,
            old: old_rest,
            before: before_rest,
            v: v_rest,
            v_before: v_before_rest,
            from,
        };
        let first = Self {
            z,
            old,
            before,
            v,
            v_before,
            from: self.from,
        };
        [first, rest]
    }
}

fn side_by_side<T: Send>(shares: &[Share], lists: Lists<'_, T>, work: &impl Work<T>) -> f64 {
    match shares {
        [] => 0.0,
        [share] => {
            let [_, own] = lists.split(share.from);
            work(share.units.clone(), own)
        }
        _ => {
            let (left, right) = shares.split_at(shares.len() / 2);
            let [first, rest] = lists.split(right[0].from);
            let (a, b) = both(
                || side_by_side(left, first, work),
                || side_by_side(right, rest, work),
            );
            a + b
        }
    }
}

fn worst_of(shares: &[Share], look: &(impl Fn(Range<usize>) -> f64 + Sync)) -> f64 {
    match shares {
        [] => 0.0,
        [share] => look(share.units.clone()),
        _ => {
            let (left, right) = shares.split_at(shares.len() / 2);
            let (a, b) = both(|| worst_of(left, look), || worst_of(right, look));
            worse(a, b)
        }
    }
}
