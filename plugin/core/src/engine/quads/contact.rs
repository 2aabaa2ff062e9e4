//! Four contacts under the exact law or the convex one.

use super::{Acts, Lane, ZERO, add, dot};
use crate::law::{Law, PART, Unit};
use crate::system::System;
use wide::f32x4;

const ONE: f32x4 = f32x4::splat(1.0);

/// Contacts of `B` free bodies each, with their normal, s and t rows.
#[derive(Clone, Copy, Debug)]
pub(super) struct Contact<const B: usize> {
    acts: Acts<B, 3>,
    /// First of their impulses.
    pub(super) z: u32,
    mu: f32x4,
    soft: f32x4,
    b: [f32x4; 3],
    /// Whether any of them is under the convex law.
    is_convex: bool,
    /// [`Unit::pull`] in scaled numbers; zero under the exact law.
    pull: [f32x4; 2],
}

/// What the residual of four contacts takes, by part: normal and tangential.
#[derive(Clone, Copy, Debug)]
pub(super) struct ContactScale {
    /// Roots of the weights: from scaled velocities to [m/s].
    root: [f32x4; 2],
    /// Diagonals by weights.
    share: [f32x4; 2],
    /// [`Unit::pull`] by the diagonals.
    pull: [f32x4; 2],
}

impl Default for ContactScale {
    /// Of lanes that are not used, whose rows are zero.
    fn default() -> Self {
        Self {
            root: [ZERO; 2],
            share: [ONE; 2],
            pull: [ZERO; 2],
        }
    }
}

impl<const B: usize> Contact<B> {
    pub(super) fn empty(z: u32) -> Self {
        Self {
            acts: Acts::EMPTY,
            z,
            mu: ZERO,
            soft: ZERO,
            b: [ZERO; 3],
            is_convex: false,
            pull: [ZERO; 2],
        }
    }

    /// Puts a contact into a lane; its impulses are scaled by the roots of their weights.
    pub(super) fn put(
        &mut self,
        scale: &mut ContactScale,
        lane: usize,
        (system, unit, weight): (&System, &Unit, &[f64]),
    ) {
        let root = [weight[0], weight[1], weight[1]].map(f64::sqrt);
        self.acts.put(lane, system, unit, root);
        let set = |to: &mut f32x4, x: f64| to.set(lane, x);
        let turn = root[1] / root[0];
        set(&mut self.mu, unit.mu[0] * turn);
        set(&mut self.soft, unit.soft / weight[0]);
        for (to, (b, root)) in self.b.iter_mut().zip(unit.b.iter().zip(root)) {
            set(to, b / root);
        }
        for k in 0..2 {
            set(&mut scale.root[k], root[k]);
            set(&mut scale.share[k], unit.d[PART[k]] / weight[k]);
        }
        if unit.law == Law::Convex {
            self.is_convex = true;
            let by_weight = unit.pull([weight[0], weight[1]]);
            let by_diagonal = unit.pull([unit.d[0], unit.d[1]]);
            for (to, pull) in [(&mut self.pull, by_weight), (&mut scale.pull, by_diagonal)] {
                set(&mut to[0], pull[0]);
                // From a tangential impulse to a normal one.
                set(&mut to[1], pull[1] / turn);
            }
        }
    }

    /// Steps the normal impulses, then the tangential ones onto the discs of the new ones, at the velocities
    /// before both: `f' = Proj(f - u)` in scaled numbers. Under the convex law sliding pulls the normal impulse along.
    #[inline(always)]
    pub(super) fn visit(&self, (z, v): (&mut [f32x4], &mut [f32x4]), start: [usize; 2]) {
        let at = self.z as usize - start[0];
        let Some([n, s, t]) = z.get_mut(at..at + 3) else {
            return;
        };
        let Some(mut x) = self.acts.gather(v, start[1]) else {
            return;
        };
        let rows = &self.acts.rows;
        let mut u_n = self.b[0] + self.soft * *n;
        for (rows, x) in rows.iter().zip(&x) {
            u_n += dot(&rows[0], x);
        }
        let asked = (ZERO - u_n).fast_max(ZERO);
        if !self.is_convex && (n.abs() + s.abs() + t.abs() + asked).simd_eq(ZERO).all() {
            return;
        }
        let mut u = [self.b[1], self.b[2]];
        for (rows, x) in rows.iter().zip(&x) {
            u[0] += dot(&rows[1], x);
            u[1] += dot(&rows[2], x);
        }
        let y_n = *n - u_n;
        let mut to = y_n.fast_max(ZERO);
        let y = [*s - u[0], *t - u[1]];
        if self.is_convex {
            to = to.fast_max(pulled(self.pull, y_n, y));
        }
        let way = onto_disc(y, self.mu * to);
        let change = [to - *n, way[0] - *s, way[1] - *t];
        if self.is_convex && change == [ZERO; 3] {
            return;
        }
        (*n, *s, *t) = (to, way[0], way[1]);
        for (rows, x) in rows.iter().zip(&mut x) {
            add(x, &change, rows);
        }
        self.acts.scatter(&x, v, start[1]);
    }

    pub(super) fn add_to(&self, z: &[f32x4], v: &mut [f32x4]) {
        let at = self.z as usize;
        if let Ok(z) = z[at..at + 3].try_into() {
            self.acts.add(z, v);
        }
    }

    /// The sizes of their natural maps [m/s].
    #[inline(always)]
    pub(super) fn left(&self, scale: &ContactScale, (z, v): (&[f32x4], &[f32x4])) -> Option<f32x4> {
        let at = self.z as usize;
        let [n, s, t] = *z.get(at..at + 3)? else {
            return None;
        };
        let x = self.acts.gather(v, 0)?;
        let mut u = self.b;
        u[0] += self.soft * n;
        for (rows, x) in self.acts.rows.iter().zip(&x) {
            for (u, row) in u.iter_mut().zip(rows) {
                *u += dot(row, x);
            }
        }
        let d = scale.share[1];
        let y = [s - u[1] / d, t - u[2] / d];
        let mut normal = (n * scale.share[0]).fast_min(u[0]);
        let mut held = n.fast_max(ZERO);
        if self.is_convex {
            let y_n = n - u[0] / scale.share[0];
            let to = y_n.fast_max(ZERO).fast_max(pulled(scale.pull, y_n, y));
            let convex = scale.pull[0].simd_gt(ZERO);
            normal = convex.select(scale.share[0] * (n - to), normal);
            held = convex.select(to, held);
        }
        let normal = scale.root[0] * normal.abs();
        let nearest = onto_disc(y, self.mu * held);
        let [a, b] = [s - nearest[0], t - nearest[1]];
        let slip = scale.root[1] * d * (a * a + b * b).sqrt();
        // `u` in the sum: a maximum drops what is no number.
        Some(normal.fast_max(slip) + ZERO * (u[0] + u[1] + u[2]))
    }
}

/// The normal impulse of the nearest point of a convex cone where friction slides, and no more than the own one where it
/// sticks: `a y_n + b |y_t|`.
#[inline(always)]
fn pulled([a, b]: [f32x4; 2], y_n: f32x4, y_t: [f32x4; 2]) -> f32x4 {
    a * y_n + b * (y_t[0] * y_t[0] + y_t[1] * y_t[1]).sqrt()
}

/// Vectors no longer than their bounds.
#[inline(always)]
fn onto_disc([a, b]: [f32x4; 2], bound: f32x4) -> [f32x4; 2] {
    const TINY: f32x4 = f32x4::splat(f32::MIN_POSITIVE);
    let length = (a * a + b * b).fast_max(TINY).sqrt();
    let share = (bound / length).fast_min(ONE);
    [a * share, b * share]
}
