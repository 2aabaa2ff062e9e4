//! What is put right at the end of a step without velocity.

use super::super::Joint;
use super::super::demand::Law;
use super::super::ends::Movers;
use super::kind::UNBOUNDED;
use super::{Row, Rows};
use crate::base::frame::Frame;
use stickslip_core::models::RowCorrection;
use stickslip_core::problem::{ContactProblem, ScalarKind};

impl Rows {
    /// No row is corrected.
    pub(in crate::joints) fn begin_correction(&mut self) {
        for row in &mut self.rows {
            row.aim = 0.0;
        }
    }

    /// The largest error of a row's end, as last measured [m or rad]. Of an error that the world was
    /// given the share K shall be taken back, at the push speed at most; what steps made of it by turning, whole.
    pub(in crate::joints) fn off(&self, frame: Frame) -> f64 {
        let rows = self.rows.iter().filter(|row| row.id.is_some());
        rows.fold(0.0, |worst, row| f64::max(worst, row.off(frame).abs()))
    }

    /// How many rows end beside where they may.
    pub(in crate::joints) fn count_off(&self, frame: Frame) -> usize {
        let rows = self.rows.iter().filter(|row| row.id.is_some());
        rows.filter(|row| row.off(frame) != 0.0).count()
    }

    /// Adds to what every row asks of the correction what its end, as last measured, is off.
    pub(in crate::joints) fn aim(&mut self, frame: Frame) {
        for row in self.rows.iter_mut().filter(|row| row.id.is_some()) {
            row.aim -= row.off(frame) / frame.h;
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

    /// Makes the rows of joints between free bodies anew where the step ends: links that turned by a radian are
    /// closed along other directions than those they had at its start. O(rows).
    pub(in crate::joints) fn turn(
        &mut self,
        joints: &[Joint],
        m: Movers<'_>,
        (problem, v_plus): (&ContactProblem, &[f64]),
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
                let part = end.part(m, problem, v_plus);
                let along = (&joint.next.at, &slope, sign * row.scale);
                end.push_row(m, along, part, &mut self.turned);
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
    ) -> impl Iterator<Item = (usize, f64)> + '_ {
        let rows = self.of(joint).iter().filter(|row| row.id.is_some());
        rows.map(move |row| (row.demand.tag(), row.off(frame)))
    }

    /// What the rows demand of the correction.
    pub(in crate::joints) fn corrections(
        &self,
        (frame, softness): (Frame, f64),
    ) -> impl Iterator<Item = RowCorrection> + '_ {
        let rows = self.rows.iter();
        rows.filter_map(move |row| row.demanded(frame, softness))
    }
}

impl Row {
    /// By how much the coordinate ends the step beside where it may; for limits positive beyond the upper one.
    fn off(&self, frame: Frame) -> f64 {
        let allowed = |error: f64, left: f64| {
            let error = error - left;
            let back = (frame.baumgarte * error.abs()).min(frame.push_speed * frame.h);
            error - back * error.signum()
        };
        let measure = self.demand.measure;
        match self.demand.law {
            Law::Lock => self.end - allowed(self.value, self.left),
            Law::Lower(range) => {
                let [before, after] = [self.value, self.end].map(|x| range.gaps(measure, x)[0]);
                (after - allowed(before.min(0.0), self.left).min(0.0)).min(0.0)
            }
            Law::Upper(range) => {
                let [before, after] = [self.value, self.end].map(|x| range.gaps(measure, x)[1]);
                -(after - allowed(before.min(0.0), -self.left).min(0.0)).min(0.0)
            }
            Law::Motor(_) => 0.0,
        }
    }

    fn demanded(&self, frame: Frame, softness: f64) -> Option<RowCorrection> {
        let row = self.id?;
        let measure = self.demand.measure;
        let kind = match self.demand.law {
            Law::Lock => ScalarKind::Bounded {
                velocity: self.aim,
                limit: UNBOUNDED,
                compliance: softness * self.softness,
            },
            Law::Motor(_) => return None,
            Law::Lower(range) | Law::Upper(range) => {
                let upper = matches!(self.demand.law, Law::Upper(_));
                let gap = range.gaps(measure, self.end)[usize::from(upper)];
                // In the unit of the row; an error becomes the gap whose push it is.
                let size = self.scale.abs();
                let gap = match self.aim == 0.0 {
                    true => size * gap.max(0.0),
                    false => -size * self.aim.abs() * frame.h / frame.baumgarte,
                };
                ScalarKind::Unilateral { gap }
            }
        };
        Some(RowCorrection {
            row,
            kind,
            entries: self.turned,
        })
    }
}
