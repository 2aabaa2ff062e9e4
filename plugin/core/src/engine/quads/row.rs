//! Four single rows: frictionless contacts, held tangents, limits, drives.

use super::{Acts, Lane, ZERO, add, dot};
use crate::law::{Law, Unit};
use crate::system::System;
use wide::f32x4;

/// Rows on `B` free bodies each, whose impulses lie between two bounds.
#[derive(Clone, Copy, Debug)]
pub(super) struct Row<const B: usize> {
    acts: Acts<B, 1>,
    /// Their impulses.
    pub(super) z: u32,
    bounds: [f32x4; 2],
    soft: f32x4,
    b: f32x4,
}

/// What the residual of four rows takes.
#[derive(Clone, Copy, Debug, Default)]
pub(super) struct RowScale {
    /// Roots of the weights: from scaled velocities to [m/s].
    root: f32x4,
    /// Diagonals by weights.
    share: f32x4,
}

impl<const B: usize> Row<B> {
    pub(super) fn empty(z: u32) -> Self {
        Self {
            acts: Acts::EMPTY,
            z,
            bounds: [ZERO; 2],
            soft: ZERO,
            b: ZERO,
        }
    }

    /// Puts a row into a lane; its impulse is scaled by the root of its weight.
    pub(super) fn put(
        &mut self,
        scale: &mut RowScale,
        lane: usize,
        (system, unit, weight): (&System, &Unit, &[f64]),
    ) {
        let root = weight[0].sqrt();
        self.acts.put(lane, system, unit, [root]);
        let bounds = match unit.law {
            Law::Half => [0.0, f64::INFINITY],
            Law::Box(limit) => [-limit * root, limit * root],
            _ => [f64::NEG_INFINITY, f64::INFINITY],
        };
        for (to, bound) in self.bounds.iter_mut().zip(bounds) {
            to.set(lane, bound);
        }
        self.soft.set(lane, unit.soft / weight[0]);
        self.b.set(lane, unit.b[0] / root);
        scale.root.set(lane, root);
        scale.share.set(lane, unit.d[0] / weight[0]);
    }

    #[inline(always)]
    fn velocity(&self, x: &[[f32x4; 6]; B], z: f32x4) -> f32x4 {
        let mut u = self.b + self.soft * z;
        for ([row], x) in self.acts.rows.iter().zip(x) {
            u += dot(row, x);
        }
        u
    }

    /// Steps the impulses, `f' = clamp(f - u)` in scaled numbers.
    #[inline(always)]
    pub(super) fn visit(&self, (z, v): (&mut [f32x4], &mut [f32x4]), start: [usize; 2]) {
        let Some(z) = z.get_mut(self.z as usize - start[0]) else {
            return;
        };
        let Some(mut x) = self.acts.gather(v, start[1]) else {
            return;
        };
        let [low, high] = self.bounds;
        let to = (*z - self.velocity(&x, *z)).fast_max(low).fast_min(high);
        let change = to - *z;
        if change == ZERO {
            return;
        }
        *z = to;
        for (rows, x) in self.acts.rows.iter().zip(&mut x) {
            add(x, &[change], rows);
        }
        self.acts.scatter(&x, v, start[1]);
    }

    pub(super) fn add_to(&self, z: &[f32x4], v: &mut [f32x4]) {
        self.acts.add(&[z[self.z as usize]], v);
    }

    /// The sizes of their natural maps [m/s], `d (f - clamp(f - u / d))`.
    #[inline(always)]
    pub(super) fn left(&self, scale: &RowScale, (z, v): (&[f32x4], &[f32x4])) -> Option<f32x4> {
        let z = *z.get(self.z as usize)?;
        let u = self.velocity(&self.acts.gather(v, 0)?, z);
        let [most, least] = self.bounds.map(|bound| (z - bound) * scale.share);
        Some(scale.root * u.fast_max(least).fast_min(most).abs() + ZERO * u)
    }
}
