//! Friction bounds and maximum dissipation.
//!
//! The law `f in K(f_n), -slip in the normal cone of K at f` is checked by its natural map
//! `f - Proj_K(f - slip / D)`, `D` the larger diagonal of the tangential rows: zero exactly when the
//! bound holds and the dissipation is largest. The ellipse of anisotropic friction is checked as a
//! circle, in coordinates scaled along each tangent.

use super::{Check, Law, raise};
use crate::law::{Disc, onto_cone, onto_disc};
use crate::models::corner::corner;
use crate::problem::RowId;

impl Check<'_> {
    /// Cone complementarity: the natural map `f - Proj_K(f - D^-1 u)` over the whole cone of the contact,
    /// in the metric D of the larger diagonals. Entry by entry it is the Signorini and the dissipation
    /// error; it keeps its scale however large mu is, where `u_n - mu |u_t|` does not.
    pub(super) fn convex(
        &mut self,
        c: usize,
        spin: Option<[RowId; 3]>,
        (w, slip): (f64, [f64; 2]),
    ) {
        let contact = &self.problem.contacts()[c];
        let mu = contact.friction();
        let largest = mu[0].max(mu[1]);
        let d = [0, 1, 2].map(|k| self.scratch.diagonal(self.problem, RowId(3 * c + k)));
        let d_t = d[1].max(d[2]);
        let (f_n, f) = (
            self.solution.f_n[c],
            [self.solution.f_s[c], self.solution.f_t[c]],
        );
        if d[0] == 0.0 {
            return;
        }
        // Impulse, velocity, radius per normal impulse and diagonal of every part.
        let mut parts = [([0.0; 2], [0.0; 2], 0.0, 0.0); 3];
        parts[0].2 = largest;
        parts[0].3 = d_t;
        for k in 0..2 {
            let scale = if largest > 0.0 { mu[k] / largest } else { 0.0 };
            if scale > 0.0 {
                parts[0].0[k] = f[k] / scale;
                parts[0].1[k] = slip[k] * scale;
            } else {
                raise(&mut self.r.cone, f[k].abs() * d_t);
            }
        }
        if let Some(rows) = spin {
            let f = self.solution.f_spin[c];
            let u = rows.map(|row| self.problem.row(row).dot(&self.solution.v_plus));
            let d = rows.map(|row| self.scratch.diagonal(self.problem, row));
            parts[1] = ([f[0], 0.0], [u[0], 0.0], contact.mu_torsional, d[0]);
            let d = d[1].max(d[2]);
            parts[2] = ([f[1], f[2]], [u[1], u[2]], contact.mu_rolling, d);
        }
        let wanted = parts.map(|(f, u, _, d)| {
            if d > 0.0 {
                [f[0] - u[0] / d, f[1] - u[1] / d]
            } else {
                [0.0; 2]
            }
        });
        let mut discs = [0, 1, 2].map(|k| Disc {
            mu: parts[k].2,
            weight: parts[k].3,
            radius: wanted[k][0].hypot(wanted[k][1]),
        });
        let nearest = onto_cone(f_n - w / d[0], d[0], &mut discs);
        raise(&mut self.r.signorini, (f_n - nearest).abs() * d[0]);
        let de_saxce: f64 = parts
            .iter()
            .map(|(_, u, mu, _)| mu * u[0].hypot(u[1]))
            .sum();
        let steep = parts.iter().map(|(_, _, mu, _)| mu * mu).sum::<f64>();
        // How far the velocities lie outside the dual cone.
        let outside = (de_saxce - w) / (1.0 + steep).sqrt();
        raise(&mut self.r.penetration, outside.max(0.0));
        for ((f, _, mu, d), wanted) in parts.into_iter().zip(wanted) {
            let bound = mu * f_n.max(0.0);
            raise(&mut self.r.cone, distance(f, onto_disc(f, bound)) * d);
            let to = onto_disc(wanted, mu * nearest);
            raise(&mut self.r.dissipation, distance(f, to) * d);
        }
    }

    /// Viscous friction: `f + h mu_viscous slip = 0`, no spin.
    pub(super) fn viscous(&mut self, c: usize, slip: [f64; 2], spin: Option<[RowId; 3]>) {
        let rate = self.problem.h() * self.problem.contacts()[c].mu_viscous;
        let f = [self.solution.f_s[c], self.solution.f_t[c]];
        for (k, (f, v)) in f.into_iter().zip(slip).enumerate() {
            let off = f + rate * v;
            if off != 0.0 {
                let d = self.scratch.diagonal(self.problem, RowId(3 * c + 1 + k));
                // As a velocity of the damped row: what is left once friction itself has acted.
                raise(&mut self.r.dissipation, off.abs() * d / (1.0 + rate * d));
            }
        }
        self.no_spin(c, spin);
    }

    /// Friction of a contact that slides: a fixed vector times the normal force.
    pub(super) fn sliding(&mut self, c: usize) {
        let [g_s, g_t] = self.problem.contacts()[c]
            .sliding_friction
            .unwrap_or_default();
        let f_n = self.solution.f_n[c];
        let off = [
            self.solution.f_s[c] - g_s * f_n,
            self.solution.f_t[c] - g_t * f_n,
        ];
        for (k, off) in off.into_iter().enumerate() {
            if off != 0.0 {
                let d = self.scratch.diagonal(self.problem, RowId(3 * c + 1 + k));
                raise(&mut self.r.dissipation, off.abs() * d);
            }
        }
    }

    /// Bound and dissipation of the tangential impulse.
    pub(super) fn friction(&mut self, c: usize, law: Law, slip: [f64; 2]) {
        let f_n = self.solution.f_n[c].max(0.0);
        let f = [self.solution.f_s[c], self.solution.f_t[c]];
        if f_n == 0.0 && f == [0.0; 2] {
            return;
        }
        let mu = self.problem.contacts()[c].friction();
        let largest = mu[0].max(mu[1]);
        let d = [1, 2].map(|k| self.scratch.diagonal(self.problem, RowId(3 * c + k)));
        if largest == 0.0 {
            let off = (f[0] * d[0]).abs().max((f[1] * d[1]).abs());
            raise(&mut self.r.cone, off);
            return;
        }
        let d = d[0].max(d[1]);
        // Bodies that can't move along the tangents have nothing to check there.
        if d == 0.0 {
            return;
        }
        // Scaled so that the ellipse is a circle of radius `largest f_n`.
        let scale = mu.map(|mu| mu / largest);
        let mut g = [0.0; 2];
        let mut u = [0.0; 2];
        for k in 0..2 {
            if scale[k] > 0.0 {
                g[k] = f[k] / scale[k];
                u[k] = slip[k] * scale[k];
            } else {
                raise(&mut self.r.cone, f[k].abs() * d);
            }
        }
        let radius = largest * f_n;
        let wanted = [g[0] - u[0] / d, g[1] - u[1] / d];
        let (inside, nearest) = match law {
            Law::Polygon(corners) => (
                into_polygon(g, radius, corners),
                into_polygon(wanted, radius, corners),
            ),
            _ => (onto_disc(g, radius), onto_disc(wanted, radius)),
        };
        raise(&mut self.r.cone, distance(g, inside) * d);
        raise(&mut self.r.dissipation, distance(g, nearest) * d);
    }

    /// Bound and dissipation of torsional and rolling impulses.
    pub(super) fn spin(&mut self, c: usize, law: Law, rows: [RowId; 3]) {
        let f_n = self.solution.f_n[c].max(0.0);
        let f = self.solution.f_spin[c];
        if f_n == 0.0 && f == [0.0; 3] {
            return;
        }
        let contact = &self.problem.contacts()[c];
        let w = rows.map(|row| self.problem.row(row).dot(&self.solution.v_plus));
        let d = rows.map(|row| self.scratch.diagonal(self.problem, row));
        let parts = [
            ([f[0], 0.0], [w[0], 0.0], d[0], contact.mu_torsional),
            (
                [f[1], f[2]],
                [w[1], w[2]],
                d[1].max(d[2]),
                contact.mu_rolling,
            ),
        ];
        for (f, w, d, mu) in parts {
            // A block that can't turn has no row to check.
            if d == 0.0 {
                continue;
            }
            let radius = mu * f_n;
            let wanted = [f[0] - w[0] / d, f[1] - w[1] / d];
            // Torsion has one row: the polygon, which has a corner on the first axis, and the disc
            // are the same interval.
            let (inside, nearest) = match law {
                Law::Polygon(corners) => (
                    into_polygon(f, radius, corners),
                    into_polygon(wanted, radius, corners),
                ),
                _ => (onto_disc(f, radius), onto_disc(wanted, radius)),
            };
            raise(&mut self.r.cone, distance(f, inside) * d);
            raise(&mut self.r.dissipation, distance(f, nearest) * d);
        }
    }
}

fn distance(a: [f64; 2], b: [f64; 2]) -> f64 {
    (a[0] - b[0]).hypot(a[1] - b[1])
}

/// The nearest point of the regular polygon with corners at `radius (cos, sin)(2 pi k / corners)`.
pub(crate) fn into_polygon(x: [f64; 2], radius: f64, corners: usize) -> [f64; 2] {
    let step = std::f64::consts::TAU / corners as f64;
    // Exact where the sine is not: 1e-16 of a large radius is more than an answer may miss.
    let corner = |k: usize| corner(k, corners).map(|x| radius * x);
    // The edge whose sector holds the angle of x, and its neighbours: past a corner the nearest
    // point is that corner, which both edges hold.
    let angle = x[1].atan2(x[0]).rem_euclid(std::f64::consts::TAU);
    let k = (angle / step) as usize % corners;
    let (sin, cos) = (step * (k as f64 + 0.5)).sin_cos();
    let reach = radius * (0.5 * step).cos();
    if x[0] * cos + x[1] * sin <= reach {
        return x;
    }
    let mut nearest = [0.0; 2];
    let mut least = f64::INFINITY;
    for k in [k + corners - 1, k, k + 1] {
        let (a, b) = (corner(k % corners), corner((k + 1) % corners));
        let edge = [b[0] - a[0], b[1] - a[1]];
        let length = edge[0] * edge[0] + edge[1] * edge[1];
        let along = (x[0] - a[0]) * edge[0] + (x[1] - a[1]) * edge[1];
        let share = if length > 0.0 {
            (along / length).clamp(0.0, 1.0)
        } else {
            0.0
        };
        let point = [a[0] + share * edge[0], a[1] + share * edge[1]];
        let off = distance(x, point);
        if off < least {
            (least, nearest) = (off, point);
        }
    }
    nearest
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn polygon_projection_is_nearest_and_idempotent() {
        for corners in [4, 6, 8, 16] {
            let step = std::f64::consts::TAU / corners as f64;
            for i in 0..400 {
                let (sin, cos) = (0.0157 * f64::from(i)).sin_cos();
                let x = [1.7 * cos, 1.7 * sin];
                let p = into_polygon(x, 1.0, corners);
                let again = into_polygon(p, 1.0, corners);
                assert!(distance(p, again) < 1e-15, "{corners} {i}");
                // Optimality: x - p makes no acute angle with any corner seen from p.
                for k in 0..corners {
                    let (s, c) = (step * k as f64).sin_cos();
                    let dot = (x[0] - p[0]) * (c - p[0]) + (x[1] - p[1]) * (s - p[1]);
                    assert!(dot < 1e-12, "{corners} {i} {k}: {dot}");
                }
            }
        }
        assert_eq!(into_polygon([0.1, 0.2], 1.0, 4), [0.1, 0.2]);
        assert_eq!(into_polygon([0.1, 0.2], 0.0, 4), [0.0, 0.0]);
    }
}
