//! A dense linear solve with partial pivoting, in memory given by the caller.

/// Solves `A x = b` by Gaussian elimination with partial pivoting; `a` (n x n, row by row) is
/// destroyed, `b` becomes x. O(n^3). Returns `false`, with `b` unusable, if a pivot is zero or not
/// finite.
pub(super) fn solve(a: &mut [f64], b: &mut [f64]) -> bool {
    let n = b.len();
    for k in 0..n {
        let mut best = k;
        for i in k + 1..n {
            if a[i * n + k].abs() > a[best * n + k].abs() {
                best = i;
            }
        }
        let pivot = a[best * n + k];
        if pivot == 0.0 || !pivot.is_finite() {
            return false;
        }
        if best != k {
            let (upper, lower) = a.split_at_mut(best * n);
            upper[k * n..(k + 1) * n].swap_with_slice(&mut lower[..n]);
            b.swap(k, best);
        }
        let (upper, lower) = a.split_at_mut((k + 1) * n);
        let pivot_row = &upper[k * n..];
        let (done, rest) = b.split_at_mut(k + 1);
        for (row, bi) in lower.chunks_exact_mut(n).zip(rest) {
            let factor = row[k] / pivot;
            if factor != 0.0 {
                for (x, p) in row[k + 1..].iter_mut().zip(&pivot_row[k + 1..]) {
                    *x -= factor * p;
                }
                *bi -= factor * done[k];
            }
        }
    }
    for k in (0..n).rev() {
        let row = &a[k * n..(k + 1) * n];
        let sum: f64 = row[k + 1..]
            .iter()
            .zip(&b[k + 1..])
            .map(|(x, y)| x * y)
            .sum();
        b[k] = (b[k] - sum) / row[k];
    }
    b.iter().all(|x| x.is_finite())
}

#[cfg(test)]
mod tests;
