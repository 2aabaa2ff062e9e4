//! Dantzig's principal pivoting method, which Baraff brought to contact \[B94\].

use super::tableau::{Tableau, Var};
use super::{Lcp, LcpSolver, Limits, Outcome, Start};
use stickslip_core::report::SolveStatus;

/// The principal pivoting method of Dantzig and Cottle [CPS, Alg. 4.3.5; B94], for positive semidefinite matrices,
/// symmetric (frictionless and no-slip contact) or not, and for P-matrices.
///
/// Rows are treated one at a time, the most violated first. Its `w_r` is raised to zero by its `z_r`, through almost
/// complementary bases, while the variables that are not negative stay so. Ties go to the least index, `w_r` first. If
/// nothing bounds the rise, no `z >= 0` has `w >= 0`: status `Infeasible`.
///
/// Where round-off leads a problem of nearly dependent rows astray, it is solved once more with a little added to the
/// diagonal, and the answer refined and checked without it.
///
/// A pivot costs `O(n^2)`. A [`Start::Basis`] whose z are not negative is started from; the rows still violated
/// follow.
#[derive(Clone, Debug, Default)]
pub struct Dantzig {
    pub(super) tableau: Tableau,
}

/// Added to the scaled diagonal, in turn. Duplicated contacts need the second.
const SHIFTS: [f64; 2] = [0.0, 1e-9];
/// Pivots below this, relative to the largest rate, count as zero.
pub(super) const DEPENDENT: f64 = 1e-11;
/// Negative values that pass for zero, as a share of the largest.
const NEGATIVE: f64 = 1e-9;

impl LcpSolver for Dantzig {
    /// Solves a problem. The statuses are those of the type's description, `PivotLimit`, and
    /// `Inaccurate` where the method ended with an answer that doesn't pass.
    fn solve(&mut self, lcp: Lcp, limits: &Limits, start: Start, z: &mut Vec<f64>) -> Outcome {
        self.solve_after(lcp, z, |method, is_first, pivots| {
            method.begin(if is_first { start } else { Start::Cold });
            method.raise_all(limits, pivots)
        })
    }
}

impl Dantzig {
    /// Runs a method from `w` basic, without and then with a shift, until an answer solves the problem as given. Else the
    /// answer of least residual is kept, with the status of the first run.
    pub(super) fn solve_after(
        &mut self,
        lcp: Lcp,
        z: &mut Vec<f64>,
        mut run: impl FnMut(&mut Self, bool, &mut usize) -> SolveStatus,
    ) -> Outcome {
        if let Some(trivial) = super::trivial(lcp, z) {
            return trivial;
        }
        let mut best = Outcome {
            status: SolveStatus::Inaccurate,
            pivots: 0,
            iterations: 0,
            residual: f64::INFINITY,
        };
        let mut first = None;
        for shift in SHIFTS {
            self.tableau.set(lcp, &[], shift);
            let (is_first, mut pivots) = (shift == 0.0, 0);
            let ended = run(self, is_first, &mut pivots);
            (self.tableau).conclude(lcp, ended, pivots, &mut best, z);
            if best.status == SolveStatus::Solved {
                break;
            }
            // What the problem as it is ended with says more.
            best.status = *first.get_or_insert(best.status);
        }
        best
    }

    /// From the basis, if it is one with `z >= 0`; else from `z = 0`.
    fn begin(&mut self, start: Start) {
        let Start::Basis(basic) = start else {
            return;
        };
        let t = &mut self.tableau;
        let fits = basic.len() == t.dim() && t.start_from(basic);
        let is_z = |var: &Var| matches!(var, Var::Z(_));
        let least = -NEGATIVE * t.size(is_z);
        if !fits || (0..t.dim()).any(|row| is_z(&t.basic[row]) && t.value(row) < least) {
            t.clear();
        }
    }

    /// Treats the violated rows, from a complementary basis with `z >= 0`.
    pub(super) fn raise_all(&mut self, limits: &Limits, pivots: &mut usize) -> SolveStatus {
        loop {
            let t = &self.tableau;
            let least = -limits.tolerance * t.size(|var| matches!(var, Var::W(_)));
            let mut worst: Option<(f64, usize)> = None;
            for (row, var) in t.basic.iter().enumerate() {
                if let Var::W(i) = *var
                    && t.value(row) < worst.map_or(least, |worst| worst.0)
                {
                    worst = Some((t.value(row), i));
                }
            }
            let Some((_, raised)) = worst else {
                return SolveStatus::Solved;
            };
            let status = self.raise(raised, limits, pivots);
            if status != SolveStatus::Solved {
                return status;
            }
        }
    }

    /// Raises `w_r` to zero; `Solved` when there.
    fn raise(&mut self, raised: usize, limits: &Limits, pivots: &mut usize) -> SolveStatus {
        let mut driving = Var::Z(raised);
        while *pivots < limits.max_pivots {
            *pivots += 1;
            if !self.tableau.prepare(driving, 1.0) {
                return SolveStatus::Inaccurate;
            }
            let Some(row) = self.blocking(driving, Var::W(raised), limits.tolerance) else {
                return SolveStatus::Infeasible;
            };
            let leaving = self.tableau.basic[row];
            self.tableau.exchange(row, driving);
            if leaving == Var::W(raised) {
                return SolveStatus::Solved;
            }
            // The raised pair's own z never falls while w rises [CPS, sec. 4.3]: this is round-off.
            if leaving == Var::Z(raised) {
                return SolveStatus::Inaccurate;
            }
            driving = leaving.complement();
        }
        SolveStatus::PivotLimit
    }

    /// The row whose variable is the first to arrive at zero.
    fn blocking(&self, driving: Var, raised: Var, zero: f64) -> Option<usize> {
        let t = &self.tableau;
        let column = t.column_of(driving);
        let least = -zero * t.size(|var| matches!(var, Var::W(_)));
        let rows = 0..t.dim();
        let largest = (rows.clone()).fold(1.0_f64, |m, row| m.max(t.entry(row, column).abs()));
        let mut first: Option<(f64, usize)> = None;
        for row in rows {
            let (var, rate, value) = (t.basic[row], t.entry(row, column), t.value(row));
            let step = if var == raised && rate > DEPENDENT * largest {
                (-value).max(0.0) / rate
            } else if var != raised && rate < -DEPENDENT * largest {
                if matches!(var, Var::W(_)) && value < least {
                    continue;
                }
                value.max(0.0) / -rate
            } else {
                continue;
            };
            let before = |other: usize| {
                let other = t.basic[other];
                other != raised && (var == raised || var.index() < other.index())
            };
            if first.is_none_or(|(s, other)| step < s || (step == s && before(other))) {
                first = Some((step, row));
            }
        }
        first.map(|(_, row)| row)
    }
}
