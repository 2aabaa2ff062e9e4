//! Which pairs a step reads, by who sleeps.

use super::Sleepers;
use super::watch::index;
use crate::base::tolerances;
use crate::contacts::gather::Due;
use rapier::prelude::*;

impl Due for Sleepers {
    /// Whether the contacts of a pair must be read now: one of its bodies is awake, and has not been
    /// in an earlier reading of this step.
    fn takes(&self, pair: [Option<RigidBodyHandle>; 2]) -> bool {
        if self.asleep == 0 && self.reading == 0 {
            return true;
        }
        let woke = |handle: Option<RigidBodyHandle>| {
            let watch = self.watch(handle?)?;
            (!watch.asleep).then_some(watch.reading)
        };
        let first = pair.into_iter().filter_map(woke).min();
        first == Some(self.reading)
    }

    /// The awake one that comes first in the set.
    fn first(&self, pair: [Option<RigidBodyHandle>; 2]) -> Option<RigidBodyHandle> {
        let awake = pair.into_iter().flatten().filter(|h| self.is_awake(*h));
        awake.min_by_key(|handle| index(*handle))
    }
}

impl Sleepers {
    /// The active bodies, where looking at the pairs of each costs less than looking at all pairs. Sorted by
    /// [`Self::active`].
    pub(crate) fn few(&self) -> Option<&[RigidBodyHandle]> {
        let few = tolerances::FEW * self.awake < self.asleep;
        few.then_some(&self.active)
    }
}
