//! The complementarity problem of an island: the Stewart-Trinkle law.
//!
//! With the reduced problem `R v+ = W x + q` (bilateral rows eliminated) every variable z acts along a combination g of
//! the kept rows, `x = G z`, and is paired with the velocity (of a stage: acceleration) along a combination r of them:
//! ```text
//! z = (f_n, f_d, lambda)         [ST96, AP97]
//!     | R_n W G_n   R_n W B^T    0 |        | R_n q + b       |   separation
//! A = | B W G_n     B W B^T      E |    q = | B (q - target)  |   slip along each direction + lambda
//!     | D mu        -D E^T       0 |        | 0 (or D limit)  |   what is left of the bound, as a velocity
//! ```
//! `g = r = n`, but for contacts that slide at acceleration level: their friction comes with the normal force,
//! `g = n + slide`, which makes A unsymmetric [T95, D15 sec. III-B]. Every row is a velocity [m/s]; the last ones are
//! multiplied by the unit's D for it, which scales lambda's pairs and changes no solution. Variables stand contact by
//! contact.

use super::layout::Layout;
use super::variables::{Bound, Variable};
use crate::reduced::Reduced;
use stickslip_core::kit::kernel::dot;
use stickslip_core::models::Stabilisation;

/// Impulses that act already while others are solved for; none where empty.
#[derive(Clone, Debug, Default)]
pub(super) struct Given {
    /// By kept row.
    pub(super) impulses: Vec<f64>,
    /// By unilateral variable: the part that is added, and bounds friction.
    pub(super) floors: Vec<f64>,
}

impl Given {
    pub(super) fn clear(&mut self) {
        self.impulses.clear();
        self.floors.clear();
    }

    pub(super) fn floor(&self, variable: usize) -> f64 {
        self.floors.get(variable).copied().unwrap_or(0.0)
    }
}

/// The complementarity problem of an island; all memory is reused.
#[derive(Clone, Debug, Default)]
pub(super) struct Matrix {
    /// Row-major.
    pub(super) a: Vec<f64>,
    pub(super) q: Vec<f64>,
    /// What [`Self::soften`] asks for on the diagonal.
    pub(super) soft: Vec<f64>,
    /// A variable's direction times W.
    line: Vec<f64>,
    /// Free velocity of the kept rows, impulses given beforehand included.
    pub(super) free: Vec<f64>,
}

impl Matrix {
    /// Fills `a` and `q`. O(N^2) for N variables and O(N k) for k kept rows.
    pub(super) fn assemble(&mut self, layout: &Layout, reduced: &Reduced, given: &Given) {
        let n = layout.variables.len();
        let k = reduced.rows().len();
        self.free.clear();
        self.free.extend_from_slice(reduced.q());
        if !given.impulses.is_empty() {
            let rows = reduced.w().chunks_exact(k);
            for (free, row) in self.free.iter_mut().zip(rows) {
                *free += dot(row, &given.impulses);
            }
        }
        self.a.clear();
        self.a.resize(n * n, 0.0);
        self.q.clear();
        for (i, variable) in layout.variables.iter().enumerate() {
            self.q.push(variable.offset);
            if variable.along.shares == [0.0; 2] {
                continue;
            }
            self.q[i] += variable.along.of(&self.free);
            row_of(variable, reduced, &mut self.line);
            let entries = self.a[i * n..(i + 1) * n].iter_mut();
            for (entry, other) in entries.zip(&layout.variables) {
                *entry = velocity_of(other, &self.line);
            }
            if variable.softness > 0.0 {
                self.a[i * n + i] += variable.softness;
                let given = given.impulses.get(variable.place()).copied();
                self.q[i] += variable.softness * given.unwrap_or(0.0);
            }
        }
        for unit in &layout.units {
            let slip = unit.slip as usize;
            for i in unit.variables() {
                self.a[i * n + slip] = 1.0;
                self.a[slip * n + i] = -unit.weight;
                for j in unit.variables().filter(|_| unit.compliance > 0.0) {
                    let sign = if i == j { 1.0 } else { -1.0 };
                    self.a[i * n + j] += sign * unit.compliance;
                }
            }
            match unit.bound {
                Bound::Normal { variable, mu } => {
                    let (variable, bound) = (variable as usize, unit.weight * mu);
                    self.a[slip * n + variable] = bound;
                    self.q[slip] = bound * given.floor(variable);
                }
                Bound::Constant(limit) => self.q[slip] = unit.weight * limit,
            }
        }
    }

    /// Fills `soft`: compliance of every unilateral row, `share` times its row's diagonal.
    pub(super) fn soften(&mut self, layout: &Layout, reduced: &Reduced, share: f64) {
        self.soft.clear();
        let all = layout.variables.iter();
        self.soft.extend(all.map(|variable| {
            if variable.is_unilateral() {
                share * reduced.diagonal(variable.place())
            } else {
                0.0
            }
        }));
    }

    /// Fills `soft` with what the settings ask for [TSL, sec. 5].
    pub(super) fn stabilise(&mut self, stabilisation: Stabilisation) {
        let n = self.q.len();
        self.soft.clear();
        let diagonal = self.a.iter().step_by(n + 1);
        self.soft.extend(diagonal.map(|&d| match stabilisation {
            Stabilisation::None => 0.0,
            Stabilisation::Scaled(eps) => eps * d,
            Stabilisation::Tikhonov(eps) => eps * if d > 0.0 { d } else { 1.0 },
        }));
    }
}

/// `r W` of a variable, over the kept rows.
pub(super) fn row_of(variable: &Variable, reduced: &Reduced, line: &mut Vec<f64>) {
    let k = reduced.rows().len();
    let [x, y] =
        (variable.along.places).map(|p| &reduced.w()[p as usize * k..(p as usize + 1) * k]);
    let [a, b] = variable.along.shares;
    line.clear();
    line.extend(x.iter().zip(y).map(|(x, y)| a * x + b * y));
}

/// What an impulse of a variable makes of a velocity whose change per impulse of each kept row is `line`.
#[inline]
pub(super) fn velocity_of(variable: &Variable, line: &[f64]) -> f64 {
    let along = variable.along.of(line);
    if variable.slide.shares == [0.0; 2] {
        return along;
    }
    along + variable.slide.of(line)
}

/// Impulses of the k kept rows: `G z` and what is given.
pub(super) fn impulses(layout: &Layout, z: &[f64], given: &Given, k: usize, out: &mut Vec<f64>) {
    out.clear();
    out.extend_from_slice(&given.impulses);
    out.resize(k, 0.0);
    for (variable, &z) in layout.variables.iter().zip(z) {
        if z != 0.0 {
            variable.along.add_to(z, out);
            variable.slide.add_to(z, out);
        }
    }
}
