//! The natural map of the law: what an iteration stops by and Newton's method drives to zero.

use super::local::{lengths, lift};
use super::system::{Law, PART, System, Unit};
use super::{Friction, onto_disc};

/// The natural map of a unit as velocities [m/s]: zero exactly at a solution.
/// ```text
/// normal     min(d f_n, w),  w = u_n (exact)  or  u_n - sum mu_k |u_k| (convex)
/// parts      d_k (f_k - Proj_{mu_k f_n}(f_k - u_k / d_k))
/// ```
#[inline]
pub(super) fn natural_map(unit: &Unit, z: &[f64; 6], u: &[f64; 6], friction: Friction) -> [f64; 6] {
    let d = &unit.d;
    let mut out = [0.0; 6];
    match unit.law {
        Law::Free => out[0] = u[0],
        Law::Half => out[0] = (z[0] * d[0]).min(u[0]),
        Law::Box(limit) => {
            let bound = limit * d[0];
            out[0] = z[0] * d[0] - (z[0] * d[0] - u[0]).clamp(-bound, bound);
        }
        Law::Cone => {
            let mut w = u[0];
            if friction == Friction::Convex {
                w += unit.lift - lift(unit, u);
            }
            out[0] = (z[0] * d[0]).min(w);
            let f = z[0].max(0.0);
            let y: [f64; 6] = std::array::from_fn(|k| z[k] - u[k] / d[PART[k]]);
            let [s, t] = onto_disc([y[1], y[2]], unit.mu[0] * f);
            let bound = unit.mu[1] * f;
            let [b, c] = onto_disc([y[4], y[5]], unit.mu[2] * f);
            let nearest = [0.0, s, t, y[3].clamp(-bound, bound), b, c];
            for k in 1..unit.width as usize {
                out[k] = d[PART[k]] * (z[k] - nearest[k]);
            }
        }
    }
    out
}

/// The largest entry of a unit's natural map, parts by their length.
#[inline]
pub(super) fn size(map: &[f64; 6]) -> f64 {
    let [a, b, c] = lengths(map);
    let mut worst = map[0].abs();
    for x in [a, b, c] {
        // Written so that a NaN stays.
        if x > worst || x.is_nan() {
            worst = x;
        }
    }
    worst
}

impl System {
    /// The largest natural map of the units, divided by `1 + max |v_free|`; NaN where a number is not
    /// finite. The cost of half a sweep.
    pub(crate) fn residual(&self, friction: Friction) -> f64 {
        let mut worst = 0.0;
        for unit in &self.units {
            let z = Self::impulse(unit, &self.z);
            let u = self.velocity(unit, &self.v, z[0]);
            let left = size(&natural_map(unit, &z, &u, friction));
            if left > worst || left.is_nan() {
                worst = left;
            }
        }
        worst / self.speed
    }
}
