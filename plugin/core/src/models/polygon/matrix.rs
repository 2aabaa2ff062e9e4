//! The complementarity problem of an island.
//!
//! With the reduced problem `R v+ = W z_R + q` (bilateral rows eliminated) and `z_R = G z`, G the
//! directions of the variables:
//! ```text
//! z = (f_n, f_d, lambda)         [ST96, AP97]
//!     | N W N^T   N W B^T    0 |        | N q + b         |   separation
//! A = | B W N^T   B W B^T    E |    q = | B (q - target)  |   slip along each direction + lambda
//!     | D mu      -D E^T     0 |        | 0 (or D limit)  |   what is left of the bound, as a velocity
//! ```
//! Every row is a velocity [m/s]; the last ones are multiplied by the unit's D for it, which scales
//! lambda's pairs and changes no solution. Variables stand contact by contact.

use super::super::reduced::Reduced;
use super::layout::{Bound, Layout, Variable};
use crate::models::Stabilisation;

/// The complementarity problem of an island; all memory is reused.
#[derive(Clone, Debug, Default)]
pub(super) struct Matrix {
    /// Row-major.
    pub(super) a: Vec<f64>,
    pub(super) q: Vec<f64>,
    /// What the last softening added to the diagonal, and the diagonal before it.
    pub(super) soft: Vec<f64>,
    rigid: Vec<f64>,
    /// A variable's direction times W.
    line: Vec<f64>,
    /// Free velocity of the kept rows, impulses given beforehand included.
    pub(super) free: Vec<f64>,
}

impl Matrix {
    /// Fills `free`: `q + W z` for impulses `z` of the kept rows that are given beforehand (none: `q`).
    pub(super) fn set_free(&mut self, reduced: &Reduced, given: &[f64]) {
        self.free.clear();
        self.free.extend_from_slice(reduced.q());
        let k = reduced.rows().len();
        for (free, row) in self.free.iter_mut().zip(reduced.w().chunks_exact(k.max(1))) {
            *free += crate::rows::kernel::dot(row, given);
        }
    }

    /// Fills `a` and `q`; `floors` is the part of each unilateral row's impulse that presses again in an expansion,
    /// `given` all that is given beforehand by row (none: 0). O(N^2) for N variables.
    pub(super) fn assemble(
        &mut self,
        layout: &Layout,
        reduced: &Reduced,
        (floors, given): (&[f64], &[f64]),
    ) {
        let n = layout.variables.len();
        let k = reduced.rows().len();
        self.a.clear();
        self.a.resize(n * n, 0.0);
        self.q.clear();
        for (i, variable) in layout.variables.iter().enumerate() {
            let Variable::Impulse { places, coefs } = *variable else {
                self.q.push(0.0);
                continue;
            };
            let rows = places.map(|p| &reduced.w()[p as usize * k..(p as usize + 1) * k]);
            self.line.clear();
            let pairs = rows[0].iter().zip(rows[1]);
            (self.line).extend(pairs.map(|(x, y)| coefs[0] * x + coefs[1] * y));
            let line = &self.line;
            let entries = self.a[i * n..(i + 1) * n].iter_mut();
            for (entry, other) in entries.zip(&layout.variables) {
                if let Variable::Impulse {
                    places: [x, y],
                    coefs,
                } = *other
                {
                    *entry = coefs[0] * line[x as usize] + coefs[1] * line[y as usize];
                }
            }
            let free = places.map(|p| self.free[p as usize]);
            self.q.push(coefs[0] * free[0] + coefs[1] * free[1]);
        }
        for unilateral in &layout.unilaterals {
            let i = unilateral.variable as usize;
            self.a[i * n + i] += unilateral.softness;
            let given = given.get(unilateral.place as usize).copied().unwrap_or(0.0);
            self.q[i] += unilateral.b + unilateral.softness * given;
        }
        for unit in &layout.units {
            let (first, slip) = (unit.first as usize, (unit.first + unit.count) as usize);
            for i in first..slip {
                let Variable::Impulse { coefs, .. } = layout.variables[i] else {
                    continue;
                };
                self.q[i] -= coefs[0] * unit.targets[0] + coefs[1] * unit.targets[1];
                self.a[i * n + slip] = 1.0;
                self.a[slip * n + i] = -unit.weight;
                if unit.compliance > 0.0 {
                    for j in first..slip {
                        let sign = if i == j { 1.0 } else { -1.0 };
                        self.a[i * n + j] += sign * unit.compliance;
                    }
                }
            }
        }
        self.bound(layout, floors, f64::INFINITY);
    }

    /// Writes the bounds of friction, no coefficient larger than `cap`. O(units).
    pub(super) fn bound(&mut self, layout: &Layout, floors: &[f64], cap: f64) {
        let n = self.q.len();
        for unit in &layout.units {
            let slip = (unit.first + unit.count) as usize;
            match unit.bound {
                Bound::Normal { unilateral, mu } => {
                    let normal = layout.unilaterals[unilateral as usize].variable as usize;
                    let bound = unit.weight * mu.min(cap);
                    self.a[slip * n + normal] = bound;
                    let floor = floors.get(unilateral as usize).copied().unwrap_or(0.0);
                    self.q[slip] = bound * floor;
                }
                Bound::Constant(limit) => self.q[slip] = unit.weight * limit,
            }
        }
    }

    /// Adds what the settings ask for to the diagonal [TSL, sec. 5].
    pub(super) fn stabilise(&mut self, stabilisation: Stabilisation) {
        let n = self.q.len();
        for i in 0..n {
            let d = &mut self.a[i * n + i];
            match stabilisation {
                Stabilisation::None => {}
                Stabilisation::Scaled(eps) => *d *= 1.0 + eps,
                Stabilisation::Tikhonov(eps) => *d += eps * if *d > 0.0 { *d } else { 1.0 },
            }
        }
    }

    /// Gives every unilateral row the compliance `share` times its row's diagonal; [`Self::harden`] takes it
    /// away.
    pub(super) fn soften(&mut self, layout: &Layout, reduced: &Reduced, share: f64) {
        let n = self.q.len();
        self.soft.clear();
        self.soft.resize(n, 0.0);
        for unilateral in &layout.unilaterals {
            let i = unilateral.variable as usize;
            self.soft[i] = share * reduced.diagonal(unilateral.place as usize);
        }
        self.rigid.clear();
        for i in 0..n {
            self.rigid.push(self.a[i * n + i]);
            self.a[i * n + i] += self.soft[i];
        }
    }

    /// Takes the compliance of [`Self::soften`] away.
    pub(super) fn harden(&mut self) {
        let n = self.q.len();
        for (i, d) in self.rigid.iter().enumerate() {
            self.a[i * n + i] = *d;
        }
    }
}

/// Impulses of the k kept rows: `z_R = G z` plus the given part (none: 0).
pub(super) fn impulses(
    layout: &Layout,
    z: &[f64],
    (given, k): (&[f64], usize),
    out: &mut Vec<f64>,
) {
    out.clear();
    out.extend_from_slice(given);
    out.resize(k, 0.0);
    for (variable, &z) in layout.variables.iter().zip(z) {
        if let Variable::Impulse { places, coefs } = *variable
            && z != 0.0
        {
            for (place, c) in places.into_iter().zip(coefs) {
                out[place as usize] += c * z;
            }
        }
    }
}
