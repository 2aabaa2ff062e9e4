//! The equations of a step: what the units whose impulses move obey, and their proximal weights.

use crate::law::linear::Linear;
use crate::law::{ConstraintBlock, PART};
use crate::system::System;

/// The proximal weight of an impulse of a unit.
pub(super) fn weight(unit: &ConstraintBlock, k: usize, eps: f64) -> f64 {
    unit.proximal_weight * eps * unit.d[PART[k]]
}

/// A unit whose impulses move, and the first row of its equations among those of all.
#[derive(Clone, Copy, Debug, PartialEq)]
pub(super) struct Moving {
    pub(super) unit: u32,
    pub(super) at: u32,
    /// Where the numbers of its equations begin.
    pub(super) own: u32,
}

/// The equations of a step.
pub(super) struct Equations<'a> {
    pub(super) moving: &'a [Moving],
    /// Their numbers ([`Linear::put`]).
    pub(super) own: &'a [f64],
    /// Velocities of all impulses before the fixed ones were set.
    pub(super) u: &'a [f64],
    pub(super) centre: &'a [f64],
    pub(super) eps: f64,
}

impl Equations<'_> {
    /// Impulses that move.
    pub(super) fn rows(&self, system: &System) -> usize {
        let last = self.moving.last();
        last.map_or(0, |last| {
            (last.at + system.units[last.unit as usize].width) as usize
        })
    }

    /// The equations of a unit.
    pub(super) fn of<const W: usize>(&self, moving: &Moving) -> Linear<W> {
        Linear::get(&self.own[moving.own as usize..])
    }

    /// What impulse k of a unit adds to its own velocity besides what it does to bodies.
    pub(super) fn own(&self, unit: &ConstraintBlock, k: usize) -> f64 {
        let soft = if k == 0 { unit.soft } else { 0.0 };
        soft + weight(unit, k, self.eps)
    }

    /// The right-hand side of a unit, `r - H du`.
    pub(super) fn right<const W: usize>(
        &self,
        system: &System,
        unit: &ConstraintBlock,
        own: &Linear<W>,
    ) -> [f64; W] {
        let (z, before, centre) = (
            unit.of::<W>(&system.z),
            unit.of::<W>(self.u),
            unit.of::<W>(self.centre),
        );
        let mut du: [f64; W] = system.velocity(unit, &system.v, z[0]);
        for k in 0..W {
            du[k] += weight(unit, k, self.eps) * (z[k] - centre[k]) - before[k];
        }
        let mut right = own.r;
        for (right, row) in right.iter_mut().zip(&own.h) {
            *right -= row.iter().zip(&du).map(|(h, du)| h * du).sum::<f64>();
        }
        right
    }
}
