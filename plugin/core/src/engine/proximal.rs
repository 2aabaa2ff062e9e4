//! The convex law by proximal steps, each a smooth strictly convex function of the velocity.
//!
//! A proximal step of weight `eps D` from the impulses `z_k` has the dual
//! ```text
//! min over v   1/2 |v - v_free|^2 + sum_units max over z in K of  -u(v) . z - eps/2 |z - z_k|_D^2 - softness/2 z_n^2
//! ```
//! whose inner maximiser is a projection and whose gradient is `v - v_free - R^T z(v)`. Newton's method with a
//! line search descends to its minimum from anywhere; the proximal steps converge for every `eps > 0`.

use super::Ended;
use super::best::Best;
use super::graph::Graph;
use crate::law::linear::{Matrix, slope};
use crate::law::project::nearest;
use crate::law::{ConstraintBlock, Law, PART, by_width};
use crate::problem::IslandProblem;
use crate::system::System;
use crate::tolerances::{FACTORS, MINIMUM, PATIENCE, PROXIMAL_WEIGHTS};

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

/// Size of the gradient at which a proximal step ends.
#[derive(Clone, Copy)]
enum Goal {
    /// A share of what it was at first.
    OfStart(f64),
    /// A share of the fastest velocity.
    OfFastest(f64),
}

/// Memory of the method.
#[derive(Clone, Debug, Default)]
pub(crate) struct Proximal {
    graph: Graph,
    /// The maximisers at a velocity, and what they are the projections of.
    z: Vec<f64>,
    y: Vec<f64>,
    v: Vec<f64>,
    trial: Vec<f64>,
    dv: Vec<f64>,
    best: Best,
}

/// The weights of a unit's impulses by part.
fn weights(unit: &ConstraintBlock, eps: f64) -> [f64; 4] {
    unit.d.map(|d| unit.proximal_weight * eps * d)
}

/// The metric w of its maximiser z(u), the projection of y in it.
fn metric(unit: &ConstraintBlock, eps: f64) -> [f64; 4] {
    let mut w = weights(unit, eps);
    w[0] += unit.soft;
    w
}

/// The maximiser z from the impulses `from`, for velocities u without softness, and its y.
fn maximiser<const W: usize>(
    unit: &ConstraintBlock,
    from: &[f64; W],
    u: &[f64; W],
    eps: f64,
) -> [[f64; W]; 2] {
    let (own, w) = (weights(unit, eps), metric(unit, eps));
    let y: [f64; W] = std::array::from_fn(|k| {
        let part = PART[k];
        (own[part] * from[k] - u[k]) / w[part]
    });
    [nearest(unit, &y, &w), y]
}

/// `-dz/du` of the maximiser.
fn response<const W: usize>(unit: &ConstraintBlock, [z, y]: [&[f64; W]; 2], eps: f64) -> Matrix<W> {
    let w = metric(unit, eps);
    let mut h = slope(unit, y, z, &w);
    for row in &mut h {
        for (k, x) in row.iter_mut().enumerate() {
            *x /= w[PART[k]];
        }
    }
    h
}

impl Proximal {
    /// Runs from the impulses present; `None` if a factor would take more than is allowed.
    pub(crate) fn run(
        &mut self,
        place: IslandProblem<'_>,
        system: &mut System,
        path: Path,
    ) -> Option<Ended> {
        if !self.graph.enter(place, system, path.flops) {
            return None;
        }
        self.best.begin(system);
        let first = self.best.residual;
        let (mut done, mut idle, mut round) = (0, 0, 0);
        let is_exact = system.units.iter().any(|unit| unit.law == Law::Cone);
        while done < path.factors && self.best.residual > path.goal && idle < PATIENCE {
            let eps = PROXIMAL_WEIGHTS[round.min(PROXIMAL_WEIGHTS.len() - 1)];
            round += 1;
            done += self.minimise(system, eps, Goal::OfStart(MINIMUM));
            let least = self.best.residual;
            let left = self.best.offer(system, &mut self.z);
            let patient = left < 0.5 * least || round <= PROXIMAL_WEIGHTS.len();
            idle = if patient { 0 } else { idle + 1 };
            let slips = is_exact && round == PATIENCE && self.best.residual == first;
            if left.is_nan() || slips {
                break;
            }
        }
        Some(self.best.end(system, done))
    }

    /// One proximal step from no impulses at all: the quadratic penalty of weight eps, which has an answer where
    /// rows contradict each other, to a share of the fastest velocity. Starts from the velocity present; `None` as in [`Self::run`].
    pub(crate) fn penalise(
        &mut self,
        place: IslandProblem<'_>,
        system: &mut System,
        eps: f64,
        share: f64,
        flops: usize,
    ) -> Option<Ended> {
        if !self.graph.enter(place, system, flops) {
            return None;
        }
        system.z.fill(0.0);
        let iterations = self.minimise(system, eps, Goal::OfFastest(share));
        std::mem::swap(&mut system.z, &mut self.z);
        system.refresh();
        Some(Ended {
            iterations,
            residual: system.residual(),
        })
    }

    /// The dual function at a velocity; the maximisers are in `z` after it, and their `y`.
    fn dual(system: &System, v: &[f64], eps: f64, [z, y]: [&mut Vec<f64>; 2]) -> f64 {
        let moved = v.iter().zip(&system.v_free);
        let mut sum: f64 = moved.map(|(v, f)| 0.5 * (v - f) * (v - f)).sum();
        z.clear();
        y.clear();
        for unit in &system.units {
            by_width!(unit, W => {
                let from = unit.of::<W>(&system.z);
                let u = system.velocity(unit, v, 0.0);
                let [best, own] = maximiser(unit, &from, &u, eps);
                let weights = weights(unit, eps);
                for k in 0..W {
                    let d = weights[PART[k]];
                    sum -= u[k] * best[k] + 0.5 * d * (best[k] - from[k]).powi(2);
                }
                sum -= 0.5 * unit.soft * best[0] * best[0];
                z.extend_from_slice(&best);
                y.extend_from_slice(&own);
            });
        }
        sum
    }

    /// One proximal step; the impulses found are in `z`. Returns the factors taken.
    fn minimise(&mut self, system: &System, eps: f64, goal: Goal) -> usize {
        self.v.clone_from(&system.v);
        let mut value = Self::dual(system, &self.v, eps, [&mut self.z, &mut self.y]);
        let (mut steps, mut blind) = (0, 0);
        let mut first = f64::NAN;
        while steps < FACTORS && blind < PATIENCE {
            let size = self.gradient(system);
            first = if first.is_nan() { size } else { first };
            let enough = match goal {
                Goal::OfStart(share) => share * first,
                Goal::OfFastest(share) => {
                    share * self.v.iter().fold(0.0_f64, |a, x| a.max(x.abs()))
                }
            };
            // Negated so that a NaN ends it.
            let downhill = size > enough.max(1e-15 * system.speed);
            if !downhill {
                break;
            }
            let Some(slope) = self.direction(system, eps) else {
                break;
            };
            steps += 1;
            // Where round-off hides the descent of the value, whole steps polish.
            let hidden = slope <= 1e-13 * value.abs().max(1e-3 * system.speed * system.speed);
            blind += usize::from(hidden);
            let mut share = 1.0;
            let found = loop {
                self.trial.clear();
                let line = self.v.iter().zip(&self.dv);
                self.trial.extend(line.map(|(v, d)| v + share * d));
                let trial = Self::dual(system, &self.trial, eps, [&mut self.z, &mut self.y]);
                if hidden || trial <= value - 1e-4 * share * slope {
                    value = trial;
                    break true;
                }
                share *= 0.5;
                if share < 1e-6 {
                    break false;
                }
            };
            if !found {
                Self::dual(system, &self.v, eps, [&mut self.z, &mut self.y]);
                break;
            }
            std::mem::swap(&mut self.v, &mut self.trial);
        }
        steps
    }

    /// The negative gradient in `dv`; its largest entry.
    fn gradient(&mut self, system: &System) -> f64 {
        self.dv.clear();
        let ends = system.v_free.iter().zip(&self.v);
        self.dv.extend(ends.map(|(f, v)| f - v));
        for unit in &system.units {
            by_width!(unit, W => system.add(unit, unit.of::<W>(&self.z), &mut self.dv));
        }
        self.dv.iter().fold(0.0_f64, |a, x| a.max(x.abs()))
    }

    /// Solves for Newton's direction `dv` from the negative gradient in `dv` and the Hessian at the maximisers in `z`. Returns the
    /// descent along it, `None` where the factorization fails or the direction does not descend.
    fn direction(&mut self, system: &System, eps: f64) -> Option<f64> {
        self.graph.begin();
        for (number, unit) in system.units.iter().enumerate() {
            by_width!(unit, W => {
                let h = response::<W>(unit, [&unit.of(&self.z), &unit.of(&self.y)], eps);
                if h != [[0.0; W]; W] {
                    self.graph.add(system, number, &h);
                }
            });
        }
        if self.graph.factor().is_err() {
            return None;
        }
        self.trial.clone_from(&self.dv);
        self.graph.solve(&mut self.dv);
        let slope: f64 = self.dv.iter().zip(&self.trial).map(|(d, g)| d * g).sum();
        (slope.is_finite() && slope > 0.0).then_some(slope)
    }
}

#[cfg(test)]
mod tests;
