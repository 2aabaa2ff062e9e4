//! The innermost loops: short dense products over consecutive numbers.

/// `a . b` over the shorter length, in four interleaved partial sums (a single one would wait for
/// every addition).
#[inline]
pub(crate) fn dot(a: &[f64], b: &[f64]) -> f64 {
    let n = a.len().min(b.len());
    let (a, b) = (&a[..n], &b[..n]);
    if n == 1 {
        return a[0] * b[0];
    }
    if let ([a0, a1, a2], [b0, b1, b2]) = (a, b) {
        return a0 * b0 + a1 * b1 + a2 * b2;
    }
    let (a4, a_rest) = a.as_chunks::<4>();
    let (b4, b_rest) = b.as_chunks::<4>();
    let mut s = [0.0; 4];
    for (p, q) in a4.iter().zip(b4) {
        for k in 0..4 {
            s[k] += p[k] * q[k];
        }
    }
    for (k, (p, q)) in a_rest.iter().zip(b_rest).enumerate() {
        s[k] += p * q;
    }
    (s[0] + s[2]) + (s[1] + s[3])
}
