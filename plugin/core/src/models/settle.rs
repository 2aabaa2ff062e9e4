//! From the problem with compliant unilateral rows to the rigid one.
//!
//! Rigid unilateral rows often share a load in many ways (four corners of a box, both sides of a grasp), and
//! Lemke's method ends at a vertex of them: everything on few contacts. With a vanishing compliance
//! the load spreads as over equal springs, the problem has a solution whatever its unilateral rows ask for, and
//! its bases are regular. What the compliance gave away is taken back on the final basis B:
//! ```text
//! z_B <- z_B - (A_BB + E)^-1 (A_BB z_B + q_B),     E the compliance
//! ```
//! (the proximal-point iteration). It converges by the factor `eps / lambda` per step along every
//! direction in which `A_BB` has an eigenvalue lambda, and leaves alone those in which it has none:
//! there the load stays spread. It starts from zero, so its first step is the compliant answer and
//! the result depends on the problem and the basis alone.

use crate::factor::Lu;
use crate::lcp::dense::Lcp;
use crate::rows::kernel::dot;

/// Steps after which the iteration ends.
const STEPS: usize = 40;
/// A pivot below this share of the largest entry makes the basis singular.
const SINGULAR: f64 = 1e-17;

/// Memory of the iteration.
#[derive(Clone, Debug, Default)]
pub(super) struct Settle {
    lu: Lu,
    /// Variables of the basis.
    basis: Vec<usize>,
    rows: Vec<f64>,
    cols: Vec<f64>,
    left: Vec<f64>,
    best: Vec<f64>,
}

impl Settle {
    /// Room for bases of n variables.
    pub(super) fn make_room(&mut self, n: usize) {
        self.lu.make_room(n);
        self.basis.clear();
        self.basis.reserve(n);
        for list in [
            &mut self.rows,
            &mut self.cols,
            &mut self.left,
            &mut self.best,
        ] {
            list.clear();
            list.reserve(n);
        }
    }

    /// Fills `z` (zeros at first) on the basis `basic`; `lcp` is the rigid problem and `soft` what its diagonal
    /// gains by compliance. Returns the number of steps, none for a singular basis. O(p^3) for p basic
    /// variables, O(p^2) per step.
    pub(super) fn run(
        &mut self,
        lcp: Lcp<'_>,
        (soft, basic): (&[f64], &[bool]),
        z: &mut [f64],
    ) -> Option<usize> {
        let n = lcp.dim();
        self.basis.clear();
        (self.basis).extend((0..n).filter(|&i| basic[i]));
        self.scale(lcp, soft);
        let (basis, rows, cols) = (&self.basis, &self.rows, &self.cols);
        let entry = |a: usize, b: usize| {
            let (i, j) = (basis[a], basis[b]);
            let own = if i == j { soft[i] } else { 0.0 };
            (lcp.a()[i * n + j] + own) * rows[a] * cols[b]
        };
        self.lu.factor(basis.len(), SINGULAR, entry).ok()?;
        self.best.clear();
        self.best.extend_from_slice(z);
        let mut last = f64::INFINITY;
        for step in 0..STEPS {
            self.left.clear();
            let lines = basis.iter().map(|&i| &lcp.a()[i * n..(i + 1) * n]);
            let left = lines.zip(basis).map(|(line, &i)| lcp.q()[i] + dot(line, z));
            self.left.extend(left);
            let size = self.left.iter().fold(0.0_f64, |a, x| a.max(x.abs()));
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
            for (x, r) in self.left.iter_mut().zip(&self.rows) {
                *x *= r;
            }
            self.lu.solve(&mut self.left);
            for ((&i, x), c) in basis.iter().zip(&self.left).zip(&self.cols) {
                z[i] -= x * c;
            }
        }
        Some(STEPS)
    }

    /// Rows and columns with a diagonal by its root; the others by their largest entries.
    fn scale(&mut self, lcp: Lcp<'_>, soft: &[f64]) {
        let n = lcp.dim();
        let a = |i: usize, j: usize| lcp.a()[i * n + j];
        let root = |i: usize| {
            let d = a(i, i) + soft[i];
            if d > 0.0 { 1.0 / d.sqrt() } else { 0.0 }
        };
        let inverse = |x: f64| if x > 0.0 { 1.0 / x } else { 1.0 };
        self.rows.clear();
        self.rows.extend(self.basis.iter().map(|&i| root(i)));
        self.cols.clear();
        self.cols.extend_from_slice(&self.rows);
        for (b, &j) in self.basis.iter().enumerate() {
            if self.cols[b] == 0.0 {
                let entries = self.basis.iter().zip(&self.rows);
                let largest = entries.fold(0.0_f64, |m, (&i, r)| m.max((a(i, j) * r).abs()));
                self.cols[b] = inverse(largest);
            }
        }
        for (c, &i) in self.basis.iter().enumerate() {
            if self.rows[c] == 0.0 {
                let entries = self.basis.iter().zip(&self.cols);
                let largest = entries.fold(0.0_f64, |m, (&j, x)| m.max((a(i, j) * x).abs()));
                self.rows[c] = inverse(largest);
            }
        }
    }
}
