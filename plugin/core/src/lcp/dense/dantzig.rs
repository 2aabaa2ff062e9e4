//! Baraff's direct method, after Cottle and Dantzig \[B94\].

use super::basis::Var;
use super::shifted::with_shifts;
use super::tableau::{Tableau, rates};
use super::{Lcp, Limits, Outcome, Start, make_room, max_abs};
use crate::report::SolveStatus;

/// Baraff's direct method \[B94\], for symmetric positive semidefinite matrices: frictionless and
/// no-slip contact.
///
/// Rows are treated one at a time, the most violated first. Its `z_d` is raised until `w_d = 0`,
/// while the rows treated before keep their conditions: those with `z > 0` keep `w = 0`, and a row
/// changes sides when its z or w arrives at zero. Ties go to the row of least index, `w_d` first.
/// Where `w_d` doesn't respond to `z_d` (a dependent row), raising it moves z only, until another z
/// arrives at zero; if none ever does, no `z >= 0` has `w >= 0`: status `Infeasible`.
///
/// Where round-off leads a problem of nearly dependent rows astray, it is solved once more with a
/// little added to the diagonal, and the answer recomputed and checked without it.
///
/// A change of sides costs `O(n k)`, with k of the z positive. A [`Start::Basis`] whose z are not
/// negative is started from; the rows still violated follow.
#[derive(Clone, Debug, Default)]
pub struct Dantzig {
    tableau: Tableau,
    /// Rows that seemed to block but depend on the others: they stay at zero with them.
    dependent: Vec<usize>,
    trial: Vec<f64>,
}

/// Response of `w_d` to `z_d` (scaled: its own diagonal is about 1) that counts as none.
const DEPENDENT: f64 = 1e-11;
/// Smaller responses are computed with particular care.
const DOUBTFUL: f64 = 1e-4;
/// Negative values that pass for zero, as a share of the largest.
const NEGATIVE: f64 = 1e-9;

/// How raising one row ended.
enum Raised {
    Done,
    Stopped(SolveStatus),
}

impl Dantzig {
    /// Solves a problem. The statuses are those of the type's description, `PivotLimit`, and
    /// `Inaccurate` where the method ended with an answer that doesn't pass.
    pub fn solve(&mut self, lcp: Lcp, limits: &Limits, start: Start, z: &mut Vec<f64>) -> Outcome {
        if let Some(trivial) = super::trivial(lcp, z) {
            return trivial;
        }
        make_room(&mut self.dependent, lcp.dim());
        make_room(&mut self.trial, lcp.dim());
        let mut trial = std::mem::take(&mut self.trial);
        let outcome = with_shifts(lcp, z, &mut trial, |shift, z| {
            self.tableau.set(lcp, 0.0);
            self.tableau.scaled.shift(shift);
            self.begin(if shift == 0.0 { start } else { Start::Cold });
            let mut pivots = 0;
            let status = self.raise_all(limits, &mut pivots);
            self.tableau.finish(lcp, status, pivots, z)
        });
        self.trial = trial;
        outcome
    }

    /// From the basis, if it is one with `z >= 0`; else from `z = 0`.
    fn begin(&mut self, start: Start) {
        if let Start::Basis(basic) = start {
            let fits = basic.len() == self.tableau.dim() && self.tableau.start_from(basic).is_ok();
            let least = -NEGATIVE * (1.0 + max_abs(&self.tableau.values.z));
            if !fits || self.tableau.values.z.iter().any(|&z| z < least) {
                self.tableau.clear();
            }
        } else {
            self.tableau.clear();
        }
    }

    fn raise_all(&mut self, limits: &Limits, pivots: &mut usize) -> SolveStatus {
        while let Some(row) = self.most_violated(limits.tolerance) {
            if let Raised::Stopped(status) = self.raise(row, limits, pivots) {
                return status;
            }
            self.tableau.refresh();
        }
        SolveStatus::Solved
    }

    fn most_violated(&self, zero: f64) -> Option<usize> {
        let w = &self.tableau.values.w;
        let least = -zero * (1.0 + max_abs(w));
        let violated = w.iter().enumerate().filter(|(_, w)| **w < least);
        violated.min_by(|a, b| a.1.total_cmp(b.1)).map(|(i, _)| i)
    }

    fn raise(&mut self, row: usize, limits: &Limits, pivots: &mut usize) -> Raised {
        let (driving, driven) = (Var::Z(row), Var::W(row));
        self.dependent.clear();
        while *pivots < limits.max_pivots {
            *pivots += 1;
            if !self.fill_column(row) {
                return Raised::Stopped(SolveStatus::Inaccurate);
            }
            if self.is_idle(driven, limits.tolerance) {
                if self.lower(row) {
                    return Raised::Done;
                }
                continue;
            }
            let Some((var, step)) = self.blocking(driven, limits.tolerance) else {
                return Raised::Stopped(SolveStatus::Infeasible);
            };
            self.tableau.advance(driving, step);
            self.tableau.put_at_zero(var);
            if let Var::W(i) = var {
                if i != row && !self.fill_column(i) {
                    return Raised::Stopped(SolveStatus::Inaccurate);
                }
                if -self.tableau.rate(var) <= self.no_response() {
                    self.dependent.push(i);
                    continue;
                }
            }
            let t = &mut self.tableau;
            t.basis.exchange(&t.scaled, var.complement(), var);
            self.dependent.clear();
            if var == driven {
                return Raised::Done;
            }
            // Near dependence magnifies round-off; left to add up, it would pass for violations.
            self.tableau.refresh_besides(Some(row));
        }
        Raised::Stopped(SolveStatus::PivotLimit)
    }

    /// Fills the column of `z_row`; false if the basis is too near singular.
    fn fill_column(&mut self, row: usize) -> bool {
        let filled = self.tableau.fill_column(Var::Z(row));
        if filled && self.tableau.rate(Var::W(row)).abs() < DOUBTFUL {
            self.tableau.refine_column(Var::Z(row));
        }
        filled
    }

    /// Whether the driven row is at zero already but can't join the others: it depends on them.
    fn is_idle(&self, driven: Var, zero: f64) -> bool {
        let t = &self.tableau;
        // Of a combination of w that vanish, with coefficients u.
        let size = 1.0 + max_abs(&t.values.w) + max_abs(&t.values.z);
        let least = -zero * size * self.leverage();
        t.values.of(driven) >= least && -t.rate(driven) <= self.no_response()
    }

    /// Lowers the z of an idle row: w stays as it is. True if it arrives at zero; else another z did,
    /// which has left, and the row no longer depends on the rest.
    fn lower(&mut self, row: usize) -> bool {
        let t = &mut self.tableau;
        let mut step = t.values.z[row];
        let mut first = None;
        for (&j, &u) in t.basis.cols.iter().zip(&t.basis.u) {
            if u < -DEPENDENT && t.values.z[j].max(0.0) < -u * step {
                step = -t.values.z[j].max(0.0) / u;
                first = Some(j);
            }
        }
        t.advance(Var::Z(row), -step);
        let Some(j) = first else {
            t.put_at_zero(Var::Z(row));
            return true;
        };
        t.put_at_zero(Var::Z(j));
        t.basis.exchange(&t.scaled, Var::W(j), Var::Z(j));
        t.refresh_besides(Some(row));
        false
    }

    /// The response that round-off alone can make up for the column held: for the matrix's own,
    /// `x^T dA x` with `x = (1, u)`, dA of the size of an ulp of A.
    fn no_response(&self) -> f64 {
        let size = self.leverage();
        DEPENDENT.max(8.0 * f64::EPSILON * size * size)
    }

    /// `1 + |u|_1`.
    fn leverage(&self) -> f64 {
        1.0 + self.tableau.basis.u.iter().map(|u| u.abs()).sum::<f64>()
    }

    fn is_dependent(&self, var: Var) -> bool {
        matches!(var, Var::W(i) if self.dependent.contains(&i))
    }

    /// The first variable to arrive at zero, and the step that takes it there.
    fn blocking(&self, driven: Var, zero: f64) -> Option<(Var, f64)> {
        let t = &self.tableau;
        let least = -zero * (1.0 + max_abs(&t.values.w));
        let mut first: Option<(Var, f64)> = None;
        let response = -t.rate(driven);
        if response > self.no_response() {
            let value = t.values.of(driven);
            // There already but for round-off: nothing else may come before.
            let step = if value >= least {
                0.0
            } else {
                -value / response
            };
            first = Some((driven, step));
        }
        let falling = zero.max(DEPENDENT) * (1.0 + max_abs(&t.basis.u));
        for (var, rate) in rates(&t.basis) {
            let value = t.values.of(var);
            let untreated = matches!(var, Var::W(_)) && value < least;
            if rate <= falling || var == driven || untreated || self.is_dependent(var) {
                continue;
            }
            let step = value.max(0.0) / rate;
            let before = |other: Var| other != driven && var.index() < other.index();
            if first.is_none_or(|(v, s)| step < s || (step == s && before(v))) {
                first = Some((var, step));
            }
        }
        first
    }
}
