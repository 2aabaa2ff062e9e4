//! Friction bounds and maximum dissipation.
//!
//! The law `f in K(f_n), -slip in the normal cone of K at f` is checked by its natural map
//! `f - Proj_K(f - slip / D)`, `D` the larger diagonal of the tangential rows: zero exactly when the
//! bound holds and the dissipation is largest. The ellipse of anisotropic friction is checked as a
//! circle, in coordinates scaled along each tangent.

use super::{Check, Law, length, raise, unmet};
use crate::law::polygon::into_polygon;
use crate::law::{Disc, FrictionLaw, onto_cone, onto_disc};
use crate::problem::RowId;

/// A friction part of a contact, scaled so that its bound is a disc.
#[derive(Clone, Copy, Default)]
struct Part {
    /// Impulse.
    f: [f64; 2],
    /// Velocity.
    u: [f64; 2],
    /// Radius of the disc per normal impulse.
    mu: f64,
    /// Its rows, none where it is absent.
    rows: [Option<RowId>; 2],
    /// Larger diagonal of its rows, 0 where there is no row to check: absent, or of a body that can't move along it.
    d: f64,
}

impl Part {
    /// `f - D^-1 u`, whose projection is f where the law holds.
    fn wanted(&self) -> [f64; 2] {
        match self.d > 0.0 {
            true => [
                self.f[0] - self.u[0] / self.d,
                self.f[1] - self.u[1] / self.d,
            ],
            false => [0.0; 2],
        }
    }
}

impl Check<'_> {
    /// Slip, torsion and rolling, without their diagonals. Impulses along directions without friction are counted against
    /// the bound.
    fn parts(&mut self, c: usize, spin: Option<[RowId; 3]>, slip: [f64; 2]) -> [Part; 3] {
        let contact = &self.problem.contacts()[c];
        let mu = contact.friction();
        let largest = mu[0].max(mu[1]);
        let f = [self.solution.f_s[c], self.solution.f_t[c]];
        let mut parts = [Part::default(); 3];
        parts[0].mu = largest;
        parts[0].rows = [Some(RowId(3 * c + 1)), Some(RowId(3 * c + 2))];
        for k in 0..2 {
            let scale = if largest > 0.0 { mu[k] / largest } else { 0.0 };
            if scale > 0.0 {
                parts[0].f[k] = f[k] / scale;
                parts[0].u[k] = slip[k] * scale;
            } else if f[k] != 0.0 && self.rules.friction.is_none() {
                let d = self.diagonal(&parts[0]);
                raise(&mut self.r.cone, f[k].abs() * d);
            }
        }
        if let Some(rows) = spin {
            let f = self.solution.f_spin[c];
            let u = rows.map(|row| self.problem.row(row).dot(&self.solution.v_plus));
            // Torsion has one row: for it the polygon, which has a corner on the first axis, and the disc are the same
            // interval.
            parts[1] = Part {
                f: [f[0], 0.0],
                u: [u[0], 0.0],
                mu: contact.mu_torsional,
                rows: [Some(rows[0]), None],
                d: 0.0,
            };
            parts[2] = Part {
                f: [f[1], f[2]],
                u: [u[1], u[2]],
                mu: contact.mu_rolling,
                rows: [Some(rows[1]), Some(rows[2])],
                d: 0.0,
            };
        }
        parts
    }

    /// The larger diagonal of a part's rows.
    fn diagonal(&mut self, part: &Part) -> f64 {
        let rows = part.rows.into_iter().flatten();
        rows.fold(0.0, |most: f64, row| {
            most.max(self.scratch.diagonal(self.problem, row))
        })
    }

    /// Cone complementarity: the natural map `f - Proj_K(f - D^-1 u)` over the whole cone of the contact,
    /// in the metric D of the larger diagonals. Entry by entry it is the Signorini and the dissipation
    /// error; it keeps its scale however large mu is, where `u_n - mu |u_t|` does not.
    pub(super) fn convex(
        &mut self,
        c: usize,
        spin: Option<[RowId; 3]>,
        mut w: f64,
        slip: [f64; 2],
    ) {
        let d = self.scratch.diagonal(self.problem, RowId(3 * c));
        if d == 0.0 {
            return;
        }
        let f_n = self.solution.f_n[c];
        let mut parts = self.parts(c, spin, slip);
        for part in &mut parts {
            part.d = self.diagonal(part);
        }
        let mut discs = parts.map(|part| {
            let wanted = part.wanted();
            Disc {
                mu: part.mu,
                weight: part.d,
                radius: length(wanted),
            }
        });
        let slips = parts.iter().map(|p| p.mu * length(p.u));
        let de_saxce: f64 = slips.sum();
        let declared = self.solution.unmet[3 * c];
        if declared && w < de_saxce {
            // What presses parts as fast as its slip asks for.
            w = de_saxce + unmet(w - de_saxce, declared, &mut self.r);
        }
        let nearest = onto_cone(f_n - w / d, d, &mut discs);
        raise(&mut self.r.signorini, (f_n - nearest).abs() * d);
        let steep = parts.iter().map(|p| p.mu * p.mu).sum::<f64>();
        // How far the velocities lie outside the dual cone.
        let outside = (de_saxce - w) / (1.0 + steep).sqrt();
        raise(&mut self.r.penetration, outside.max(0.0));
        for part in parts {
            let inside = onto_disc(part.f, part.mu * f_n.max(0.0));
            raise(&mut self.r.cone, distance(part.f, inside) * part.d);
            let to = onto_disc(part.wanted(), part.mu * nearest);
            raise(&mut self.r.dissipation, distance(part.f, to) * part.d);
        }
    }

    /// Bound and dissipation of the friction impulses.
    pub(super) fn friction(
        &mut self,
        c: usize,
        spin: Option<[RowId; 3]>,
        law: Law,
        slip: [f64; 2],
    ) {
        let f_n = self.solution.f_n[c].max(0.0);
        let f = [self.solution.f_s[c], self.solution.f_t[c]];
        if f_n == 0.0 && f == [0.0; 2] && (spin.is_none() || self.solution.f_spin[c] == [0.0; 3]) {
            return;
        }
        let onto = |x, radius| match law {
            Law::Polygon(corners) => into_polygon(x, radius, corners),
            _ => onto_disc(x, radius),
        };
        let count = if spin.is_some() { 3 } else { 1 };
        if let Some(own) = self.rules.friction {
            self.own_friction(c, own, f_n, f, slip);
        }
        let known = usize::from(self.rules.friction.is_some());
        let parts = self.parts(c, spin, slip).into_iter();
        for mut part in parts.take(count).skip(known) {
            let radius = part.mu * f_n;
            let inside = onto(part.f, radius);
            // A projection brings no two points farther apart: where the bound holds, the map is no longer than
            // the velocity, and the diagonal need not be known where that changes nothing.
            let is_smaller = part.u[0] * part.u[0] + part.u[1] * part.u[1]
                <= self.r.dissipation * self.r.dissipation;
            if inside == part.f && is_smaller {
                continue;
            }
            part.d = self.diagonal(&part);
            if part.d > 0.0 {
                let nearest = onto(part.wanted(), radius);
                raise(&mut self.r.cone, distance(part.f, inside) * part.d);
                raise(&mut self.r.dissipation, distance(part.f, nearest) * part.d);
            }
        }
    }

    /// The natural map of a law of the caller's, `f - Proj(f - slip / D)`.
    fn own_friction(
        &mut self,
        c: usize,
        law: &dyn FrictionLaw,
        normal: f64,
        f: [f64; 2],
        slip: [f64; 2],
    ) {
        let contact = &self.problem.contacts()[c];
        let rows = [1, 2].map(|k| Some(RowId(3 * c + k)));
        let mut part = Part {
            f,
            u: slip,
            rows,
            ..Part::default()
        };
        part.d = self.diagonal(&part);
        let inside = law.project(contact, normal, slip, f);
        let nearest = law.project(contact, normal, slip, part.wanted());
        raise(&mut self.r.cone, distance(f, inside) * part.d);
        raise(&mut self.r.dissipation, distance(f, nearest) * part.d);
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
}

fn distance(a: [f64; 2], b: [f64; 2]) -> f64 {
    length([a[0] - b[0], a[1] - b[1]])
}
