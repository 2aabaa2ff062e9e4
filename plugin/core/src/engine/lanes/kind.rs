//! Groups of units of one kind.

use super::Rows;
use super::number::Lanes;
use crate::engine::kernel::Present;
use crate::law::ConstraintBlock;
use crate::system::System;
use std::ops::Range;

/// A unit of each lane that acts on `B` free bodies.
pub(super) trait Packed<T: Lanes, const B: usize>: Copy {
    /// Impulses of a unit.
    const WIDTH: usize;
    /// Lanes that are not used: rows without entries.
    const EMPTY: Self;

    /// What its residual takes.
    type Scale: Copy + Default;

    /// Puts a unit of the system into a lane; its impulses are scaled by the roots of their weights.
    fn put(&mut self, scale: &mut Self::Scale, lane: usize, rows: Rows<'_>);

    /// Steps the impulses against the velocities `x` of the bodies, which follow. Whether any changed.
    fn step(&self, z: &mut [T], x: &mut [[T; 6]; B]) -> bool;

    /// `x += R'^T f'`.
    fn add(&self, z: &[T], x: &mut [[T; 6]; B]);

    /// The sizes of the natural maps [m/s].
    fn left(&self, scale: &Self::Scale, z: &[T], x: &[[T; 6]; B]) -> T;
}

/// Consecutive units on the same bodies, in each lane.
#[derive(Clone, Debug)]
struct Group<T: Lanes, const B: usize> {
    places: [T::Places; B],
    units: Range<u32>,
    /// First of their impulses.
    z: u32,
}

/// Groups of one kind; memory is reused.
#[derive(Clone, Debug)]
pub(super) struct Kind<T: Lanes, U: Packed<T, B>, const B: usize> {
    groups: Vec<Group<T, B>>,
    units: Vec<U>,
    scales: Vec<U::Scale>,
}

impl<T: Lanes, U: Packed<T, B>, const B: usize> Default for Kind<T, U, B> {
    fn default() -> Self {
        Self {
            groups: Vec::new(),
            units: Vec::new(),
            scales: Vec::new(),
        }
    }
}

impl<T: Lanes, U: Packed<T, B>, const B: usize> Kind<T, U, B> {
    /// Empties it, with room for so many units: which of them share a group changes from solve to solve.
    pub(super) fn clear(&mut self, units: usize) {
        self.groups.clear();
        self.units.clear();
        self.scales.clear();
        self.groups.reserve(units);
        self.units.reserve(units);
        self.scales.reserve(units);
    }

    /// Begins a group whose impulses come next; returns its index.
    pub(super) fn begin(&mut self, z: usize) -> u32 {
        let unit = self.units.len() as u32;
        self.groups.push(Group {
            places: [T::NOWHERE; B],
            units: unit..unit,
            z: z as u32,
        });
        self.groups.len() as u32 - 1
    }

    /// Puts a lane of consecutive units into the group that was begun last; returns their first impulse.
    pub(super) fn put(
        &mut self,
        lane: usize,
        system: &System,
        units: &[ConstraintBlock],
        weight: &[f64],
        z: &mut Vec<T>,
    ) -> u32 {
        let Some(group) = self.groups.last_mut() else {
            return 0;
        };
        if let Some(starts) = units
            .first()
            .and_then(|unit| system.body_offsets::<B>(unit))
        {
            for (places, start) in group.places.iter_mut().zip(starts) {
                let at = start * T::PER_SIX as u32 / 6;
                match lane {
                    // A lane that is not used has the bodies of the first one and no rows.
                    0 => places.as_mut().fill(at),
                    _ => places.as_mut()[lane] = at,
                }
            }
        }
        for (k, unit) in units.iter().enumerate() {
            let at = group.units.start as usize + k;
            if at == self.units.len() {
                self.units.push(U::EMPTY);
                self.scales.push(U::Scale::default());
                group.units.end += 1;
                z.resize(z.len() + U::WIDTH, T::ZERO);
            }
            let weight = &weight[unit.range()];
            self.units[at].put(
                &mut self.scales[at],
                lane,
                Rows {
                    system,
                    unit,
                    weight,
                },
            );
            let first = group.z as usize + k * U::WIDTH;
            let own = system.z[unit.range()].iter().zip(weight);
            for (z, (f, w)) in z[first..].iter_mut().zip(own) {
                z.set(lane, f * w.sqrt());
            }
        }
        group.z
    }

    /// First impulse of a group.
    #[cfg(test)]
    pub(super) fn first(&self, k: u32) -> u32 {
        self.groups[k as usize].z
    }

    /// Steps the units of a group one after another.
    #[inline(always)]
    pub(super) fn visit(&self, k: u32, Present { z, v, from }: Present<'_, T>) {
        let Some(group) = self.groups.get(k as usize) else {
            return;
        };
        let Some(mut x) = group.gather(v, from[1]) else {
            return;
        };
        let units = &self.units[group.units.start as usize..group.units.end as usize];
        let first = group.z as usize - from[0];
        let impulses = z[first..].chunks_exact_mut(U::WIDTH);
        let mut has_changed = false;
        for (unit, z) in units.iter().zip(impulses) {
            has_changed |= unit.step(z, &mut x);
        }
        if has_changed {
            group.scatter(&x, v, from[1]);
        }
    }

    /// Whether no unit of a group has an impulse.
    pub(super) fn is_empty(&self, k: u32, z: &[T], start: usize) -> bool {
        let group = &self.groups[k as usize];
        let first = group.z as usize - start;
        let count = group.units.len() * U::WIDTH;
        z[first..first + count].iter().all(|z| z.is_zero())
    }

    /// `v += R'^T f'`.
    pub(super) fn add_to(&self, k: u32, z: &[T], v: &mut [T]) {
        if self.is_empty(k, z, 0) {
            return;
        }
        let group = &self.groups[k as usize];
        if let Some(mut x) = group.gather(v, 0) {
            let units = &self.units[group.units.start as usize..group.units.end as usize];
            let impulses = z[group.z as usize..].chunks_exact(U::WIDTH);
            for (unit, z) in units.iter().zip(impulses) {
                unit.add(z, &mut x);
            }
            group.scatter(&x, v, 0);
        }
    }

    /// The worst natural map of a group [m/s].
    pub(super) fn left(&self, k: u32, z: &[T], v: &[T]) -> T {
        let group = &self.groups[k as usize];
        let Some(x) = group.gather(v, 0) else {
            return T::ZERO;
        };
        let range = group.units.start as usize..group.units.end as usize;
        let units = self.units[range.clone()].iter().zip(&self.scales[range]);
        let impulses = z[group.z as usize..].chunks_exact(U::WIDTH);
        let mut worst = T::ZERO;
        for ((unit, scale), z) in units.zip(impulses) {
            let left = unit.left(scale, z, &x);
            // A maximum drops NaN.
            worst = worst.larger(left) + T::ZERO * left;
        }
        worst
    }
}

impl<T: Lanes, const B: usize> Group<T, B> {
    #[inline(always)]
    fn gather(&self, v: &[T], start: usize) -> Option<[[T; 6]; B]> {
        let mut x = [[T::ZERO; 6]; B];
        for (x, places) in x.iter_mut().zip(&self.places) {
            *x = T::gather(v, places, start)?;
        }
        Some(x)
    }

    #[inline(always)]
    fn scatter(&self, x: &[[T; 6]; B], v: &mut [T], start: usize) {
        for (x, places) in x.iter().zip(&self.places) {
            T::scatter(x, v, places, start);
        }
    }
}
