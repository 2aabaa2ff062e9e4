//! The velocity without contact impulses, semi-implicit in the Coriolis and centrifugal forces.
//!
//! One linearised backward Euler step: `(M + D + h B) dv = h (tau - bias)`, B the derivative of the
//! bias by the velocity, D the implicit diagonal. B is neither symmetric nor formed: with M + D
//! factored, `dv = t_0 + t_1 + ...`, `t_0 = h (M + D)^-1 (tau - bias)`,
//! `t_{k+1} = -h (M + D)^-1 B t_k`, each term one O(links) pass and one sparse solve. The ratio of
//! successive terms is about h times the angular speeds. Where that is not small, the dense matrix
//! is assembled and eliminated.

use super::dense;
use super::state::TreeState;
use super::tree::Tree;
use crate::mass::MassFactor;

/// Terms after which the dense solve takes over.
const MAX_ROUNDS: usize = 30;
/// Terms summed before the ratio is trusted to predict that the series is too slow.
const TRIAL_ROUNDS: usize = 4;
/// A term below this fraction of the velocities (in the norm of kinetic energy) is round-off.
const ROUND_OFF: f64 = 4.0 * f64::EPSILON;

/// How a velocity change was found.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub enum VelocityPath {
    /// Nothing moves: the derivative of the bias vanishes.
    #[default]
    AtRest,
    /// The series converged to round-off.
    Series,
    /// The series was too slow; dense elimination solved the system.
    Dense,
    /// The system is singular or not finite: the explicit step `t_0` was kept.
    Explicit,
}

/// What [`Tree::velocity_change`] did.
#[derive(Clone, Copy, Debug, Default, PartialEq)]
pub struct VelocityReport {
    /// The path taken.
    pub path: VelocityPath,
    /// Passes over the tree for the series.
    pub rounds: usize,
    /// Ratio of the last two terms; well below 1 when the step resolves the rotations.
    pub ratio: f64,
}

impl Tree {
    /// Solves `(M + D + h d(bias)/dv) dv = h net`, `net = tau - bias` with every explicit force in
    /// tau; `factor` holds the factored `M + D`. Prescribed coordinates get `dv = 0`. Needs
    /// [`Tree::update_velocities`]; leaves the state's velocity alone.
    ///
    /// O(links) per term of the series, O(m^3) in the fallback. The dense matrix is allocated the
    /// first time a state falls back, nothing else allocates.
    pub fn velocity_change(
        &self,
        state: &mut TreeState,
        factor: &MassFactor,
        h: f64,
        net: &[f64],
        dv: &mut [f64],
    ) -> VelocityReport {
        for (x, f) in dv.iter_mut().zip(net) {
            *x = h * f;
        }
        if self.has_prescribed {
            self.clear_prescribed(dv);
        }
        factor.solve_lt(dv);
        let explicit = norm(dv);
        factor.solve_l(dv);
        if state.at_rest {
            return VelocityReport::default();
        }
        let mut term = std::mem::take(&mut state.term);
        let mut next = std::mem::take(&mut state.next);
        let scale = explicit + self.speed(state, factor, &mut term, &mut next);
        term.copy_from_slice(dv);
        let mut report = VelocityReport::default();
        let mut size = explicit;
        let converged = loop {
            if report.rounds == MAX_ROUNDS {
                break false;
            }
            report.rounds += 1;
            self.bias_derivative(state, &term, &mut next);
            next.iter_mut().for_each(|x| *x *= -h);
            factor.solve_lt(&mut next);
            let smaller = norm(&next);
            report.ratio = if size > 0.0 { smaller / size } else { 0.0 };
            if smaller <= ROUND_OFF * scale {
                break true;
            }
            factor.solve_l(&mut next);
            for (x, t) in dv.iter_mut().zip(&next) {
                *x += t;
            }
            // The term after this one, with a margin for a ratio that grows.
            if 10.0 * smaller * report.ratio <= ROUND_OFF * scale {
                break true;
            }
            let left = (MAX_ROUNDS - report.rounds) as i32;
            let hopeless = smaller * report.ratio.powi(left) > ROUND_OFF * scale;
            if !smaller.is_finite() || (report.rounds >= TRIAL_ROUNDS && hopeless) {
                break false;
            }
            std::mem::swap(&mut term, &mut next);
            size = smaller;
        };
        report.path = VelocityPath::Series;
        if !converged {
            for (x, f) in dv.iter_mut().zip(net) {
                *x = h * f;
            }
            report.path = self.dense_change(state, factor, h, dv, [&mut term, &mut next]);
        }
        state.term = term;
        state.next = next;
        report
    }

    /// The same by elimination of the assembled matrix; `dv` holds `h net` and becomes the answer.
    pub(super) fn dense_change(
        &self,
        state: &mut TreeState,
        factor: &MassFactor,
        h: f64,
        dv: &mut [f64],
        [unit, column]: [&mut [f64]; 2],
    ) -> VelocityPath {
        let m = dv.len();
        if self.has_prescribed {
            self.clear_prescribed(dv);
        }
        let mut matrix = std::mem::take(&mut state.dense);
        matrix.resize(m * m, 0.0);
        for j in 0..m {
            unit.fill(0.0);
            if self.prescribed[j] {
                column.fill(0.0);
            } else {
                unit[j] = 1.0;
                self.bias_derivative(state, unit, column);
            }
            for (i, c) in column.iter().enumerate() {
                matrix[i * m + j] = h * c;
            }
            // Column j of M + D = L^T (L e_j).
            unit[j] = 1.0;
            factor.mul_l(unit, column);
            factor.mul_lt(column, unit);
            for (i, u) in unit.iter().enumerate() {
                matrix[i * m + j] += u;
            }
        }
        unit.copy_from_slice(dv);
        let solved = dense::solve(&mut matrix, dv);
        state.dense = matrix;
        if solved {
            return VelocityPath::Dense;
        }
        dv.copy_from_slice(unit);
        factor.solve(dv);
        VelocityPath::Explicit
    }

    /// `|L v|`: the speed in the norm of kinetic energy (D included), prescribed motion left out.
    fn speed(&self, state: &TreeState, factor: &MassFactor, v: &mut [f64], out: &mut [f64]) -> f64 {
        v.copy_from_slice(state.velocity());
        if self.has_prescribed {
            self.clear_prescribed(v);
        }
        factor.mul_l(v, out);
        norm(out)
    }
}

fn norm(x: &[f64]) -> f64 {
    x.iter().map(|x| x * x).sum::<f64>().sqrt()
}
