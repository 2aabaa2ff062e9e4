//! A contact of each of eight pairs of bodies, and what sweeps do with it.

use super::contact::Contact;
use super::eight::{Eight, LANES, Machine};
use crate::engine::kernel::Present;
use crate::law::coulomb::onto_disc_by;

/// Contacts of `B` free bodies each, a lane for each pair. Impulses are scaled by the roots of their weights, so that a visit is
/// `f' <- Proj(f' - u')`; the directions are those of the group.
#[derive(Clone, Copy, Debug)]
pub(super) struct Point<const B: usize> {
    /// What normal, s and t do to the whitened angular velocities of each body.
    pub(super) turns: [[[Eight; 3]; 3]; B],
    /// Added to the velocities.
    pub(super) b: [Eight; 3],
    /// Reciprocal roots of the weights, normal and tangential.
    pub(super) root: [Eight; 2],
    /// Compliance along the normal.
    pub(super) soft: Eight,
    /// Radius of the disc by the normal impulse.
    pub(super) mu: Eight,
}

impl<const B: usize> Point<B> {
    /// Lanes that are not used.
    pub(super) const EMPTY: Self = Self {
        turns: [[[Eight::ZERO; 3]; 3]; B],
        b: [Eight::ZERO; 3],
        root: [Eight::ZERO; 2],
        soft: Eight::ZERO,
        mu: Eight::ZERO,
    };

    /// Puts a contact into a lane.
    pub(super) fn put(&mut self, lane: usize, contact: &Contact) {
        for (to, from) in self.turns.iter_mut().zip(&contact.turns) {
            for (to, from) in to.iter_mut().zip(from) {
                put(to, lane, from);
            }
        }
        put(&mut self.b, lane, &contact.b);
        put(&mut self.root, lane, &contact.root);
        self.soft.0[lane] = contact.soft;
        self.mu.0[lane] = contact.bound;
    }
}

/// Puts numbers into a lane.
pub(super) fn put<const N: usize>(to: &mut [Eight; N], lane: usize, from: &[f32; N]) {
    for (to, x) in to.iter_mut().zip(from) {
        to.0[lane] = *x;
    }
}

/// What the residual of contacts takes, by part: normal and tangential; zero in lanes that are not used.
#[derive(Clone, Copy, Debug, Default)]
pub(super) struct Scale {
    /// Diagonals by roots of the weights: from scaled impulses to \[m/s\].
    pub(super) root: [Eight; 2],
    /// Weights by diagonals.
    pub(super) share: [Eight; 2],
}

impl Scale {
    /// Puts a contact into a lane.
    pub(super) fn put(&mut self, lane: usize, contact: &Contact) {
        let [root, share] = &contact.scale;
        put(&mut self.root, lane, root);
        put(&mut self.share, lane, share);
    }
}

/// Pairs of bodies that touch at consecutive points under the same three directions, in each lane.
#[derive(Clone, Debug)]
pub(super) struct Group<const B: usize> {
    /// Where the velocities of the bodies are.
    pub(super) bodies: [[u32; LANES]; B],
    pub(super) first: u32,
    pub(super) count: u32,
    /// First of its impulses.
    pub(super) z: u32,
    /// Normal, s and t.
    pub(super) directions: [[Eight; 3]; 3],
}

/// Velocities of the bodies of a group on their way.
struct Motion<const B: usize> {
    bodies: [[Eight; LANES]; B],
    /// Of the second body relative to the first.
    linear: [Eight; 3],
    angular: [[Eight; 3]; B],
    /// Linear impulse on the second body.
    sum: [Eight; 3],
    inv_mass: Eight,
}

impl<const B: usize> Group<B> {
    pub(super) fn points(&self) -> std::ops::Range<usize> {
        self.first as usize..(self.first + self.count) as usize
    }

    /// Its impulses in a list that begins at `start`.
    pub(super) fn impulses(&self, start: usize) -> std::ops::Range<usize> {
        let first = self.z as usize - start;
        first..first + 3 * self.count as usize
    }

    /// The velocities of its bodies, linear, reciprocal mass, angular, from a list that begins at `start`.
    #[inline(always)]
    fn gather(&self, m: impl Machine, v: &[Eight], start: usize) -> Motion<B> {
        let mut bodies = [[Eight::ZERO; LANES]; B];
        for (x, places) in bodies.iter_mut().zip(&self.bodies) {
            let mut rows = [Eight::ZERO; LANES];
            for (row, at) in rows.iter_mut().zip(places) {
                if let Some(x) = v.get(*at as usize - start) {
                    *row = *x;
                }
            }
            *x = m.transpose(rows);
        }
        let last = &bodies[B - 1];
        let (mut linear, mut inv_mass) = ([last[0], last[1], last[2]], last[3]);
        if B == 2 {
            for (to, from) in linear.iter_mut().zip(&bodies[0]) {
                *to = m.sub(*to, *from);
            }
            inv_mass = m.add(inv_mass, bodies[0][3]);
        }
        let mut angular = [[Eight::ZERO; 3]; B];
        for (to, x) in angular.iter_mut().zip(&bodies) {
            *to = [x[4], x[5], x[6]];
        }
        Motion {
            bodies,
            linear,
            angular,
            sum: [Eight::ZERO; 3],
            inv_mass,
        }
    }

    /// Writes velocities back; the first lane last, whose bodies lanes that are not used repeat.
    #[inline(always)]
    fn scatter(&self, m: impl Machine, motion: &Motion<B>, v: &mut [Eight], start: usize) {
        for (side, places) in self.bodies.iter().enumerate() {
            let x = &motion.bodies[side];
            let w = &motion.angular[side];
            let mut by = x[3];
            if B == 2 && side == 0 {
                by = m.sub(Eight::ZERO, by);
            }
            let mut columns = [Eight::ZERO; LANES];
            for k in 0..3 {
                columns[k] = m.mul_add(by, motion.sum[k], x[k]);
                columns[4 + k] = w[k];
            }
            columns[3] = x[3];
            let rows = m.transpose(columns);
            for lane in (0..LANES).rev() {
                if let Some(v) = v.get_mut(places[lane] as usize - start) {
                    *v = rows[lane];
                }
            }
        }
    }

    /// Steps the normal impulses, then the tangential ones onto the discs of the new ones, at the velocities before both.
    #[inline(always)]
    pub(super) fn visit<M: Machine>(
        &self,
        m: M,
        points: &[Point<B>],
        Present { z, v, from }: Present<'_, Eight>,
    ) {
        let mut motion = self.gather(m, v, from[1]);
        let mut has_changed = false;
        let (z, _) = z[self.impulses(from[0])].as_chunks_mut::<3>();
        for (point, z) in points[self.points()].iter().zip(z) {
            has_changed |= point.step(m, &self.directions, z, &mut motion);
        }
        if has_changed {
            self.scatter(m, &motion, v, from[1]);
        }
    }

    /// `v += R'^T f'`.
    #[inline(always)]
    pub(super) fn add_to<M: Machine>(
        &self,
        m: M,
        points: &[Point<B>],
        z: &[Eight],
        v: &mut [Eight],
    ) {
        let mut motion = self.gather(m, v, 0);
        let (z, _) = z[self.impulses(0)].as_chunks::<3>();
        for (point, z) in points[self.points()].iter().zip(z) {
            point.add(m, &self.directions, z, &mut motion);
        }
        self.scatter(m, &motion, v, 0);
    }

    /// The worst natural map of a lane \[m/s\].
    #[inline(always)]
    pub(super) fn left<M: Machine>(
        &self,
        m: M,
        points: &[Point<B>],
        scales: &[Scale],
        z: &[Eight],
        v: &[Eight],
    ) -> Eight {
        let motion = self.gather(m, v, 0);
        let (z, _) = z[self.impulses(0)].as_chunks::<3>();
        let points = points[self.points()].iter().zip(&scales[self.points()]);
        let (mut worst, mut finite) = (Eight::ZERO, Eight::ZERO);
        for ((point, scale), z) in points.zip(z) {
            let left = point.left(m, scale, &self.directions, z, &motion);
            worst = m.larger(left, worst);
            // A maximum drops NaN.
            finite = m.mul_add(left, Eight::ZERO, finite);
        }
        m.add(worst, finite)
    }
}

impl<const B: usize> Point<B> {
    /// Velocities of the rows from the `from`-th on, scaled.
    #[inline(always)]
    fn velocity<M: Machine>(
        &self,
        m: M,
        k: usize,
        direction: &[Eight; 3],
        motion: &Motion<B>,
    ) -> Eight {
        let along = m.dot(direction, &motion.linear);
        let mut u = m.mul_add(self.root[k.min(1)], along, self.b[k]);
        for (rows, w) in self.turns.iter().zip(&motion.angular) {
            u = m.add(u, m.dot(&rows[k], w));
        }
        u
    }

    #[inline(always)]
    fn step<M: Machine>(
        &self,
        m: M,
        directions: &[[Eight; 3]; 3],
        z: &mut [Eight; 3],
        motion: &mut Motion<B>,
    ) -> bool {
        let u_n = self.velocity(m, 0, &directions[0], motion);
        let u_n = m.mul_add(self.soft, z[0], u_n);
        let to = m.larger(m.sub(z[0], u_n), Eight::ZERO);
        let most = m.larger(m.size(z[1]), m.size(z[2]));
        if m.is_zero(m.larger(m.larger(m.size(z[0]), to), most)) {
            return false;
        }
        let y = [
            m.sub(z[1], self.velocity(m, 1, &directions[1], motion)),
            m.sub(z[2], self.velocity(m, 2, &directions[2], motion)),
        ];
        let [s, t] = onto_disc_by(m, y, m.mul(self.mu, to));
        let next = [to, s, t];
        let change = [
            m.sub(next[0], z[0]),
            m.sub(next[1], z[1]),
            m.sub(next[2], z[2]),
        ];
        *z = next;
        self.push(m, &change, motion);
        for k in 0..3 {
            let by = self.linear(m, directions, &change, k);
            motion.linear[k] = m.mul_add(motion.inv_mass, by, motion.linear[k]);
            motion.sum[k] = m.add(motion.sum[k], by);
        }
        true
    }

    /// The angular part of impulses.
    #[inline(always)]
    fn push<M: Machine>(&self, m: M, f: &[Eight; 3], motion: &mut Motion<B>) {
        for (rows, w) in self.turns.iter().zip(&mut motion.angular) {
            for (row, f) in rows.iter().zip(f) {
                for (w, row) in w.iter_mut().zip(row) {
                    *w = m.mul_add(*f, *row, *w);
                }
            }
        }
    }

    /// Coordinate `k` of the linear part of impulses.
    #[inline(always)]
    fn linear<M: Machine>(
        &self,
        m: M,
        directions: &[[Eight; 3]; 3],
        f: &[Eight; 3],
        k: usize,
    ) -> Eight {
        let n = m.mul(m.mul(f[0], self.root[0]), directions[0][k]);
        let s = m.mul_add(m.mul(f[1], self.root[1]), directions[1][k], n);
        m.mul_add(m.mul(f[2], self.root[1]), directions[2][k], s)
    }

    #[inline(always)]
    fn add<M: Machine>(
        &self,
        m: M,
        directions: &[[Eight; 3]; 3],
        z: &[Eight; 3],
        motion: &mut Motion<B>,
    ) {
        self.push(m, z, motion);
        for k in 0..3 {
            motion.sum[k] = m.add(motion.sum[k], self.linear(m, directions, z, k));
        }
    }

    /// The size of the natural map in the metric of the diagonals.
    #[inline(always)]
    fn left<M: Machine>(
        &self,
        m: M,
        scale: &Scale,
        directions: &[[Eight; 3]; 3],
        z: &[Eight; 3],
        motion: &Motion<B>,
    ) -> Eight {
        let u_n = self.velocity(m, 0, &directions[0], motion);
        let u_n = m.mul_add(self.soft, z[0], u_n);
        let u_s = self.velocity(m, 1, &directions[1], motion);
        let u_t = self.velocity(m, 2, &directions[2], motion);
        // Distances to the sets that the law allows, as impulses.
        let [by_n, by_t] = scale.share;
        let normal = m.smaller(z[0], m.mul(u_n, by_n));
        let y = [m.sub(z[1], m.mul(u_s, by_t)), m.sub(z[2], m.mul(u_t, by_t))];
        let bound = m.mul(self.mu, m.larger(z[0], Eight::ZERO));
        let [s, t] = onto_disc_by(m, y, bound);
        let (a, b) = (m.sub(z[1], s), m.sub(z[2], t));
        let slip = m.root(m.mul_add(a, a, m.mul(b, b)));
        m.larger(
            m.mul(scale.root[0], m.size(normal)),
            m.mul(scale.root[1], slip),
        )
    }
}
