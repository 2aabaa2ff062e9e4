//! Settings of the iterative solvers.

use serde::{Deserialize, Serialize};
use smart_default::SmartDefault;

/// Settings of `psor`, `apgd` and `pgs`.
#[derive(Clone, Copy, Debug, PartialEq, Serialize, Deserialize, SmartDefault)]
#[serde(default, deny_unknown_fields)]
pub struct IterationSettings {
    /// Sweeps after which the iteration ends, converged or not.
    #[default = 1000]
    pub max_iterations: usize,
    /// Residual at which the iteration has converged, relative to `1 + max |v_free|`.
    #[default = 1e-6]
    pub tolerance: f64,
    /// Relaxation omega of a contact's step [-], in 0..2.
    #[default = 1.0]
    pub omega: f64,
    /// Share lambda of the projected step that is taken [-], in 0..=1.
    #[default = 1.0]
    pub lambda: f64,
}
