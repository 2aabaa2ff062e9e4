//! The convex law by proximal steps, each a smooth strictly convex function of the velocity.
//!
//! A proximal step of weight `eps D` from the impulses `z_k` has the dual
//! ```text
//! min over v   1/2 |v - v_free|^2 + sum_units max over z in K of  -u(v) . z - eps/2 |z - z_k|_D^2 - softness/2 z_n^2
//! ```
//! whose inner maximiser is a projection and whose gradient is `v - v_free - R^T z(v)`. Newton's method with a
//! line search descends to its minimum from anywhere; the proximal steps converge for every `eps > 0`.

use super::Ended;
use super::interior::{Path, add_product};
use crate::factor::Blocks;
use crate::law::linear::{Matrix6, slope};
use crate::law::project::{clipped, discs};
use crate::law::{Friction, Law, PART, Unit, onto_cone};
use crate::problem::{ContactProblem, Island, NO_BLOCK};
use crate::system::System;

/// Weights of the proximal steps, the last one again and again: the first ones shape the answer where a small weight
/// would make long, stiff descents; below the last one round-off of the velocity (over the weight) would be impulse.
const WEIGHTS: [f64; 5] = [1e-2, 1e-3, 1e-4, 1e-5, 1e-6];
/// Proximal steps without progress after which the run ends.
const PATIENCE: usize = 3;
/// Newton steps of one proximal step.
const STEPS: usize = 60;
/// Newton steps after round-off hides the descent.
const BLIND: usize = 3;

/// Memory of the method.
#[derive(Clone, Debug, Default)]
pub(crate) struct Proximal {
    factor: Blocks,
    node: Vec<u32>,
    sizes: Vec<usize>,
    pairs: Vec<[u32; 2]>,
    /// Nodes that each unit acts on.
    nodes: Vec<[u32; 2]>,
    z: Vec<f64>,
    v: Vec<f64>,
    trial: Vec<f64>,
    dv: Vec<f64>,
    best: Vec<f64>,
    dense: Vec<f64>,
}

/// The maximiser z(u) from the impulses `from`, for velocities u without softness: the argument of the projection, the
/// projection, and its metric.
fn maximiser(
    unit: &Unit,
    from: &[f64; 6],
    u: &[f64; 6],
    eps: f64,
) -> ([f64; 6], [f64; 6], [f64; 4]) {
    let mut w = unit.d.map(|d| eps * d);
    w[0] += unit.soft;
    let y: [f64; 6] = std::array::from_fn(|k| {
        let part = PART[k];
        (eps * unit.d[part] * from[k] - u[k]) / w[part]
    });
    let mut z = [0.0; 6];
    match unit.law {
        Law::Free => z[0] = y[0],
        Law::Half => z[0] = y[0].max(0.0),
        Law::Box(limit) => z[0] = y[0].clamp(-limit, limit),
        Law::Cone => {
            let f = onto_cone(y[0], w[0], &mut discs(unit, &y, &w));
            z = clipped(unit, f, &y);
        }
    }
    (y, z, w)
}

/// `-dz/du` of the maximiser.
fn response(unit: &Unit, (y, z, w): &([f64; 6], [f64; 6], [f64; 4])) -> Matrix6 {
    let mut h = [[0.0; 6]; 6];
    match unit.law {
        Law::Cone if z[0] > 0.0 => {
            h = slope(unit, y, (z[0], w));
            for row in &mut h {
                for (k, x) in row.iter_mut().enumerate() {
                    *x /= w[PART[k]];
                }
            }
        }
        Law::Cone => {}
        _ if z[0] == y[0] => h[0][0] = 1.0 / w[0],
        _ => {}
    }
    h
}

impl Proximal {
    /// Runs from the impulses present; `None` if a factor would take more than is allowed.
    pub(crate) fn run(
        &mut self,
        (problem, island): (&ContactProblem, Island<'_>),
        system: &mut System,
        path: Path,
    ) -> Option<Ended> {
        self.enter((problem, island), system);
        let sizes = self.sizes.iter().copied();
        if !self.factor.lay_out(sizes, &self.pairs, path.flops) {
            return None;
        }
        system.refresh();
        let mut least = system.residual(Friction::Convex);
        self.best.clone_from(&system.z);
        let (mut done, mut idle, mut round) = (0, 0, 0);
        while done < path.factors && least > path.goal && idle < PATIENCE {
            let eps = WEIGHTS[round.min(WEIGHTS.len() - 1)];
            round += 1;
            done += self.minimise(system, eps);
            std::mem::swap(&mut system.z, &mut self.z);
            system.refresh();
            let left = system.residual(Friction::Convex);
            let patient = left < 0.5 * least || round <= WEIGHTS.len();
            idle = if patient { 0 } else { idle + 1 };
            if left < least {
                least = left;
                self.best.clone_from(&system.z);
            }
            if !left.is_finite() {
                break;
            }
        }
        system.z.clone_from(&self.best);
        system.refresh();
        Some(Ended {
            iterations: done,
            residual: least,
        })
    }

    fn enter(&mut self, (problem, island): (&ContactProblem, Island<'_>), system: &System) {
        self.node.resize(problem.block_count(), 0);
        self.sizes.clear();
        for (number, &b) in island.blocks.iter().enumerate() {
            self.node[b as usize] = number as u32;
            self.sizes.push(problem.block(b as usize).dim());
        }
        self.nodes.clear();
        for unit in &system.units {
            let blocks = problem.group_blocks(unit.group as usize);
            self.nodes.push(blocks.map(|b| match b {
                NO_BLOCK => NO_BLOCK,
                b => self.node[b as usize],
            }));
        }
        self.pairs.clear();
        let both = self.nodes.iter().filter(|nodes| nodes[1] != NO_BLOCK);
        (self.pairs).extend(both.map(|&[a, b]| [a.min(b), a.max(b)]));
        self.pairs.sort_unstable();
        self.pairs.dedup();
    }

    /// The dual function at a velocity; the maximisers are in `z` after it.
    fn dual(system: &System, v: &[f64], eps: f64, z: &mut Vec<f64>) -> f64 {
        let moved = v.iter().zip(&system.v_free);
        let mut sum: f64 = moved.map(|(v, f)| 0.5 * (v - f) * (v - f)).sum();
        z.clear();
        for unit in &system.units {
            let from = System::impulse(unit, &system.z);
            let u = system.velocity(unit, v, 0.0);
            let (_, best, _) = maximiser(unit, &from, &u, eps);
            for k in 0..unit.width as usize {
                let d = eps * unit.d[PART[k]];
                sum -= u[k] * best[k] + 0.5 * d * (best[k] - from[k]).powi(2);
            }
            sum -= 0.5 * unit.soft * best[0] * best[0];
            z.extend_from_slice(&best[..unit.width as usize]);
        }
        sum
    }

    /// One proximal step; the impulses found are in `z`. Returns the factors taken.
    fn minimise(&mut self, system: &System, eps: f64) -> usize {
        self.v.clone_from(&system.v);
        let mut value = Self::dual(system, &self.v, eps, &mut self.z);
        let (mut steps, mut blind) = (0, 0);
        while steps < STEPS && blind < BLIND {
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
                let trial = Self::dual(system, &self.trial, eps, &mut self.z);
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
                break;
            }
            std::mem::swap(&mut self.v, &mut self.trial);
        }
        Self::dual(system, &self.v, eps, &mut self.z);
        steps
    }

    /// Newton's direction in `dv`; the descent along it, none where there is none.
    fn direction(&mut self, system: &System, eps: f64) -> Option<f64> {
        self.dv.clear();
        let ends = system.v_free.iter().zip(&self.v);
        self.dv.extend(ends.map(|(f, v)| f - v));
        self.factor.begin();
        for (unit, &nodes) in system.units.iter().zip(&self.nodes) {
            system.add(unit, System::impulse(unit, &self.z), &mut self.dv);
            let from = System::impulse(unit, &system.z);
            let u = system.velocity(unit, &self.v, 0.0);
            let h = response(unit, &maximiser(unit, &from, &u, eps));
            if h != [[0.0; 6]; 6] {
                add_product(&mut self.factor, system, (unit, &h), nodes, &mut self.dense);
            }
        }
        let size = self.dv.iter().fold(0.0_f64, |a, x| a.max(x.abs()));
        // Negated so that a NaN ends it.
        let downhill = size > 1e-15 * system.speed;
        if !downhill || self.factor.factor().is_err() {
            return None;
        }
        self.trial.clone_from(&self.dv);
        self.factor.solve(&mut self.dv);
        let slope: f64 = self.dv.iter().zip(&self.trial).map(|(d, g)| d * g).sum();
        (slope.is_finite() && slope > 0.0).then_some(slope)
    }
}
