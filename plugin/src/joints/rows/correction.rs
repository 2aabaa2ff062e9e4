//! Corrections at the end of a step, without velocity.

use super::super::Joint;
use super::super::JointError;
use super::super::demand::{Law, Range};
use super::super::ends::{Along, Movers, StepEnd};
use super::super::past::Left;
use super::{Row, Rows};
use crate::base::frame::Frame;
use crate::base::tolerances;
use stickslip_core::models::RowCorrection;
use stickslip_core::problem::{ScalarId, ScalarKind};

impl Rows {
    /// The errors of the rows' ends, as last measured \[m\], by row of the problem. Of an error that the world was
    /// given the share K shall be taken back, at the push speed at most up to [`tolerances::FAR`]; what steps made of it by turning, and what the user
    /// moved since the last one, whole.
    pub(in crate::joints) fn errors(
        &self,
        frame: Frame,
    ) -> impl Iterator<Item = (ScalarId, JointError)> + '_ {
        let errors = move |row: &Row| {
            let error = row.arm(frame) * row.off(frame).abs();
            let error = match row.is_limit() {
                true => JointError {
                    lock: 0.0,
                    limit: error,
                },
                false => JointError {
                    lock: error,
                    limit: 0.0,
                },
            };
            Some((row.id?, error))
        };
        self.rows.iter().filter_map(errors)
    }

    /// What every row asks of a Newton step from where it was last measured.
    pub(in crate::joints) fn aim(&mut self, frame: Frame) {
        for row in self.rows.iter_mut().filter(|row| row.id.is_some()) {
            row.aim = -row.way(frame) / frame.h;
        }
    }

    /// Measures the inertia of the rows that may be corrected.
    pub(in crate::joints) fn soften(&mut self, joints: &[Joint], m: Movers<'_>) {
        for i in 0..self.rows.len() {
            let row = self.rows[i];
            if row.is_locked() && row.softness == 0.0 {
                let inertia = self.inertia(&joints[row.joint], &row, m);
                let softness = 1.0 / inertia;
                self.rows[i].softness = if softness.is_finite() { softness } else { 0.0 };
            }
        }
    }

    /// Computes the rows of joints between free bodies again where the step and the correction so far lead
    /// to, as last measured: links that turn by a radian are closed along other directions than those they had at the
    /// start. O(rows).
    pub(in crate::joints) fn turn(
        &mut self,
        joints: &[Joint],
        m: Movers<'_>,
        StepEnd { problem, v_plus, w }: StepEnd<'_>,
    ) {
        self.turned.clear();
        for row in &mut self.rows {
            let joint = &joints[row.joint];
            let start = self.turned.len();
            row.turned = [start; 2];
            let is_link = joint.ends.iter().any(|end| end.tree().is_some());
            let slope = row.demand.measure.slope(&joint.next);
            let (Some(slope), false) = (slope, is_link) else {
                continue;
            };
            let mut order = [(0, -1.0), (1, 1.0)];
            // The problem's columns ascend.
            let blocks = joint
                .ends
                .each_ref()
                .map(|end| end.block(m).map(|block| block.0));
            if blocks[0] > blocks[1] {
                order.swap(0, 1);
            }
            for (k, sign) in order {
                let end = &joint.ends[k];
                let own = [v_plus, w].map(|v| end.part(m, problem, v));
                let along = Along {
                    at: &joint.next.at,
                    slope: &slope,
                    sign: sign * row.scale,
                };
                end.push_row(m, along, own, &mut self.turned);
            }
            row.turned[1] = self.turned.len();
        }
    }

    /// Entries of the rows at the end of the step.
    pub(in crate::joints) fn turned(&self) -> &[f64] {
        &self.turned
    }

    /// By tag, what the rows of a joint end the step beside where they may.
    pub(in crate::joints) fn left(
        &self,
        joint: usize,
        frame: Frame,
    ) -> impl Iterator<Item = (usize, Left)> + '_ {
        let rows = self.of(joint).iter().filter(|row| row.id.is_some());
        rows.map(move |row| {
            let (error, end) = (row.off(frame), Some(row.end));
            (row.demand.tag(), Left { error, end })
        })
    }

    /// What the rows demand of the correction.
    pub(in crate::joints) fn corrections(
        &self,
        frame: Frame,
        softness: impl Fn(ScalarId) -> f64,
    ) -> impl Iterator<Item = RowCorrection> {
        let demanded = move |row: &Row| row.demanded(frame, softness(row.id?));
        self.rows.iter().filter_map(demanded)
    }
}

impl Row {
    /// By how much the coordinate ends the step beside where it may; for limits positive beyond the upper one.
    pub(super) fn off(&self, frame: Frame) -> f64 {
        let arm = self.arm(frame);
        let allowed = |error: f64, left: f64| {
            let error = error - left;
            // In metres.
            let far = arm * error.abs() / (tolerances::FAR * frame.length_unit);
            let speed = frame.push_speed / arm * far.max(1.0);
            let back = (frame.baumgarte * error.abs()).min(speed * frame.h);
            error - back * error.signum()
        };
        let measure = self.demand.measure;
        match self.demand.law {
            Law::Lock => self.end - allowed(self.before, self.left),
            Law::Lower(range) => {
                let [before, after] = [self.before, self.end].map(|x| range.gaps(measure, x)[0]);
                (after - allowed(before.min(0.0), self.left).min(0.0)).min(0.0)
            }
            Law::Upper(range) => {
                let [before, after] = [self.before, self.end].map(|x| range.gaps(measure, x)[1]);
                -(after - allowed(before.min(0.0), -self.left).min(0.0)).min(0.0)
            }
            Law::Motor(_) => 0.0,
        }
    }

    /// How far the coordinate has to go back; for limits that are kept, minus the way to them.
    fn way(&self, frame: Frame) -> f64 {
        let off = self.off(frame);
        let gaps = |range: Range| range.gaps(self.demand.measure, self.end);
        match self.demand.law {
            Law::Lower(range) if off == 0.0 => gaps(range)[0].max(0.0),
            Law::Upper(range) if off == 0.0 => -gaps(range)[1].max(0.0),
            _ => off,
        }
    }

    fn demanded(&self, frame: Frame, softness: f64) -> Option<RowCorrection> {
        let row = self.id?;
        let kind = match self.demand.law {
            Law::Lock => ScalarKind::Bounded {
                velocity: self.aim,
                limit: tolerances::UNBOUNDED,
                compliance: softness * self.softness,
            }
            .scaled(self.scale),
            Law::Motor(_) => return None,
            Law::Lower(_) | Law::Upper(_) => {
                // Of a gap that is none the share K would be taken back.
                let gap = -self.scale * self.aim * frame.h;
                let share = if gap < 0.0 { frame.baumgarte } else { 1.0 };
                ScalarKind::Unilateral { gap: gap / share }
            }
        };
        Some(RowCorrection {
            row,
            kind,
            entries: self.turned,
        })
    }
}
