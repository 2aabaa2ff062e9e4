//! Projected Gauss-Seidel with relaxation.

use super::{Lcp, Limits, Outcome, Start, zeroed};
use crate::report::SolveStatus;

/// Projected Gauss-Seidel with relaxation (projected SOR): sweeps of
/// `z_i := max(0, z_i - omega w_i / s_i)`, with `s_i = A_ii` where positive, else 1
/// [CPS, sec. 5.2].
///
/// Converges for symmetric positive definite matrices and `0 < omega < 2`; for semidefinite ones w
/// converges where a solution exists. No guarantee for other matrices: on the slip bounds of
/// friction pyramids, which have no diagonal, it need not settle. `O(n^2)` per sweep.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct ProjectedGaussSeidel {
    /// Relaxation omega; 1 is Gauss-Seidel.
    pub relaxation: f64,
    /// Sweeps at most.
    pub max_iterations: usize,
    /// [`Lcp::natural_residual`] to stop at.
    pub tolerance: f64,
}

impl Default for ProjectedGaussSeidel {
    fn default() -> Self {
        Self {
            relaxation: 1.0,
            max_iterations: 10_000,
            tolerance: 1e-10,
        }
    }
}

/// Sweeps between two looks at the residual, which costs as much as one of them.
const LOOK: usize = 8;

impl ProjectedGaussSeidel {
    /// Sweeps from `z = 0`. The limits and the start are those of pivoting methods and not used:
    /// this one has its own, and starts elsewhere by [`Self::improve`].
    pub fn solve(
        &mut self,
        lcp: Lcp,
        _limits: &Limits,
        _start: Start,
        z: &mut Vec<f64>,
    ) -> Outcome {
        zeroed(z, lcp.dim());
        self.improve(lcp, z)
    }

    /// Sweeps from the `z` given, or from 0 if that isn't a finite vector of the problem's length.
    /// Status `Solved` at the tolerance; `IterationLimit` else, and `NonFinite` with
    /// `z = 0` where the sweeps ran out of the range of numbers.
    pub fn improve(&self, lcp: Lcp, z: &mut Vec<f64>) -> Outcome {
        let n = lcp.dim();
        if z.len() != n || z.iter().any(|z| !z.is_finite()) {
            zeroed(z, n);
        }
        let mut iterations = 0;
        let mut residual = lcp.natural_residual(z);
        while residual > self.tolerance && iterations < self.max_iterations {
            for _ in 0..LOOK.min(self.max_iterations - iterations) {
                self.sweep(lcp, z);
                iterations += 1;
            }
            residual = lcp.natural_residual(z);
        }
        let status = if residual <= self.tolerance {
            // Down to the tolerance that was asked for, which may be a coarse one.
            SolveStatus::Solved
        } else if residual.is_finite() {
            SolveStatus::IterationLimit
        } else {
            zeroed(z, n);
            residual = lcp.natural_residual(z);
            SolveStatus::NonFinite
        };
        Outcome {
            status,
            pivots: 0,
            iterations,
            residual,
        }
    }

    fn sweep(&self, lcp: Lcp, z: &mut [f64]) {
        for i in 0..z.len() {
            let w = lcp.w(i, z);
            z[i] = (z[i] - self.relaxation * w / lcp.scale(i)).max(0.0);
        }
    }
}
