//! Rows that hold rates alone, and what is put right at the end of a step without velocity.

use super::super::Joint;
use super::super::ends::Movers;
use super::{Hold, Row, Rows};
use crate::frame::Frame;
use stickslip_core::models::RowCorrection;

/// Compliance of a locked axis that holds its rate alone, relative to its `row M^-1 row^T`: what rows
/// that nearly depend on each other can amplify is bounded by `1/(2 sqrt)` of it, 5000, and a load of
/// a thousand times the row's own inertia opens the joint by 1e-5 of its free fall per step.
const ALMOST_RIGID: f64 = 1e-8;

impl Rows {
    /// Prepares the correction at the end of the step, which the last measure was taken of: axes that held
    /// their rates lose the share K of their error.
    pub(in crate::impulse_joints) fn begin_relief(&mut self, frame: Frame) {
        let rates = self.hold == Hold::Rates;
        for row in &mut self.rows {
            let rate = (frame.baumgarte * row.end.abs() / frame.h).min(frame.push_speed);
            row.relief = if rates { -rate * row.end.signum() } else { 0.0 };
        }
    }

    /// After a measure of the step with its correction: what the correction opened is added to it.
    /// Returns the largest such error [m or rad].
    pub(in crate::impulse_joints) fn refine_relief(&mut self, frame: Frame) -> f64 {
        if self.hold == Hold::Rates {
            return 0.0;
        }
        let mut worst = 0.0_f64;
        for row in self.rows.iter_mut().filter(|row| row.is_locked()) {
            let off = row.end - (1.0 - frame.baumgarte) * row.value;
            row.relief -= off / frame.h;
            worst = worst.max(off.abs());
        }
        worst
    }

    /// Forgets all curvature: the next problem holds rates alone.
    pub(in crate::impulse_joints) fn straighten(&mut self, joints: &[Joint], m: Movers<'_>) {
        self.hold = Hold::Rates;
        for i in 0..self.rows.len() {
            let row = self.rows[i];
            let inertia = self.inertia(&joints[row.joint], &row, m);
            self.rows[i].curvature = 0.0;
            self.rows[i].softness = if inertia > 0.0 {
                ALMOST_RIGID / inertia
            } else {
                0.0
            };
        }
    }
}

impl Row {
    /// How a locked axis is put right at the end of the step; `None` if it is held as it is.
    pub(in crate::impulse_joints) fn relief(&self) -> Option<RowCorrection> {
        let row = self.id.filter(|_| self.is_locked() && self.relief != 0.0)?;
        Some(RowCorrection {
            row,
            rate: self.relief,
            compliance: self.softness,
        })
    }
}
