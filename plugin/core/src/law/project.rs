//! One unit at a time: the projection of its impulses and the size of its own block.

use super::{ConstraintBlock, Disc, Law, bounds, onto_cone, onto_disc, parts};

/// The smallest factor, at least 1, with which `diag(d)` majorises a symmetric positive semidefinite
/// block: the largest eigenvalue of `d^-1/2 D d^-1/2`, by the trigonometric formula for 3 x 3.
#[inline]
pub(crate) fn least_majorant(block: &[[f64; 3]; 3], d: [f64; 3]) -> f64 {
    let root = d.map(f64::sqrt);
    let a: [[f64; 3]; 3] =
        std::array::from_fn(|i| std::array::from_fn(|j| block[i][j] / (root[i] * root[j])));
    let mean = (a[0][0] + a[1][1] + a[2][2]) / 3.0;
    let off = a[0][1] * a[0][1] + a[0][2] * a[0][2] + a[1][2] * a[1][2];
    let dev: [f64; 3] = std::array::from_fn(|i| a[i][i] - mean);
    let p = ((dev.iter().map(|x| x * x).sum::<f64>() + 2.0 * off) / 6.0).sqrt();
    if p == 0.0 {
        return mean.max(1.0);
    }
    let det = dev[0] * (dev[1] * dev[2] - a[1][2] * a[1][2])
        - a[0][1] * (a[0][1] * dev[2] - a[1][2] * a[0][2])
        + a[0][2] * (a[0][1] * a[1][2] - dev[1] * a[0][2]);
    let half = (0.5 * det / (p * p * p)).clamp(-1.0, 1.0);
    (mean + 2.0 * p * (half.acos() / 3.0).cos()).max(1.0)
}

/// Lengths of the friction parts: tangential, torsional, rolling.
#[inline]
pub(crate) fn lengths<const W: usize>(x: &[f64; W]) -> [f64; 3] {
    let pair = |k: usize| match x.get(k..k + 2) {
        Some(x) => (x[0] * x[0] + x[1] * x[1]).sqrt(),
        None => 0.0,
    };
    [pair(1), x.get(3).map_or(0.0, |x| x.abs()), pair(4)]
}

/// The impulses nearest to `y` that the law allows: in the metric of the unit's weights onto the cone
/// [TA, eq. 18-21] by the convex law, the normal first and the parts onto their discs by the exact one.
#[inline]
pub(crate) fn allowed<const W: usize>(unit: &ConstraintBlock, y: &[f64; W]) -> [f64; W] {
    match unit.law {
        Law::Cone => clipped(unit, y[0].max(0.0), y),
        _ => projected(unit, y),
    }
}

/// The nearest admissible impulses in the metric `w`.
#[inline]
pub(crate) fn nearest<const W: usize>(
    unit: &ConstraintBlock,
    y: &[f64; W],
    w: &[f64; 4],
) -> [f64; W] {
    match unit.law {
        Law::Free | Law::Half | Law::Box(_) => only(bounds::clamped(y[0], bounds::of(unit.law))),
        Law::Cone | Law::Convex => {
            let mut discs = discs(unit, y, w);
            let f = onto_cone(y[0], w[0], &mut discs[..parts::<W>().len()]);
            clipped(unit, f, y)
        }
    }
}

/// The same in the metric of the unit's weights.
#[inline]
pub fn projected<const W: usize>(unit: &ConstraintBlock, y: &[f64; W]) -> [f64; W] {
    nearest(unit, y, &unit.weight)
}

/// Impulses with the last digits put right: nothing pulls, no part is longer than its disc.
#[inline]
pub(crate) fn project_to_bounds<const W: usize>(unit: &ConstraintBlock, z: &[f64; W]) -> [f64; W] {
    match unit.law {
        Law::Cone | Law::Convex => clipped(unit, z[0].max(0.0), z),
        _ => projected(unit, z),
    }
}

/// The friction parts of `y` as discs in the metric `w`.
#[inline]
pub(crate) fn discs<const W: usize>(
    unit: &ConstraintBlock,
    y: &[f64; W],
    w: &[f64; 4],
) -> [Disc; 3] {
    let r = lengths(y);
    [0, 1, 2].map(|k| Disc {
        mu: unit.mu[k],
        weight: w[k + 1],
        radius: r[k],
    })
}

/// Normal impulse `f` and the parts of `y`, shortened to their discs.
#[inline]
pub(crate) fn clipped<const W: usize>(unit: &ConstraintBlock, f: f64, y: &[f64; W]) -> [f64; W] {
    let mut out = only(f);
    for (part, &(at, len)) in parts::<W>().iter().enumerate() {
        let bound = unit.mu[part] * f;
        if len == 1 {
            out[at] = y[at].clamp(-bound, bound);
        } else {
            [out[at], out[at + 1]] = onto_disc([y[at], y[at + 1]], bound);
        }
    }
    out
}

/// A first impulse alone.
#[inline]
pub(crate) fn only<const W: usize>(z: f64) -> [f64; W] {
    let mut out = [0.0; W];
    out[0] = z;
    out
}

#[cfg(test)]
mod tests {
    use super::*;
    use nalgebra::Matrix3;

    #[test]
    fn majorant_is_the_largest_eigenvalue() {
        let mut x = 0.3_f64;
        for _ in 0..500 {
            let a = Matrix3::from_fn(|_, _| {
                x = (x * 78.233 + 0.7).sin();
                x
            });
            let d = a * a.transpose();
            let block = std::array::from_fn(|i| std::array::from_fn(|j| d[(i, j)]));
            let diag = [
                d[(0, 0)],
                d[(1, 1)].max(d[(2, 2)]),
                d[(1, 1)].max(d[(2, 2)]),
            ];
            let scaled = Matrix3::from_fn(|i, j| d[(i, j)] / (diag[i] * diag[j]).sqrt());
            let wanted = scaled.symmetric_eigenvalues().max().max(1.0);
            assert!((least_majorant(&block, diag) - wanted).abs() < 1e-12);
        }
    }
}
