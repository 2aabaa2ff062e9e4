//! Rows and columns of a problem brought to comparable size.

use super::{Lcp, max_abs};

/// A problem with rows and columns multiplied by powers of two, so without round-off:
/// `A' = R A C`, `q' = R q / b`, whose answer is `z = b C z'`. A positive scaling maps solutions to
/// solutions; for Lemke's method that of the rows amounts to another covering vector, that of the
/// columns changes nothing.
///
/// Rows with a diagonal get `R = C = A_ii^(-1/2)`; the others (the slip bounds of friction
/// pyramids) a largest entry of 1, first of the column, then of the row.
#[derive(Clone, Debug, Default)]
pub(super) struct Scaled {
    dim: usize,
    /// A', column-major: column j is `columns[j n..][..n]`.
    columns: Vec<f64>,
    /// q'.
    pub(super) q: Vec<f64>,
    /// Diagonal of R.
    pub(super) rows: Vec<f64>,
    /// Diagonal of C.
    pub(super) cols: Vec<f64>,
    /// b.
    pub(super) size: f64,
}

/// A diagonal smaller than this share of the largest entry in its row and column is no scale.
const LEAST_DIAGONAL: f64 = 1e-8;

impl Scaled {
    /// Takes over a problem with `soft` (none: 0) added to its diagonal and `shift` to that of A'. Cost `O(n^2)`.
    pub(super) fn set(&mut self, lcp: Lcp, soft: &[f64], shift: f64) {
        self.transpose(lcp, soft);
        self.choose();
        self.apply(lcp, shift);
    }

    /// The same with R = C, their geometric mean, so that semidefinite matrices stay so.
    pub(super) fn set_symmetric(&mut self, lcp: Lcp, shift: f64) {
        self.transpose(lcp, &[]);
        self.choose();
        for (r, c) in self.rows.iter_mut().zip(&mut self.cols) {
            *r = power_of_two((*r * *c).sqrt());
            *c = *r;
        }
        self.apply(lcp, shift);
    }

    fn apply(&mut self, lcp: Lcp, shift: f64) {
        let n = self.dim;
        for (j, column) in self.columns.chunks_exact_mut(n.max(1)).enumerate() {
            for (x, r) in column.iter_mut().zip(&self.rows) {
                *x *= r * self.cols[j];
            }
            column[j] += shift;
        }
        self.q.clear();
        let scaled = lcp.q().iter().zip(&self.rows);
        self.q.extend(scaled.map(|(q, r)| q * r));
        let largest = max_abs(&self.q);
        self.size = if largest > 0.0 {
            power_of_two(largest)
        } else {
            1.0
        };
        for q in &mut self.q {
            *q /= self.size;
        }
    }

    /// Column j of A'.
    #[inline]
    pub(super) fn column(&self, j: usize) -> &[f64] {
        &self.columns[j * self.dim..(j + 1) * self.dim]
    }

    fn transpose(&mut self, lcp: Lcp, soft: &[f64]) {
        let n = lcp.dim();
        self.dim = n;
        super::zeroed(&mut self.columns, n * n);
        for i in 0..n {
            for (j, &x) in lcp.row(i).iter().enumerate() {
                self.columns[j * n + i] = x;
            }
            self.columns[i * n + i] += soft.get(i).copied().unwrap_or(0.0);
        }
    }

    fn choose(&mut self) {
        let n = self.dim;
        // 0 marks what has no diagonal to go by.
        super::zeroed(&mut self.rows, n);
        super::zeroed(&mut self.cols, n);
        for (j, column) in self.columns.chunks_exact(n.max(1)).enumerate() {
            self.cols[j] = max_abs(column);
            for (r, x) in self.rows.iter_mut().zip(column) {
                *r = r.max(x.abs());
            }
        }
        for i in 0..n {
            let d = self.columns[i * n + i];
            let largest = self.rows[i].max(self.cols[i]);
            let s = if d > LEAST_DIAGONAL * largest {
                1.0 / power_of_two(d.sqrt())
            } else {
                0.0
            };
            self.rows[i] = s;
            self.cols[i] = s;
        }
        for (c, column) in self
            .cols
            .iter_mut()
            .zip(self.columns.chunks_exact(n.max(1)))
        {
            if *c == 0.0 {
                let entries = column.iter().zip(&self.rows);
                *c = inverse(entries.fold(0.0, |m, (x, r)| m.max((x * r).abs())));
            }
        }
        for i in 0..n {
            if self.rows[i] == 0.0 {
                let largest = (0..n).fold(0.0_f64, |m, j| {
                    m.max((self.columns[j * n + i] * self.cols[j]).abs())
                });
                self.rows[i] = inverse(largest);
            }
        }
    }
}

/// The inverse of a power of two near `x`; 1 for 0.
fn inverse(x: f64) -> f64 {
    if x > 0.0 { 1.0 / power_of_two(x) } else { 1.0 }
}

/// The power of two at or below a positive `x`, kept away from the ends of the number range.
fn power_of_two(x: f64) -> f64 {
    x.log2().floor().clamp(-400.0, 400.0).exp2()
}
