//! The innermost loops, written so that they vectorise.

/// `a . b` over the shorter length, in eight interleaved partial sums.
#[inline]
pub fn dot(a: &[f64], b: &[f64]) -> f64 {
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
pub fn axpy(y: &mut [f64], a: f64, x: &[f64]) {
    for (y, x) in y.iter_mut().zip(x) {
        *y += a * x;
    }
}
