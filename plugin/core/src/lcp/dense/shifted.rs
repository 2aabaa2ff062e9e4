//! Runs repeated with a little added to the diagonal.

use super::{Lcp, Outcome, zeroed};
use crate::report::SolveStatus;

/// Added to the scaled diagonal, in turn.
const SHIFTS: [f64; 3] = [0.0, 1e-10, 1e-8];

/// Runs a solver without and then with shifts until one of its answers solves the problem as given.
/// Else the answer of least residual is kept, with the status of the first run: those of the shifted
/// ones are not the problem's.
pub(super) fn with_shifts(
    lcp: Lcp,
    z: &mut Vec<f64>,
    trial: &mut Vec<f64>,
    mut run: impl FnMut(f64, &mut Vec<f64>) -> Outcome,
) -> Outcome {
    zeroed(z, lcp.dim());
    let mut best = run(SHIFTS[0], z);
    for shift in &SHIFTS[1..] {
        if best.status == SolveStatus::Solved {
            break;
        }
        let next = run(*shift, trial);
        best.pivots += next.pivots;
        best.iterations += next.iterations;
        if next.residual < best.residual {
            z.copy_from_slice(trial);
            best.residual = next.residual;
            if next.status == SolveStatus::Solved {
                best.status = next.status;
            }
        }
    }
    best
}
