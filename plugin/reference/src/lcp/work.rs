//! What the dense methods cost, in operations.

use super::{Limits, Outcome};
use stickslip_core::kit::Meter;

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

/// Limits of a run on a dense problem of `n` variables: a pivot updates the inverse of the basis and the column that
/// enters.
pub(crate) fn limits(meter: &Meter, tolerance: f64, most: usize, n: usize) -> Limits {
    Limits {
        tolerance,
        max_pivots: most.min(meter.pivots(pivot(n))),
    }
}

/// Counts a solve of a dense problem of `n` variables.
pub(crate) fn count(meter: &mut Meter, outcome: &Outcome, n: usize) {
    meter.spend(outcome.pivots as f64 * pivot(n));
}
