//! The innermost loops, written so that they vectorise.

/// `a . b` over the shorter length, in eight interleaved partial sums.
#[inline]
pub(crate) fn dot(a: &[f64], b: &[f64]) -> f64 {
    let n = a.len().min(b.len());
    let (a8, a_rest) = a[..n].as_chunks::<8>();
    let (b8, b_rest) = b[..n].as_chunks::<8>();
    let mut s = [0.0; 8];
    for (p, q) in a8.iter().zip(b8) {
        for k in 0..8 {
            s[k] += p[k] * q[k];
        }
    }
    for (k, (p, q)) in a_rest.iter().zip(b_rest).enumerate() {
        s[k] += p * q;
    }
    ((s[0] + s[4]) + (s[1] + s[5])) + ((s[2] + s[6]) + (s[3] + s[7]))
}

/// `y += a x` over the shorter length.
#[inline]
pub(crate) fn axpy(y: &mut [f64], a: f64, x: &[f64]) {
    for (y, x) in y.iter_mut().zip(x) {
        *y += a * x;
    }
}

/// `y += a_0 x_0 + ... + a_3 x_3`: one pass over `y` for four columns.
#[inline]
pub(crate) fn axpy4(y: &mut [f64], a: [f64; 4], x: [&[f64]; 4]) {
    let n = y.len();
    let [x0, x1, x2, x3] = x.map(|x| &x[..n]);
    for i in 0..n {
        y[i] += (a[0] * x0[i] + a[1] * x1[i]) + (a[2] * x2[i] + a[3] * x3[i]);
    }
}

/// `y += sum_k a_k x_k` over pairs of a coefficient and a column; zero coefficients cost nothing.
#[inline]
pub(crate) fn combine<'a>(y: &mut [f64], terms: impl Iterator<Item = (f64, &'a [f64])>) {
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
