//! The multipliers of an answer.

use super::super::super::driver::rows;
use super::{Memory, RELAXATION};
use crate::models::ContactSolution;
use crate::problem::{ContactProblem, Island, RowId};

impl Memory {
    /// `l - nu` by kept row; `-nu` of limits.
    pub(super) fn tension(&mut self) {
        self.tension.clear();
        self.tension.resize(self.reduced.rows().len(), 0.0);
        let own = self.layout.variables.len();
        let pressure = self.z.last().copied().unwrap_or(0.0);
        for (unilateral, nu) in self.layout.unilaterals.iter().zip(&self.z[own..]) {
            let l = if unilateral.contact { pressure } else { 0.0 };
            self.tension[unilateral.place as usize] = l - nu;
        }
    }

    /// Multipliers by row: nu of unilateral rows, l at the first tangent of every contact, and those of the
    /// bilateral rows that keep `u - v+` within what they allow.
    pub(super) fn write_multipliers(
        &self,
        problem: &ContactProblem,
        island: Island<'_>,
        solution: &mut ContactSolution,
    ) {
        for row in rows(problem, island) {
            solution.multipliers[row.0] = 0.0;
        }
        for (row, f) in self.reduced.responses() {
            solution.multipliers[row.0] = f;
        }
        let own = self.layout.variables.len();
        let l = self.z.last().copied().unwrap_or(0.0);
        for (unilateral, &nu) in self.layout.unilaterals.iter().zip(&self.z[own..]) {
            let row = self.reduced.rows()[unilateral.place as usize];
            solution.multipliers[row.0] = nu;
            if unilateral.contact {
                solution.multipliers[row.0 + 1] = l;
            }
        }
    }

    /// Declares the unilateral rows that the relaxed answer, or its frictionless stage, does not meet.
    pub(super) fn declare(&self, within: f64, solution: &mut ContactSolution) {
        let own = self.layout.variables.len();
        for (unilateral, &nu) in self.layout.unilaterals.iter().zip(&self.z[own..]) {
            let i = unilateral.place as usize;
            let most = nu.max(self.frictionless[i]);
            let RowId(row) = self.reduced.rows()[i];
            solution.unmet[row] = RELAXATION * self.reduced.diagonal(i) * most > within;
        }
    }
}
