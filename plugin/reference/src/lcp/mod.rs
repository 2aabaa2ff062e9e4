//! Linear complementarity problems with a full matrix, and their solvers, one file per algorithm.
//!
//! `w = A z + q`, `0 <= z` complementary to `w >= 0`. Which solver for which matrix:
//!
//! | solver | guaranteed for | cost |
//! |---|---|---|
//! | [`Lemke`] | copositive-plus (Stewart-Trinkle, positive semidefinite), P | `O(n^2)` per pivot |
//! | [`Dantzig`] | P, positive semidefinite | `O(n^2)` per pivot |
//! | [`PrincipalPivoting`] | P, positive semidefinite | `O(n^2)` per pair |
//! | [`InteriorPoint`] | positive semidefinite, symmetric or not | `O(n^3)` per iteration |
//!
//! [`Enumeration`] finds all solutions of small problems of any matrix.
//!
//! No solver says [`SolveStatus::Solved`] unless its answer passes [`Lcp::natural_residual`] against
//! the problem as given: at most 1e-10, or the round-off of evaluating `A z` where that is more
//! ([`Lcp::round_off`]).

mod combine;
mod dantzig;
mod enumerate;
mod interior_point;
mod lemke;
mod principal_pivoting;
mod refine;
mod scaling;
mod tableau;
pub(crate) mod work;

pub use dantzig::Dantzig;
pub use enumerate::Enumeration;
pub use interior_point::InteriorPoint;
pub use lemke::Lemke;
pub use principal_pivoting::PrincipalPivoting;
pub use stickslip_core::kit::{Limits, MAX_DECIDED};

use stickslip_core::kit::kernel::dot;
use stickslip_core::kit::{make_room, max_abs};
use stickslip_core::report::SolveStatus;

/// Natural residual below which an answer counts as solved, unless round-off alone is larger.
const ACCURACY: f64 = 1e-10;

/// A problem that isn't one.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
pub enum LcpError {
    /// The matrix doesn't have the square of the vector's length.
    #[error("the matrix has {found} entries; with {dim} entries in q it needs {dim} x {dim}")]
    Shape {
        /// Entries of `q`.
        dim: usize,
        /// Entries of `A`.
        found: usize,
    },
    /// An entry of the matrix isn't a finite number.
    #[error("entry ({row}, {column}) of the matrix is not finite")]
    MatrixNotFinite {
        /// Row of the entry, from 0.
        row: usize,
        /// Column of the entry, from 0.
        column: usize,
    },
    /// An entry of the vector isn't a finite number.
    #[error("entry {row} of q is not finite")]
    VectorNotFinite {
        /// Row of the entry, from 0.
        row: usize,
    },
}

/// `w = A z + q`, `0 <= z` complementary to `w >= 0`, borrowed from its owner.
#[derive(Clone, Copy, Debug)]
pub struct Lcp<'a> {
    a: &'a [f64],
    q: &'a [f64],
}

impl<'a> Lcp<'a> {
    /// The problem of the matrix `a` (row-major, n x n) and the vector `q` (n).
    ///
    /// # Errors
    /// When the shapes don't fit or an entry isn't finite.
    pub fn new(a: &'a [f64], q: &'a [f64]) -> Result<Self, LcpError> {
        let dim = q.len();
        if dim.checked_mul(dim) != Some(a.len()) {
            let found = a.len();
            return Err(LcpError::Shape { dim, found });
        }
        if let Some(k) = a.iter().position(|x| !x.is_finite()) {
            let (row, column) = (k / dim, k % dim);
            return Err(LcpError::MatrixNotFinite { row, column });
        }
        if let Some(row) = q.iter().position(|x| !x.is_finite()) {
            return Err(LcpError::VectorNotFinite { row });
        }
        Ok(Self { a, q })
    }

    /// Number n of complementarity pairs.
    #[inline]
    pub fn dim(&self) -> usize {
        self.q.len()
    }

    /// The matrix, row-major, n x n.
    #[inline]
    pub fn a(&self) -> &'a [f64] {
        self.a
    }

    /// The vector, n.
    #[inline]
    pub fn q(&self) -> &'a [f64] {
        self.q
    }

    /// Row `i` of the matrix.
    #[inline]
    fn row(&self, i: usize) -> &'a [f64] {
        let n = self.dim();
        &self.a[i * n..(i + 1) * n]
    }

    /// `(A z + q)_i`.
    #[inline]
    fn w(&self, i: usize, z: &[f64]) -> f64 {
        self.q[i] + dot(self.row(i), z)
    }

    /// What a unit of `z_i` is worth in units of `w_i`: `A_ii` where positive, else 1.
    #[inline]
    fn scale(&self, i: usize) -> f64 {
        let d = self.a[i * self.dim() + i];
        if d > 0.0 { d } else { 1.0 }
    }

    /// `1 + max |q|`: what residuals are divided by.
    fn magnitude(&self) -> f64 {
        1.0 + max_abs(self.q)
    }

    /// `max_i |min(z_i s_i, w_i)| / (1 + max |q|)` with `s_i = A_ii` where positive, else 1: zero
    /// exactly at a solution. Infinite for a `z` of the wrong length, NaN where `z` or `A z` isn't
    /// finite. Cost `O(n^2)`.
    pub fn natural_residual(&self, z: &[f64]) -> f64 {
        if z.len() != self.dim() {
            return f64::INFINITY;
        }
        let mut worst = 0.0_f64;
        for (i, &z_i) in z.iter().enumerate() {
            let (z_i, w_i) = (z_i * self.scale(i), self.w(i, z));
            if z_i.is_nan() || w_i.is_nan() {
                return f64::NAN;
            }
            worst = worst.max(z_i.min(w_i).abs());
        }
        worst / self.magnitude()
    }

    /// The residual that round-off alone can leave: `8 eps max_i sum_j |A_ij z_j| / (1 + max |q|)`.
    /// Grows with answers that cancel, such as large forces that balance each other. Cost `O(n^2)`.
    pub fn round_off(&self, z: &[f64]) -> f64 {
        let size =
            |i: usize| -> f64 { self.row(i).iter().zip(z).map(|(a, z)| (a * z).abs()).sum() };
        let worst = (0..self.dim()).map(size).fold(0.0, f64::max);
        8.0 * f64::EPSILON * worst / self.magnitude()
    }

    /// The natural residual and whether it is small enough for `Solved`.
    fn check(&self, z: &[f64]) -> (f64, SolveStatus) {
        let residual = self.natural_residual(z);
        let status = if !residual.is_finite() {
            SolveStatus::NonFinite
        } else if residual <= ACCURACY || residual <= self.round_off(z) {
            SolveStatus::Solved
        } else {
            SolveStatus::Inaccurate
        };
        (residual, status)
    }
}

/// How a solve went.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Outcome {
    /// How it ended. With every status but [`SolveStatus::NonFinite`], `z` is finite and not
    /// negative; only [`SolveStatus::Solved`] says that it solves the problem.
    pub status: SolveStatus,
    /// Changes of basis, all runs together.
    pub pivots: usize,
    /// Iterations of iterative methods, refinement steps of pivoting ones.
    pub iterations: usize,
    /// [`Lcp::natural_residual`] of the answer.
    pub residual: f64,
}

/// What the solvers have in common, for choosing one at run time. Every solver owns its memory and
/// allocates nothing once it has seen the largest problem.
pub trait LcpSolver {
    /// Solves a problem, `z` of any length before and n after. See the solvers' own `solve`.
    fn solve(&mut self, lcp: Lcp, limits: &Limits, start: Start, z: &mut Vec<f64>) -> Outcome;
}

/// What a pivoting method starts from.
#[derive(Clone, Copy, Debug, Default)]
pub enum Start<'a> {
    /// `z = 0`.
    #[default]
    Cold,
    /// The solution with these `z` in the basis (true) and the other `w`, as [`Lemke::basis`] gives
    /// it. Of another length than the problem, it is taken as [`Start::Cold`].
    Basis(&'a [bool]),
}

/// `clear` and `resize` with zeros: no allocation below the capacity.
fn zeroed(x: &mut Vec<f64>, len: usize) {
    x.clear();
    x.resize(len, 0.0);
}

/// The outcome where `z = 0` solves the problem (`q >= 0`); fills `z` with zeros in any case.
fn trivial(lcp: Lcp, z: &mut Vec<f64>) -> Option<Outcome> {
    zeroed(z, lcp.dim());
    // A small violation is left to the solvers: they may do better than what just passes.
    lcp.q().iter().all(|&q| q >= 0.0).then_some(Outcome {
        status: SolveStatus::Solved,
        pivots: 0,
        iterations: 0,
        residual: 0.0,
    })
}
