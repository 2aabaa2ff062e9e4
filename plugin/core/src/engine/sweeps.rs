//! Accelerated symmetric projected sweeps over the contacts, matrix-free.

use super::kernel::{Kernel, Present};
use super::lanes::{Lanes, SweepKernel};
use super::momentum::AcceleratedGaussSeidel;
use super::shares::Shares;
use super::{Ended, Goal};
use crate::law::project::allowed;
use crate::law::{ConstraintBlock, Law, PART};
use crate::system::System;
use crate::tolerances::{PROGRESS, SINGLE, SINGLE_MADE};
use std::ops::Range;
use wide::f32x4;

/// Memory of the sweeps.
#[derive(Clone, Debug, Default)]
pub(crate) struct Sweeps {
    shares: Shares,
    /// Step weight of every impulse.
    weight: Vec<f64>,
    /// Impulses before those in single precision.
    start: Vec<f64>,
    double: Swept<f64>,
    single: Swept<f32x4>,
}

/// An island in numbers of one kind.
#[derive(Clone, Debug)]
struct Swept<T: Lanes> {
    kernel: SweepKernel<T>,
    iterate: AcceleratedGaussSeidel<T>,
}

impl<T: Lanes> Default for Swept<T> {
    fn default() -> Self {
        Self {
            kernel: SweepKernel::default(),
            iterate: AcceleratedGaussSeidel::default(),
        }
    }
}

impl<T: Lanes> Swept<T> {
    fn pack(&mut self, system: &System, weight: &[f64], shares: &mut Shares) -> bool {
        self.kernel
            .pack(system, weight, shares, &mut self.iterate.z)
    }

    /// Sweeps what was packed; the best impulses become those of the system.
    fn run(&mut self, system: &mut System, weight: &[f64], shares: &Shares, goal: Goal) -> Ended {
        let kernel = OfSystem {
            kernel: &self.kernel,
            system,
            shares,
        };
        let (_, ended) = self.iterate.run(&kernel, |_| goal);
        self.kernel.give(&self.iterate.best, weight, system);
        ended
    }
}

/// The rows of a system.
pub(super) struct OfSystem<'a, T: Lanes> {
    pub(super) kernel: &'a SweepKernel<T>,
    pub(super) system: &'a System,
    pub(super) shares: &'a Shares,
}

impl<T: Lanes> Kernel<T> for OfSystem<'_, T> {
    fn shares(&self) -> &Shares {
        self.shares
    }

    fn forward(&self, visits: Range<usize>, present: Present<'_, T>) {
        self.kernel.forward(self.system, visits, present);
    }

    fn backward(&self, visits: Range<usize>, present: Present<'_, T>) {
        self.kernel.backward(self.system, visits, present);
    }

    fn residual(&self, z: &[T], v: &[T]) -> f64 {
        let look = |visits: Range<usize>| self.kernel.worst(self.system, visits, z, v);
        self.shares.worst(&look) / self.system.speed
    }

    fn velocity_of(&self, z: &[T], v: &mut Vec<T>) {
        self.kernel.velocity_of(self.system, z, v);
    }
}

impl Sweeps {
    /// Accelerated symmetric sweeps from the impulses present ([`AcceleratedGaussSeidel::run`]); ends with the best ones found. The weights
    /// W majorise a contact's own block;
    /// the normal weight grows by `1 + mu^2` for the exact law, whose normal impulse moves the bound of the
    /// friction that the same visit sets (mu = 2 goes round without).
    pub(crate) fn accelerated(&mut self, system: &mut System, goal: Goal) -> Ended {
        let single = self.roughly(system, goal);
        let done = single.map_or(0, |ended| ended.iterations);
        if let Some(ended) = single
            && (ended.residual <= goal.tolerance || done == goal.most)
        {
            return ended;
        }
        let most = goal.most - done;
        let ended = self.double(system, Goal { most, ..goal });
        Ended {
            iterations: done + ended.iterations,
            ..ended
        }
    }

    /// The same in single precision, as far as that goes; `None` where nothing is to be gained.
    pub(crate) fn roughly(&mut self, system: &mut System, goal: Goal) -> Option<Ended> {
        self.weigh(system);
        let (reached, before) = (self.reached(system), system.residual());
        let tolerance = reached.max(goal.tolerance);
        if before <= tolerance || !self.is_single(system) {
            return None;
        }
        self.start.clone_from(&system.z);
        let ended = self.single(system, Goal { tolerance, ..goal });
        if ended.residual < before {
            return Some(ended);
        }
        // A NaN is no gain either.
        system.z.clone_from(&self.start);
        system.refresh();
        Some(Ended {
            residual: before,
            ..ended
        })
    }

    /// The residual that single precision reaches in an island ([`single_reaches`]).
    fn reached(&self, system: &System) -> f64 {
        let impulses = system.z.iter().zip(&self.weight);
        let made = impulses.fold(0.0, |most: f64, (z, w)| most.max((z * w).abs()));
        let asked = system.units.iter().map(|unit| unit.b[0].abs());
        single_reaches(made, asked, system.speed)
    }

    /// The residual that single precision would reach.
    #[cfg(test)]
    pub(super) fn reaches(&mut self, system: &System) -> f64 {
        self.weigh(system);
        self.reached(system)
    }

    /// Whether an island can be swept in single precision, four visits at a time, and that pays.
    fn is_single(&mut self, system: &System) -> bool {
        (self.single).pack(system, &self.weight, &mut self.shares) && self.single.kernel.is_full()
    }

    /// In single precision, four visits at a time.
    fn single(&mut self, system: &mut System, goal: Goal) -> Ended {
        let tolerance = PROGRESS * goal.tolerance;
        let goal = Goal { tolerance, ..goal };
        let ended = (self.single).run(system, &self.weight, &self.shares, goal);
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
        (self.double).pack(system, &self.weight, &mut self.shares);
        let ended = (self.double).run(system, &self.weight, &self.shares, goal);
        system.refresh();
        ended
    }

    /// The weights of all impulses.
    fn weigh(&mut self, system: &System) {
        self.weight.clear();
        for unit in &system.units {
            let steep = match unit.law {
                Law::Cone => 1.0 + unit.mu.iter().map(|mu| mu * mu).sum::<f64>(),
                _ => 1.0,
            };
            let weights = PART.iter().map(|&part| unit.weight[part]);
            let from = self.weight.len();
            self.weight.extend(weights.take(unit.width as usize));
            self.weight[from] *= steep;
        }
    }
}

/// The residual that single precision reaches: round-off is relative to the velocities that the impulses make one by one, which
/// in jointed structures and what is squeezed cancel out. Takes the largest velocity that an impulse makes, those that rows ask for,
/// and `1 + max |v_free|`.
pub(super) fn single_reaches(made: f64, asked: impl Iterator<Item = f64>, speed: f64) -> f64 {
    let asked = asked.fold(speed - 1.0, f64::max);
    (SINGLE * asked).max(SINGLE_MADE * made) / speed
}

/// The step of a unit's impulses `old` against its velocities, `Proj(f - W^-1 u) - f`.
#[inline]
pub fn step<const W: usize>(
    system: &System,
    unit: &ConstraintBlock,
    weight: &[f64],
    old: [f64; W],
    v: &[f64],
) -> [f64; W] {
    // The convex law may want a contact that slides to press although it parts.
    let parts = unit.law == Law::Cone && old == [0.0; W];
    if parts && system.normal_velocity(unit, v, 0.0) >= 0.0 {
        return [0.0; W];
    }
    let u: [f64; W] = system.velocity(unit, v, old[0]);
    let y: [f64; W] = std::array::from_fn(|k| old[k] - u[k] / weight[k]);
    let new = allowed(unit, &y);
    std::array::from_fn(|k| new[k] - old[k])
}

#[cfg(test)]
pub(super) mod tests;
