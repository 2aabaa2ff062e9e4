//! What a solve may cost.

use crate::tolerances::{BETWEEN_TESTS, FACTOR_PER_ENTRY};
use serde::{Deserialize, Serialize};
use smart_default::SmartDefault;

/// What a model may take for one island. All but the milliseconds is counted, not measured: the same problem gives
/// the same bits however fast the machine is and however many threads there are.
///
/// What would not fit is not begun (status [`TooLarge`](crate::report::SolveStatus::TooLarge)); what runs out of work
/// ends with the best answer found. The engine then answers for the island.
#[derive(Clone, Copy, Debug, PartialEq, Serialize, Deserialize, SmartDefault)]
#[serde(default, deny_unknown_fields)]
pub struct BudgetSettings {
    /// Operations of the pivoting and interior-point methods, all their runs together.
    #[default = 1e8]
    pub work: f64,
    /// Bytes of the dense matrices of an island.
    #[default(256 << 20)]
    pub memory: usize,
    /// Pairs of sweeps of the engine.
    #[default = 300]
    pub pairs: usize,
    /// Contacts and rows that all those pairs may visit: large islands get fewer pairs, down to a third. Heaps that all
    /// 300 leave near the tolerance of motion get as many again.
    #[default = 500_000]
    pub visits: usize,
    /// Operations that one sparse factor of the engine may take. It may take more where the sweeps in its place would take
    /// longer, but for heaps that have impulses, and islands of bilateral rows alone 20 times as many, since they take one factor, and 60 times
    /// in their first step at rest.
    #[default = 20_000_000]
    pub factor: usize,
    /// Time of a whole solve \[ms\]: islands whose turn comes later get few sweeps. The answer then depends on the
    /// machine.
    pub milliseconds: Option<f64>,
}

/// What the methods of the engine may do on one island.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Budget {
    /// Pairs of sweeps.
    pub(crate) pairs: usize,
    /// The same in single precision, of a heap that stands and has no impulses yet: as many again as a heap near the tolerance may have,
    /// however large it is.
    pub(crate) fresh: usize,
    /// Contacts and rows that they may visit.
    pub(crate) visits: usize,
    /// Whether as many may follow.
    pub(crate) may_sweep_on: bool,
    /// Operations that a sparse factor may take.
    pub(crate) flops: usize,
    /// The same where it takes no longer than the sweeps in its place would.
    pub(crate) instead: usize,
}

impl Budget {
    /// The same for an island of so many contacts and rows, whose rows have so many entries in all. A third of the pairs is the
    /// least: with fewer, large heaps in motion overlap and towers fall.
    pub(crate) fn of_island(self, units: usize, entries: usize) -> Self {
        let visits = self.visits / units.max(1);
        let pairs = visits.clamp(self.pairs / 3, self.pairs);
        let may_sweep_on = self.may_sweep_on && visits >= self.pairs;
        let instead = match self.flops {
            0 => 0,
            flops => flops.max(in_place_of(pairs, entries)),
        };
        Self {
            pairs,
            may_sweep_on,
            instead,
            ..self
        }
    }
}

/// Operations of a factor that takes no longer than so many pairs of sweeps over rows with so many entries.
pub(crate) fn in_place_of(pairs: usize, entries: usize) -> usize {
    FACTOR_PER_ENTRY
        .saturating_mul(pairs)
        .saturating_mul(entries)
}

impl BudgetSettings {
    /// What the engine may do on one island; `is_past_deadline` where the time is over.
    pub(crate) fn engine(&self, is_past_deadline: bool) -> Budget {
        if is_past_deadline {
            return Budget {
                pairs: self.pairs.min(BETWEEN_TESTS),
                fresh: self.pairs.min(BETWEEN_TESTS),
                visits: self.visits,
                may_sweep_on: false,
                flops: 0,
                instead: 0,
            };
        }
        Budget {
            pairs: self.pairs,
            fresh: 2 * self.pairs,
            visits: self.visits,
            may_sweep_on: true,
            flops: self.factor,
            instead: self.factor,
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn large_islands_get_fewer_pairs_and_never_less_than_a_third() {
        let budget = BudgetSettings::default().engine(false);
        let pairs = [0, 1000, 2500, 1_000_000].map(|units| budget.of_island(units, 0).pairs);
        assert_eq!(pairs, [300, 300, 200, 100]);
        let more =
            [500, 1000, 2500, 1_000_000].map(|units| budget.of_island(units, 0).may_sweep_on);
        assert_eq!(
            more,
            [true, true, false, false],
            "none where pairs were cut"
        );
        let late = BudgetSettings::default().engine(true);
        let late = late.of_island(1000, 36_000);
        assert_eq!((late.pairs, late.may_sweep_on), (BETWEEN_TESTS, false));
        assert_eq!((late.flops, late.instead), (0, 0), "no factor at all");
    }

    #[test]
    fn a_factor_may_take_as_long_as_the_sweeps_in_its_place() {
        let budget = BudgetSettings::default().engine(false);
        assert_eq!(budget.of_island(10, 360).instead, budget.flops);
        assert_eq!(
            budget.of_island(2500, 100_000).instead,
            200 * 100_000 * FACTOR_PER_ENTRY
        );
    }
}
