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
    if let ([a0, a1, a2, a3, a4, a5], [b0, b1, b2, b3, b4, b5]) = (a, b) {
        return (a0 * b0 + a1 * b1 + a2 * b2) + (a3 * b3 + a4 * b4 + a5 * b5);
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

/// Numbers of four rows side by side; the fourth is padding.
pub(crate) type Lanes = [f64; 4];

/// `sum += a x` for every lane.
#[inline]
pub(crate) fn add_lanes(sum: &mut Lanes, a: f64, x: &Lanes) {
    for (s, x) in sum.iter_mut().zip(x) {
        *s += a * x;
    }
}

/// `a . x` for every lane of `x`, over the shorter length.
#[inline]
pub(crate) fn dot_lanes(a: &[f64], x: &[Lanes]) -> Lanes {
    let mut even = [0.0; 4];
    let mut odd = [0.0; 4];
    let n = a.len().min(x.len());
    let (a2, a_rest) = a[..n].as_chunks::<2>();
    let (x2, x_rest) = x[..n].as_chunks::<2>();
    for (a, x) in a2.iter().zip(x2) {
        add_lanes(&mut even, a[0], &x[0]);
        add_lanes(&mut odd, a[1], &x[1]);
    }
    for (&a, x) in a_rest.iter().zip(x_rest) {
        add_lanes(&mut even, a, x);
    }
    add_lanes(&mut even, 1.0, &odd);
    even
}
