//! A single row: a frictionless contact, a held tangent, a limit, a drive.

use super::{Acts, dot, six, six_mut};
use crate::law::{Law, Unit};
use crate::system::System;

/// A row on `B` free bodies whose impulse lies between two bounds.
#[derive(Clone, Copy, Debug)]
pub(super) struct Row<const B: usize> {
    pub(super) acts: Acts<B, 1>,
    /// Its impulse.
    pub(super) z: u32,
    bounds: [f64; 2],
    soft: f64,
    b: f64,
    /// Reciprocal weight of the step.
    step: f64,
    /// Its diagonal, as the residual takes it.
    d: f64,
}

impl<const B: usize> Row<B> {
    pub(super) fn pack(system: &System, unit: &Unit, weight: &[f64]) -> Option<Self> {
        let bounds = match unit.law {
            Law::Half => [0.0, f64::INFINITY],
            Law::Box(limit) => [-limit, limit],
            Law::Free => [-f64::INFINITY, f64::INFINITY],
            Law::Cone | Law::Convex => return None,
        };
        let (at, rows) = system.bodies(unit)?;
        Some(Self {
            acts: Acts { at, rows },
            z: unit.at,
            bounds,
            soft: unit.soft,
            b: unit.b[0],
            step: 1.0 / weight[0],
            d: unit.d[0],
        })
    }

    #[inline(always)]
    fn velocity(&self, v: &[f64], starts: [usize; B], z: f64) -> Option<f64> {
        let mut u = self.b + self.soft * z;
        for ([row], at) in self.acts.rows.iter().zip(starts) {
            u += dot(row, six(v, at)?);
        }
        Some(u)
    }

    /// Steps the impulse, `f' = clamp(f - u / w)`. Impulses and velocities begin at `start`.
    #[inline(always)]
    pub(super) fn visit(&self, (z, v): (&mut [f64], &mut [f64]), start: [usize; 2]) {
        let Some(z) = z.get_mut(self.z as usize - start[0]) else {
            return;
        };
        let starts = self.acts.at.map(|at| at as usize - start[1]);
        let Some(u) = self.velocity(v, starts, *z) else {
            return;
        };
        let [low, high] = self.bounds;
        let to = (*z - u * self.step).max(low).min(high);
        let change = to - *z;
        if change == 0.0 {
            return;
        }
        *z = to;
        for ([row], at) in self.acts.rows.iter().zip(starts) {
            let Some(v) = six_mut(v, at) else { return };
            for (v, r) in v.iter_mut().zip(row) {
                *v += change * r;
            }
        }
    }

    /// The size of its natural map, `d (f - clamp(f - u / d))`.
    #[inline(always)]
    pub(super) fn left(&self, (z, v): (&[f64], &[f64])) -> f64 {
        let Some(&z) = z.get(self.z as usize) else {
            return 0.0;
        };
        let Some(u) = self.velocity(v, self.acts.at.map(|at| at as usize), z) else {
            return 0.0;
        };
        if u.is_nan() {
            return u;
        }
        let [most, least] = self.bounds.map(|bound| (z - bound) * self.d);
        u.max(least).min(most).abs()
    }
}
