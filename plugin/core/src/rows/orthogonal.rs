//! The orthonormal basis behind the factor: `R~^T = Q C^T`.
//!
//! The factor of the Gram matrix knows a row's distance from the span of the others only up to
//! `1e-16 |r~|^2 cond(R~)^2`: rows of bodies a million to one, or many of them, use that up. Gram and
//! Schmidt's method on the rows themselves, each product taken out twice, finds the same factor up to
//! `1e-16 cond(R~)`, at O(r m) per row instead of O(envelope). A row goes as it goes from the factor: what
//! turns the columns of C turns the vectors of Q, which stay orthonormal.
//!
//! A compliance eps lengthens its row by `sqrt(eps)` along an axis of its own.

use super::kernel::dot;
use std::ops::Range;

/// The basis Q of the active rows of one island.
#[derive(Clone, Debug, Default)]
pub(crate) struct Orthogonal {
    /// Coordinates of the island's blocks.
    ranges: Vec<Range<usize>>,
    dim: usize,
    /// Vectors by position, `dim` entries each.
    q: Vec<f64>,
    /// Their entries along the axes of compliance, `position + 1` each.
    soft: Vec<f64>,
    /// Compliances by position.
    pub(super) eps: Vec<f64>,
    /// What is left of the row last tried.
    x: Vec<f64>,
    x_soft: Vec<f64>,
}

/// Where the entries of vector `i` along the axes of compliance begin.
fn triangle(i: usize) -> usize {
    i * (i + 1) / 2
}

fn axpy(y: &mut [f64], a: f64, x: &[f64]) {
    for (y, x) in y.iter_mut().zip(x) {
        *y += a * x;
    }
}

impl Orthogonal {
    pub(crate) fn begin(&mut self, ranges: impl Iterator<Item = Range<usize>>) {
        self.ranges.clear();
        self.ranges.extend(ranges);
        self.dim = self.ranges.iter().map(ExactSizeIterator::len).sum();
        self.truncate(0);
    }

    pub(super) fn truncate(&mut self, len: usize) {
        self.q.truncate(len * self.dim);
        self.soft.truncate(triangle(len));
        self.eps.truncate(len);
    }

    /// Takes a dense row over all coordinates with compliance `eps` apart: its products with the
    /// basis from `first` on go to `l`; returns the squared length of what is left.
    pub(crate) fn split(&mut self, row: &[f64], eps: f64, (first, l): (usize, &mut [f64])) -> f64 {
        self.x.clear();
        for range in &self.ranges {
            self.x.extend_from_slice(&row[range.clone()]);
        }
        self.x_soft.clear();
        self.x_soft.resize(l.len(), 0.0);
        self.x_soft.push(eps.sqrt());
        let is_soft = eps > 0.0 || self.eps.iter().any(|&eps| eps > 0.0);
        l.fill(0.0);
        for _ in 0..2 {
            for (i, l) in l.iter_mut().enumerate().skip(first) {
                let q = &self.q[i * self.dim..(i + 1) * self.dim];
                let soft = &self.soft[triangle(i)..triangle(i + 1)];
                let mut share = dot(q, &self.x);
                if is_soft {
                    share += dot(soft, &self.x_soft[..=i]);
                    axpy(&mut self.x_soft[..=i], -share, soft);
                }
                axpy(&mut self.x, -share, q);
                *l += share;
            }
        }
        dot(&self.x, &self.x) + dot(&self.x_soft, &self.x_soft)
    }

    /// Removes the row at a position; `rotations` are those that the factor took behind it, `(c, s)` each,
    /// by which a column of C and the one removed became `c C_j + s x` and `c x - s C_j`. O(r m).
    pub(super) fn remove(&mut self, position: usize, rotations: &[(f64, f64)]) {
        let dim = self.dim;
        let is_soft = self.eps.iter().any(|&eps| eps > 0.0);
        self.x.clear();
        self.x.extend_from_slice(&self.q[position * dim..][..dim]);
        self.x_soft.clear();
        (self.x_soft).extend_from_slice(&self.soft[triangle(position)..][..=position]);
        self.x_soft.resize(self.eps.len(), 0.0);
        for (i, &(c, s)) in (position + 1..).zip(rotations) {
            let (to, from) = self.q[(i - 1) * dim..(i + 1) * dim].split_at_mut(dim);
            for ((to, from), x) in to.iter_mut().zip(from).zip(&mut self.x) {
                (*to, *x) = (c * *from + s * *x, c * *x - s * *from);
            }
            if !is_soft {
                continue;
            }
            let (to, from) = self.soft[triangle(i - 1)..triangle(i + 1)].split_at_mut(i);
            for (axis, (&mut from, x)) in from.iter_mut().zip(&mut self.x_soft).enumerate() {
                let turned = c * from + s * *x;
                *x = c * *x - s * from;
                // No row that stays has a part along the axis of the one that goes.
                if axis != position {
                    to[axis - usize::from(axis > position)] = turned;
                }
            }
        }
        self.eps.remove(position);
        let left = self.eps.len();
        self.truncate(left);
    }

    /// Appends the row last taken apart; `square` is what [`Self::split`] returned, `eps` what it was
    /// given.
    pub(crate) fn push(&mut self, square: f64, eps: f64) {
        let inv = 1.0 / square.sqrt();
        self.q.extend(self.x.iter().map(|x| inv * x));
        self.soft.extend(self.x_soft.iter().map(|x| inv * x));
        self.eps.push(eps);
    }
}

#[cfg(test)]
mod tests {
    use super::super::skyline::Skyline;
    use super::*;
    use nalgebra::DMatrix;

    /// Rows of lengths over six decades, some with a compliance.
    fn rows(n: usize, dim: usize) -> (DMatrix<f64>, Vec<f64>) {
        let rows = DMatrix::from_fn(n, dim, |i, j| {
            10_f64.powi(i as i32 % 4 - 2) * ((7 * i + 3 * j * j + i * j) as f64).sin()
        });
        let eps = (0..n).map(|i| if i % 3 == 1 { 1e-3 } else { 0.0 });
        (rows, eps.collect())
    }

    fn push(basis: &mut Orthogonal, factor: &mut Skyline, row: &[f64], eps: f64) {
        let mut l = vec![0.0; factor.len()];
        let square = basis.split(row, eps, (0, &mut l));
        basis.push(square, eps);
        factor.push(0, &l, square);
    }

    /// Largest error of `Q C^T` as the rows with their compliances, and of `Q^T Q` as the identity.
    fn errors(basis: &Orthogonal, factor: &Skyline, rows: &DMatrix<f64>) -> [f64; 2] {
        let (n, dim) = rows.shape();
        let q = DMatrix::from_fn(dim + n, n, |j, i| match j.checked_sub(dim) {
            None => basis.q[i * dim + j],
            Some(axis) if axis <= i => basis.soft[triangle(i) + axis],
            Some(_) => 0.0,
        });
        let whole = DMatrix::from_fn(dim + n, n, |j, i| match j.checked_sub(dim) {
            None => rows[(i, j)],
            Some(axis) if axis == i => basis.eps[i].sqrt(),
            Some(_) => 0.0,
        });
        let product = &q * factor.dense().transpose();
        let off =
            (0..n).map(|i| (product.column(i) - whole.column(i)).amax() / whole.column(i).amax());
        let gram = q.transpose() * &q - DMatrix::identity(n, n);
        [off.fold(0.0, f64::max), gram.amax()]
    }

    #[test]
    fn removing_rows_leaves_a_basis_of_the_others() {
        for compliant in [false, true] {
            let (mut rows, mut eps) = rows(11, 14);
            if !compliant {
                eps.fill(0.0);
            }
            let (mut basis, mut factor) = (Orthogonal::default(), Skyline::default());
            basis.begin(std::iter::once(0..14));
            for (i, eps) in eps.iter().enumerate() {
                let row: Vec<f64> = rows.row(i).iter().copied().collect();
                push(&mut basis, &mut factor, &row, *eps);
            }
            for k in [10, 0, 3, 4, 2, 0] {
                let rotations = factor.remove(k);
                basis.remove(k, rotations);
                rows = rows.remove_row(k);
                eps.remove(k);
                assert_eq!(basis.eps, eps);
                let [product, gram] = errors(&basis, &factor, &rows);
                assert!(
                    product < 1e-14 && gram < 1e-14,
                    "row {k}: {product:.1e}, {gram:.1e}"
                );
            }
            // What comes after is taken apart from what is left.
            let row: Vec<f64> = (0..14).map(|j| (j as f64).cos()).collect();
            push(&mut basis, &mut factor, &row, 0.0);
            let rows = rows.insert_row(5, 0.0);
            let rows = DMatrix::from_fn(6, 14, |i, j| if i == 5 { row[j] } else { rows[(i, j)] });
            let [product, gram] = errors(&basis, &factor, &rows);
            assert!(product < 1e-14 && gram < 1e-14, "{product:.1e}, {gram:.1e}");
        }
    }
}
