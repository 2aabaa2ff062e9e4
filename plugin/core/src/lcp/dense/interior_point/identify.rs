//! From an interior point to the solution nearby.

use super::super::scaling::Scaled;
use super::super::{Lcp, make_room, max_abs, zeroed};
use super::path::Path;
use crate::factor::Lu;

/// Rounds of correcting the guess.
const ROUNDS: usize = 4;
/// Steps of refinement.
const STEPS: usize = 12;
/// Regularisation of a singular guess, relative to the scaled diagonal.
const PROXIMAL: f64 = 1e-8;

/// The guess which z are positive, and the solution on it.
#[derive(Clone, Debug, Default)]
pub(super) struct Guess {
    pairs: Vec<usize>,
    basic: Vec<bool>,
    /// The solution, in the problem's units.
    pub(super) z: Vec<f64>,
    start: Vec<f64>,
    residual: Vec<f64>,
}

impl Guess {
    /// The pairs with `z > w`, and their z.
    pub(super) fn separate(&mut self, scaled: &Scaled, path: &Path) {
        let n = scaled.q.len();
        self.basic.clear();
        self.basic.extend((0..n).map(|i| path.z[i] > path.w[i]));
        self.start.clear();
        let unit = |i: usize| scaled.cols[i] * scaled.size;
        self.start.extend((0..n).map(|i| path.z[i] * unit(i)));
    }

    /// Solves on the guess, and corrects it by the signs of what comes out, a few times.
    pub(super) fn polish(&mut self, lcp: Lcp, scaled: &Scaled, lu: &mut Lu) {
        for round in 0..ROUNDS {
            self.solve(lcp, scaled, lu);
            let mut changed = false;
            let least = 1e-10 * scaled.size;
            for i in 0..lcp.dim() {
                let negative = if self.basic[i] {
                    self.z[i] / scaled.cols[i] < -least
                } else {
                    lcp.w(i, &self.z) * scaled.rows[i] < -least
                };
                if negative && round + 1 < ROUNDS {
                    self.basic[i] = !self.basic[i];
                    changed = true;
                }
            }
            if !changed {
                break;
            }
        }
        for z in &mut self.z {
            if *z < 0.0 {
                *z = 0.0;
            }
        }
    }

    /// Refines `start` towards `w = 0` on the guess, with LU of the matrix there, or of the matrix
    /// with a little added to its diagonal if it is singular: the proximal iteration, which goes to
    /// the nearest solution of a consistent semidefinite system.
    fn solve(&mut self, lcp: Lcp, scaled: &Scaled, lu: &mut Lu) {
        let n = lcp.dim();
        make_room(&mut self.pairs, n);
        make_room(&mut self.residual, n);
        self.pairs.extend((0..n).filter(|&i| self.basic[i]));
        let pairs = &self.pairs;
        zeroed(&mut self.z, n);
        for &i in pairs {
            self.z[i] = self.start[i];
        }
        let entry = |shift: f64| {
            move |a: usize, b: usize| {
                let (i, j) = (pairs[a], pairs[b]);
                let scaled = scaled.column(j)[i];
                if a == b { scaled + shift } else { scaled }
            }
        };
        if lu.factor(pairs.len(), 1e-12, entry(0.0)).is_err()
            && lu.factor(pairs.len(), 0.0, entry(PROXIMAL)).is_err()
        {
            return;
        }
        let mut last = f64::INFINITY;
        for _ in 0..STEPS {
            self.residual.clear();
            (self.residual).extend(pairs.iter().map(|&i| lcp.w(i, &self.z) * scaled.rows[i]));
            let size = max_abs(&self.residual);
            if size == 0.0 || size.is_nan() || size >= 0.5 * last {
                break;
            }
            last = size;
            lu.solve(&mut self.residual);
            for (&j, &x) in pairs.iter().zip(&self.residual) {
                self.z[j] -= x * scaled.cols[j];
            }
        }
    }
}
