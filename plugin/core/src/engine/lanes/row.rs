//! Single rows: frictionless contacts, held tangents, limits, drives.

use super::kind::Packed;
use super::number::Lanes;
use super::{Rows, add, dot, whitened};
use crate::law::bounds;

/// Rows on `B` free bodies each, whose impulses lie between two bounds.
#[derive(Clone, Copy, Debug)]
pub(super) struct Row<T, const B: usize> {
    rows: [[[T; 6]; 1]; B],
    bounds: [T; 2],
    soft: T,
    b: T,
}

/// What the residual of rows takes.
#[derive(Clone, Copy, Debug)]
pub(super) struct RowScale<T> {
    /// Roots of the weights: from scaled velocities to [m/s].
    root: T,
    /// Diagonals by weights.
    share: T,
}

impl<T: Lanes> Default for RowScale<T> {
    fn default() -> Self {
        Self {
            root: T::ZERO,
            share: T::ZERO,
        }
    }
}

impl<T: Lanes, const B: usize> Row<T, B> {
    #[inline(always)]
    fn velocity(&self, z: T, x: &[[T; 6]; B]) -> T {
        let mut u = self.b + self.soft * z;
        for ([row], x) in self.rows.iter().zip(x) {
            u += dot(row, x);
        }
        u
    }
}

impl<T: Lanes, const B: usize> Packed<T, B> for Row<T, B> {
    const WIDTH: usize = 1;
    const EMPTY: Self = Self {
        rows: [[[T::ZERO; 6]; 1]; B],
        bounds: [T::ZERO; 2],
        soft: T::ZERO,
        b: T::ZERO,
    };

    type Scale = RowScale<T>;

    fn put(&mut self, scale: &mut Self::Scale, lane: usize, rows: Rows<'_>) {
        let Rows { unit, weight, .. } = rows;
        let root = weight[0].sqrt();
        whitened(&mut self.rows, lane, rows, [root]);
        for (to, bound) in self.bounds.iter_mut().zip(bounds::of(unit.law)) {
            to.set(lane, bound * root);
        }
        self.soft.set(lane, unit.soft / weight[0]);
        self.b.set(lane, unit.b[0] / root);
        scale.root.set(lane, root);
        scale.share.set(lane, unit.d[0] / weight[0]);
    }

    /// Steps the impulses, `f' = clamp(f - u)` in scaled numbers.
    #[inline(always)]
    fn step(&self, z: &mut [T], x: &mut [[T; 6]; B]) -> bool {
        let [z] = z else {
            return false;
        };
        let to = bounds::clamped(*z - self.velocity(*z, x), self.bounds);
        let change = to - *z;
        if change.is_zero() {
            return false;
        }
        *z = to;
        for (rows, x) in self.rows.iter().zip(x) {
            add(x, &[change], rows);
        }
        true
    }

    fn add(&self, z: &[T], x: &mut [[T; 6]; B]) {
        if let Ok(z) = z.try_into() {
            for (rows, x) in self.rows.iter().zip(x) {
                add::<T, 1>(x, z, rows);
            }
        }
    }

    /// `d (f - clamp(f - u / d))`.
    #[inline(always)]
    fn left(&self, scale: &Self::Scale, z: &[T], x: &[[T; 6]; B]) -> T {
        let [z] = *z else {
            return T::ZERO;
        };
        let u = self.velocity(z, x);
        scale.root * bounds::natural(z, u, scale.share, self.bounds).size()
    }
}
