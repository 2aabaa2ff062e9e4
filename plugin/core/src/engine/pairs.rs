//! A start for contacts that are new, from the wrench of their pair of bodies in the last step.
//!
//! Where bodies rest on each other, collision detection often names their contacts anew, or finds other corners of
//! the same face; the wrench between the two hardly changes. It is given back to the contacts that are
//! there now,
//! ```text
//! min |sum_c R_c^T z_c - w|^2 in the metric M^-1,   z_c in the cone of contact c
//! ```
//! by accelerated symmetric sweeps over these contacts alone, from the impulses that were found again by name.

use crate::law::project::projected;
use crate::law::{PART, Unit};
use crate::problem::{ContactProblem, NO_BLOCK};
use crate::system::System;
use crate::warm::{WarmStart, Wrench};

/// Pairs of sweeps over the contacts of one pair of bodies.
const SWEEPS: usize = 60;
/// Share of the wrench that is left over in the end.
const LEFT: f64 = 1e-8;
/// Share of the wrench from which on it was lost with the names of its contacts. Below it the rows have only turned, as
/// they do in every step of a heap in motion: giving back such wrenches took a quarter of a step of `pile-box`
/// and gained nothing.
const LOST: f64 = 0.1;

/// Coordinates of two bodies.
const BOTH: usize = 12;

/// Memory of the starts.
#[derive(Clone, Debug, Default)]
pub(crate) struct Pairs {
    /// Pair of every contact of the island, with the number of its unit.
    order: Vec<(u64, u32)>,
    local: Local,
}

impl Pairs {
    /// Gives the wrenches of the last step to the contacts of the system, pair by pair where the impulses that
    /// were found again do not add up to them. O(contacts) where they do.
    pub(crate) fn give(&mut self, problem: &ContactProblem, warm: &WarmStart, system: &mut System) {
        self.order.clear();
        for (number, unit) in system.units.iter().enumerate() {
            let contact = problem.contacts().get(unit.group as usize);
            if let Some(contact) = contact.filter(|contact| contact.pair != 0) {
                self.order.push((contact.pair, number as u32));
            }
        }
        self.order.sort_unstable();
        let mut z = std::mem::take(&mut system.z);
        for pair in self.order.chunk_by(|a, b| a.0 == b.0) {
            if let Some(wrench) = warm.wrench(pair[0].0)
                && self.local.take(problem, system, (pair, &z), &wrench)
            {
                self.local.spread();
                self.local.give(system, (pair, &mut z));
            }
        }
        system.z = z;
        system.refresh();
    }
}

/// The contacts of one pair of bodies over the whitened coordinates of the two.
#[derive(Clone, Debug, Default)]
struct Local {
    units: Vec<Unit>,
    /// Rows of every impulse.
    rows: Vec<[f64; BOTH]>,
    z: Vec<f64>,
    /// Impulses before the present pair of sweeps, and after the last one.
    old: Vec<f64>,
    before: Vec<f64>,
    /// What the impulses make, less the wrench.
    v: [f64; BOTH],
    v_before: [f64; BOTH],
    /// Square of the wrench.
    size: f64,
}

fn square(v: &[f64]) -> f64 {
    v.iter().map(|x| x * x).sum()
}

impl Local {
    /// Reads a pair; false if nothing of its wrench is missing, or one of its blocks is more than a body.
    fn take(
        &mut self,
        problem: &ContactProblem,
        system: &System,
        (pair, z): (&[(u64, u32)], &[f64]),
        wrench: &Wrench,
    ) -> bool {
        self.units.clear();
        self.rows.clear();
        self.z.clear();
        let first = &system.units[pair[0].1 as usize];
        let blocks = problem.contact_group(first.group as usize).blocks;
        let mut wanted = *wrench;
        let mut places = [0..0, 0..0];
        for (k, &b) in blocks.iter().enumerate().filter(|(_, b)| **b != NO_BLOCK) {
            let block = problem.block(b as usize);
            if block.dim() > BOTH / 2 {
                return false;
            }
            block.solve_lt(&mut wanted[k * BOTH / 2..][..block.dim()]);
            let start = system.first_coordinate(b);
            places[k] = start..start + block.dim();
        }
        self.size = square(&wanted);
        self.v = wanted.map(|w| -w);
        for &(_, number) in pair {
            let unit = &system.units[number as usize];
            if problem.contact_group(unit.group as usize).blocks != blocks {
                return false;
            }
            let from = self.rows.len();
            self.rows.resize(from + unit.width as usize, [0.0; BOTH]);
            system.each_entry(unit, |k, j, entry| {
                let side = usize::from(!places[0].contains(&j));
                let at = side * BOTH / 2 + j - places[side].start;
                self.rows[from + k][at] += entry;
            });
            self.units.push(Unit {
                at: from as u32,
                ..*unit
            });
            self.z.extend_from_slice(&z[unit.range()]);
        }
        for (row, z) in self.rows.iter().zip(&self.z) {
            add(&mut self.v, *z, row);
        }
        square(&self.v) > LOST * LOST * self.size
    }

    /// Accelerated symmetric sweeps: as those of [`super::sweeps`], over the convex cones.
    fn spread(&mut self) {
        self.before.clone_from(&self.z);
        self.v_before = self.v;
        let mut theta = 1.0_f64;
        for _ in 0..SWEEPS {
            self.old.clone_from(&self.z);
            for i in 0..self.units.len() {
                self.visit(i);
            }
            for i in (0..self.units.len()).rev() {
                self.visit(i);
            }
            if square(&self.v) <= LEFT * LEFT * self.size {
                return;
            }
            let mut turn = 0.0;
            for unit in &self.units {
                for (k, i) in unit.range().enumerate() {
                    let step = (self.old[i] - self.z[i]) * (self.z[i] - self.before[i]);
                    turn += unit.weight[PART[k]] * step;
                }
            }
            let next = match turn > 0.0 {
                true => 1.0,
                false => 0.5 * (1.0 + (1.0 + 4.0 * theta * theta).sqrt()),
            };
            let beta = match turn > 0.0 {
                true => 0.0,
                false => (theta - 1.0) / next,
            };
            theta = next;
            ahead(&mut self.z, &mut self.before, beta);
            ahead(&mut self.v, &mut self.v_before, beta);
        }
        // Those before the last extrapolation lie in their cones.
        self.z.clone_from(&self.before);
    }

    fn visit(&mut self, i: usize) {
        let unit = &self.units[i];
        let rows = &self.rows[unit.range()];
        let z = System::impulse(unit, &self.z);
        let mut y = z;
        for (k, row) in rows.iter().enumerate() {
            let u: f64 = row.iter().zip(&self.v).map(|(r, v)| r * v).sum();
            y[k] -= u / unit.weight[PART[k]];
        }
        let new = projected(unit, &y);
        for (k, row) in rows.iter().enumerate() {
            add(&mut self.v, new[k] - z[k], row);
        }
        self.z[unit.range()].copy_from_slice(&new[..unit.width as usize]);
    }

    fn give(&self, system: &System, (pair, z): (&[(u64, u32)], &mut [f64])) {
        for (&(_, number), own) in pair.iter().zip(&self.units) {
            let unit = &system.units[number as usize];
            z[unit.range()].copy_from_slice(&self.z[own.range()]);
        }
    }
}

fn add(v: &mut [f64; BOTH], a: f64, row: &[f64; BOTH]) {
    for (v, r) in v.iter_mut().zip(row) {
        *v += a * r;
    }
}

/// Extrapolates by `beta` of the last change; `before` becomes the present.
fn ahead(now: &mut [f64], before: &mut [f64], beta: f64) {
    for (x, last) in now.iter_mut().zip(before.iter_mut()) {
        let next = *x + beta * (*x - *last);
        *last = *x;
        *x = next;
    }
}
