//! Work that is left for an island.

/// What a solve may take.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Limits {
    /// Relative zero: what is smaller than this times its scale counts as round-off.
    pub tolerance: f64,
    /// Pivots of one run of a pivoting method; methods that start over count from zero.
    pub max_pivots: usize,
}

impl Default for Limits {
    fn default() -> Self {
        Self {
            tolerance: 1e-12,
            max_pivots: 10_000,
        }
    }
}

/// Operations that the methods for one island have left, counted in pivots: the same for every machine.
#[derive(Clone, Copy, Debug, Default)]
pub struct Meter {
    left: f64,
}

impl Meter {
    /// So many operations.
    pub fn new(work: f64) -> Self {
        Self { left: work }
    }

    /// Pivots that are left where each takes so many operations.
    pub fn pivots(&self, operations: f64) -> usize {
        (self.left / operations.max(1.0)) as usize
    }

    /// Whether so many operations are left.
    pub fn allows(&self, operations: f64) -> bool {
        operations <= self.left
    }

    /// Takes operations that were done.
    pub fn spend(&mut self, operations: f64) {
        self.left = (self.left - operations).max(0.0);
    }
}

/// Bytes of `count` dense matrices of `n` rows.
pub fn dense_bytes(count: usize, n: usize) -> usize {
    n.saturating_mul(n).saturating_mul(8 * count)
}
