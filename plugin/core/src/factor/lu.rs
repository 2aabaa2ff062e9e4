//! Gaussian elimination with partial pivoting on memory that is kept.

use super::kernel::axpy;

/// No usable pivot in this column.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) struct Singular {
    /// The column, from 0.
    pub(crate) column: usize,
}

/// Factors `P B = L U` of a square matrix.
#[derive(Clone, Debug, Default)]
pub(crate) struct Lu {
    dim: usize,
    /// L below the diagonal (its own diagonal is 1), U on and above it; row-major.
    m: Vec<f64>,
    /// Row swapped with row k in step k.
    swaps: Vec<usize>,
}

impl Lu {
    /// Room for n x n matrices.
    pub(crate) fn make_room(&mut self, n: usize) {
        super::make_room(&mut self.m, n * n);
        super::make_room(&mut self.swaps, n);
    }

    /// Factors the `dim` x `dim` matrix with the given entries. A pivot below `zero` times the
    /// largest entry of the matrix is taken as 0. Cost `dim^3 / 3`.
    pub(crate) fn factor(
        &mut self,
        dim: usize,
        zero: f64,
        entry: impl Fn(usize, usize) -> f64,
    ) -> Result<(), Singular> {
        self.dim = dim;
        self.m.clear();
        self.swaps.clear();
        for i in 0..dim {
            self.m.extend((0..dim).map(|j| entry(i, j)));
        }
        let least = zero * super::max_abs(&self.m);
        for k in 0..dim {
            let p = pivot_row(&self.m, dim, k);
            self.swaps.push(p);
            swap_rows(&mut self.m, dim, p, k);
            let pivot = self.m[k * dim + k];
            if pivot.is_nan() || pivot.abs() <= least {
                return Err(Singular { column: k });
            }
            let (above, below) = self.m.split_at_mut((k + 1) * dim);
            let head = &above[k * dim + k + 1..];
            for row in below.chunks_exact_mut(dim) {
                if row[k] != 0.0 {
                    row[k] /= pivot;
                    let factor = row[k];
                    axpy(&mut row[k + 1..], -factor, head);
                }
            }
        }
        Ok(())
    }

    /// `x := B^-1 x`. Cost `dim^2`.
    pub(crate) fn solve(&self, x: &mut [f64]) {
        let n = self.dim;
        for (k, &p) in self.swaps.iter().enumerate() {
            x.swap(k, p);
        }
        for i in 1..n {
            x[i] -= super::kernel::dot(&self.m[i * n..i * n + i], &x[..i]);
        }
        for i in (0..n).rev() {
            let row = &self.m[i * n..(i + 1) * n];
            x[i] = (x[i] - super::kernel::dot(&row[i + 1..], &x[i + 1..n])) / row[i];
        }
    }
}

/// The row at or below `k` with the largest entry in column `k`.
fn pivot_row(m: &[f64], stride: usize, k: usize) -> usize {
    let mut best = k;
    for i in k + 1..m.len() / stride {
        if m[i * stride + k].abs() > m[best * stride + k].abs() {
            best = i;
        }
    }
    best
}

/// Swaps two rows.
fn swap_rows(m: &mut [f64], stride: usize, a: usize, b: usize) {
    if a != b {
        let (low, high) = (a.min(b), a.max(b));
        let (head, tail) = m.split_at_mut(high * stride);
        head[low * stride..(low + 1) * stride].swap_with_slice(&mut tail[..stride]);
    }
}
