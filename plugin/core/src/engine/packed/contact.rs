//! A contact under the exact law or the convex one.

use super::{Acts, dot, six, six_mut};
use crate::law::{Law, PART, Unit, worse};
use crate::system::System;

/// A contact of `B` free bodies with its normal, s and t rows.
#[derive(Clone, Copy, Debug)]
pub(super) struct Contact<const B: usize> {
    pub(super) acts: Acts<B, 3>,
    /// First of its impulses.
    pub(super) z: u32,
    mu: f64,
    soft: f64,
    b: [f64; 3],
    /// Reciprocal weights of the normal and the tangential step.
    step: [f64; 2],
    /// Diagonals of the normal and the tangential rows, as the residual takes them.
    d: [f64; 2],
    /// [`Unit::pull`] by the weights and by the diagonals, under the convex law.
    pull: Option<[[f64; 2]; 2]>,
}

impl<const B: usize> Contact<B> {
    pub(super) fn pack(system: &System, unit: &Unit, weight: &[f64]) -> Option<Self> {
        if !matches!(unit.law, Law::Cone | Law::Convex) || unit.width != 3 {
            return None;
        }
        let (at, rows) = system.bodies(unit)?;
        let d = [unit.d[0], unit.d[PART[1]]];
        Some(Self {
            acts: Acts { at, rows },
            z: unit.at,
            mu: unit.mu[0],
            soft: unit.soft,
            b: [unit.b[0], unit.b[1], unit.b[2]],
            step: [1.0 / weight[0], 1.0 / weight[1]],
            d,
            pull: (unit.law == Law::Convex)
                .then(|| [[weight[0], weight[1]], d].map(|w| unit.pull(w))),
        })
    }

    /// Steps the normal impulse, then the tangential ones onto the disc of the new one, at the velocities
    /// before both: `f' = Proj(f - W^-1 u)`. Under the convex law sliding pulls the normal impulse along. Impulses and
    /// velocities begin at `start`.
    #[inline(always)]
    pub(super) fn visit(&self, (z, v): (&mut [f64], &mut [f64]), start: [usize; 2]) {
        let at = self.z as usize - start[0];
        let Some([n, s, t]) = z.get_mut(at..at + 3) else {
            return;
        };
        let starts = self.acts.at.map(|at| at as usize - start[1]);
        let rows = &self.acts.rows;
        let mut u = self.b;
        u[0] += self.soft * *n;
        for k in 0..B {
            let Some(v) = six_mut(v, starts[k]) else {
                return;
            };
            u[0] += dot(&rows[k][0], v);
        }
        if self.pull.is_none() && *n == 0.0 && u[0] >= 0.0 && *s == 0.0 && *t == 0.0 {
            return;
        }
        for k in 0..B {
            let Some(v) = six_mut(v, starts[k]) else {
                return;
            };
            u[1] += dot(&rows[k][1], v);
            u[2] += dot(&rows[k][2], v);
        }
        let y_n = *n - u[0] * self.step[0];
        let mut to = y_n.max(0.0);
        let mut way = [*s - u[1] * self.step[1], *t - u[2] * self.step[1]];
        let square = way[0] * way[0] + way[1] * way[1];
        if let Some([[a, b], _]) = self.pull {
            to = to.max(a * y_n + b * square.sqrt());
        }
        let bound = self.mu * to;
        if square > bound * bound {
            way = shortened(way, square, bound);
        }
        let change = [to - *n, way[0] - *s, way[1] - *t];
        if self.pull.is_some() && change == [0.0; 3] {
            return;
        }
        (*n, *s, *t) = (to, way[0], way[1]);
        for k in 0..B {
            let Some(v) = six_mut(v, starts[k]) else {
                return;
            };
            let [rn, rs, rt] = &rows[k];
            for j in 0..6 {
                v[j] += (change[0] * rn[j] + change[1] * rs[j]) + change[2] * rt[j];
            }
        }
    }

    /// The size of its natural map.
    #[inline(always)]
    pub(super) fn left(&self, (z, v): (&[f64], &[f64])) -> f64 {
        let at = self.z as usize;
        let Some([n, s, t]) = z.get(at..at + 3) else {
            return 0.0;
        };
        let mut u = self.b;
        u[0] += self.soft * n;
        for (rows, at) in self.acts.rows.iter().zip(self.acts.at) {
            let Some(v) = six(v, at as usize) else {
                return 0.0;
            };
            for k in 0..3 {
                u[k] += dot(&rows[k], v);
            }
        }
        let [d_n, d_t] = self.d;
        let mut normal = (n * d_n).min(u[0]).abs();
        if self.pull.is_none() && *n == 0.0 && *s == 0.0 && *t == 0.0 {
            return normal;
        }
        let y = [s - u[1] / d_t, t - u[2] / d_t];
        let square = y[0] * y[0] + y[1] * y[1];
        let mut held = n.max(0.0);
        if let Some([_, [a, b]]) = self.pull {
            let y_n = n - u[0] / d_n;
            held = y_n.max(a * y_n + b * square.sqrt()).max(0.0);
            normal = d_n * (n - held).abs();
        }
        let bound = self.mu * held;
        let nearest = match square > bound * bound {
            true => shortened(y, square, bound),
            false => y,
        };
        let [a, b] = [s - nearest[0], t - nearest[1]];
        worse(normal, d_t * (a * a + b * b).sqrt())
    }
}

/// A vector of this square at the length of its bound. A call, so that what sticks does not wait for root and quotient:
/// each visit waits for the last one's.
#[inline(never)]
fn shortened(way: [f64; 2], square: f64, bound: f64) -> [f64; 2] {
    let share = bound / square.sqrt();
    way.map(|x| x * share)
}
