//! Rows that contradict each other: which of them yield, and how it shows.

use super::System;
use crate::law::{ConstraintBlock, Law};
use crate::tolerances::{FINE, MINIMUM};

impl System {
    /// Bilateral rows that contradict each other yield: where what they miss is all that is left of their own least
    /// squares, `sum_i R_i u_i / d_i = 0`, no impulse brings them nearer, and they are met as far as they can be.
    /// Whether any did.
    pub(crate) fn yield_contradictory(&mut self, rest: f64) -> bool {
        self.refresh();
        let mut pull = std::mem::take(&mut self.spare);
        pull.clear();
        pull.resize(self.dim(), 0.0);
        let mut size = 0.0_f64;
        for unit in self.units.iter().filter(|unit| is_rigid(unit)) {
            let [u] = self.velocity(unit, &self.v, 0.0);
            size += u * u / unit.d[0];
            self.add(unit, [u / unit.d[0]], &mut pull);
        }
        let left: f64 = pull.iter().map(|x| x * x).sum();
        self.spare = pull;
        if left > MINIMUM * MINIMUM * size {
            return false;
        }
        let mut any = false;
        let mut units = std::mem::take(&mut self.units);
        for unit in units.iter_mut().filter(|unit| is_rigid(unit)) {
            let [u] = self.velocity(unit, &self.v, 0.0);
            if u.abs() > rest * self.speed {
                unit.b[0] -= u;
                unit.missed += u;
                any = true;
            }
        }
        self.units = units;
        any
    }

    /// Whether a row asks for a motion.
    pub(crate) fn asks(&self) -> bool {
        self.units.iter().any(ConstraintBlock::asks)
    }

    /// Whether the impulses f work far more along the motion a that rows ask for than any answer's,
    /// `f . a = |v+|^2 + |v+ - v_free|^2 - |v_free|^2`: they grow where rows contradict each other (Farkas' lemma: `R^T f` near
    /// zero, `f . a` positive).
    pub(crate) fn is_squeezed(&self) -> bool {
        let asking = self.units.iter().filter(|unit| unit.asks());
        let work: f64 = asking
            .map(|unit| -unit.b[0] * self.z[unit.at as usize])
            .sum();
        let square = |v: &[f64]| v.iter().map(|x| x * x).sum::<f64>();
        let change = self
            .v
            .iter()
            .zip(&self.v_free)
            .map(|(v, free)| (v - free) * (v - free));
        FINE * work > square(&self.v) + square(&self.v_free) + change.sum::<f64>()
    }

    /// Makes rows that prescribe a velocity `a` compliant, `u + d z = a` with `d` the row's own entry of the Delassus matrix,
    /// so that against a fixed obstacle (`u >= 0`) no impulse exceeds `a / d`. Returns whether there are any; the
    /// impulses are reset then.
    pub(crate) fn relax(&mut self) -> bool {
        let mut any = false;
        for unit in &mut self.units {
            if unit.asks() {
                unit.relaxed = unit.d[0];
                unit.soft += unit.relaxed;
                unit.weight[0] += unit.relaxed;
                any = true;
            }
        }
        if any {
            self.forget();
        }
        any
    }
}

/// Whether it is a bilateral row that does not give.
fn is_rigid(unit: &ConstraintBlock) -> bool {
    unit.law == Law::Free && unit.soft == 0.0
}
