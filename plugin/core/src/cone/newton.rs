//! Newton's method on the natural map (Alart and Curnier's form), over velocities.
//!
//! Impulses are not unique where contacts are redundant, so the Jacobian over impulses is singular.
//! A proximal weight `eps` per impulse makes it regular without moving the solution, and lets each
//! unit's impulses be eliminated by its own small block ([`linearised`]); what is left is
//! ```text
//! (I + sum R~^T B^-1 U R~) dv~ = -sum R~^T B^-1 F,     dz = -B^-1 (F + U R~ dv~)
//! ```
//! of the size of the velocities, banded for chains and stacks.

use super::linear::{Linear, Matrix6, linearised};
use super::lu::Lu;
use super::natural::{newton_map, size};
use super::system::Unit;
use super::{Friction, System};

/// Velocities up to which an island is small enough for a matrix of that size.
pub(crate) const LARGEST: usize = 1500;

/// Memory of Newton's method.
#[derive(Clone, Debug, Default)]
pub(crate) struct Newton {
    pub(super) lu: Lu,
    linear: Vec<Linear>,
    /// Columns of one unit: coordinate, entries of its rows.
    columns: Vec<(usize, [f64; 6])>,
    pub(super) best: Vec<f64>,
    pub(super) downhill: Vec<f64>,
    pub(super) dv: Vec<f64>,
    pub(super) dz: Vec<f64>,
    pub(super) z: Vec<f64>,
    pub(super) v: Vec<f64>,
}

/// What Newton's method may do.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Effort {
    /// Steps at most.
    pub(crate) steps: usize,
    /// Residual at which it ends.
    pub(crate) goal: f64,
    /// Proximal weight, relative to each row's diagonal.
    pub(crate) eps: f64,
}

/// The sum of squares and the largest entry of the natural map.
#[derive(Clone, Copy, Debug)]
struct Merit {
    square: f64,
    worst: f64,
}

impl System {
    fn merit(&self, z: &[f64], v: &[f64], friction: Friction) -> Merit {
        let mut merit = Merit {
            square: 0.0,
            worst: 0.0,
        };
        for unit in &self.units {
            let z = Self::impulse(unit, z);
            let u = self.velocity(unit, v, z[0]);
            let left = size(&newton_map(unit, (&z, &u), friction)) / self.speed;
            merit.square += left * left;
            if left > merit.worst || left.is_nan() {
                merit.worst = left;
            }
        }
        merit
    }
}

impl Newton {
    /// Steps from the impulses of `system` until the goal is met, no step helps or the budget is
    /// spent; returns the steps taken and the residual left. The impulses only ever improve.
    /// O(m band^2) per step.
    pub(crate) fn run(
        &mut self,
        system: &mut System,
        friction: Friction,
        effort: &Effort,
    ) -> (usize, f64) {
        system.refresh();
        let mut merit = system.merit(&system.z, &system.v, friction);
        let mut eps = effort.eps;
        let mut steps = 0;
        while steps < effort.steps {
            // Negated so that a NaN ends it.
            let goes_on = merit.worst > effort.goal;
            if !goes_on {
                break;
            }
            let found = if self.direction(system, friction, eps) {
                self.search(system, friction, merit)
            } else {
                None
            };
            let Some(better) = found else {
                if eps >= 1.0 {
                    break;
                }
                eps *= 100.0;
                steps += 1;
                continue;
            };
            steps += 1;
            eps = (0.1 * eps).max(effort.eps);
            merit = better;
            system.z.copy_from_slice(&self.z);
            system.refresh();
        }
        (steps, system.residual(friction))
    }

    /// Full steps, whatever they do to the map: from a start whose contacts separate, stick and slide as they
    /// will, that is all it takes, and the map may grow on the way. The best impulses seen are kept.
    pub(crate) fn boldly(
        &mut self,
        system: &mut System,
        friction: Friction,
        effort: &Effort,
    ) -> (usize, f64) {
        system.refresh();
        self.best.clone_from(&system.z);
        let mut least = system.merit(&system.z, &system.v, friction).worst;
        let mut steps = 0;
        while steps < effort.steps && least > effort.goal {
            if !self.direction(system, friction, effort.eps) {
                break;
            }
            for (z, d) in system.z.iter_mut().zip(&self.dz) {
                *z += d;
            }
            system.refresh();
            steps += 1;
            let left = system.merit(&system.z, &system.v, friction).worst;
            if left < least {
                least = left;
                self.best.clone_from(&system.z);
            }
        }
        system.z.clone_from(&self.best);
        system.refresh();
        (steps, system.residual(friction))
    }

    /// Newton's direction, into `dz` and `dv`; whether there is one.
    fn direction(&mut self, system: &System, friction: Friction, eps: f64) -> bool {
        let m = system.v.len();
        self.lu.begin(m);
        self.linear.clear();
        self.dv.clear();
        self.dv.resize(m, 0.0);
        for unit in &system.units {
            let z = System::impulse(unit, &system.z);
            let u = system.velocity(unit, &system.v, z[0]);
            let map = newton_map(unit, (&z, &u), friction);
            let linear = linearised(unit, (&z, &u), &map, friction, eps);
            system.add(unit, linear.p.map(|p| -p), &mut self.dv);
            if linear.moves {
                self.accumulate(system, unit, &linear.h);
            }
            self.linear.push(linear);
        }
        if self.lu.factor().is_err() {
            return false;
        }
        self.lu.solve(&mut self.dv);
        self.dz.clear();
        for (unit, linear) in system.units.iter().zip(&self.linear) {
            let du = system.product(unit, &self.dv);
            for k in 0..unit.width as usize {
                let moved: f64 = linear.h[k].iter().zip(du).map(|(h, u)| h * u).sum();
                self.dz.push(-linear.p[k] - moved);
            }
        }
        // What the impulses really do, round-off of the solve included.
        self.dv.fill(0.0);
        for unit in &system.units {
            system.add(unit, System::impulse(unit, &self.dz), &mut self.dv);
        }
        self.dz.iter().all(|x| x.is_finite())
    }

    /// Adds `R~^T h R~` of a unit to the matrix.
    pub(super) fn accumulate(&mut self, system: &System, unit: &Unit, h: &Matrix6) {
        self.columns.clear();
        system.columns(unit, &mut self.columns);
        for &(j, column) in &self.columns {
            let answer: [f64; 6] =
                std::array::from_fn(|k| h[k].iter().zip(column).map(|(h, c)| h * c).sum());
            for &(i, row) in &self.columns {
                let x = row.iter().zip(answer).map(|(r, a)| r * a).sum();
                self.lu.add(i, j, x);
            }
        }
    }

    /// Halves the step until the map shrinks; the point found is in `z`.
    fn search(&mut self, system: &System, friction: Friction, from: Merit) -> Option<Merit> {
        let mut share = 1.0;
        for _ in 0..4 {
            let along = |x: &[f64], d: &[f64], out: &mut Vec<f64>| {
                out.clear();
                out.extend(x.iter().zip(d).map(|(x, d)| x + share * d));
            };
            along(&system.z, &self.dz, &mut self.z);
            along(&system.v, &self.dv, &mut self.v);
            let merit = system.merit(&self.z, &self.v, friction);
            if merit.square < (1.0 - 1e-3 * share) * from.square {
                return Some(merit);
            }
            share *= 0.5;
        }
        None
    }
}
