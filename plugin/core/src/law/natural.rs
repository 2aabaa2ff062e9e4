//! The natural map of the law: what an iteration stops by and Newton's method drives to zero.

use super::project::{clipped, discs, lengths};
use super::{ConstraintBlock, Law, PART, bounds, onto_cone, worse};

/// The natural map of a unit as velocities [m/s], zero exactly at a solution; of a contact
/// ```text
/// normal     min(d f_n, u_n)
/// parts      d_k (f_k - Proj_{mu_k f_n}(f_k - u_k / d_k))
/// ```
/// by the exact law and `D (f - Proj_K(f - D^-1 u))` in the metric D by the convex one: it has the zeros of cone
/// complementarity and keeps its scale however large mu is, where `u_n - mu |u_t|` does not.
#[inline]
pub(crate) fn map<const W: usize>(unit: &ConstraintBlock, z: &[f64; W], u: &[f64; W]) -> [f64; W] {
    let d = &unit.d;
    let mut out = [0.0; W];
    match unit.law {
        Law::Free | Law::Half | Law::Box(_) => {
            out[0] = bounds::natural(z[0], u[0], d[0], bounds::of(unit.law));
        }
        Law::Cone => {
            out[0] = (z[0] * d[0]).min(u[0]);
            let y: [f64; W] = std::array::from_fn(|k| z[k] - u[k] / d[PART[k]]);
            let nearest = clipped(unit, z[0].max(0.0), &y);
            for k in 1..W {
                out[k] = d[PART[k]] * (z[k] - nearest[k]);
            }
        }
        Law::Convex => {
            let y: [f64; W] = std::array::from_fn(|k| z[k] - u[k] / d[PART[k]]);
            let f = onto_cone(y[0], d[0], &mut discs(unit, &y, d));
            let nearest = clipped(unit, f, &y);
            for k in 0..W {
                out[k] = d[PART[k]] * (z[k] - nearest[k]);
            }
        }
    }
    out
}

/// The largest entry of a unit's natural map, parts by their length.
#[inline]
pub(crate) fn size<const W: usize>(map: &[f64; W]) -> f64 {
    let [a, b, c] = lengths(map);
    [a, b, c].into_iter().fold(map[0].abs(), worse)
}
