//! Projected sweeps over the contacts, matrix-free: the accelerated symmetric ones, and those of the
//! literature without acceleration [TA].

use super::Ended;
use super::packed::Contacts;
use crate::law::project::allowed;
use crate::law::{Law, PART, Unit};
use crate::settings::Sweep;
use crate::system::System;

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
    contacts: Contacts,
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
        self.contacts.pack(system, &self.weight);
        system.refresh();
        self.best.clone_from(&system.z);
        let mut least = system.residual();
        self.before.clone_from(&system.z);
        self.v_before.clone_from(&system.v);
        let mut theta = 1.0_f64;
        let mut done = 0;
        while done < goal.most && (least > goal.tolerance || least.is_nan()) {
            self.old.clone_from(&system.z);
            let visit = Visit {
                weight: &self.weight,
                contacts: Some(&self.contacts),
                lambda: 1.0,
            };
            sweep(system, visit, Way::Forward);
            sweep(system, visit, Way::Backward);
            done += 1;
            if done <= FIRST_TESTS || done % BETWEEN_TESTS == 0 || done == goal.most {
                let mut residual = system.residual();
                if residual <= goal.tolerance {
                    // Round-off of many small steps may hide what is left.
                    system.velocity_of(&system.z, &mut self.scratch);
                    residual = system.residual_at((&system.z, &self.scratch));
                }
                if residual < least || least.is_nan() {
                    least = residual;
                    self.best.clone_from(&system.z);
                }
                if residual.is_nan() {
                    break;
                }
            }
            theta = self.extrapolate(system, theta);
        }
        system.z.clone_from(&self.best);
        system.refresh();
        Ended {
            iterations: done,
            residual: system.residual(),
        }
    }

    /// The momentum of a pair of sweeps; returns the next theta.
    fn extrapolate(&mut self, system: &mut System, theta: f64) -> f64 {
        let rows = self.weight.iter().zip(&self.old);
        let ends = system.z.iter().zip(&self.before);
        let turn: f64 = (rows.zip(ends))
            .map(|((w, old), (z, before))| w * (old - z) * (z - before))
            .sum();
        if turn > 0.0 {
            self.before.clone_from(&system.z);
            system.refresh();
            self.v_before.clone_from(&system.v);
            return 1.0;
        }
        let next = 0.5 * (1.0 + (1.0 + 4.0 * theta * theta).sqrt());
        let beta = (theta - 1.0) / next;
        for (now, before) in [
            (&mut system.z, &mut self.before),
            (&mut system.v, &mut self.v_before),
        ] {
            for (x, last) in now.iter_mut().zip(before.iter_mut()) {
                let ahead = *x + beta * (*x - *last);
                *last = *x;
                *x = ahead;
            }
        }
        next
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
    /// Those that are visited in one piece.
    contacts: Option<&'a Contacts>,
    /// Share of the projected step that is taken.
    lambda: f64,
}

/// One visit of every contact and row. A contact without impulse whose normal velocity wants none is left at that.
fn sweep(system: &mut System, visit: Visit<'_>, way: Way) {
    let mut v = std::mem::take(&mut system.v);
    let mut z = std::mem::take(&mut system.z);
    let count = system.units.len();
    for i in 0..count {
        let i = match way {
            Way::Forward => i,
            Way::Backward => count - 1 - i,
        };
        if visit
            .contacts
            .is_some_and(|contacts| contacts.visit(i, &mut z, &mut v))
        {
            continue;
        }
        let unit = &system.units[i];
        if unit.width == 1 {
            visit.row(system, unit, &mut z, &mut v);
        } else {
            visit.contact(system, unit, &mut z, &mut v);
        }
    }
    system.v = v;
    system.z = z;
}

impl Visit<'_> {
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
            system.add(unit, [step, 0.0, 0.0, 0.0, 0.0, 0.0], v);
        }
    }

    #[inline]
    fn contact(&self, system: &System, unit: &Unit, z: &mut [f64], v: &mut [f64]) {
        let old = System::impulse(unit, z);
        // The convex law may want a contact that slides to press although it parts.
        let parts = unit.law == Law::Cone && old == [0.0; 6];
        if parts && system.normal_velocity(unit, v, 0.0) >= 0.0 {
            return;
        }
        let u = system.velocity(unit, v, old[0]);
        let mut y = old;
        for (k, w) in self.weight[unit.range()].iter().enumerate() {
            y[k] -= u[k] / w;
        }
        let new = allowed(unit, &y);
        let step: [f64; 6] = std::array::from_fn(|k| self.lambda * (new[k] - old[k]));
        if step != [0.0; 6] {
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
                contacts: None,
                lambda: how.lambda,
            };
            sweep(system, visit, way);
            done += 1;
        }
    }
}
