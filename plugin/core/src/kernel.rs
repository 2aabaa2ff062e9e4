//! The innermost loops: short dense products over consecutive numbers.

/// Runs `work`, and what is inlined into it, with the widest vector instructions that this machine has. Products and sums are rounded
/// one by one, so that the bits are the same on any machine.
#[inline(always)]
pub(crate) fn widest<R>(work: impl FnOnce() -> R) -> R {
    #[cfg(target_arch = "x86_64")]
    if let Some(machine) = pulp::x86::V3::try_new() {
        return machine.vectorize(work);
    }
    work()
}

/// `a . b` over the shorter length.
#[inline(always)]
pub fn dot(a: &[f64], b: &[f64]) -> f64 {
    if let (Ok(a), Ok(b)) = (a.try_into(), b.try_into()) {
        return six(a, b);
    }
    if let (Ok(a), Ok(b)) = (<&[f64; 12]>::try_from(a), <&[f64; 12]>::try_from(b)) {
        // Two neighbouring bodies: the same bits as one after the other.
        let ([a1, a2], [b1, b2]) = (halves(a), halves(b));
        return six(a1, b1) + six(a2, b2);
    }
    match (a, b) {
        ([a0, a1, a2], [b0, b1, b2]) => a0 * b0 + a1 * b1 + a2 * b2,
        ([a], [b]) => a * b,
        _ => dot_long(a, b),
    }
}

/// The product of a free body's coordinates: linear ones, then angular ones, so that what is zero in
/// each part by symmetry stays zero.
#[inline(always)]
pub(crate) fn six(a: &[f64; 6], b: &[f64; 6]) -> f64 {
    (a[0] * b[0] + a[1] * b[1] + a[2] * b[2]) + (a[3] * b[3] + a[4] * b[4] + a[5] * b[5])
}

#[inline(always)]
fn halves(x: &[f64; 12]) -> [&[f64; 6]; 2] {
    let (halves, _) = x.as_chunks::<6>();
    [&halves[0], &halves[1]]
}

/// `out += f_1 n + f_2 s + f_3 t` for the values of three rows along one run.
#[inline(always)]
pub(crate) fn add_rows(out: &mut [f64], f: [f64; 3], [n, s, t]: [&[f64]; 3]) {
    if let (Ok(out), Ok(n), Ok(s), Ok(t)) =
        (out.try_into(), n.try_into(), s.try_into(), t.try_into())
    {
        let (out, [n, s, t]): (&mut [f64; 6], [&[f64; 6]; 3]) = (out, [n, s, t]);
        for k in 0..6 {
            out[k] += f[0] * n[k] + f[1] * s[k] + f[2] * t[k];
        }
        return;
    }
    for (out, ((n, s), t)) in out.iter_mut().zip(n.iter().zip(s).zip(t)) {
        *out += f[0] * n + f[1] * s + f[2] * t;
    }
}

/// `out -= f_1 n + f_2 s + f_3 t`, and the magnitudes of the terms added to `size`.
#[inline(always)]
pub(crate) fn take_rows(out: &mut [f64], size: &mut [f64], f: [f64; 3], rows: [&[f64]; 3]) {
    let each = |out: &mut f64, size: &mut f64, n: f64, s: f64, t: f64| {
        let terms = [f[0] * n, f[1] * s, f[2] * t];
        *out -= terms[0] + terms[1] + terms[2];
        *size += terms[0].abs() + terms[1].abs() + terms[2].abs();
    };
    let [n, s, t] = rows;
    if let (Ok(out), Ok(size)) = (
        <&mut [f64; 6]>::try_from(&mut *out),
        <&mut [f64; 6]>::try_from(&mut *size),
    ) && let (Ok(n), Ok(s), Ok(t)) = (
        <&[f64; 6]>::try_from(n),
        <&[f64; 6]>::try_from(s),
        <&[f64; 6]>::try_from(t),
    ) {
        for k in 0..6 {
            each(&mut out[k], &mut size[k], n[k], s[k], t[k]);
        }
        return;
    }
    for ((out, size), ((n, s), t)) in out.iter_mut().zip(size).zip(n.iter().zip(s).zip(t)) {
        each(out, size, *n, *s, *t);
    }
}

/// In four interleaved partial sums (a single one would wait for every addition).
fn dot_long(a: &[f64], b: &[f64]) -> f64 {
    let n = a.len().min(b.len());
    let (a, b) = (&a[..n], &b[..n]);
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
pub(crate) fn add_lanes<const W: usize>(sum: &mut [f64; W], a: f64, x: &[f64; W]) {
    for (s, x) in sum.iter_mut().zip(x) {
        *s += a * x;
    }
}
