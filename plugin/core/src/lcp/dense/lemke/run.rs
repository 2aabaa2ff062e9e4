//! One run of Lemke's method and reading its answer off the final basis.

use super::super::kernel::{axpy, dot};
use super::super::{Lcp, Limits, Start, max_abs, zeroed};
use super::Lemke;
use super::basis::Var;
use super::ratio::Leaving;
use crate::report::SolveStatus;

/// Where a run starts and what covers its violated rows.
#[derive(Clone, Copy)]
pub(super) enum Attempt<'a> {
    /// From a basis; 1 on its negative variables.
    Warm(Start<'a>),
    /// Cold, 1 on the violated rows.
    Violated,
    /// Cold, 1 on all rows.
    Ones,
    /// Cold, from 1 to 2.
    Rising,
}

/// Residual of an entering column above which it is refined.
const REFINE: f64 = 1e-13;
/// Residual of a refined column above which the inverse is computed anew.
const INVERT: f64 = 1e-10;
/// Pivots after which the values of the basic variables are computed anew.
const REFRESH: usize = 64;
/// Share of the largest z below which a negative variable of a start passes for zero; the answer,
/// with zeros there, is then judged like any other.
const NEGATIVE: f64 = 1e-9;
/// Steps of iterative refinement of the answer.
const POLISH: usize = 6;

impl Lemke {
    /// Runs from the given start. None if there is no such start; else `Solved` when `z_0` left, or
    /// why it didn't.
    pub(super) fn run(
        &mut self,
        attempt: Attempt,
        limits: &Limits,
        pivots: &mut usize,
    ) -> Option<SolveStatus> {
        let n = self.scaled.q.len();
        self.basis.clear(n);
        self.started.clear();
        match attempt {
            Attempt::Warm(Start::Basis(basic)) if basic.len() == n => {
                self.started.extend_from_slice(basic);
                self.basis.set(&self.scaled, basic).ok()?;
            }
            Attempt::Warm(_) => return None,
            _ => self.started.resize(n, false),
        }
        self.refresh();
        let Some(first) = self.cover(attempt) else {
            return Some(SolveStatus::Solved);
        };
        Some(self.pivot_on(first, limits, pivots))
    }

    /// Chooses the covering vector and the variable that leaves when `z_0` enters: the most
    /// negative one relative to its cover, the last of equals (the lexicographically least). None
    /// when no variable is negative; beyond round-off, for a basis given.
    fn cover(&mut self, attempt: Attempt) -> Option<Var> {
        let n = self.started.len();
        let least = match attempt {
            Attempt::Warm(_) => -NEGATIVE * (1.0 + max_abs(&self.values.z)),
            _ => 0.0,
        };
        let mut cover = std::mem::take(&mut self.basis.cover);
        let mut worst = 0.0;
        let mut first = None;
        for l in 0..n {
            let var = self.start_variable(l);
            let value = self.values.of(var);
            let d = match attempt {
                Attempt::Warm(_) | Attempt::Violated => f64::from(u8::from(value < least)),
                Attempt::Ones => 1.0,
                Attempt::Rising => 1.0 + l as f64 / n as f64,
            };
            if d == 0.0 {
                continue;
            }
            // The column of the variable, times d: d lifts this variable only.
            match var {
                Var::W(i) => cover[i] += d,
                Var::Z(j) => axpy(&mut cover, -d, self.scaled.column(j)),
            }
            if value < least && value / d <= worst {
                worst = value / d;
                first = Some(var);
            }
        }
        self.basis.cover = cover;
        first
    }

    /// The variable of pair l that was basic at the start.
    fn start_variable(&self, l: usize) -> Var {
        if self.started[l] {
            Var::Z(l)
        } else {
            Var::W(l)
        }
    }

    /// Computes the values of the basic variables from the basis.
    fn refresh(&mut self) {
        let n = self.scaled.q.len();
        let basis = &mut self.basis;
        basis.solve(
            &self.scaled,
            &self.scaled.q,
            &mut self.x,
            &mut self.residual,
        );
        zeroed(&mut self.values.z, n + 1);
        for (&j, &x) in basis.cols.iter().zip(&self.x) {
            self.values.z[j] = x;
        }
        let w = &mut self.values.w;
        w.clear();
        w.extend_from_slice(&self.scaled.q);
        basis.multiply(&self.scaled, &self.x, w);
        for &i in &basis.rows {
            w[i] = 0.0;
        }
    }

    /// Complementary pivots until `z_0` leaves.
    fn pivot_on(&mut self, first: Var, limits: &Limits, pivots: &mut usize) -> SolveStatus {
        let n = self.started.len();
        let artificial = Var::Z(n);
        let mut entering = artificial;
        for count in 0..limits.max_pivots {
            if !self.fill_column(entering) {
                return SolveStatus::Inaccurate;
            }
            let leaving = if count == 0 {
                let step = self.values.of(first) / self.rate(first);
                Some(Leaving { var: first, step })
            } else {
                let zero = limits.tolerance;
                let (basis, started) = (&mut self.basis, &self.started);
                self.ratio
                    .choose(&self.scaled, basis, &self.values, started, zero)
            };
            let Some(leaving) = leaving else {
                return SolveStatus::RayTermination;
            };
            self.step(entering, leaving);
            *pivots += 1;
            if leaving.var == artificial {
                return SolveStatus::Solved;
            }
            if self.basis.updates % REFRESH == REFRESH - 1 {
                self.refresh();
            }
            entering = match leaving.var {
                Var::W(i) => Var::Z(i),
                Var::Z(i) => Var::W(i),
            };
        }
        SolveStatus::PivotLimit
    }

    fn rate(&self, var: Var) -> f64 {
        match var {
            Var::W(i) => self.basis.y[i],
            Var::Z(j) => self.basis.u[self.basis.position(j)],
        }
    }

    /// Fills the column of the entering variable; false if the basis is too near singular.
    fn fill_column(&mut self, entering: Var) -> bool {
        let error = self.basis.enter(&self.scaled, entering, REFINE);
        if error <= INVERT {
            return true;
        }
        if self.basis.invert(&self.scaled).is_err() {
            return false;
        }
        self.refresh();
        // A basis this ill-conditioned is used as it is: the answer is judged in the end.
        self.basis.enter(&self.scaled, entering, REFINE).is_finite()
    }

    /// Moves the values and exchanges the variables.
    fn step(&mut self, entering: Var, leaving: Leaving) {
        let Leaving { var, step } = leaving;
        for (&j, &u) in self.basis.cols.iter().zip(&self.basis.u) {
            self.values.z[j] -= step * u;
        }
        axpy(&mut self.values.w, -step, &self.basis.y);
        for &i in &self.basis.rows {
            self.values.w[i] = 0.0;
        }
        self.values.set(var, 0.0);
        self.values.set(entering, step);
        self.basis.exchange(&self.scaled, entering, var);
    }

    /// The point reached, in the units of the problem, into `trial`; refined against the problem's
    /// own matrix if the basis is complementary.
    pub(super) fn read_off(&mut self, lcp: Lcp) {
        let n = lcp.dim();
        let (scaled, basis) = (&self.scaled, &mut self.basis);
        let complementary = !basis.is_basic(Var::Z(n));
        zeroed(&mut self.trial, n);
        if complementary {
            basis.solve(scaled, &scaled.q, &mut self.x, &mut self.residual);
        } else {
            self.x.clear();
            self.x.extend(basis.cols.iter().map(|&j| self.values.z[j]));
        }
        for (&j, &x) in basis.cols.iter().zip(&self.x) {
            if j < n {
                self.trial[j] = x * scaled.cols[j] * scaled.size;
            }
        }
        if complementary {
            let mut last = f64::INFINITY;
            for _ in 0..POLISH {
                self.residual.clear();
                let rows = basis.rows.iter();
                (self.residual).extend(rows.map(|&i| lcp.w(i, &self.trial) * scaled.rows[i]));
                let size = max_abs(&self.residual);
                if size == 0.0 || size.is_nan() || size >= 0.5 * last {
                    break;
                }
                last = size;
                basis.apply_inverse(&self.residual, &mut self.x);
                for (&j, &x) in basis.cols.iter().zip(&self.x) {
                    self.trial[j] -= x * scaled.cols[j];
                }
            }
        }
        for z in &mut self.trial {
            *z = z.max(0.0);
        }
    }

    /// Factors the problem's own matrix on the final basis; false where singular.
    pub(super) fn factor_basis(&mut self, lcp: Lcp) -> bool {
        let n = lcp.dim();
        let (scaled, basis) = (&self.scaled, &mut self.basis);
        if basis.is_basic(Var::Z(n)) {
            return false;
        }
        // Complementary: the same pairs, perhaps in another order.
        let pairs = &basis.cols;
        let entry = |a: usize, b: usize| {
            let (i, j) = (pairs[a], pairs[b]);
            lcp.a()[i * n + j] * scaled.rows[i] * scaled.cols[j]
        };
        self.lu.factor(pairs.len(), 1e-15, entry).is_ok()
    }

    /// The solution on the factored basis by LU with iterative refinement, into `trial`; returns
    /// the number of steps.
    pub(super) fn refine_by_lu(&mut self, lcp: Lcp) -> usize {
        let (scaled, pairs) = (&self.scaled, &self.basis.cols);
        self.trial.fill(0.0);
        let mut last = f64::INFINITY;
        let mut steps = 0;
        while steps < POLISH {
            self.residual.clear();
            (self.residual).extend(
                pairs
                    .iter()
                    .map(|&i| (lcp.q()[i] + dot(lcp.row(i), &self.trial)) * scaled.rows[i]),
            );
            let size = max_abs(&self.residual);
            if size == 0.0 || size.is_nan() || size >= 0.5 * last {
                break;
            }
            last = size;
            self.lu.solve(&mut self.residual);
            for (&j, &x) in pairs.iter().zip(&self.residual) {
                self.trial[j] -= x * scaled.cols[j];
            }
            steps += 1;
        }
        for z in &mut self.trial {
            *z = z.max(0.0);
        }
        steps
    }
}
