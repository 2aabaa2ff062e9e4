//! Contact points that detection loses although nothing moved.
//!
//! The clipping of two faces decides by the sign of products that are zero when edges coincide, so
//! exactly aligned boxes lose two or all of their four corners at tilts of 1e-13, and a box on two
//! diagonal corners tips until they return. Points are therefore remembered in the axes of both colliders.
//! While their relative pose stays within [`DRIFT`], a manifold that comes back with fewer points gets
//! the remembered ones, their gaps measured anew from both surfaces.

use crate::base::contact::ContactPoint;
use crate::base::convert::isometry;
use crate::base::surface::Surface;
use nalgebra::{Isometry3, Point3, Vector3};
use rapier::prelude::*;
use std::collections::HashMap;

/// Relative motion up to which remembered points stand for the present ones [m and rad]: far above
/// round-off, far below what moves a contact by a visible amount.
const DRIFT: f64 = 1e-6;

/// Most points of one manifold that are remembered.
const MOST: usize = 4;

/// A memory of less than this is never searched for what is stale.
const FEW: usize = 256;

#[derive(Clone, Copy, Debug)]
#[cfg_attr(
    feature = "serde-serialize",
    derive(serde::Serialize, serde::Deserialize)
)]
struct Remembered {
    /// The point on each collider, in its axes.
    local: [Point3<f64>; 2],
    surfaces: [Surface; 2],
    key: u64,
}

/// The points of one manifold when it was last complete.
#[derive(Clone, Copy, Debug)]
#[cfg_attr(
    feature = "serde-serialize",
    derive(serde::Serialize, serde::Deserialize)
)]
struct Manifold {
    colliders: [ColliderHandle; 2],
    number: usize,
    /// Pose of the second collider in the first.
    relative: Isometry3<f64>,
    points: [Remembered; MOST],
    count: usize,
    /// Normal in the first collider's axes.
    normal: Vector3<f64>,
    /// Bodies and material.
    pattern: ContactPoint,
    /// The step in which it was last seen.
    step: u64,
}

/// What a manifold is remembered by: its pair and its number in it.
type Place = ([(u32, u32); 2], usize);

fn place(pair: [ColliderHandle; 2], number: usize) -> Place {
    (pair.map(ColliderHandle::into_raw_parts), number)
}

/// Remembered manifolds, in the order of detection; kept from step to step.
///
/// What is not asked for stays: a pair that sleeps costs nothing. What has gone stale is dropped once the
/// memory has grown to twice its size.
#[derive(Debug, Default)]
#[cfg_attr(
    feature = "serde-serialize",
    derive(serde::Serialize, serde::Deserialize)
)]
pub(crate) struct Memory {
    manifolds: Vec<Manifold>,
    /// How many there were after what is stale was last dropped.
    cleared_at: usize,
    /// Number of the step.
    step: u64,
    /// Where each manifold stands.
    #[cfg_attr(feature = "serde-serialize", serde(skip))]
    index: HashMap<Place, usize>,
    /// Where the next manifold stands if detection keeps its order.
    #[cfg_attr(feature = "serde-serialize", serde(skip))]
    next: usize,
}

impl Memory {
    /// Starts a step. `sleeps` tells whether a pair is not looked at although it is there. O(1), and now
    /// and then O(remembered manifolds).
    pub(crate) fn begin(&mut self, sleeps: impl Fn([ColliderHandle; 2]) -> bool) {
        self.step += 1;
        self.next = 0;
        if self.manifolds.len() > 2 * self.cleared_at + FEW {
            let last = self.step - 1;
            self.manifolds
                .retain(|m| m.step == last || sleeps(m.colliders));
            self.cleared_at = self.manifolds.len();
            self.index.clear();
        }
        if self.index.len() != self.manifolds.len() {
            let places = self.manifolds.iter().map(|m| place(m.colliders, m.number));
            self.index.extend(places.zip(0..));
        }
    }

    /// Completes the points of one manifold, `out[from..]`.
    pub(crate) fn complete(
        &mut self,
        colliders: &ColliderSet,
        pair: [ColliderHandle; 2],
        number: usize,
        out: &mut Vec<ContactPoint>,
        from: usize,
    ) {
        let count = out.len() - from;
        let known = self.find(pair, number);
        let before = known.map(|at| &self.manifolds[at]);
        if count > MOST || before.is_none_or(|b| b.count < 3) && count < 3 {
            return;
        }
        let [Some(a), Some(b)] = pair.map(|h| colliders.get(h)) else {
            return;
        };
        if !(a.active_hooks() | b.active_hooks()).is_empty() {
            // A hook may have taken points away on purpose.
            return;
        }
        let [a, b] = [isometry(a.position()), isometry(b.position())];
        let relative = a.inv_mul(&b);
        if let Some(before) = before.filter(|before| is_near(&before.relative, &relative)) {
            // As many points may still be the wrong ones: a corner twice.
            let wider = spread(out[from..].iter().map(|p| p.points[0]))
                > 1.001 * spread(before.points().iter().map(|p| p.local[0]));
            if count < before.count || (count == before.count && !wider) {
                before.restore([&a, &b], out, from);
                if let Some(at) = known {
                    self.manifolds[at].step = self.step;
                }
                return;
            }
        } else if count < 3 {
            return;
        }
        let new = Manifold::of([&a, &b], relative, pair, number, &out[from..]);
        let Some(mut new) = new else { return };
        new.step = self.step;
        match known {
            Some(at) => self.manifolds[at] = new,
            None => {
                self.index.insert(place(pair, number), self.manifolds.len());
                self.manifolds.push(new);
            }
        }
    }

    /// Where a manifold stands. O(1).
    fn find(&mut self, pair: [ColliderHandle; 2], number: usize) -> Option<usize> {
        let is = |m: &Manifold| m.colliders == pair && m.number == number;
        let at = if self.manifolds.get(self.next).is_some_and(is) {
            self.next
        } else {
            *self.index.get(&place(pair, number))?
        };
        self.next = at + 1;
        Some(at)
    }
}

/// Sum of the squared distances of points from their mean.
fn spread(points: impl Iterator<Item = Point3<f64>> + Clone) -> f64 {
    let count = points.clone().count().max(1) as f64;
    let sum: Vector3<f64> = points.clone().map(|p| p.coords).sum();
    let mean = sum / count;
    points.map(|p| (p.coords - mean).norm_squared()).sum()
}

fn is_near(a: &Isometry3<f64>, b: &Isometry3<f64>) -> bool {
    let shift = (a.translation.vector - b.translation.vector).norm_squared();
    // The imaginary part of the relative quaternion is the sine of half its angle.
    let turn = (a.rotation.inverse() * b.rotation).imag().norm_squared();
    shift < DRIFT * DRIFT && 4.0 * turn < DRIFT * DRIFT
}

impl Manifold {
    fn of(
        poses: [&Isometry3<f64>; 2],
        relative: Isometry3<f64>,
        colliders: [ColliderHandle; 2],
        number: usize,
        points: &[ContactPoint],
    ) -> Option<Self> {
        let pattern = *points.first()?;
        let nothing = Remembered {
            local: [Point3::origin(); 2],
            surfaces: [Surface::Unknown; 2],
            key: 0,
        };
        let mut manifold = Self {
            colliders,
            number,
            relative,
            points: [nothing; MOST],
            count: points.len().min(MOST),
            normal: poses[0].rotation.inverse() * pattern.normal,
            pattern,
            step: 0,
        };
        for (slot, point) in manifold.points.iter_mut().zip(points) {
            let [a, b] = poses;
            slot.local = [
                a.inverse_transform_point(&point.points[0]),
                b.inverse_transform_point(&point.points[1]),
            ];
            slot.surfaces = point.surfaces;
            slot.key = point.key;
        }
        Some(manifold)
    }

    fn points(&self) -> &[Remembered] {
        &self.points[..self.count.min(MOST)]
    }

    /// Puts the remembered points in place of those of `out[from..]`; normal and material stay.
    fn restore(&self, poses: [&Isometry3<f64>; 2], out: &mut Vec<ContactPoint>, from: usize) {
        let pattern = out.get(from).copied().unwrap_or(ContactPoint {
            normal: poses[0].rotation * self.normal,
            ..self.pattern
        });
        out.truncate(from);
        out.extend(self.points().iter().map(|point| ContactPoint {
            points: [poses[0] * point.local[0], poses[1] * point.local[1]],
            surfaces: point.surfaces,
            key: point.key,
            ..pattern
        }));
    }
}

#[cfg(test)]
mod tests;
