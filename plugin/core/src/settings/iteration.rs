//! Settings of the iterative solvers.

use serde::{Deserialize, Serialize};

/// Settings of `psor`, `apgd` and `pgs`.
#[derive(Clone, Copy, Debug, PartialEq, Serialize, Deserialize)]
#[serde(default, deny_unknown_fields)]
pub struct IterationSettings {
    /// Sweeps after which the iteration ends, converged or not.
    pub max_iterations: usize,
    /// Residual at which the iteration has converged, relative to `1 + max |v_free|`.
    pub tolerance: f64,
    /// Relaxation omega of a contact's step [-], in 0..2.
    pub omega: f64,
    /// Share lambda of the projected step that is taken [-], in 0..=1.
    pub lambda: f64,
}

impl Default for IterationSettings {
    fn default() -> Self {
        Self {
            max_iterations: 1000,
            tolerance: 1e-6,
            omega: 1.0,
            lambda: 1.0,
        }
    }
}
