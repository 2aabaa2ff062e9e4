//! Contacts under the exact law or the convex one.

use super::kind::Packed;
use super::number::Lanes;
use super::{Rows, add, dot, whitened};
use crate::law::{Law, PART, complementarity, coulomb};

/// Contacts of `B` free bodies each, with their normal, s and t rows.
#[derive(Clone, Copy, Debug)]
pub(super) struct Contact<T, const B: usize> {
    rows: [[[T; 6]; 3]; B],
    mu: T,
    soft: T,
    b: [T; 3],
    /// Whether any of them is under the convex law.
    is_convex: bool,
    /// [`crate::law::ConstraintBlock::pull`] in scaled numbers; zero under the exact law.
    pull: [T; 2],
}

/// What the residual of contacts takes, by part: normal and tangential.
#[derive(Clone, Copy, Debug)]
pub(super) struct ContactScale<T> {
    /// Roots of the weights: from scaled velocities to [m/s].
    root: [T; 2],
    /// Diagonals by weights.
    share: [T; 2],
    /// [`crate::law::ConstraintBlock::pull`] by the diagonals.
    pull: [T; 2],
}

impl<T: Lanes> Default for ContactScale<T> {
    /// Of lanes that are not used, whose rows are zero.
    fn default() -> Self {
        Self {
            root: [T::ZERO; 2],
            share: [T::ONE; 2],
            pull: [T::ZERO; 2],
        }
    }
}

impl<T: Lanes, const B: usize> Packed<T, B> for Contact<T, B> {
    const WIDTH: usize = 3;
    const EMPTY: Self = Self {
        rows: [[[T::ZERO; 6]; 3]; B],
        mu: T::ZERO,
        soft: T::ZERO,
        b: [T::ZERO; 3],
        is_convex: false,
        pull: [T::ZERO; 2],
    };

    type Scale = ContactScale<T>;

    fn put(&mut self, scale: &mut Self::Scale, lane: usize, rows: Rows<'_>) {
        let Rows { unit, weight, .. } = rows;
        let root = [weight[0], weight[1], weight[1]].map(f64::sqrt);
        whitened(&mut self.rows, lane, rows, root);
        let turn = root[1] / root[0];
        self.mu.set(lane, unit.mu[0] * turn);
        self.soft.set(lane, unit.soft / weight[0]);
        for (to, (b, root)) in self.b.iter_mut().zip(unit.b.iter().zip(root)) {
            to.set(lane, b / root);
        }
        for k in 0..2 {
            scale.root[k].set(lane, root[k]);
            scale.share[k].set(lane, unit.d[PART[k]] / weight[k]);
        }
        if unit.law == Law::Convex {
            self.is_convex = true;
            let by_weight = unit.pull([weight[0], weight[1]]);
            let by_diagonal = unit.pull([unit.d[0], unit.d[1]]);
            for (to, pull) in [(&mut self.pull, by_weight), (&mut scale.pull, by_diagonal)] {
                to[0].set(lane, pull[0]);
                // From a tangential impulse to a normal one.
                to[1].set(lane, pull[1] / turn);
            }
        }
    }

    /// Steps the normal impulses, then the tangential ones onto the discs of the new ones, at the velocities
    /// before both: `f' = Proj(f - u)` in scaled numbers. Under the convex law sliding pulls the normal impulse along.
    #[inline(always)]
    fn step(&self, z: &mut [T], x: &mut [[T; 6]; B]) -> bool {
        let [n, s, t] = z else {
            return false;
        };
        let mut u_n = self.b[0] + self.soft * *n;
        for (rows, x) in self.rows.iter().zip(&*x) {
            u_n += dot(&rows[0], x);
        }
        let asked = (T::ZERO - u_n).larger(T::ZERO);
        if !self.is_convex && (n.size() + s.size() + t.size() + asked).is_zero() {
            return false;
        }
        let mut u = [self.b[1], self.b[2]];
        for (rows, x) in self.rows.iter().zip(&*x) {
            u[0] += dot(&rows[1], x);
            u[1] += dot(&rows[2], x);
        }
        let y_n = *n - u_n;
        let mut to = y_n.larger(T::ZERO);
        let y = [*s - u[0], *t - u[1]];
        if self.is_convex {
            to = to.larger(complementarity::pulled(self.pull, y_n, y));
        }
        let way = coulomb::onto_disc(y, self.mu * to);
        let change = [to - *n, way[0] - *s, way[1] - *t];
        if self.is_convex && change.iter().all(|x| x.is_zero()) {
            return false;
        }
        (*n, *s, *t) = (to, way[0], way[1]);
        for (rows, x) in self.rows.iter().zip(x) {
            add(x, &change, rows);
        }
        true
    }

    fn add(&self, z: &[T], x: &mut [[T; 6]; B]) {
        if let Ok(z) = z.try_into() {
            for (rows, x) in self.rows.iter().zip(x) {
                add::<T, 3>(x, z, rows);
            }
        }
    }

    #[inline(always)]
    fn left(&self, scale: &Self::Scale, z: &[T], x: &[[T; 6]; B]) -> T {
        let [n, s, t] = *z else {
            return T::ZERO;
        };
        let mut u = self.b;
        u[0] += self.soft * n;
        for (rows, x) in self.rows.iter().zip(x) {
            for (u, row) in u.iter_mut().zip(rows) {
                *u += dot(row, x);
            }
        }
        let [d_n, d_t] = scale.share;
        let y = [s - u[1] / d_t, t - u[2] / d_t];
        let mut normal = (n * d_n).smaller(u[0]);
        let mut held = n.larger(T::ZERO);
        if self.is_convex {
            let y_n = n - u[0] / d_n;
            let to = y_n
                .larger(T::ZERO)
                .larger(complementarity::pulled(scale.pull, y_n, y));
            let convex = scale.pull[0];
            normal = convex.pick(d_n * (n - to), normal);
            held = convex.pick(to, held);
        }
        let nearest = coulomb::onto_disc(y, self.mu * held);
        let [a, b] = [s - nearest[0], t - nearest[1]];
        let slip = scale.root[1] * d_t * (a * a + b * b).root();
        // `u` in the sum: a maximum drops NaN.
        (scale.root[0] * normal.size()).larger(slip) + T::ZERO * (u[0] + u[1] + u[2])
    }
}
