//! Iterative refinement of an answer on a basis.

use super::scaling::Scaled;
use super::{Lcp, make_room, max_abs};
use stickslip_core::kit::Lu;

/// Steps after which refinement ends. Grasps whose corners share a load take about ten.
const STEPS: usize = 40;

/// A pivot below this share of the largest entry makes a basis singular.
const SINGULAR: f64 = 1e-17;

/// Memory of the iteration.
#[derive(Clone, Debug, Default)]
pub(super) struct Refiner {
    lu: Lu,
    left: Vec<f64>,
    best: Vec<f64>,
}

impl Refiner {
    pub(super) fn make_room(&mut self, n: usize) {
        self.lu.make_room(n);
        make_room(&mut self.left, n);
        make_room(&mut self.best, n);
    }

    /// On the pairs B of a basis, with the scaled matrix A' (that of `A + E`):
    /// ```text
    /// z_B <- z_B - (A + E)_BB^-1 (A z + q)_B
    /// ```
    /// as long as what is left falls; returns the number of steps, none for a singular basis. Without E this sheds the
    /// round-off of the factor. With a small compliance E it is the proximal-point iteration: it converges by the factor
    /// `eps / lambda` along directions in which `A_BB` has an eigenvalue lambda and leaves those alone in which it has
    /// none. Rigid contacts often share a load in many ways (four corners of a box, both sides of a grasp); it stays
    /// shared as by equal springs. From `z = 0` the first step is the compliant answer, so that the result depends on
    /// problem and basis alone. O(p^3) for p pairs, O(n p) per step.
    pub(super) fn run(
        &mut self,
        lcp: Lcp,
        scaled: &Scaled,
        pairs: &[usize],
        z: &mut [f64],
    ) -> Option<usize> {
        let entry = |a: usize, b: usize| scaled.column(pairs[b])[pairs[a]];
        self.lu.factor(pairs.len(), SINGULAR, entry).ok()?;
        self.best.clear();
        self.best.extend_from_slice(z);
        let mut last = f64::INFINITY;
        for step in 0..STEPS {
            self.left.clear();
            self.left.extend(pairs.iter().map(|&i| lcp.w(i, z)));
            let size = max_abs(&self.left);
            // Negated so that a NaN ends it.
            let better = size < 0.7 * last;
            if !better {
                if size.is_nan() || size > last {
                    z.copy_from_slice(&self.best);
                }
                return Some(step);
            }
            last = size;
            self.best.copy_from_slice(z);
            for (x, &i) in self.left.iter_mut().zip(pairs) {
                *x *= scaled.rows[i];
            }
            self.lu.solve(&mut self.left);
            for (&j, x) in pairs.iter().zip(&self.left) {
                z[j] -= x * scaled.cols[j];
            }
        }
        Some(STEPS)
    }
}

/// Takes what is negative as 0; NaN stays, to be found.
pub(super) fn clamp(z: &mut [f64]) {
    for z in z {
        if *z < 0.0 {
            *z = 0.0;
        }
    }
}
