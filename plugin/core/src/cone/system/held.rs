//! Bilateral rows eliminated before the iterations begin.
//!
//! Joints of free bodies and loops put far more equations into an island than it has contacts, and sweeps
//! over equations converge the more slowly the more bodies hang on each other. Where `X v+ = c` is all they say, what is left of a row r is its part outside their span, `P r` [D15, eq. 56], and its
//! velocity without impulses, q (see [`Reduced`]). With an orthonormal basis Q of those parts, whitened,
//! ```text
//! P r~ = Q^T y_r,   u = y_r . v + q + b,   v = sum y_r z
//! ```
//! is the same problem with as many velocities as there are independent contact rows, limits and drives:
//! 30 instead of 222 for a walker of 37 bodies on six feet.

use super::System;
use crate::cone::newton::LARGEST;
use crate::models::ContactSolution;
use crate::models::reduced::{Reduced, SPANNED};
use crate::problem::{ContactProblem, Island, RowId, Run, ScalarKind};
use crate::rows::{Orthogonal, kernel};

/// Miss of a bilateral row's target, relative to `1 + max |v_free|`, from which on it contradicts others:
/// the round-off of dependent rows' targets.
const MET: f64 = 1e-9;

/// The bilateral rows of an island and what they leave; all memory is reused.
#[derive(Clone, Debug, Default)]
pub(super) struct Held {
    reduced: Reduced,
    basis: Orthogonal,
    rank: usize,
    /// Entries of the row last taken along the basis.
    along: Vec<f64>,
    /// Impulses of the kept rows.
    z: Vec<f64>,
}

impl Held {
    /// Eliminates the island's bilateral rows; false if it has none, is too large for a dense basis, or has
    /// more other rows than coordinates, which a basis would not make fewer.
    pub(super) fn begin(&mut self, problem: &ContactProblem, island: Island<'_>) -> bool {
        let n = problem.contact_count();
        let (mut bilateral, mut others) = (0, 0);
        for &g in island.groups {
            match (g as usize).checked_sub(n) {
                Some(i) => match problem.scalars()[i].1 {
                    ScalarKind::Bilateral { .. } => bilateral += 1,
                    _ => others += 1,
                },
                None if problem.spin_rows(g as usize).is_some() => others += 6,
                None => others += 3,
            }
        }
        let blocks = || island.blocks.iter().map(|&b| problem.block(b as usize));
        let dim: usize = blocks().map(|block| block.dim()).sum();
        if bilateral == 0 || others > dim || dim > LARGEST {
            return false;
        }
        self.reduced.begin(problem, island);
        self.reduced.eliminate_bilateral(problem, island);
        self.reduced.meet_alone(problem, island);
        self.basis.begin(blocks().map(|block| block.range()));
        self.rank = 0;
        true
    }

    /// Dimension of what the rows taken so far span.
    pub(super) fn rank(&self) -> usize {
        self.rank
    }

    /// Takes a row; returns its `row M^-1 row^T` and its velocity without impulses. Its entries along the
    /// basis are in `along`. O(r^2 + r nnz) for r bilateral rows, and O(rank m).
    fn take(&mut self, problem: &ContactProblem, row: RowId) -> [f64; 2] {
        let i = self.reduced.keep(problem, row);
        let d = self.reduced.diagonal(i);
        let (basis, along) = (&mut self.basis, &mut self.along);
        along.clear();
        along.resize(self.rank, 0.0);
        let whole =
            (self.reduced).with_projected(problem, i, |x| basis.split(x, 0.0, (0, &mut along[..])));
        if whole > SPANNED * d {
            self.basis.push(whole, 0.0);
            self.along.push(whole.sqrt());
            self.rank += 1;
        } else if kernel::dot(&self.along, &self.along) <= SPANNED * d {
            self.along.fill(0.0);
        }
        [d, self.reduced.free(problem, i)]
    }

    /// Writes velocities and the impulses of bilateral rows, from those of all other rows in `solution`;
    /// returns the largest miss of a bilateral row that contradicts others [m/s], else 0.
    pub(super) fn write(
        &mut self,
        problem: &ContactProblem,
        island: Island<'_>,
        solution: &mut ContactSolution,
    ) -> f64 {
        self.z.clear();
        let rows = self.reduced.rows().iter();
        (self.z).extend(rows.map(|&row| *solution.impulse_mut(problem, row)));
        let within = MET * self.reduced.speed();
        (self.reduced).finish(problem, island, (&self.z, within), solution)
    }
}

impl System {
    /// Appends rows of a group times `scale` as the bilateral rows leave them; returns their diagonals and
    /// their velocities without impulses.
    pub(super) fn hold<const K: usize>(
        &mut self,
        problem: &ContactProblem,
        rows: [RowId; K],
        scale: [f64; K],
    ) -> ([f64; K], [f64; K]) {
        let (mut d, mut free) = ([0.0; K], [0.0; K]);
        for k in 0..K {
            let [own, velocity] = self.held.take(problem, rows[k]);
            (d[k], free[k]) = (scale[k] * scale[k] * own, scale[k] * velocity);
            for (x, y) in self.dense[k].iter_mut().zip(&self.held.along) {
                *x = scale[k] * y;
            }
        }
        let rank = self.held.rank();
        self.runs.push(Run {
            start: 0,
            len: rank as u32,
        });
        for j in 0..rank {
            let column: [f64; K] = std::array::from_fn(|k| std::mem::take(&mut self.dense[k][j]));
            self.vals.extend_from_slice(&column);
        }
        (d, free)
    }
}
