//! A share of an island's units and a step of the accelerated gradient on it.
//!
//! A large island is parted into as many lanes whatever the number of threads, and what they add to the velocity is
//! summed in their order: any sharing gives the same bits.

use crate::law::natural::{CALM, count_calm, map, size};
use crate::law::project::{projected, weighted};
use crate::law::{PART, Unit, by_width, worse};
use crate::system::System;
use std::ops::Range;

/// Lanes of a large island.
const LANES: usize = 8;
/// Units of a lane from which on parting pays: a step on so many takes several times what waking a thread does.
const PAYS: usize = 500;

/// What a step from y did.
#[derive(Clone, Copy, Debug, Default)]
pub(super) struct Tried {
    /// `|f - y|^2` in the metric of the units' own weights.
    pub(super) moved: f64,
    /// `(f - y)^T D (f - y)`.
    pub(super) curved: f64,
    /// `g . (f - z)` for the gradient g at y and the impulses z before the step: above zero it leads uphill.
    pub(super) turn: f64,
}

/// A share of the units; all memory is reused.
#[derive(Clone, Debug, Default)]
pub(super) struct Lane {
    units: Range<usize>,
    /// Of its units those that are stepped: the others have no impulse and want none.
    awake: Vec<u32>,
    /// At how many tests in a row each had no impulse and wanted none.
    calm: Vec<u8>,
    /// Where the impulses of its units are in the system's list.
    entries: Range<usize>,
    /// Present impulses.
    z: Vec<f64>,
    /// Extrapolated ones.
    y: Vec<f64>,
    /// Velocities of the units at y.
    gradient: Vec<f64>,
    /// The impulses after the step.
    next: Vec<f64>,
    best: Vec<f64>,
    /// Coordinates the units act on.
    span: Range<usize>,
    /// `sum R~^T next` there; without meaning elsewhere.
    v: Vec<f64>,
    /// What the last step did.
    pub(super) tried: Tried,
    /// Largest natural map at the last test [m/s].
    pub(super) left: f64,
}

/// As many lanes as a system is worth.
pub(super) fn wanted(system: &System) -> usize {
    (system.units.len() / PAYS).clamp(1, LANES)
}

/// Parts the units of a system among as many lanes as it is worth, which take its impulses; the others keep their
/// memory for a larger island.
pub(super) fn part<'a>(lanes: &'a mut Vec<Lane>, system: &System) -> &'a mut [Lane] {
    let count = system.units.len();
    let wanted = wanted(system);
    if lanes.len() < wanted {
        lanes.resize_with(wanted, Lane::default);
    }
    let lanes = &mut lanes[..wanted];
    for (k, lane) in lanes.iter_mut().enumerate() {
        lane.begin(system, count * k / wanted..count * (k + 1) / wanted);
    }
    lanes
}

impl Lane {
    fn begin(&mut self, system: &System, units: Range<usize>) {
        let own = &system.units[units.clone()];
        self.entries = match (own.first(), own.last()) {
            (Some(first), Some(last)) => first.range().start..last.range().end,
            _ => 0..0,
        };
        let z = &system.z[self.entries.clone()];
        for list in [&mut self.z, &mut self.y, &mut self.best] {
            list.clear();
            list.extend_from_slice(z);
        }
        for list in [&mut self.gradient, &mut self.next] {
            list.clear();
            list.resize(z.len(), 0.0);
        }
        self.calm.clear();
        self.calm.resize(own.len(), 0);
        self.span = system.span(own);
        self.v.resize(system.v_free.len(), 0.0);
        self.units = units;
    }

    /// Where a unit's impulses are in the lane's lists.
    fn place(&self, unit: &Unit) -> Range<usize> {
        let Range { start, end } = unit.range();
        start - self.entries.start..end - self.entries.start
    }

    /// The largest natural map of the convex law at the velocity `v` of the present impulses, into `left`; finds out
    /// which units are left out until the next test.
    pub(super) fn test(&mut self, system: &System, v: &[f64]) {
        self.left = 0.0;
        self.awake.clear();
        for i in self.units.clone() {
            let unit = &system.units[i];
            let place = self.place(unit);
            let z = &self.z[place.clone()];
            let left = by_width!(unit, W => {
                let z: [f64; W] = std::array::from_fn(|k| z[k]);
                let u = system.velocity(unit, v, z[0]);
                size(&map(unit, (&z, &u)))
            });
            self.left = worse(self.left, left);
            let rests = [z, &self.y[place.clone()]]
                .iter()
                .all(|list| list.iter().all(|x| *x == 0.0));
            let calm = &mut self.calm[i - self.units.start];
            count_calm(calm, rests && left == 0.0);
            if *calm < CALM {
                self.awake.push(i as u32);
            } else {
                self.next[place].fill(0.0);
            }
        }
    }

    /// Remembers the present impulses as the best so far.
    pub(super) fn keep(&mut self) {
        self.best.clone_from(&self.z);
    }

    /// Writes the best impulses to the system's list.
    pub(super) fn give(&self, z: &mut [f64]) {
        z[self.entries.clone()].copy_from_slice(&self.best);
    }

    /// A step against the gradient at y, where the velocity is `v_y`; the gradient is evaluated on the way unless
    /// it is `known`. One pass over the rows.
    pub(super) fn step(&mut self, system: &System, v_y: &[f64], (step, known): (f64, bool)) {
        self.v[self.span.clone()].fill(0.0);
        self.tried = Tried::default();
        for k in 0..self.awake.len() {
            let unit = &system.units[self.awake[k] as usize];
            by_width!(unit, W => self.step_unit::<W>((system, v_y), unit, (step, known)));
        }
    }

    #[inline]
    fn step_unit<const W: usize>(
        &mut self,
        (system, v_y): (&System, &[f64]),
        unit: &Unit,
        (step, known): (f64, bool),
    ) {
        let place = self.place(unit);
        let own = |list: &[f64]| -> [f64; W] {
            let own = &list[place.clone()];
            std::array::from_fn(|k| own[k])
        };
        let y = own(&self.y);
        let u = match known {
            true => own(&self.gradient),
            false => system.velocity(unit, v_y, y[0]),
        };
        self.gradient[place.clone()].copy_from_slice(&u);
        let to: [f64; W] = std::array::from_fn(|k| y[k] - step * u[k] / unit.weight[PART[k]]);
        let next = projected(unit, &to);
        let change: [f64; W] = std::array::from_fn(|k| next[k] - y[k]);
        self.tried.moved += weighted(unit, &change);
        self.tried.curved += unit.soft * change[0] * change[0];
        let way = next.iter().zip(own(&self.z));
        self.tried.turn += u
            .iter()
            .zip(way)
            .map(|(u, (next, z))| u * (next - z))
            .sum::<f64>();
        self.next[place].copy_from_slice(&next);
        if next != [0.0; W] {
            system.add(unit, next, &mut self.v);
        }
    }

    /// Adds the velocity that the stepped impulses make to a piece of the velocities that begins at `first`.
    pub(super) fn add_to(&self, piece: &mut [f64], first: usize) {
        let start = self.span.start.clamp(first, first + piece.len());
        let end = self.span.end.clamp(start, first + piece.len());
        for (v, own) in piece[start - first..end - first]
            .iter_mut()
            .zip(&self.v[start..end])
        {
            *v += own;
        }
    }

    /// Takes the step, and extrapolates by `beta` of it.
    pub(super) fn accept(&mut self, system: &System, beta: f64) {
        for &i in &self.awake {
            for k in self.place(&system.units[i as usize]) {
                self.y[k] = self.next[k] + beta * (self.next[k] - self.z[k]);
            }
        }
        std::mem::swap(&mut self.z, &mut self.next);
    }
}
