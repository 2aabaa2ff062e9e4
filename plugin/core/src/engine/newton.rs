//! Primal-dual Newton's method on the rows that act, by the dense matrix of their products
//! (Delassus' operator `W = R M^-1 R^T`): robots, chains and other small islands.
//!
//! Each step reads off what every unit does ([`crate::law::linear`]), sets the impulses of those that
//! do not act to what they must be, and solves for the others
//! ```text
//! G dz + H (W + soft + eps D) dz = r - H du       du: change of u by the impulses that were set
//! ```
//! with row exchanges. The proximal weight eps makes the matrix regular where impulses are not unique, and
//! leaves the solution alone, since its centre moves along. Steps start from impulses that may lie outside
//! their bounds: tidying them between the steps loses what the next step needs. What is judged and kept is a tidied copy.

use super::Ended;
use crate::factor::Lu;
use crate::factor::kernel::{axpy, dot};
use crate::law::linear::{Linear, State, state};
use crate::law::natural::map;
use crate::law::{Friction, Law, PART, Unit};
use crate::system::System;

/// How a run of Newton's method steps.
#[derive(Clone, Copy, Debug)]
pub(crate) enum Stride {
    /// Whole steps: they pass through worse states on the way to right ones.
    Full,
    /// Steps shortened until the natural map falls in the 2-norm.
    Falling,
    /// Falling steps towards the proximal point of a centre that stays for a few steps, with a weight that
    /// falls from round to round.
    Proximal,
}

/// What a run may do.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Run {
    pub(crate) stride: Stride,
    /// Proximal weight of the equations, relative to the diagonal of W.
    pub(crate) eps: f64,
    /// Steps at most.
    pub(crate) steps: usize,
    /// Residual at which the run ends.
    pub(crate) goal: f64,
}

/// Steps without progress after which a run ends.
const PATIENCE: usize = 4;
/// Progress: the residual falls to less than this share.
const PROGRESS: f64 = 0.9;
/// Lengths of a falling step, tried in order.
const LENGTHS: [f64; 5] = [1.0, 0.4, 0.16, 0.064, 0.0256];
/// Weights of the proximal rounds, and steps in each.
const CENTRES: [f64; 5] = [1e-2, 1e-3, 1e-4, 1e-5, 1e-6];
const CENTRE_STEPS: usize = 5;
/// What the proximal weight of a bilateral row is of the others': welded bodies of very different masses hang on
/// each other by many rows, and gain a factor of the weight times their condition in each step.
const EQUATION: f64 = 1e-3;
/// A pivot below this share of the largest entry makes the matrix singular.
const SINGULAR: f64 = 1e-18;

/// The proximal weight of an impulse of a unit.
fn weight(unit: &Unit, k: usize, eps: f64) -> f64 {
    let share = if unit.law == Law::Free { EQUATION } else { 1.0 };
    share * eps * unit.d[PART[k]]
}

/// Memory of the method.
#[derive(Clone, Debug, Default)]
pub(crate) struct Newton {
    /// Units whose impulses move, with their equations and their first row in the matrix.
    moving: Vec<(u32, u32, Linear)>,
    /// Whitened rows of the moving units, dense.
    rows: Vec<f64>,
    /// Their products with each other, and the matrix of the step.
    products: Vec<f64>,
    matrix: Vec<f64>,
    lu: Lu,
    /// Right-hand side, then the change of the moving impulses.
    dz: Vec<f64>,
    /// Velocities of all impulses before the fixed ones were set.
    u: Vec<f64>,
    /// Centre of the proximal point.
    centre: Vec<f64>,
    /// Impulses and velocity a step starts from.
    z: Vec<f64>,
    /// Tidied impulses and their velocity.
    tidy: Vec<f64>,
    v: Vec<f64>,
    best: Vec<f64>,
    /// Entries of the matrices factored so far, cubed: what a budget counts.
    pub(crate) work: usize,
}

impl Newton {
    /// Runs from the impulses present; ends with the best tidied ones.
    pub(crate) fn run(&mut self, system: &mut System, friction: Friction, run: Run) -> Ended {
        system.refresh();
        self.tidy_and_judge(system, friction);
        self.best.clone_from(&self.tidy);
        let mut least = system.residual_at((&self.tidy, &self.v), friction);
        let (mut done, mut idle) = (0, 0);
        let patience = match run.stride {
            Stride::Proximal => CENTRES.len() * CENTRE_STEPS,
            _ => PATIENCE,
        };
        self.centre.clone_from(&system.z);
        while done < run.steps && least > run.goal && idle < patience {
            let eps = match run.stride {
                Stride::Proximal => {
                    if done % CENTRE_STEPS == 0 {
                        self.centre.clone_from(&system.z);
                    }
                    CENTRES[(done / CENTRE_STEPS).min(CENTRES.len() - 1)]
                }
                _ => {
                    self.centre.clone_from(&system.z);
                    run.eps
                }
            };
            done += 1;
            if !self.step(system, friction, (eps, run.stride)) {
                break;
            }
            let residual = self.tidy_and_judge(system, friction);
            if residual.is_nan() {
                break;
            }
            idle = if residual < PROGRESS * least {
                0
            } else {
                idle + 1
            };
            if residual < least {
                least = residual;
                self.best.clone_from(&self.tidy);
            }
        }
        system.z.clone_from(&self.best);
        system.refresh();
        Ended {
            iterations: done,
            residual: least,
        }
    }

    /// The residual of the tidied present impulses, which stay in `tidy`.
    fn tidy_and_judge(&mut self, system: &System, friction: Friction) -> f64 {
        system.tidied(&system.z, &mut self.tidy);
        system.velocity_of(&self.tidy, &mut self.v);
        system.residual_at((&self.tidy, &self.v), friction)
    }

    /// One step; false where the matrix is singular or the step is not finite.
    fn step(
        &mut self,
        system: &mut System,
        friction: Friction,
        (eps, stride): (f64, Stride),
    ) -> bool {
        self.z.clone_from(&system.z);
        let merit = match stride {
            Stride::Full => 0.0,
            _ => self.merit(system, friction, eps),
        };
        self.set(system, friction, eps);
        self.assemble(system, eps);
        let n = self.dz.len();
        self.work += n * n * n;
        let matrix = &self.matrix;
        if (self.lu.factor(n, SINGULAR, |i, j| matrix[i * n + j])).is_err() {
            return false;
        }
        self.lu.solve(&mut self.dz);
        // Negated so that a NaN ends it.
        let finite = self.dz.iter().all(|x| x.is_finite());
        if !finite {
            return false;
        }
        for &(unit, at, _) in &self.moving {
            let unit = &system.units[unit as usize];
            let own = &self.dz[at as usize..at as usize + unit.width as usize];
            for (z, dz) in system.z[unit.range()].iter_mut().zip(own) {
                *z += dz;
            }
        }
        system.refresh();
        if !matches!(stride, Stride::Full) {
            self.shorten(system, friction, (merit, eps));
        }
        true
    }

    /// Goes back on the way just gone until the map is smaller than it was; to the last length if it never is.
    fn shorten(&mut self, system: &mut System, friction: Friction, (merit, eps): (f64, f64)) {
        let mut length = 1.0;
        for next in &LENGTHS[1..] {
            if self.merit(system, friction, eps) < merit {
                return;
            }
            for (z, start) in system.z.iter_mut().zip(&self.z) {
                *z = start + (*z - start) * (next / length);
            }
            length = *next;
            system.refresh();
        }
    }

    /// Finds out what every unit does, sets the impulses of those that do not move, and keeps in `u` the
    /// velocities as they were before.
    fn set(&mut self, system: &mut System, friction: Friction, eps: f64) {
        self.moving.clear();
        self.u.clear();
        let mut at = 0;
        for (number, unit) in system.units.iter().enumerate() {
            let width = unit.width as usize;
            let z = System::impulse(unit, &system.z);
            let mut u = system.velocity(unit, &system.v, z[0]);
            for (k, centre) in self.centre[unit.range()].iter().enumerate() {
                u[k] += weight(unit, k, eps) * (z[k] - centre);
            }
            self.u.extend_from_slice(&u[..width]);
            match state(unit, (&z, &u), friction) {
                State::Fixed(to) => system.z[unit.range()].copy_from_slice(&to[..width]),
                State::Moves(own) => {
                    self.moving.push((number as u32, at, own));
                    at += unit.width;
                }
            }
        }
        system.refresh();
    }

    /// The matrix of the step and its right-hand side.
    fn assemble(&mut self, system: &System, eps: f64) {
        let m = system.dim();
        let n = self
            .moving
            .iter()
            .map(|(unit, ..)| system.units[*unit as usize].width);
        let n = n.sum::<u32>() as usize;
        self.rows.clear();
        self.rows.resize(n * m, 0.0);
        self.dz.clear();
        self.dz.resize(n, 0.0);
        for &(unit, at, own) in &self.moving {
            let unit = &system.units[unit as usize];
            let (at, width) = (at as usize, unit.width as usize);
            system.scatter(unit, &mut self.rows[at * m..(at + width) * m]);
            let z = System::impulse(unit, &system.z);
            let mut du = system.velocity(unit, &system.v, z[0]);
            for (k, before) in self.u[unit.range()].iter().enumerate() {
                let held = weight(unit, k, eps) * (z[k] - self.centre[unit.at as usize + k]);
                du[k] += held - before;
            }
            for i in 0..width {
                let back: f64 = (0..width).map(|k| own.h[i][k] * du[k]).sum();
                self.dz[at + i] = own.r[i] - back;
            }
        }
        self.multiply(m, n);
        self.matrix.clear();
        self.matrix.resize(n * n, 0.0);
        for &(unit, at, own) in &self.moving {
            let unit = &system.units[unit as usize];
            let (at, width) = (at as usize, unit.width as usize);
            for k in 0..width {
                let soft = if k == 0 { unit.soft } else { 0.0 };
                self.products[(at + k) * (n + 1)] += soft + weight(unit, k, eps);
            }
            for i in 0..width {
                let row = &mut self.matrix[(at + i) * n..(at + i + 1) * n];
                for k in 0..width {
                    if own.h[i][k] != 0.0 {
                        let products = &self.products[(at + k) * n..(at + k + 1) * n];
                        axpy(row, own.h[i][k], products);
                    }
                }
                for k in 0..width {
                    row[at + k] += own.g[i][k];
                }
            }
        }
    }

    /// The products of the `n` dense rows of `m` entries.
    fn multiply(&mut self, m: usize, n: usize) {
        self.products.clear();
        self.products.resize(n * n, 0.0);
        for i in 0..n {
            for j in 0..=i {
                let [a, b] = [i, j].map(|i| &self.rows[i * m..(i + 1) * m]);
                let product = dot(a, b);
                self.products[i * n + j] = product;
                self.products[j * n + i] = product;
            }
        }
    }
}

impl Newton {
    /// The square of the natural map of the proximal problem at the impulses present.
    fn merit(&self, system: &System, friction: Friction, eps: f64) -> f64 {
        let squares = system.units.iter().map(|unit| {
            let z = System::impulse(unit, &system.z);
            let mut u = system.velocity(unit, &system.v, z[0]);
            for (k, centre) in self.centre[unit.range()].iter().enumerate() {
                u[k] += weight(unit, k, eps) * (z[k] - centre);
            }
            let left = map(unit, (&z, &u), friction);
            left.iter().map(|x| x * x).sum::<f64>()
        });
        squares.sum::<f64>()
    }
}
