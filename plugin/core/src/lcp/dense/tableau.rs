//! A scaled problem, a basis of it and the values of the basic variables: what the pivoting methods
//! share.

use super::basis::{Basis, Var};
use super::scaling::Scaled;
use super::{Lcp, Outcome, make_room, max_abs, zeroed};
use crate::factor::kernel::axpy;
use crate::factor::{Lu, Singular};
use crate::report::SolveStatus;

/// Residual of an entering column above which it is refined.
const REFINE: f64 = 1e-13;
/// Residual of a refined column above which the inverse is computed anew.
const INVERT: f64 = 1e-10;
/// Pivots after which the values of the basic variables are computed anew.
const REFRESH: usize = 64;
/// Steps of iterative refinement of the answer.
const POLISH: usize = 6;

/// Values of the variables.
#[derive(Clone, Debug, Default)]
pub(super) struct Values {
    /// By z, with z_0 last.
    pub(super) z: Vec<f64>,
    /// By w.
    pub(super) w: Vec<f64>,
}

impl Values {
    #[inline]
    pub(super) fn of(&self, var: Var) -> f64 {
        match var {
            Var::W(i) => self.w[i],
            Var::Z(j) => self.z[j],
        }
    }

    fn set(&mut self, var: Var, value: f64) {
        match var {
            Var::W(i) => self.w[i] = value,
            Var::Z(j) => self.z[j] = value,
        }
    }
}

/// The variable that leaves and the step of the entering one.
#[derive(Clone, Copy, Debug)]
pub(super) struct Leaving {
    pub(super) var: Var,
    pub(super) step: f64,
}

/// An answer's standing.
#[derive(Clone, Copy, Debug)]
pub(super) struct Answer {
    pub(super) residual: f64,
    /// `Solved`, `Inaccurate` or `NonFinite`.
    pub(super) status: SolveStatus,
    /// Refinement steps with a fresh factorization.
    pub(super) iterations: usize,
}

#[derive(Clone, Debug, Default)]
pub(super) struct Tableau {
    pub(super) scaled: Scaled,
    pub(super) basis: Basis,
    pub(super) values: Values,
    /// The answer read off last, in the problem's units.
    pub(super) answer: Vec<f64>,
    lu: Lu,
    x: Vec<f64>,
    residual: Vec<f64>,
}

impl Tableau {
    /// Takes over a problem with `eps` added to its diagonal; every w basic.
    pub(super) fn set(&mut self, lcp: Lcp, eps: f64) {
        let n = lcp.dim();
        make_room(&mut self.x, n);
        make_room(&mut self.residual, n);
        make_room(&mut self.answer, n);
        self.lu.make_room(n);
        self.scaled.set(lcp, eps);
        self.clear();
    }

    /// Every w basic.
    pub(super) fn clear(&mut self) {
        self.basis.clear(self.dim());
        self.refresh();
    }

    /// These z basic instead of their w.
    pub(super) fn start_from(&mut self, basic: &[bool]) -> Result<(), Singular> {
        self.basis.clear(self.dim());
        self.basis.set(&self.scaled, basic)?;
        self.refresh();
        Ok(())
    }

    pub(super) fn dim(&self) -> usize {
        self.scaled.q.len()
    }

    /// Computes the values of the basic variables from the basis.
    pub(super) fn refresh(&mut self) {
        self.refresh_besides(None);
    }

    /// The same with one nonbasic z at the value it has.
    pub(super) fn refresh_besides(&mut self, driving: Option<usize>) {
        let n = self.dim();
        let value = driving.map_or(0.0, |j| self.values.z[j]);
        zeroed(&mut self.values.z, n + 1);
        let w = &mut self.values.w;
        w.clear();
        w.extend_from_slice(&self.scaled.q);
        if let Some(j) = driving {
            self.values.z[j] = value;
            axpy(w, value, self.scaled.column(j));
        }
        let basis = &mut self.basis;
        basis.solve(&self.scaled, w, &mut self.x, &mut self.residual);
        for (&j, &x) in basis.cols.iter().zip(&self.x) {
            self.values.z[j] = x;
        }
        basis.multiply(&self.scaled, &self.x, w);
        for &i in &basis.rows {
            w[i] = 0.0;
        }
    }

    /// Fills the column of an entering variable; false if the basis is too near singular.
    pub(super) fn fill_column(&mut self, entering: Var) -> bool {
        let error = self.basis.enter(&self.scaled, entering, REFINE);
        if error <= INVERT {
            return true;
        }
        if self.basis.invert(&self.scaled).is_err() {
            return false;
        }
        // A basis this ill-conditioned is used as it is: the answer is checked in the end.
        self.basis.enter(&self.scaled, entering, REFINE).is_finite()
    }

    /// Refines the column held, of this entering variable, once more: for small pivots, which
    /// round-off could make up.
    pub(super) fn refine_column(&mut self, entering: Var) {
        self.basis.enter(&self.scaled, entering, 0.0);
    }

    /// By how much a basic variable falls per unit of the entering one.
    pub(super) fn rate(&self, var: Var) -> f64 {
        match var {
            Var::W(i) => self.basis.y[i],
            Var::Z(j) => self.basis.u[self.basis.position(j)],
        }
    }

    /// Moves the values along the entering column.
    pub(super) fn advance(&mut self, entering: Var, step: f64) {
        for (&j, &u) in self.basis.cols.iter().zip(&self.basis.u) {
            self.values.z[j] -= step * u;
        }
        axpy(&mut self.values.w, -step, &self.basis.y);
        let value = match entering {
            // Its own row of the column is an equation.
            Var::W(_) => step,
            Var::Z(j) => self.values.z[j] + step,
        };
        for &i in &self.basis.rows {
            self.values.w[i] = 0.0;
        }
        self.values.set(entering, value);
    }

    /// Moves the values and exchanges the variables.
    pub(super) fn step(&mut self, entering: Var, leaving: Leaving) {
        self.advance(entering, leaving.step);
        self.values.set(leaving.var, 0.0);
        self.basis.exchange(&self.scaled, entering, leaving.var);
        if self.basis.updates % REFRESH == REFRESH - 1 {
            self.refresh();
        }
    }

    /// A variable that has arrived at zero.
    pub(super) fn put_at_zero(&mut self, var: Var) {
        self.values.set(var, 0.0);
    }

    /// Concludes a run that ended with this status: `z` and its outcome.
    pub(super) fn finish(
        &mut self,
        lcp: Lcp,
        ended: SolveStatus,
        pivots: usize,
        z: &mut Vec<f64>,
    ) -> Outcome {
        let answer = self.conclude(lcp);
        let mut outcome = Outcome {
            status: match answer.status {
                SolveStatus::Inaccurate if ended != SolveStatus::Solved => ended,
                other => other,
            },
            pivots,
            iterations: answer.iterations,
            residual: answer.residual,
        };
        zeroed(z, lcp.dim());
        if outcome.status == SolveStatus::NonFinite {
            outcome.residual = lcp.natural_residual(z);
        } else {
            z.copy_from_slice(&self.answer);
        }
        outcome
    }

    /// Reads the answer off a basis and checks it. A complementary one is recomputed against the
    /// problem's own matrix by iterative refinement, first with the inverse at hand, then, if that
    /// isn't good enough, with a fresh LU factorization.
    pub(super) fn conclude(&mut self, lcp: Lcp) -> Answer {
        let complementary = self.basis.is_complementary();
        self.read_off(lcp, complementary);
        let (residual, status) = lcp.check(&self.answer);
        let mut answer = Answer {
            residual,
            status,
            iterations: 0,
        };
        if complementary && status != SolveStatus::Solved && self.factor_basis(lcp) {
            self.x.clear();
            self.x.extend_from_slice(&self.answer);
            answer.iterations = self.refine_by_lu(lcp);
            let (residual, status) = lcp.check(&self.answer);
            if residual < answer.residual {
                answer.residual = residual;
                answer.status = status;
            } else {
                self.answer.copy_from_slice(&self.x);
            }
        }
        answer
    }

    fn read_off(&mut self, lcp: Lcp, complementary: bool) {
        let n = lcp.dim();
        let (scaled, basis) = (&self.scaled, &mut self.basis);
        zeroed(&mut self.answer, n);
        if complementary {
            basis.solve(scaled, &scaled.q, &mut self.x, &mut self.residual);
        } else {
            self.x.clear();
            self.x.extend(basis.cols.iter().map(|&j| self.values.z[j]));
        }
        for (&j, &x) in basis.cols.iter().zip(&self.x) {
            if j < n {
                self.answer[j] = x * scaled.cols[j] * scaled.size;
            }
        }
        let mut last = f64::INFINITY;
        for _ in 0..if complementary { POLISH } else { 0 } {
            self.residual.clear();
            let rows = basis.rows.iter();
            (self.residual).extend(rows.map(|&i| lcp.w(i, &self.answer) * scaled.rows[i]));
            let size = max_abs(&self.residual);
            if size == 0.0 || size.is_nan() || size >= 0.5 * last {
                break;
            }
            last = size;
            basis.apply_inverse(&self.residual, &mut self.x);
            for (&j, &x) in basis.cols.iter().zip(&self.x) {
                self.answer[j] -= x * scaled.cols[j];
            }
        }
        clamp(&mut self.answer);
    }

    /// Factors the problem's own matrix on the basis; false where singular.
    fn factor_basis(&mut self, lcp: Lcp) -> bool {
        let n = lcp.dim();
        let scaled = &self.scaled;
        // Complementary: the same pairs as the rows, perhaps in another order.
        let pairs = &self.basis.cols;
        let entry = |a: usize, b: usize| {
            let (i, j) = (pairs[a], pairs[b]);
            lcp.a()[i * n + j] * scaled.rows[i] * scaled.cols[j]
        };
        self.lu.factor(pairs.len(), 1e-15, entry).is_ok()
    }

    /// The solution on the factored basis; returns the number of refinement steps.
    fn refine_by_lu(&mut self, lcp: Lcp) -> usize {
        let (scaled, pairs) = (&self.scaled, &self.basis.cols);
        self.answer.fill(0.0);
        let mut last = f64::INFINITY;
        let mut steps = 0;
        while steps < POLISH {
            self.residual.clear();
            (self.residual).extend(
                pairs
                    .iter()
                    .map(|&i| lcp.w(i, &self.answer) * scaled.rows[i]),
            );
            let size = max_abs(&self.residual);
            if size == 0.0 || size.is_nan() || size >= 0.5 * last {
                break;
            }
            last = size;
            self.lu.solve(&mut self.residual);
            for (&j, &x) in pairs.iter().zip(&self.residual) {
                self.answer[j] -= x * scaled.cols[j];
            }
            steps += 1;
        }
        clamp(&mut self.answer);
        steps
    }
}

/// Takes what is negative as 0; NaN stays, to be found.
fn clamp(z: &mut [f64]) {
    for z in z {
        if *z < 0.0 {
            *z = 0.0;
        }
    }
}

/// The basic variables with the rates at which they fall.
pub(super) fn rates(basis: &Basis) -> impl Iterator<Item = (Var, f64)> {
    let z = basis.cols.iter().zip(&basis.u);
    let w = basis.y.iter().enumerate();
    z.map(|(&j, &u)| (Var::Z(j), u)).chain(
        w.filter(|&(i, _)| basis.is_basic(Var::W(i)))
            .map(|(i, &y)| (Var::W(i), y)),
    )
}
