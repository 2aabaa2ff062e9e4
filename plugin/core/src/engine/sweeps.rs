//! Projected sweeps over the contacts, matrix-free: the accelerated symmetric ones, and those of the
//! literature without acceleration [TA].

use super::Ended;
use super::packed::Packed;
use super::shares::{Lists, Shares};
use super::threads::in_pool;
use crate::law::project::allowed;
use crate::law::{Law, PART, Unit};
use crate::settings::Sweep;
use crate::system::System;
use std::ops::Range;

/// What a run of sweeps may do.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Goal {
    /// Iterations at most.
    pub(crate) most: usize,
    /// Residual ([`System::residual`]) at which it has converged.
    pub(crate) tolerance: f64,
}

/// Memory of the sweeps.
#[derive(Clone, Debug, Default)]
pub(crate) struct Sweeps {
    packed: Packed,
    shares: Shares,
    /// Step weight of every impulse.
    weight: Vec<f64>,
    /// Impulses before the last two pairs of sweeps, and the velocity of the earlier ones.
    old: Vec<f64>,
    before: Vec<f64>,
    v_before: Vec<f64>,
    /// The best impulses so far.
    best: Vec<f64>,
    /// A velocity computed anew.
    scratch: Vec<f64>,
}

/// Pairs of sweeps after which the residual is looked at, and then every so many.
const FIRST_TESTS: usize = 3;
const BETWEEN_TESTS: usize = 10;

/// Which way a sweep goes.
#[derive(Clone, Copy, Debug)]
enum Way {
    Forward,
    Backward,
}

impl Sweeps {
    /// Accelerated symmetric sweeps from the impulses present; ends with the best ones found. A visit
    /// steps one contact against its velocities, the impulses of all others as they are,
    /// ```text
    /// f' = Proj(f - W^-1 u),   v~ += R~^T (f' - f)
    /// ```
    /// and a pair of sweeps (first to last, last to first) is one step of Nesterov's momentum, which
    /// restarts where the step and the way so far point apart in the metric W. W majorises a contact's own block;
    /// the normal weight grows by `1 + mu^2` for the exact law, whose normal impulse moves the bound of the
    /// friction that the same visit sets (mu = 2 goes round without). v is linear in f, so extrapolating
    /// touches no rows. O(nonzeros of the rows) per sweep.
    pub(crate) fn accelerated(&mut self, system: &mut System, goal: Goal) -> Ended {
        self.weigh(system, Steep::ByLaw);
        self.packed.pack(system, &self.weight);
        self.part(system);
        in_pool(self.shares.lanes(), || self.run(system, goal))
    }

    fn run(&mut self, system: &mut System, goal: Goal) -> Ended {
        system.refresh();
        self.best.clone_from(&system.z);
        let mut least = self.residual(system, &system.v);
        for (list, like) in [
            (&mut self.old, &system.z),
            (&mut self.before, &system.z),
            (&mut self.v_before, &system.v),
        ] {
            list.resize(like.len(), 0.0);
        }
        let mut ahead = None;
        let mut theta = 1.0_f64;
        let mut done = 0;
        while done < goal.most && (least > goal.tolerance || least.is_nan()) {
            let turn = self.pair(system, ahead);
            done += 1;
            if done <= FIRST_TESTS || done % BETWEEN_TESTS == 0 || done == goal.most {
                let mut residual = self.residual(system, &system.v);
                if residual <= goal.tolerance {
                    // Round-off of many small steps may hide what is left.
                    system.velocity_of(&system.z, &mut self.scratch);
                    residual = self.residual(system, &self.scratch);
                }
                if residual < least || least.is_nan() {
                    least = residual;
                    self.best.clone_from(&system.z);
                }
                if residual.is_nan() {
                    break;
                }
            }
            if turn > 0.0 {
                system.refresh();
                (ahead, theta) = (None, 1.0);
            } else {
                let next = 0.5 * (1.0 + (1.0 + 4.0 * theta * theta).sqrt());
                (ahead, theta) = (Some((theta - 1.0) / next), next);
            }
        }
        system.z.clone_from(&self.best);
        system.refresh();
        Ended {
            iterations: done,
            residual: least,
        }
    }

    /// A pair of sweeps that begins `ahead` of the present impulses, by so much of the last step. Returns how far the step
    /// and the way so far point apart, `(f_0 - f)^T W (f - f_before)`.
    fn pair(&mut self, system: &mut System, ahead: Option<f64>) -> f64 {
        let mut v = std::mem::take(&mut system.v);
        let mut z = std::mem::take(&mut system.z);
        let here = &*system;
        let visit = Visit {
            weight: &self.weight,
            lambda: 1.0,
        };
        let apart = |i: usize, lists: (&mut [f64], &mut [f64])| visit.unit(here, i, lists);
        let packed = &self.packed;
        let mut lists = Lists {
            z: &mut z,
            old: &mut self.old,
            before: &mut self.before,
            v: &mut v,
            v_before: &mut self.v_before,
            from: [0; 2],
        };
        self.shares
            .even(lists.again(), &|units, mut lists: Lists<'_>| {
                lists.begin(ahead);
                packed.forward(units, lists.present(), &apart);
                0.0
            });
        self.shares.odd(
            lists.again(),
            &|units: Range<usize>, mut lists: Lists<'_>| {
                packed.forward(units.clone(), lists.present(), &apart);
                packed.backward(units, lists.present(), &apart);
                0.0
            },
        );
        let turn = self.shares.even(lists, &|units, mut lists: Lists<'_>| {
            packed.backward(units, lists.present(), &apart);
            lists.turn(visit.weight)
        });
        system.v = v;
        system.z = z;
        turn
    }

    /// [`System::residual`] of the present impulses at the velocity `v`.
    fn residual(&self, system: &System, v: &[f64]) -> f64 {
        let lists = (&system.z[..], v);
        let apart = |i: usize| system.left(&system.units[i], lists);
        let look = |units| self.packed.worst(units, lists, apart);
        self.shares.worst(&look) / system.speed
    }

    /// Parts the units of a large island: rows of joints and trees are swept one after another.
    fn part(&mut self, system: &System) {
        let units = system.units.len();
        match self.packed.is_whole() && system.is_large() {
            true => self.shares.part(units, |i| self.packed.reach(i)),
            false => self.shares.whole(units),
        }
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

impl Lists<'_> {
    /// Impulses and velocities as they are, and where they begin.
    fn present(&mut self) -> ((&mut [f64], &mut [f64]), [usize; 2]) {
        ((self.z, self.v), self.from)
    }

    /// Begins a pair of sweeps `ahead` of the present ones. v is linear in f, so extrapolating touches no rows.
    fn begin(&mut self, ahead: Option<f64>) {
        let Some(beta) = ahead else {
            self.before.copy_from_slice(self.z);
            self.old.copy_from_slice(self.z);
            self.v_before.copy_from_slice(self.v);
            return;
        };
        let impulses = self.z.iter_mut().zip(&mut *self.before);
        for ((z, before), old) in impulses.zip(&mut *self.old) {
            let next = *z + beta * (*z - *before);
            (*before, *z, *old) = (*z, next, next);
        }
        for (v, before) in self.v.iter_mut().zip(&mut *self.v_before) {
            let next = *v + beta * (*v - *before);
            (*before, *v) = (*v, next);
        }
    }

    /// How far the step of a pair and the way so far point apart in the metric of the weights.
    fn turn(&self, weight: &[f64]) -> f64 {
        let rows = weight[self.from[0]..].iter().zip(&*self.old);
        let ends = self.z.iter().zip(&*self.before);
        let turn = rows.zip(ends);
        turn.map(|((w, old), (z, before))| w * (old - z) * (z - before))
            .sum()
    }
}

#[cfg(test)]
mod tests;
