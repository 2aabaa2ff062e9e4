//! W and q to about 32 digits.
//!
//! Rows that depend on each other make W singular; rounded to 16 digits it has eigenvalues of some
//! 1e-16 of either sign in their place, which methods that keep more digits would take for real. The
//! products of the same whitened rows with twice the digits are semidefinite to 1e-32 again.

use super::Reduced;
use crate::lcp::dense::Sum;
use crate::models::ContactSolution;
use crate::problem::{ContactProblem, Island};

impl Reduced {
    /// Computes what W and q lack: the exact products are `W + W_low` and `q + q_low`. After
    /// [`Self::assemble`]. O(k^2 nnz).
    pub(in crate::models) fn assemble_low(&mut self, problem: &ContactProblem, island: Island<'_>) {
        let k = self.rows.len();
        self.w_low.clear();
        self.w_low.resize(k * k, 0.0);
        for i in 0..k {
            self.projected.scatter(i, &mut self.x);
            for j in 0..=i {
                if self.projected.overlap(i, j) {
                    let (hi, lo) = self.projected.dot_twofold(j, &self.x);
                    let low = (hi - self.w[i * k + j]) + lo;
                    self.w_low[i * k + j] = low;
                    self.w_low[j * k + i] = low;
                }
            }
            self.projected.erase(i, &mut self.x);
        }
        // The whitened velocity that meets the eliminated rows.
        self.clear_delta(problem, island);
        self.meet(1.0);
        for &b in island.blocks {
            let block = problem.block(b as usize);
            let range = block.range();
            let u = &mut self.x[range.clone()];
            u.fill(0.0);
            block.add_momentum(&problem.v_free()[range.clone()], u);
            block.solve_lt(u);
            for (u, d) in u.iter_mut().zip(&self.delta[range]) {
                *u += d;
            }
        }
        let driven = self.eliminated.iter().any(|e| e.target != 0.0);
        self.q_low.clear();
        for i in 0..k {
            let (hi, lo) = self.projected.dot_twofold(i, &self.x);
            let mut low = (hi - self.q[i]) + lo;
            if driven {
                // What the eliminated rows give a row in their span.
                let whole = self.basis.dot(&self.whites[i], &self.x);
                low += whole - self.projected.dot(i, &self.x);
            }
            self.q_low.push(low);
        }
        for &b in island.blocks {
            self.x[problem.block(b as usize).range()].fill(0.0);
        }
    }

    /// As [`Self::finish`], from impulses with their trailing parts: impulses that balance each other may be
    /// so large that the velocity they leave is lost in 16 digits of each.
    pub(in crate::models) fn finish_precisely(
        &mut self,
        (problem, island): (&ContactProblem, Island<'_>),
        [z, z_low]: [&[f64]; 2],
        within: f64,
        solution: &mut ContactSolution,
    ) -> f64 {
        self.clear_delta(problem, island);
        self.sums.clear();
        self.sums.resize(self.delta.len(), Sum::default());
        let impulses = z.iter().zip(z_low);
        for ((&row, white), (&z, &low)) in self.rows.iter().zip(&self.whites).zip(impulses) {
            if z != 0.0 {
                self.basis.add_to_sums(white, [z, low], &mut self.sums);
            }
            *solution.impulse_mut(problem, row) = z;
        }
        self.round();
        self.meet(1.0);
        self.sums.clear();
        self.write(problem, island, within, solution)
    }

    /// Rounds the sums, if they are asked for.
    pub(super) fn round(&mut self) {
        for (delta, sum) in self.delta.iter_mut().zip(&self.sums) {
            *delta = sum.parts().0;
        }
    }

    /// What W lacks of the exact products, k x k.
    pub(in crate::models) fn w_low(&self) -> &[f64] {
        &self.w_low
    }

    /// What q lacks of the exact products (k).
    pub(in crate::models) fn q_low(&self) -> &[f64] {
        &self.q_low
    }
}
