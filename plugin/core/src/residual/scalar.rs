//! One scalar row of an answer, and complementarity of a pair.

use super::{Check, Phase, raise, unmet};
use crate::problem::{ContactProblem, RowId, ScalarKind};

impl Check<'_> {
    /// Checks a scalar row: an equation, a one-sided row, or one with a bound on its impulse.
    pub(super) fn scalar(&mut self, i: usize) {
        let problem = self.problem;
        let id = problem.scalar_row(i);
        let row = problem.row(id);
        let z = self.solution.f_scalar[i];
        let v = row.dot(&self.solution.v_plus);
        let declared = self.solution.unmet[id.0];
        match problem.scalars()[i].1 {
            ScalarKind::Bilateral { velocity } => {
                let left = unmet(v - velocity, declared, &mut self.r);
                raise(&mut self.r.bilateral, left.abs());
            }
            ScalarKind::Unilateral { gap } => {
                let mut w = v + self.rules.settings.gap_velocity(gap, problem.h());
                if w < 0.0 {
                    w = unmet(w, declared, &mut self.r);
                }
                self.unilateral(id, z, w);
            }
            ScalarKind::Bounded {
                velocity,
                limit,
                compliance,
            } => {
                // Bounds hold for both phases together.
                let z = match self.phase {
                    Phase::Expansion(compression) => z + compression[id.0],
                    _ => z,
                };
                let w = v + compliance * z - velocity;
                let d = self.scratch.diagonal(problem, id) + compliance;
                let bound = limit * d;
                let map = z * d - (z * d - w).clamp(-bound, bound);
                raise(&mut self.r.bilateral, map.abs());
            }
        }
        if !self.is_made {
            self.scratch.take(row, z);
        }
    }

    /// Checks one complementarity pair (z, w); returns `z D`, or infinity if that is certainly not
    /// the smaller one.
    #[inline]
    pub(super) fn unilateral(&mut self, row: RowId, z: f64, w: f64) -> f64 {
        if z == 0.0 && w >= 0.0 {
            return 0.0;
        }
        let pressure = if z == 0.0 {
            0.0
        } else if z > 0.0 && w <= z * least_diagonal(self.problem, row) {
            // Certainly w is the smaller one.
            f64::INFINITY
        } else {
            z * self.scratch.diagonal(self.problem, row)
        };
        let least = if w < pressure { w } else { pressure };
        raise(&mut self.r.signorini, least.abs());
        raise(&mut self.r.penetration, (-w).max(0.0));
        if w.is_nan() {
            self.r.penetration = f64::NAN;
        }
        pressure
    }
}

/// A lower bound of `row M^-1 row^T`: whitening leaves a row's last coordinate alone but for its
/// scaling, since all other columns are its ancestors or strangers.
#[inline]
fn least_diagonal(problem: &ContactProblem, row: RowId) -> f64 {
    let (group, k) = problem.group_of(row);
    let view = problem.group_row(group, k);
    let (Some(run), Some(&value)) = (view.runs.last(), view.values.last()) else {
        return 0.0;
    };
    let last = value * problem.inv_diag(run.range().end - 1);
    last * last
}
