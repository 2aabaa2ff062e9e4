//! Elimination with row exchanges that keeps to the profile of the matrix.

/// A square matrix whose rows begin and end somewhere, and its factor in place. Chains and stacks of
/// bodies in order give a band; nothing outside it is touched.
#[derive(Clone, Debug, Default)]
pub(super) struct Lu {
    n: usize,
    a: Vec<f64>,
    /// First and last column of each row that may be nonzero.
    first: Vec<u32>,
    last: Vec<u32>,
    /// Last row with a nonzero in or before each column.
    reach: Vec<u32>,
    swaps: Vec<u32>,
}

/// The matrix has no usable pivot left.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) struct Singular;

impl Lu {
    /// The identity of `n` rows. O(n^2).
    pub(super) fn begin(&mut self, n: usize) {
        self.n = n;
        self.a.clear();
        self.a.resize(n * n, 0.0);
        self.first.clear();
        self.last.clear();
        for i in 0..n {
            self.a[i * n + i] = 1.0;
            self.first.push(i as u32);
            self.last.push(i as u32);
        }
    }

    /// Adds to an entry.
    #[inline]
    pub(super) fn add(&mut self, i: usize, j: usize, x: f64) {
        self.a[i * self.n + j] += x;
        self.first[i] = self.first[i].min(j as u32);
        self.last[i] = self.last[i].max(j as u32);
    }

    /// Factors in place. O(n band^2).
    ///
    /// # Errors
    /// A pivot is zero or not finite.
    pub(super) fn factor(&mut self) -> Result<(), Singular> {
        let n = self.n;
        self.reach.clear();
        self.reach.resize(n, 0);
        for i in 0..n {
            let first = self.first[i] as usize;
            self.reach[first] = self.reach[first].max(i as u32);
        }
        for k in 1..n {
            self.reach[k] = self.reach[k].max(self.reach[k - 1]);
        }
        self.swaps.clear();
        for k in 0..n {
            let reach = self.reach[k] as usize;
            let mut pivot = k;
            for i in k + 1..=reach {
                if self.a[i * n + k].abs() > self.a[pivot * n + k].abs() {
                    pivot = i;
                }
            }
            let size = self.a[pivot * n + k].abs();
            if !(size > 0.0 && size.is_finite()) {
                return Err(Singular);
            }
            self.swaps.push(pivot as u32);
            if pivot != k {
                let (head, tail) = self.a.split_at_mut(pivot * n);
                // Multipliers stay where they are, within reach of their column.
                head[k * n + k..k * n + n].swap_with_slice(&mut tail[k..n]);
                self.last.swap(k, pivot);
            }
            let last = self.last[k] as usize;
            let (head, tail) = self.a.split_at_mut((k + 1) * n);
            let row = &head[k * n + k..=k * n + last];
            let inv = 1.0 / row[0];
            for (below, i) in tail.chunks_exact_mut(n).zip(k + 1..=reach) {
                let below = &mut below[k..=last];
                if below[0] == 0.0 {
                    continue;
                }
                let l = below[0] * inv;
                below[0] = l;
                for (x, p) in below[1..].iter_mut().zip(&row[1..]) {
                    *x -= l * p;
                }
                self.last[i] = self.last[i].max(last as u32);
            }
        }
        Ok(())
    }

    /// Solves in place. O(n band).
    pub(super) fn solve(&self, x: &mut [f64]) {
        let n = self.n;
        for k in 0..n {
            x.swap(k, self.swaps[k] as usize);
            let xk = x[k];
            if xk != 0.0 {
                let below = x[k + 1..=self.reach[k] as usize].iter_mut();
                for (x, row) in below.zip(self.a[(k + 1) * n..].chunks_exact(n)) {
                    *x -= row[k] * xk;
                }
            }
        }
        for k in (0..n).rev() {
            let row = &self.a[k * n + k..=k * n + self.last[k] as usize];
            let sum: f64 = row[1..].iter().zip(&x[k + 1..]).map(|(a, x)| a * x).sum();
            x[k] = (x[k] - sum) / row[0];
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use nalgebra::{DMatrix, DVector};

    #[test]
    fn banded_and_dense_matrices_that_need_exchanges() {
        let mut lu = Lu::default();
        let mut x = 0.4_f64;
        let mut next = move || {
            x = (x * 91.7 + 0.3).sin();
            x
        };
        for (n, band) in [(1, 0), (7, 7), (30, 4), (60, 12), (12, 0)] {
            lu.begin(n);
            let mut dense = DMatrix::<f64>::identity(n, n);
            for i in 0..n {
                for j in 0..n {
                    if i.abs_diff(j) <= band {
                        // Small diagonals: exchanges everywhere.
                        let e = if i == j { 1e-9 - 1.0 } else { next() };
                        let e = if band == 0 { 1.5 } else { e };
                        dense[(i, j)] += e;
                        lu.add(i, j, e);
                    }
                }
            }
            lu.factor().unwrap();
            let b = DVector::from_fn(n, |_, _| next());
            let mut x: Vec<f64> = b.iter().copied().collect();
            lu.solve(&mut x);
            let found = DVector::from_vec(x.clone());
            let error = (&dense * found - &b).amax();
            let size = x.iter().fold(1.0_f64, |a, x| a.max(x.abs()));
            assert!(error < 1e-13 * size * n as f64, "{n} {band}: {error}");
        }
        lu.begin(2);
        lu.add(0, 0, -1.0);
        assert_eq!(lu.factor(), Err(Singular));
    }
}
