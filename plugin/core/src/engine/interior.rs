//! The interior point of the exact law on a sparse factor: heaps, towers and structures near rest.
//!
//! Eliminating the impulses of every unit ([`crate::law::barrier`]) leaves the velocities,
//! ```text
//! (I + sum_c R_c^T H_c R_c) dv = sum_c R_c^T p_c,     dz_c = p_c - H_c R_c dv
//! ```
//! with blocks where two bodies touch. One factor serves a predictor and Mehrotra's corrector. Where things are at
//! rest one or two factors bring the impulses of the last step to 1e-8; in impacts the path jams, and sweeps take over.

use super::Ended;
use super::graph::{Graph, Nodes};
use crate::law::Law;
use crate::law::barrier::{Change, Inside};
use crate::problem::{ContactProblem, Island};
use crate::system::System;

/// What a run may do.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Path {
    /// Factors at most.
    pub(crate) factors: usize,
    /// Operations a factor may take.
    pub(crate) flops: usize,
    /// Residual at which it ends.
    pub(crate) goal: f64,
}

/// Share of the longest step inside that is taken.
const SHARE: f64 = 0.995;
/// Progress of a factor: the residual falls to less than this share of what the one before left.
const FALLING: f64 = 0.8;
/// Share of a step below which the path is blocked: it starts anew from farther inside.
const BLOCKED: f64 = 0.05;
/// How many times farther.
const WIDER: f64 = 10.0;
/// Factors without progress after which a run ends.
const PATIENCE: usize = 3;
/// Bounds of the push inside, as a share of `1 + max |v_free|`.
const PUSH: (f64, f64) = (1e-7, 0.3);
/// Separation, in pushes, from which on a contact without impulse is left out: it does not close.
const APART: f64 = 30.0;

/// Memory of the method.
#[derive(Clone, Debug, Default)]
pub(crate) struct Interior {
    graph: Graph,
    /// Units on the path, the nodes they act on, and where each is.
    active: Vec<(u32, Nodes)>,
    inside: Vec<Inside>,
    velocity: Vec<[f64; 6]>,
    change: Vec<Change>,
    answers: Vec<crate::law::barrier::Answer>,
    dv: Vec<f64>,
    z: Vec<f64>,
    tidy: Vec<f64>,
    v: Vec<f64>,
    best: Vec<f64>,
}

impl Interior {
    /// Runs from the impulses present; `None` if a factor would take more than is allowed. Ends with the best tidied impulses.
    pub(crate) fn run(
        &mut self,
        (problem, island): (&ContactProblem, Island<'_>),
        system: &mut System,
        path: Path,
    ) -> Option<Ended> {
        system.refresh();
        let mut least = system.residual();
        let push = least.clamp(PUSH.0, PUSH.1) * system.speed;
        self.enter((problem, island), system, push);
        if !self.graph.lay_out(path.flops) {
            return None;
        }
        self.best.clone_from(&system.z);
        let (mut done, mut idle) = (0, 0);
        let mut push = push;
        let mut last = f64::INFINITY;
        while done < path.factors && least > path.goal && idle < PATIENCE {
            done += 1;
            let far = self.step(system);
            let blocked = far.is_nan() || far <= BLOCKED;
            if blocked {
                push *= WIDER;
                if push > PUSH.1 * system.speed || far.is_nan() {
                    break;
                }
                system.z.clone_from(&self.best);
                system.refresh();
                self.enter((problem, island), system, push);
                if !self.graph.lay_out(path.flops) {
                    break;
                }
                continue;
            }
            system.tidied(&self.z, &mut self.tidy);
            system.velocity_of(&self.tidy, &mut self.v);
            let residual = system.residual_at((&self.tidy, &self.v));
            idle = if residual < FALLING * last {
                0
            } else {
                idle + 1
            };
            last = residual;
            if residual < least {
                least = residual;
                self.best.clone_from(&self.tidy);
            }
        }
        system.z.clone_from(&self.best);
        system.refresh();
        Some(Ended {
            iterations: done,
            residual: least,
        })
    }

    /// Moves the impulses inside, leaves out what does not close, and finds who touches whom.
    fn enter(
        &mut self,
        (problem, island): (&ContactProblem, Island<'_>),
        system: &mut System,
        push: f64,
    ) {
        self.graph.enter((problem, island));
        self.active.clear();
        self.inside.clear();
        self.z.clone_from(&system.z);
        for (number, unit) in system.units.iter().enumerate() {
            let z = System::impulse(unit, &system.z);
            let u = system.velocity(unit, &system.v, z[0]);
            let opens = matches!(unit.law, Law::Half | Law::Cone | Law::Convex);
            if opens && z == [0.0; 6] && u[0] > APART * push {
                continue;
            }
            let own = Inside::near(unit, &z, &u, push);
            self.z[unit.range()].copy_from_slice(&own.z[..unit.width as usize]);
            let nodes = self.graph.join(problem, unit);
            self.active.push((number as u32, nodes));
            self.inside.push(own);
        }
        system.velocity_of(&self.z, &mut self.v);
        system.v.clone_from(&self.v);
    }

    /// A factor, a predictor and a corrector; returns the share of the step that stays inside, not a number where the
    /// matrix is singular.
    fn step(&mut self, system: &mut System) -> f64 {
        let mut sum = (0.0, 0);
        self.velocity.clear();
        for (own, &(number, _)) in self.inside.iter().zip(&self.active) {
            let unit = &system.units[number as usize];
            let u = system.velocity(unit, &system.v, own.z[0]);
            let (gap, count) = own.gap(unit);
            sum = (sum.0 + gap, sum.1 + count);
            self.velocity.push(u);
        }
        let mean = sum.0 / (sum.1.max(1)) as f64;
        self.change.clear();
        self.change.resize(self.active.len(), Change::default());
        self.answer(system, 0.0);
        self.assemble(system);
        if self.graph.factor().is_err() {
            return f64::NAN;
        }
        let far = self.direction(system, 0.0);
        let ahead = self.gap_after(system, far) / mean.max(f64::MIN_POSITIVE);
        let tau = mean * ahead.clamp(0.0, 1.0).powi(3);
        self.answer(system, tau);
        let far = self.direction(system, tau);
        // Negated so that a NaN ends it.
        let usable = far > 1e-10;
        if !usable {
            return f64::NAN;
        }
        let share = if far >= 1.0 { 1.0 } else { SHARE * far };
        for ((own, change), &(number, _)) in
            (self.inside.iter_mut().zip(&self.change)).zip(&self.active)
        {
            let unit = &system.units[number as usize];
            own.take(change, share);
            self.z[unit.range()].copy_from_slice(&own.z[..unit.width as usize]);
        }
        system.velocity_of(&self.z, &mut self.v);
        system.v.clone_from(&self.v);
        far
    }

    /// What every unit answers on the way to tau.
    fn answer(&mut self, system: &System, tau: f64) {
        self.answers.clear();
        for (k, own) in self.inside.iter().enumerate() {
            let unit = &system.units[self.active[k].0 as usize];
            let answer = own.answer(unit, &self.velocity[k], tau, &self.change[k]);
            self.answers.push(answer);
        }
    }

    /// The direction by the present answers, in `change`; returns the longest step inside.
    fn direction(&mut self, system: &System, tau: f64) -> f64 {
        self.dv.clear();
        self.dv.resize(system.dim(), 0.0);
        for (answer, &(number, _)) in self.answers.iter().zip(&self.active) {
            system.add(&system.units[number as usize], answer.p, &mut self.dv);
        }
        self.graph.solve(&mut self.dv);
        let mut far = 1.0_f64;
        for (k, own) in self.inside.iter().enumerate() {
            let unit = &system.units[self.active[k].0 as usize];
            let du = system.product(unit, &self.dv);
            let answer = &self.answers[k];
            let mut dz = answer.p;
            for (dz, row) in dz.iter_mut().zip(&answer.h) {
                *dz -= row.iter().zip(&du).map(|(h, du)| h * du).sum::<f64>();
            }
            let now = (&self.velocity[k], tau);
            let change = own.complete(unit, now, &self.change[k], (dz, du));
            let longest = own.longest(unit, &change);
            // Negated so that a NaN stays.
            far = if longest >= far { far } else { longest };
            self.change[k] = change;
        }
        far
    }

    /// The mean gap after a share of the change.
    fn gap_after(&self, system: &System, share: f64) -> f64 {
        let mut sum = (0.0, 0);
        for (k, own) in self.inside.iter().enumerate() {
            let unit = &system.units[self.active[k].0 as usize];
            let (mut next, change) = (*own, &self.change[k]);
            next.take(change, share);
            let (gap, count) = next.gap(unit);
            sum = (sum.0 + gap, sum.1 + count);
        }
        sum.0 / (sum.1.max(1)) as f64
    }

    /// The matrix over the velocities.
    fn assemble(&mut self, system: &System) {
        self.graph.begin();
        for (answer, &(number, nodes)) in self.answers.iter().zip(&self.active) {
            let unit = &system.units[number as usize];
            self.graph.add(system, (unit, &answer.h), nodes);
        }
    }
}
