//! How a solve ends: what its answer must hold to be one.

use super::system::System;
use crate::report::SolveStatus;
use crate::tolerances::ACCEPTED;

impl System<'_> {
    /// What counts as zero velocity: the tolerance, or the round-off of the largest impulse, whose
    /// velocity `z D` may cancel against another's.
    pub(crate) fn zero(&self) -> f64 {
        let mut largest = 0.0_f64;
        for (position, &i) in self.memory.active.iter().enumerate() {
            let z = self.memory.rows[i as usize].z;
            largest = largest.max(z.abs() * self.memory.basis.diag(position));
        }
        (self.limits.tolerance * self.speed).max(8.0 * f64::EPSILON * largest)
    }

    /// Ends a solve: sheds round-off if the active set changed, and checks for finite numbers.
    pub(super) fn conclude(&mut self) -> SolveStatus {
        if self.pivots > 0 {
            self.polish();
            if self.relaxed {
                // The first sum may still have held the huge impulses of a failed attempt.
                self.polish();
            }
            self.evaluate();
        }
        if !self.is_sound() {
            return SolveStatus::NonFinite;
        }
        match self.is_verified() {
            true => SolveStatus::Solved,
            false => SolveStatus::Inaccurate,
        }
    }

    /// Round-off of the active rows' velocities after the last refinement, no more than what an
    /// answer may miss.
    pub(super) fn round_off(&self) -> f64 {
        self.left.clamp(self.settled(), self.allowed())
    }

    /// What a row may miss in an answer that counts as solved [m/s].
    pub(super) fn allowed(&self) -> f64 {
        0.5 * ACCEPTED * self.speed
    }

    /// Whether the answer holds: the last refinement may have moved what the pivots left
    /// within bounds, where round-off (1e-16 times the condition of the active rows) is large.
    fn is_verified(&self) -> bool {
        let most = self.allowed();
        // Nothing moved since the pivots ended without any.
        let unmoved = self.pivots == 0 && self.zero() <= most;
        self.left <= most
            && (unmoved
                || self.most_violated(most).is_none() && self.worst_multiplier(most).is_none())
    }

    /// Whether all impulses and velocities are finite (a NaN compares as met).
    pub(super) fn is_sound(&self) -> bool {
        let rows = self.memory.rows.iter().map(|r| r.z).sum::<f64>();
        let blocks = self.place.blocks();
        let v = blocks.map(|block| self.v_plus[block.range()].iter().sum::<f64>());
        (rows + v.sum::<f64>()).is_finite()
    }
}
