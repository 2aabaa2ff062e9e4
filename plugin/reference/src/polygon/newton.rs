//! The circular cone of rolling contacts by Newton's method, from the polygon's answer.
//!
//! Unknowns z: unilateral forces, each contact's friction along s and t behind its normal force (scaled so that an
//! ellipse is a circle), bounded scalars. With `u = B z + c` their velocities, the conditions are the zeros of the
//! natural maps of the law ([`natural::map`]), and a step solves what each unit linearises to ([`linear::state`]),
//! `G dz + H B dz = r`; it is shortened until the largest entry of the map falls. Contacts that share a load in many ways
//! make the matrix singular: a small multiple of D on its diagonal then chooses among them.

use super::layout::Layout;
use super::matrix::{row_of, velocity_of};
use super::variables::{Bound, Mix, Unit as Friction, Variable};
use crate::reduced::Reduced;
use stickslip_core::kit::Lu;
use stickslip_core::kit::kernel::worse;
use stickslip_core::kit::kernel::{axpy, dot};
use stickslip_core::kit::{LawBlock, LawStep};

/// Newton steps after which the method gives up; it converges in 3 to 10.
const MAX_STEPS: usize = 60;
/// Share of D on the diagonal of a Jacobian that may be singular: what round-off leaves along loads that
/// can be shared in many ways is divided by it, and moves them by that much.
const DAMPING: f64 = 1e-8;
/// How often a step is halved at most.
const HALVINGS: usize = 30;

/// Memory of the method.
#[derive(Clone, Debug, Default)]
pub(super) struct Newton {
    units: Vec<LawBlock>,
    /// The unknowns as variables of their own.
    unknowns: Vec<Variable>,
    b: Vec<f64>,
    c: Vec<f64>,
    z: Vec<f64>,
    trial: Vec<f64>,
    u: Vec<f64>,
    jacobian: Vec<f64>,
    step: Vec<f64>,
    line: Vec<f64>,
    lu: Lu,
}

impl Newton {
    /// Improves the forces `x` of the kept rows from the polygon's answer to the cone's. Returns the steps taken; the
    /// answer is for the residual check to accept.
    pub(super) fn solve(&mut self, layout: &Layout, reduced: &Reduced, x: &mut [f64]) -> usize {
        self.lay_out(layout, reduced);
        self.assemble(reduced);
        self.z.clear();
        let starts = self.unknowns.iter();
        (self.z).extend(starts.map(|v| match v.along.shares[0] {
            0.0 => 0.0,
            share => x[v.place()] / share,
        }));
        let speed = reduced.speed();
        let mut size = self.evaluate();
        let mut steps = 0;
        while steps < MAX_STEPS && size > 1e-14 * speed {
            steps += 1;
            let before = size;
            if self.differentiate() {
                size = self.search(before);
            }
            // Negated so that a NaN ends it.
            let falls = size < before;
            if !falls {
                break;
            }
        }
        x.fill(0.0);
        for (unknown, &z) in self.unknowns.iter().zip(&self.z) {
            unknown.along.add_to(z, x);
            unknown.slide.add_to(z, x);
        }
        steps
    }

    fn lay_out(&mut self, layout: &Layout, reduced: &Reduced) {
        self.units.clear();
        self.unknowns.clear();
        for (i, variable) in layout.unilaterals() {
            let d = reduced.diagonal(variable.place()) + variable.softness;
            let own = |unit: &&Friction| matches!(unit.bound, Bound::Normal { variable, .. } if variable as usize == i);
            let friction = layout.units.iter().find(own);
            self.unit(*variable, |at| LawBlock::half(at, movable(d)));
            if let Some(unit) = friction {
                self.tangents(unit, *variable);
            }
        }
        for unit in &layout.units {
            if let Bound::Constant(limit) = unit.bound {
                let mut row = layout.variables[unit.first as usize];
                row.along = Mix::one(unit.places[0], 1.0);
                row.offset = -unit.targets[0];
                row.softness = unit.compliance;
                self.unit(row, |at| LawBlock::bounded(at, movable(unit.weight), limit));
            }
        }
    }

    fn unit(&mut self, row: Variable, law: impl Fn(usize) -> LawBlock) {
        self.units.push(law(self.unknowns.len()));
        self.unknowns.push(row);
    }

    /// Makes the last unit a contact with this friction.
    fn tangents(&mut self, friction: &Friction, normal: Variable) {
        let Some(unit) = self.units.last_mut() else {
            return;
        };
        let mu = match friction.bound {
            Bound::Normal { mu, .. } => mu,
            Bound::Constant(_) => 0.0,
        };
        *unit = unit.with_friction(friction.weight, mu);
        for k in 0..2 {
            self.unknowns.push(Variable {
                along: Mix::one(friction.places[k], friction.scales[k]),
                slide: Mix::default(),
                offset: -friction.scales[k] * friction.targets[k],
                softness: 0.0,
                ..normal
            });
        }
    }

    /// `B` and `c`.
    fn assemble(&mut self, reduced: &Reduced) {
        let p = self.unknowns.len();
        self.b.clear();
        self.b.resize(p * p, 0.0);
        self.c.clear();
        for (i, unknown) in self.unknowns.iter().enumerate() {
            self.c.push(unknown.offset + unknown.along.of(reduced.q()));
            row_of(unknown, reduced, &mut self.line);
            let entries = self.b[i * p..(i + 1) * p].iter_mut();
            for (entry, other) in entries.zip(&self.unknowns) {
                *entry = velocity_of(other, &self.line);
            }
            self.b[i * p + i] += unknown.softness;
        }
    }

    /// Fills `u` at `z`; returns the largest entry of the natural maps.
    fn evaluate(&mut self) -> f64 {
        let p = self.z.len();
        self.u.clear();
        let rows = self.b.chunks_exact(p.max(1)).zip(&self.c);
        self.u.extend(rows.map(|(row, c)| c + dot(row, &self.z)));
        let units = self.units.iter();
        let sizes = units.map(|unit| unit.natural_size(&self.z, &self.u));
        sizes.fold(0.0, worse)
    }

    /// The Newton step at `z`, into `step`; false if there is none.
    fn differentiate(&mut self) -> bool {
        let p = self.z.len();
        self.jacobian.clear();
        self.jacobian.resize(p * p, 0.0);
        self.step.clear();
        let mut units = std::mem::take(&mut self.units);
        for unit in &units {
            self.equation(unit);
        }
        std::mem::swap(&mut self.units, &mut units);
        let jacobian = &self.jacobian;
        let entry = |i: usize, j: usize| jacobian[i * p + j];
        if self.lu.factor(p, 1e-300, entry).is_err() {
            return false;
        }
        self.lu.solve(&mut self.step);
        self.step.iter().all(|x| x.is_finite())
    }

    /// The rows of a unit.
    fn equation(&mut self, unit: &LawBlock) {
        let p = self.z.len();
        let own = unit.step(&self.z, &self.u);
        for (a, i) in unit.range().enumerate() {
            let d = unit.diagonal(a);
            let row = &mut self.jacobian[i * p..(i + 1) * p];
            row[i] = DAMPING * d;
            match &own {
                LawStep::Fixed(to) => {
                    row[i] += d;
                    self.step.push(d * (to[a] - self.z[i]));
                }
                LawStep::Moves { g, h, r } => {
                    for (b, j) in unit.range().enumerate() {
                        row[j] += g[a][b];
                        let response = &self.b[j * p..(j + 1) * p];
                        if h[a][b] != 0.0 {
                            axpy(row, h[a][b], response);
                        }
                    }
                    self.step.push(r[a]);
                }
            }
        }
    }

    /// Goes along the step, halving it until the map falls; returns its size, `before` if it never does.
    fn search(&mut self, before: f64) -> f64 {
        self.trial.clone_from(&self.z);
        let mut length = 1.0;
        for _ in 0..HALVINGS {
            self.z.clone_from(&self.trial);
            axpy(&mut self.z, length, &self.step);
            let size = self.evaluate();
            if size < before * (1.0 - 1e-4 * length) {
                return size;
            }
            length *= 0.5;
        }
        self.z.clone_from(&self.trial);
        before
    }
}

/// A diagonal; rows along which nothing moves have any.
fn movable(d: f64) -> f64 {
    if d > 0.0 { d } else { 1.0 }
}
