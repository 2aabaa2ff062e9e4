//! Projected sweeps over the contacts, matrix-free: the accelerated symmetric ones, and those of the
//! literature without acceleration [TA].

use super::momentum::{AcceleratedGaussSeidel, Present, SweepKernel};
use super::packed::Packed;
use super::quads::Quads;
use super::shares::{Share, Shares};
use super::{Ended, Goal};
use crate::law::project::allowed;
use crate::law::{Law, PART, Unit};
use crate::settings::Sweep;
use crate::system::System;
use crate::tolerances::{BETWEEN_TESTS, FIRST_TESTS, FOURS_PAY, SINGLE, SINGLE_MADE, WITHIN};
use std::ops::Range;
use wide::f32x4;

/// Memory of the sweeps.
#[derive(Clone, Debug, Default)]
pub(crate) struct Sweeps {
    packed: Packed,
    quads: Quads,
    shares: Shares,
    /// Step weight of every impulse.
    weight: Vec<f64>,
    exact: AcceleratedGaussSeidel<f64>,
    quick: AcceleratedGaussSeidel<f32x4>,
}

/// Which way a sweep goes.
#[derive(Clone, Copy, Debug)]
enum Way {
    Forward,
    Backward,
}

impl Sweeps {
    /// Accelerated symmetric sweeps from the impulses present ([`AcceleratedGaussSeidel::run`]); ends with the best ones found. The weights
    /// W majorise a contact's own block;
    /// the normal weight grows by `1 + mu^2` for the exact law, whose normal impulse moves the bound of the
    /// friction that the same visit sets (mu = 2 goes round without).
    pub(crate) fn accelerated(&mut self, system: &mut System, goal: Goal) -> Ended {
        self.weigh(system, Steep::ByLaw);
        if !self.is_single(system, goal.tolerance) {
            return self.double(system, goal);
        }
        let ended = self.single(system, goal);
        let rest = goal.most - ended.iterations;
        if ended.residual <= goal.tolerance || rest == 0 {
            return ended;
        }
        // What its own residual did not tell: its impulses have grown.
        let goal = Goal { most: rest, ..goal };
        let double = self.double(system, goal);
        Ended {
            iterations: ended.iterations + double.iterations,
            ..double
        }
    }

    /// Whether single precision, four visits at a time, is good enough for a tolerance and pays: round-off is relative to
    /// the velocities that the impulses make one by one, which in jointed structures and what is squeezed cancel out.
    fn is_single(&mut self, system: &System, tolerance: f64) -> bool {
        if system.units.len() < FOURS_PAY {
            return false;
        }
        let impulses = system.z.iter().zip(&self.weight);
        let made = impulses.fold(0.0, |most: f64, (z, w)| most.max((z * w).abs()));
        let asked = system.units.iter().map(|unit| unit.b[0].abs());
        let asked = asked.fold(system.speed - 1.0, f64::max);
        let packed = (system, &self.weight[..]);
        (SINGLE * asked).max(SINGLE_MADE * made) <= tolerance * system.speed
            && (self.quads).pack(packed, &mut self.shares, &mut self.quick.z)
    }

    /// In single precision, four visits at a time.
    fn single(&mut self, system: &mut System, goal: Goal) -> Ended {
        let tolerance = WITHIN * goal.tolerance;
        let goal = Goal { tolerance, ..goal };
        let ended = (self.quick).run((&self.quads, &self.shares), (goal, system.speed));
        self.quads.give(&self.quick.best, &self.weight, system);
        if !system.project_to_bounds() {
            system.refresh();
        }
        Ended {
            residual: system.residual(),
            ..ended
        }
    }

    /// In double precision, one visit after another.
    fn double(&mut self, system: &mut System, goal: Goal) -> Ended {
        self.packed.pack(system, &self.weight);
        self.part(system);
        self.sort(system);
        self.exact.z.clone_from(&system.z);
        let kernel = Double {
            packed: &self.packed,
            system,
            weight: &self.weight,
        };
        let ended = (self.exact).run((&kernel, &self.shares), (goal, system.speed));
        system.z.clone_from(&self.exact.best);
        system.refresh();
        ended
    }

    /// Parts the units of a large island of free bodies: rows of joints and trees are swept one after another.
    fn part(&mut self, system: &System) {
        let units = &system.units;
        let is_free = |unit: &Unit| system.reach(unit).is_some();
        if !system.is_large() || !self.packed.is_whole() || !units.iter().all(is_free) {
            self.shares.whole(units.len());
            return;
        }
        let reach = |i: usize| system.reach(&units[i]).unwrap_or_default();
        self.shares.part(units.len(), reach);
        let first = |share: &mut Share| share.from[0] = units[share.units.start].at as usize;
        self.shares.each(first);
    }

    /// Visits the idle units of each share after the others.
    fn sort(&mut self, system: &System) {
        let packed = &mut self.packed;
        (self.shares).each(|share| packed.sort(system, share.units.clone()));
    }

    /// The weights of all impulses.
    fn weigh(&mut self, system: &System, steep: Steep) {
        self.weight.clear();
        for unit in &system.units {
            let steep = match (unit.law, steep) {
                (Law::Cone, Steep::ByLaw) => 1.0 + unit.mu.iter().map(|mu| mu * mu).sum::<f64>(),
                _ => 1.0,
            };
            let weights = PART.iter().map(|&part| unit.weight[part]);
            let from = self.weight.len();
            self.weight.extend(weights.take(unit.width as usize));
            self.weight[from] *= steep;
        }
    }
}

/// Whether the normal weight grows with friction.
#[derive(Clone, Copy, Debug, PartialEq)]
enum Steep {
    ByLaw,
    No,
}

/// How units are visited.
#[derive(Clone, Copy, Debug)]
struct Visit<'a> {
    /// Step weight of every impulse.
    weight: &'a [f64],
    /// Share of the projected step that is taken.
    lambda: f64,
}

/// One visit of every contact and row.
fn sweep(system: &mut System, visit: Visit<'_>, way: Way) {
    let mut v = std::mem::take(&mut system.v);
    let mut z = std::mem::take(&mut system.z);
    let count = system.units.len();
    for i in 0..count {
        let i = match way {
            Way::Forward => i,
            Way::Backward => count - 1 - i,
        };
        visit.unit(system, i, (&mut z, &mut v));
    }
    system.v = v;
    system.z = z;
}

impl Visit<'_> {
    /// A contact without impulse whose normal velocity wants none is left at that.
    #[inline]
    fn unit(&self, system: &System, i: usize, (z, v): (&mut [f64], &mut [f64])) {
        let unit = &system.units[i];
        match unit.width {
            1 => self.row(system, unit, z, v),
            3 => self.contact::<3>(system, unit, z, v),
            _ => self.contact::<6>(system, unit, z, v),
        }
    }

    #[inline]
    fn row(&self, system: &System, unit: &Unit, z: &mut [f64], v: &mut [f64]) {
        let at = unit.at as usize;
        let old = z[at];
        let y = old - system.normal_velocity(unit, v, old) / self.weight[at];
        let new = match unit.law {
            Law::Half => y.max(0.0),
            Law::Box(limit) => y.clamp(-limit, limit),
            _ => y,
        };
        let step = self.lambda * (new - old);
        if step != 0.0 {
            z[at] = old + step;
            system.add(unit, [step], v);
        }
    }

    #[inline]
    fn contact<const W: usize>(&self, system: &System, unit: &Unit, z: &mut [f64], v: &mut [f64]) {
        let old = unit.of::<W>(z);
        // The convex law may want a contact that slides to press although it parts.
        let parts = unit.law == Law::Cone && old == [0.0; W];
        if parts && system.normal_velocity(unit, v, 0.0) >= 0.0 {
            return;
        }
        let u: [f64; W] = system.velocity(unit, v, old[0]);
        let mut y = old;
        for (k, w) in self.weight[unit.range()].iter().enumerate() {
            y[k] -= u[k] / w;
        }
        let new = allowed(unit, &y);
        let step: [f64; W] = std::array::from_fn(|k| self.lambda * (new[k] - old[k]));
        if step != [0.0; W] {
            for (z, step) in z[unit.range()].iter_mut().zip(step) {
                *z += step;
            }
            system.add(unit, step, v);
        }
    }
}

/// The iteration of \[TA\]: relaxation omega of every contact's step, of which the share lambda is taken.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Relaxation {
    pub(crate) omega: f64,
    pub(crate) lambda: f64,
    /// The order in which the units are visited.
    pub(crate) order: Sweep,
}

impl Sweeps {
    /// Projected successive over-relaxation from the impulses present,
    /// `f' = lambda Proj(f - omega W^-1 u) + (1 - lambda) f`: the convex problem's objective falls with every
    /// visit for `omega < 2`.
    pub(crate) fn relaxed(
        &mut self,
        system: &mut System,
        (goal, how): (Goal, Relaxation),
    ) -> Ended {
        self.weigh(system, Steep::No);
        self.weight.iter_mut().for_each(|w| *w /= how.omega);
        let mut done = 0;
        let mut next_test = 0;
        loop {
            if done >= next_test || done >= goal.most {
                let residual = system.residual();
                // Negated so that a NaN ends it.
                let goes_on = residual > goal.tolerance && done < goal.most;
                if !goes_on {
                    return Ended {
                        iterations: done,
                        residual,
                    };
                }
                next_test = if done == 0 {
                    FIRST_TESTS
                } else {
                    done + BETWEEN_TESTS
                };
            }
            let backwards = how.order == Sweep::Symmetric && done % 2 == 1;
            let way = match backwards {
                true => Way::Backward,
                false => Way::Forward,
            };
            let visit = Visit {
                weight: &self.weight,
                lambda: how.lambda,
            };
            sweep(system, visit, way);
            done += 1;
        }
    }
}

/// The rows of an island in double precision.
struct Double<'a> {
    packed: &'a Packed,
    system: &'a System,
    weight: &'a [f64],
}

impl Double<'_> {
    /// Visits what is not packed.
    fn apart(&self) -> impl Fn(usize, (&mut [f64], &mut [f64])) {
        let visit = Visit {
            weight: self.weight,
            lambda: 1.0,
        };
        move |i, lists| visit.unit(self.system, i, lists)
    }
}

impl SweepKernel for Double<'_> {
    type Number = f64;

    const DRIFTS: bool = false;

    fn forward(&self, units: Range<usize>, lists: Present<'_, f64>) {
        self.packed.forward(units, lists, &self.apart());
    }

    fn backward(&self, units: Range<usize>, lists: Present<'_, f64>) {
        self.packed.backward(units, lists, &self.apart());
    }

    fn worst(&self, units: Range<usize>, lists: (&[f64], &[f64])) -> f64 {
        let apart = |i: usize| self.system.left(&self.system.units[i], lists);
        self.packed.worst(units, lists, apart)
    }

    fn velocity_of(&self, z: &[f64], v: &mut Vec<f64>) {
        self.system.velocity_of(z, v);
    }

    fn turn(&self, from: usize, [old, z, before]: [&[f64]; 3]) -> f64 {
        let steps = self.weight[from..]
            .iter()
            .zip(old)
            .zip(z.iter().zip(before));
        let turn = steps.map(|((w, old), (z, before))| w * (old - z) * (z - before));
        turn.sum()
    }
}

#[cfg(test)]
pub(super) mod tests;
