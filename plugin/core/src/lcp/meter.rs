//! Work that is left for an island.

use super::dense::{Limits, Outcome};

/// Operations that the methods for one island have left, counted in pivots: the same for every machine.
#[derive(Clone, Copy, Debug, Default)]
pub(crate) struct Meter {
    left: f64,
}

impl Meter {
    pub(crate) fn new(work: f64) -> Self {
        Self { left: work }
    }

    /// Pivots that are left where each takes so many operations.
    pub(crate) fn pivots(&self, operations: f64) -> usize {
        (self.left / operations.max(1.0)) as usize
    }

    /// Whether so many operations are left.
    pub(crate) fn allows(&self, operations: f64) -> bool {
        operations <= self.left
    }

    pub(crate) fn spend(&mut self, operations: f64) {
        self.left = (self.left - operations).max(0.0);
    }

    /// Limits of a run on a dense problem of `n` variables: a pivot updates the inverse of the basis and the column that
    /// enters.
    pub(crate) fn limits(&self, (tolerance, most): (f64, usize), n: usize) -> Limits {
        Limits {
            tolerance,
            max_pivots: most.min(self.pivots(pivot(n))),
        }
    }

    /// Counts a solve of a dense problem of `n` variables.
    pub(crate) fn count(&mut self, outcome: &Outcome, n: usize) {
        self.spend(outcome.pivots as f64 * pivot(n));
    }
}

/// Operations of a pivot on a dense problem of `n` variables.
pub(crate) fn pivot(n: usize) -> f64 {
    2.0 * (n * n) as f64
}

/// Operations of the interior-point method: a factor of the whole matrix for each of some iterations.
pub(crate) fn interior_point(n: usize) -> f64 {
    let n = n as f64;
    ITERATIONS * n * n * n / 3.0
}

/// Iterations that the interior-point method takes, about.
const ITERATIONS: f64 = 30.0;

/// Bytes of `count` dense matrices of `n` rows.
pub(crate) fn dense_bytes(count: usize, n: usize) -> usize {
    n.saturating_mul(n).saturating_mul(8 * count)
}
