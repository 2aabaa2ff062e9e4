//! Settings of the iterative solvers.

use super::ModelError;
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

impl IterationSettings {
    pub(super) fn check(&self) -> Result<(), ModelError> {
        let bad = |name, wanted, value| {
            Err(ModelError::BadSetting {
                name,
                wanted,
                value,
            })
        };
        if self.max_iterations == 0 {
            return bad("iteration.max_iterations", "at least 1", 0.0);
        }
        if !(0.0..=1e-1).contains(&self.tolerance) {
            return bad("iteration.tolerance", "in 0..=0.1", self.tolerance);
        }
        if !(self.omega > 0.0 && self.omega < 2.0) {
            return bad("iteration.omega", "in 0..2", self.omega);
        }
        if !(self.lambda > 0.0 && self.lambda <= 1.0) {
            return bad("iteration.lambda", "above 0, at most 1", self.lambda);
        }
        Ok(())
    }
}
