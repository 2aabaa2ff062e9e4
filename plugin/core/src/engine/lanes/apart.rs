//! Units that act on other than free bodies, and contacts with spin: as the rows of the system are.

use super::number::Lanes;
use crate::engine::sweeps::step;
use crate::law::natural::{map, size};
use crate::law::{ConstraintBlock, by_width};
use crate::system::System;

/// A unit of the system.
#[derive(Clone, Copy, Debug)]
pub(super) struct Apart {
    unit: u32,
    /// First of its impulses.
    z: u32,
    width: u32,
    /// Roots of the weights.
    root: [f64; 6],
}

impl Apart {
    /// A unit whose impulses come next.
    pub(super) fn new<T: Lanes>(system: &System, i: usize, weight: &[f64], z: &mut Vec<T>) -> Self {
        let unit = &system.units[i];
        let mut own = Self {
            unit: i as u32,
            z: z.len() as u32,
            width: unit.width,
            root: [0.0; 6],
        };
        for (k, at) in unit.range().enumerate() {
            own.root[k] = weight[at].sqrt();
            z.push(T::of(system.z[at] * own.root[k]));
        }
        own
    }

    #[cfg(test)]
    pub(super) fn first(&self) -> u32 {
        self.z
    }

    fn unit<'a>(&self, system: &'a System) -> &'a ConstraintBlock {
        &system.units[self.unit as usize]
    }

    /// Its impulses as the system has them.
    fn impulses<const W: usize>(&self, z: &[f64]) -> [f64; W] {
        let z = &z[self.z as usize..];
        std::array::from_fn(|k| z[k] / self.root[k])
    }

    pub(super) fn is_empty<T: Lanes>(&self, z: &[T]) -> bool {
        let own = self.z as usize..(self.z + self.width) as usize;
        z[own].iter().all(|z| z.is_zero())
    }

    /// A call, so that others are visited in a small loop.
    #[inline(never)]
    pub(super) fn visit<T: Lanes>(&self, system: &System, z: &mut [T], v: &mut [T]) {
        let (Some(z), Some(v)) = (T::single_mut(z), T::single_mut(v)) else {
            return;
        };
        let unit = self.unit(system);
        by_width!(unit, W => {
            let old = self.impulses::<W>(z);
            let weight = self.root.map(|root| root * root);
            let change: [f64; W] = step(system, unit, &weight, old, v);
            if change != [0.0; W] {
                for (k, change) in change.into_iter().enumerate() {
                    z[self.z as usize + k] += change * self.root[k];
                }
                system.add(unit, change, v);
            }
        });
    }

    /// `v += R~^T f`.
    pub(super) fn add_to<T: Lanes>(&self, system: &System, z: &[T], v: &mut [T]) {
        if let (Some(z), Some(v)) = (T::single(z), T::single_mut(v)) {
            let unit = self.unit(system);
            by_width!(unit, W => system.add(unit, self.impulses::<W>(z), v));
        }
    }

    /// The size of its natural map [m/s].
    pub(super) fn left<T: Lanes>(&self, system: &System, z: &[T], v: &[T]) -> T {
        let (Some(z), Some(v)) = (T::single(z), T::single(v)) else {
            return T::ZERO;
        };
        let unit = self.unit(system);
        by_width!(unit, W => {
            let z = self.impulses::<W>(z);
            let u = system.velocity(unit, v, z[0]);
            T::of(size(&map(unit, &z, &u)))
        })
    }
}
