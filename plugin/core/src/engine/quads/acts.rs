//! What four units act on, side by side.

use super::{LANES, Lane, ZERO};
use crate::law::Unit;
use crate::system::System;
use wide::f32x4;

/// Where the velocities of `B` free bodies of each lane are, and `K` rows on each.
#[derive(Clone, Copy, Debug)]
pub(super) struct Acts<const B: usize, const K: usize> {
    /// First of the two numbers of each body. A lane that is not used has the bodies of the first one and no rows.
    at: [[u32; LANES]; B],
    pub(super) rows: [[[f32x4; 6]; K]; B],
}

impl<const B: usize, const K: usize> Acts<B, K> {
    pub(super) const EMPTY: Self = Self {
        at: [[0; LANES]; B],
        rows: [[[ZERO; 6]; K]; B],
    };

    /// Puts a unit's rows, divided by `root`, into a lane.
    pub(super) fn put(&mut self, lane: usize, system: &System, unit: &Unit, root: [f64; K]) {
        let Some((starts, rows)) = system.bodies::<B, K>(unit) else {
            return;
        };
        let scale = root.map(|root| 1.0 / root);
        for b in 0..B {
            let at = starts[b] / 6 * 2;
            match lane {
                0 => self.at[b] = [at; LANES],
                _ => self.at[b][lane] = at,
            }
            for k in 0..K {
                for (to, x) in self.rows[b][k].iter_mut().zip(rows[b][k]) {
                    to.set(lane, x * scale[k]);
                }
            }
        }
    }

    /// The velocities of the bodies, which begin at `start`, coordinate by coordinate.
    #[inline(always)]
    pub(super) fn gather(&self, v: &[f32x4], start: usize) -> Option<[[f32x4; 6]; B]> {
        let mut out = [[ZERO; 6]; B];
        for (x, at) in out.iter_mut().zip(&self.at) {
            let mut halves = [[ZERO; LANES]; 2];
            for (lane, at) in at.iter().enumerate() {
                let at = *at as usize - start;
                let [a, b] = v.get(at..at + 2)?.try_into().ok()?;
                (halves[0][lane], halves[1][lane]) = (a, b);
            }
            let [a, b] = halves.map(f32x4::transpose);
            *x = [a[0], a[1], a[2], a[3], b[0], b[1]];
        }
        Some(out)
    }

    /// Writes velocities back; the first lane last, which others that are not used repeat.
    #[inline(always)]
    pub(super) fn scatter(&self, x: &[[f32x4; 6]; B], v: &mut [f32x4], start: usize) {
        for (x, at) in x.iter().zip(&self.at) {
            let a = f32x4::transpose([x[0], x[1], x[2], x[3]]);
            let b = f32x4::transpose([x[4], x[5], ZERO, ZERO]);
            for lane in (0..LANES).rev() {
                let at = at[lane] as usize - start;
                if let Some(v) = v.get_mut(at..at + 2) {
                    v.copy_from_slice(&[a[lane], b[lane]]);
                }
            }
        }
    }

    /// `v += R'^T f'`.
    pub(super) fn add(&self, z: &[f32x4; K], v: &mut [f32x4]) {
        if z.iter().all(|z| *z == ZERO) {
            return;
        }
        if let Some(mut x) = self.gather(v, 0) {
            for (x, rows) in x.iter_mut().zip(&self.rows) {
                add(x, z, rows);
            }
            self.scatter(&x, v, 0);
        }
    }
}

/// Products of rows and velocities, in as few steps that wait for each other as there are.
#[inline(always)]
pub(super) fn dot(a: &[f32x4; 6], b: &[f32x4; 6]) -> f32x4 {
    (a[0] * b[0] + a[1] * b[1]) + (a[2] * b[2] + a[3] * b[3]) + (a[4] * b[4] + a[5] * b[5])
}

/// `x += rows^T change`.
#[inline(always)]
pub(super) fn add<const K: usize>(x: &mut [f32x4; 6], change: &[f32x4; K], rows: &[[f32x4; 6]; K]) {
    for (j, x) in x.iter_mut().enumerate() {
        let mut sum = change[0] * rows[0][j];
        for k in 1..K {
            sum += change[k] * rows[k][j];
        }
        *x += sum;
    }
}
