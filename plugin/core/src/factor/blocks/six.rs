//! The kernels of a free body's blocks: six by six, row-major, widths fixed at compile time. The same operations in the
//! same order as for any size.

use crate::factor::lu::Singular;

pub(super) type Block = [[f64; 6]; 6];

/// A row-major block of six by six; none of another size.
#[inline]
pub(super) fn six(block: &[f64]) -> Option<&Block> {
    block.as_chunks().0.try_into().ok()
}

#[inline]
pub(super) fn six_mut(block: &mut [f64]) -> Option<&mut Block> {
    block.as_chunks_mut().0.try_into().ok()
}

/// Factors `P B = L U` in place.
pub(super) fn eliminate(m: &mut Block, swaps: &mut [u32]) -> Result<(), Singular> {
    for (column, swap) in swaps.iter_mut().enumerate().take(6) {
        let mut pivot = column;
        for i in column + 1..6 {
            if m[i][column].abs() > m[pivot][column].abs() {
                pivot = i;
            }
        }
        *swap = pivot as u32;
        m.swap(pivot, column);
        let lead = m[column];
        if !lead[column].is_finite() || lead[column] == 0.0 {
            return Err(Singular { column });
        }
        for row in &mut m[column + 1..] {
            row[column] /= lead[column];
            for j in column + 1..6 {
                row[j] -= row[column] * lead[j];
            }
        }
    }
    Ok(())
}

/// `X := D^-1 X` by the factor of D.
pub(super) fn solve_columns(d: &Block, swaps: &[u32], x: &mut Block) {
    for (k, &pivot) in swaps.iter().enumerate() {
        x.swap(k, pivot as usize);
    }
    for (i, row) in d.iter().enumerate() {
        let (done, rest) = x.split_at_mut(i);
        for (done, factor) in done.iter().zip(row) {
            for j in 0..6 {
                rest[0][j] -= factor * done[j];
            }
        }
    }
    for (i, row) in d.iter().enumerate().rev() {
        let (rest, done) = x.split_at_mut(i + 1);
        for (done, factor) in done.iter().zip(&row[i + 1..]) {
            for j in 0..6 {
                rest[i][j] -= factor * done[j];
            }
        }
        let inv = 1.0 / row[i];
        for x in &mut rest[i] {
            *x *= inv;
        }
    }
}

/// `x := D^-1 x` by the factor of D.
#[inline]
pub(super) fn solve(d: &Block, swaps: &[u32], x: &mut [f64; 6]) {
    for (k, &pivot) in swaps.iter().enumerate() {
        x.swap(k, pivot as usize);
    }
    for k in 0..6 {
        for i in k + 1..6 {
            x[i] -= d[i][k] * x[k];
        }
    }
    for k in (0..6).rev() {
        x[k] /= d[k][k];
        for i in 0..k {
            x[i] -= d[i][k] * x[k];
        }
    }
}

/// `C -= A B`.
#[inline]
pub(super) fn subtract(c: &mut Block, a: &Block, b: &Block) {
    let (a, b) = (*a, *b);
    for (out, left) in c.iter_mut().zip(&a) {
        for (x, row) in left.iter().zip(&b) {
            for j in 0..6 {
                out[j] -= x * row[j];
            }
        }
    }
}

/// `y -= A x`.
#[inline]
pub(super) fn subtract_product(y: &mut [f64; 6], a: &Block, x: &[f64; 6]) {
    for (y, row) in y.iter_mut().zip(a) {
        *y -= crate::kernel::six(row, x);
    }
}
