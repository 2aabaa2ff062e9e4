//! Sums of columns, four at a time.

use stickslip_core::kit::kernel::axpy;

/// `y += a_0 x_0 + ... + a_3 x_3`: one pass over `y` for four columns.
#[inline]
fn axpy4(y: &mut [f64], a: [f64; 4], x: [&[f64]; 4]) {
    let n = y.len();
    let [x0, x1, x2, x3] = x.map(|x| &x[..n]);
    for i in 0..n {
        y[i] += (a[0] * x0[i] + a[1] * x1[i]) + (a[2] * x2[i] + a[3] * x3[i]);
    }
}

/// `y += sum_k a_k x_k` over pairs of a coefficient and a column; zero coefficients cost nothing.
#[inline]
pub(super) fn combine<'a>(y: &mut [f64], terms: impl Iterator<Item = (f64, &'a [f64])>) {
    let mut a = [0.0; 4];
    let mut x: [&[f64]; 4] = [&[]; 4];
    let mut held = 0;
    for (coefficient, column) in terms {
        if coefficient == 0.0 {
            continue;
        }
        a[held] = coefficient;
        x[held] = column;
        held += 1;
        if held == 4 {
            axpy4(y, a, x);
            held = 0;
        }
    }
    for (a, x) in a[..held].iter().zip(x) {
        axpy(y, *a, x);
    }
}
