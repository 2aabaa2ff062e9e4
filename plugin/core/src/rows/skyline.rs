//! A growing and shrinking Cholesky factor whose rows begin at their first nonzero column.
//!
//! Row `i` of `C` (`C C^T = G`) holds the columns `first_i..i` and its diagonal. Rows of bodies that
//! do not touch have no entry in common, so for a chain of bodies in order the factor is banded.
//! Forward substitution, appending a row and removing one keep within that envelope.

use super::kernel::{Lanes, dot_lanes};

/// The factor `C` of a symmetric positive definite matrix.
#[derive(Clone, Debug, Default)]
pub(crate) struct Skyline {
    first: Vec<u32>,
    start: Vec<u32>,
    diag: Vec<f64>,
    inv: Vec<f64>,
    vals: Vec<f64>,
    rotations: Vec<(f64, f64)>,
}

impl Skyline {
    pub(crate) fn clear(&mut self) {
        self.first.clear();
        self.start.clear();
        self.diag.clear();
        self.inv.clear();
        self.vals.clear();
    }

    pub(crate) fn len(&self) -> usize {
        self.diag.len()
    }

    #[inline]
    fn row(&self, i: usize) -> (usize, &[f64]) {
        let (first, start) = (self.first[i] as usize, self.start[i] as usize);
        (first, &self.vals[start..start + i - first])
    }

    /// `g <- C^-1 g` for a column that is zero before `first`; returns the squared length. With
    /// `g` the new column of `G` the result is the new row of `C`. O(envelope).
    #[inline]
    pub(crate) fn forward(&self, first: usize, g: &mut [f64]) -> f64 {
        let mut square = 0.0;
        for j in first..self.len() {
            let (begin, row) = self.row(j);
            let from = begin.max(first);
            let sum = super::kernel::dot(&row[from - begin..], &g[from..j]);
            let l = (g[j] - sum) * self.inv[j];
            g[j] = l;
            square += l * l;
        }
        square
    }

    /// [`Self::forward`] for columns side by side.
    #[inline]
    pub(crate) fn forward_lanes(&self, first: usize, g: &mut [Lanes]) {
        for j in first..self.len() {
            let (begin, row) = self.row(j);
            let from = begin.max(first);
            let sum = dot_lanes(&row[from - begin..], &g[from..j]);
            let inv = self.inv[j];
            for (g, s) in g[j].iter_mut().zip(&sum) {
                *g = (*g - s) * inv;
            }
        }
    }

    /// `y <- C^-T y`. O(envelope).
    #[inline]
    pub(crate) fn backward(&self, y: &mut [f64]) {
        for i in (0..self.len()).rev() {
            let (first, row) = self.row(i);
            let z = y[i] * self.inv[i];
            y[i] = z;
            for (t, c) in y[first..i].iter_mut().zip(row) {
                *t -= z * c;
            }
        }
    }

    /// Appends the row `l[first..len]` (from [`Self::forward`]) with the square of its diagonal.
    pub(crate) fn push(&mut self, first: usize, l: &[f64], pivot: f64) {
        let n = self.len();
        self.first.push(first as u32);
        self.start.push(self.vals.len() as u32);
        self.vals.extend_from_slice(&l[first..n]);
        let diag = pivot.sqrt();
        self.diag.push(diag);
        self.inv.push(1.0 / diag);
    }

    /// Removes row and column `k`. The rows behind it gain the outer product of the column removed,
    /// `C' C'^T = C C^T + x x^T`, by one rotation per row: stable, and within the envelope because
    /// `x` becomes nonzero in a row only right of that row's first column. Returns the rotations, `(c, s)`
    /// each. O(envelope behind k).
    pub(crate) fn remove(&mut self, k: usize) -> &[(f64, f64)] {
        let n = self.len();
        self.rotations.clear();
        for i in k + 1..n {
            let (first, start) = (self.first[i] as usize, self.start[i] as usize);
            let row = &mut self.vals[start..start + i - first];
            let mut x = 0.0;
            if first <= k {
                x = row[k - first];
                row.copy_within(k + 1 - first.., k - first);
            } else {
                self.first[i] = first as u32 - 1;
            }
            // Row i is now row i - 1; column j of rotation `j - k`.
            let begin = self.first[i] as usize;
            let from = begin.max(k);
            for j in from..i - 1 {
                let (c, s) = self.rotations[j - k];
                let entry = &mut row[j - begin];
                let (old, old_x) = (*entry, x);
                *entry = c * old + s * old_x;
                x = c * old_x - s * old;
            }
            let diag = self.diag[i];
            let r = (diag * diag + x * x).sqrt();
            self.rotations.push((diag / r, x / r));
            self.diag[i] = r;
            self.inv[i] = 1.0 / r;
        }
        self.first.remove(k);
        self.start.remove(k);
        self.diag.remove(k);
        self.inv.remove(k);
        &self.rotations
    }

    /// The factor, dense.
    #[cfg(test)]
    pub(super) fn dense(&self) -> nalgebra::DMatrix<f64> {
        let n = self.len();
        nalgebra::DMatrix::from_fn(n, n, |i, j| match self.row(i) {
            _ if i == j => self.diag[i],
            (first, row) if (first..i).contains(&j) => row[j - first],
            _ => 0.0,
        })
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use nalgebra::{DMatrix, DVector};

    /// A banded positive definite matrix and its factor.
    fn banded(n: usize, band: usize) -> (DMatrix<f64>, Skyline) {
        let g = DMatrix::from_fn(n, n, |i, j| match i.abs_diff(j) {
            0 => 4.0 + i as f64,
            d if d <= band => ((3 * i.min(j) + 5 * d) % 7) as f64 / 7.0 - 0.4,
            _ => 0.0,
        });
        let mut factor = Skyline::default();
        for i in 0..n {
            let first = i.saturating_sub(band);
            let mut col: Vec<f64> = (0..i).map(|j| g[(i, j)]).collect();
            let square = factor.forward(first, &mut col);
            factor.push(first, &col, g[(i, i)] - square);
        }
        (g, factor)
    }

    fn solve_error(g: &DMatrix<f64>, factor: &Skyline) -> f64 {
        let n = g.nrows();
        let b = DVector::from_fn(n, |i, _| (i as f64 * 1.7).sin());
        let mut x: Vec<f64> = b.iter().copied().collect();
        factor.forward(0, &mut x);
        factor.backward(&mut x);
        (g * DVector::from_vec(x) - b).amax()
    }

    #[test]
    fn removing_any_row_leaves_the_factor_of_the_smaller_matrix() {
        for band in [1, 3, 8] {
            for k in 0..9 {
                let (g, mut factor) = banded(9, band);
                factor.remove(k);
                let smaller = g.remove_row(k).remove_column(k);
                assert!(
                    solve_error(&smaller, &factor) < 1e-14,
                    "band {band}, row {k}"
                );
            }
        }
    }

    #[test]
    fn many_removals_and_appends_agree_with_a_fresh_factor() {
        let (mut g, mut factor) = banded(12, 4);
        for k in [11, 0, 4, 4, 2] {
            factor.remove(k);
            g = g.remove_row(k).remove_column(k);
        }
        let n = factor.len();
        let mut col: Vec<f64> = (0..n).map(|j| 0.1 * j as f64).collect();
        let old = g.clone();
        g = g.insert_row(n, 0.0).insert_column(n, 0.0);
        for j in 0..n {
            g[(n, j)] = col[j];
            g[(j, n)] = col[j];
        }
        g[(n, n)] = 9.0;
        let square = factor.forward(0, &mut col);
        factor.push(0, &col, 9.0 - square);
        assert!(solve_error(&g, &factor) < 1e-14);
        assert_eq!(old.nrows() + 1, factor.len());
    }
}
