//! A growing and shrinking Cholesky factor whose rows begin at their first nonzero column.
//!
//! Row `i` of `C` (`C C^T = G`) holds the columns `first_i..i` and its diagonal. Rows of bodies that
//! do not touch have no entry in common, so for a chain of bodies in order the factor is banded.
//! Forward substitution, appending a row and removing one keep within that envelope.

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
    /// `x` becomes nonzero in a row only right of that row's first column. O(envelope behind k).
    pub(crate) fn remove(&mut self, k: usize) {
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
    }
}

#[cfg(test)]
mod tests;
