//! Gaussian elimination with partial pivoting on memory that is kept.

use super::kernel::axpy;

/// No usable pivot in this column.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Singular {
    /// The column, from 0.
    pub column: usize,
}

/// Factors `P B = L U` of a square matrix.
#[derive(Clone, Debug, Default)]
pub struct Lu {
    dim: usize,
    /// L below the diagonal (its own diagonal is 1), U on and above it; row-major.
    m: Vec<f64>,
    /// Row swapped with row k in step k.
    swaps: Vec<u32>,
}

impl Lu {
    /// Room for n x n matrices.
    pub fn make_room(&mut self, n: usize) {
        super::make_room(&mut self.m, n * n);
        super::make_room(&mut self.swaps, n);
    }

    /// Factors the `dim` x `dim` matrix with the given entries. A pivot below `zero` times the
    /// largest entry of the matrix is taken as 0. Cost `dim^3 / 3`.
    pub fn factor(
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
        self.swaps.resize(dim, 0);
        eliminate(&mut self.m, &mut self.swaps, least)
    }

    /// `x := B^-1 x`. Cost `dim^2`.
    pub fn solve(&self, x: &mut [f64]) {
        let n = self.dim;
        for (k, &p) in self.swaps.iter().enumerate() {
            x.swap(k, p as usize);
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

/// Factors a row-major matrix in place, with exchanges of rows; a pivot up to `least` is taken as 0.
pub(super) fn eliminate(m: &mut [f64], swaps: &mut [u32], least: f64) -> Result<(), Singular> {
    let dim = swaps.len();
    for k in 0..dim {
        let mut p = k;
        for i in k + 1..dim {
            if m[i * dim + k].abs() > m[p * dim + k].abs() {
                p = i;
            }
        }
        swaps[k] = p as u32;
        let (above, below) = m.split_at_mut((k + 1) * dim);
        if p > k {
            above[k * dim..].swap_with_slice(&mut below[(p - k - 1) * dim..(p - k) * dim]);
        }
        let pivot = above[k * dim + k];
        if !pivot.is_finite() || pivot.abs() <= least {
            return Err(Singular { column: k });
        }
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
