//! The rows of all joints of a step.

mod correction;
mod kind;

use super::Joint;
use super::demand::{Demand, Law};
use super::ends::{Along, Movers};
use super::measure::{Measure, Relative, Slope};
use super::past::Left;
use super::readout::JointImpulse;
use crate::base::frame::Frame;
use crate::base::tolerances;
use rapier::prelude::*;
use stickslip_core::problem::{ProblemBuilder, RowHalf, ScalarId};

/// One row of a joint.
#[derive(Clone, Copy, Debug)]
pub(super) struct Row {
    joint: usize,
    pub(super) demand: Demand,
    slope: Slope,
    /// The coordinate at the start of the step.
    value: f64,
    /// The coordinate at the end of the last step, where a body of the joint does not move by its own: what lies between is
    /// what the user moved since. As `value` otherwise, and where there was no last step.
    before: f64,
    /// Error of it that the last correction was not to leave.
    left: f64,
    /// Its rate by bodies that move as prescribed.
    prescribed: f64,
    /// Inertia seen along the coordinate, for motors that scale with it.
    inertia: f64,
    /// The coordinate at the end of the step.
    end: f64,
    /// Rate that the next step of the correction is to give it.
    aim: f64,
    /// `row M^-1 row^T` [1/kg or 1/(kg m^2)]; 0 until it is first needed.
    softness: f64,
    /// Where the entries of the two halves begin and end.
    entries: [usize; 3],
    /// Where those of the row at the end of the step do.
    turned: [usize; 2],
    /// Unit of the row in the problem, with its sign: -1 for an upper limit.
    scale: f64,
    id: Option<ScalarId>,
}

/// The rows, joint after joint.
#[derive(Debug, Default)]
pub(super) struct Rows {
    rows: Vec<Row>,
    entries: Vec<f64>,
    /// Entries of rows at the end of the step.
    turned: Vec<f64>,
    scaled: [Vec<f64>; 2],
    /// A dense row of one block, for the inertia.
    dense: Vec<f64>,
}

impl Rows {
    pub(super) fn clear(&mut self) {
        self.rows.clear();
        self.entries.clear();
    }

    /// The rows of a joint.
    pub(super) fn of(&self, joint: usize) -> &[Row] {
        &self.rows[self.range(joint)]
    }

    fn range(&self, joint: usize) -> std::ops::Range<usize> {
        let from = self.rows.partition_point(|row| row.joint < joint);
        let to = self.rows.partition_point(|row| row.joint <= joint);
        from..to
    }

    /// Adds a row; none where the coordinate has no direction at the moment, or its limit is out of
    /// this world.
    pub(super) fn push(
        &mut self,
        joint: &Joint,
        number: usize,
        demand: Demand,
        left: Left,
        m: Movers<'_>,
    ) {
        let relative = &joint.relative;
        let Some(slope) = demand.measure.slope(relative) else {
            return;
        };
        let start = self.entries.len();
        let mut ends = [start; 3];
        let mut prescribed = 0.0;
        for (k, sign) in [(0, -1.0), (1, 1.0)] {
            let end = &joint.ends[k];
            let along = Along {
                at: &relative.at,
                slope: &slope,
                sign,
            };
            end.push_row(m, along, [&[]; 2], &mut self.entries);
            prescribed += end.prescribed_rate(m, along);
            ends[k + 1] = self.entries.len();
        }
        if self.is_round_off(joint, (&slope, ends), m) {
            self.entries.truncate(start);
            return;
        }
        let value = demand.measure.value(relative);
        // Of bodies that move by their own, the step's end is known to the order of the step alone.
        let is_led = !joint.ends.iter().all(|end| end.moves(m));
        let mut row = Row {
            joint: number,
            demand,
            slope,
            value,
            before: left.end.filter(|_| is_led).unwrap_or(value),
            left: left.error,
            prescribed,
            inertia: 1.0,
            end: 0.0,
            aim: 0.0,
            softness: 0.0,
            entries: ends,
            turned: [0; 2],
            scale: 1.0,
            id: None,
        };
        if let Law::Motor(motor) = demand.law
            && motor.per_inertia
        {
            row.inertia = self.inertia(joint, &row, m);
        }
        self.rows.push(row);
    }

    /// Whether nothing but round-off is in a row: a loop of links that move in a plane closes across the
    /// plane by itself, and what is left of the row there has no direction; so does a joint of bodies
    /// with locked axes along those. O(coordinates).
    fn is_round_off(&mut self, joint: &Joint, row: (&Slope, [usize; 3]), m: Movers<'_>) -> bool {
        if joint.ends.iter().any(|end| end.is_loose(m)) {
            return false;
        }
        let ((slope, entries), at) = (row, &joint.relative.at);
        let halves = [0, 1].map(|k| &self.entries[entries[k]..entries[k + 1]]);
        let sizes = joint.ends.each_ref().map(|end| end.size(m, at, slope));
        let bound = tolerances::ROUND_OFF * sizes[0].max(sizes[1]);
        let [one, two] = &joint.ends;
        if one.tree().is_none() || one.tree() != two.tree() {
            return halves
                .iter()
                .all(|half| half.iter().all(|x| x.abs() <= bound));
        }
        let Some(mass) = one.mass(m) else {
            return false;
        };
        self.dense.clear();
        self.dense.resize(mass.pattern().dim(), 0.0);
        for (end, half) in joint.ends.iter().zip(halves) {
            for (&j, x) in end.columns(m).iter().zip(half) {
                self.dense[j] += x;
            }
        }
        self.dense.iter().all(|x| x.abs() <= bound)
    }

    /// `1 / (r M^-1 r^T)`, zero for a row that moves nothing.
    fn inertia(&mut self, joint: &Joint, row: &Row, m: Movers<'_>) -> f64 {
        let [one, two] = &joint.ends;
        let halves = [0, 1].map(|k| &self.entries[row.entries[k]..row.entries[k + 1]]);
        let together = one.tree().is_some() && one.tree() == two.tree();
        let mut sum = 0.0;
        for (k, end) in joint.ends.iter().enumerate() {
            let Some(mass) = end.mass(m) else { continue };
            self.dense.clear();
            self.dense.resize(2 * mass.pattern().dim(), 0.0);
            let (solved, plain) = self.dense.split_at_mut(mass.pattern().dim());
            let mut scatter = |k: usize| {
                for (&j, x) in joint.ends[k].columns(m).iter().zip(halves[k]) {
                    plain[j] += x;
                }
            };
            scatter(k);
            if together {
                scatter(1 - k);
            }
            solved.copy_from_slice(plain);
            mass.solve(solved);
            sum += solved.iter().zip(&*plain).map(|(a, b)| a * b).sum::<f64>();
            if together {
                break;
            }
        }
        if sum > 0.0 { 1.0 / sum } else { 0.0 }
    }

    /// Adds every row to the problem.
    pub(super) fn add_to(
        &mut self,
        builder: &mut ProblemBuilder,
        joints: &[Joint],
        m: Movers<'_>,
        frame: Frame,
    ) {
        for row in &mut self.rows {
            let joint = &joints[row.joint];
            row.id = None;
            let Some((kind, scale)) = row.kind(frame) else {
                continue;
            };
            row.scale = scale;
            for (k, scaled) in self.scaled.iter_mut().enumerate() {
                let entries = &self.entries[row.entries[k]..row.entries[k + 1]];
                scaled.clear();
                scaled.extend(entries.iter().map(|x| x * scale));
            }
            let half = |k: usize| {
                let end = &joint.ends[k];
                end.block(m).map(|block| RowHalf {
                    block,
                    cols: end.columns(m),
                    rows: [&self.scaled[k][..]],
                })
            };
            let key = key(joint.handle, &row.demand);
            row.id = match [half(0), half(1)] {
                [None, None] => None,
                [Some(a), None] | [None, Some(a)] => Some(builder.add_scalar(key, kind, &[a])),
                [Some(a), Some(b)] => Some(builder.add_scalar(key, kind, &[a, b])),
            };
        }
    }

    /// Measures the rows of a joint that ends the step at `next`.
    pub(super) fn measure(&mut self, joint: usize, next: &Relative) {
        let range = self.range(joint);
        for row in &mut self.rows[range] {
            row.end = row.demand.measure.value(next);
        }
    }

    /// Distance of the anchors of a joint along its locked axes, as last measured \[m\].
    pub(super) fn gap(&self, joint: usize) -> f64 {
        self.distance(joint, |row| row.end)
    }

    /// The part of it that corrections were not to leave: before the step, and as last measured.
    pub(super) fn opened(&self, joint: usize, frame: Frame) -> [f64; 2] {
        let before = self.distance(joint, |row| row.left);
        [before, self.distance(joint, |row| row.off(frame))]
    }

    fn distance(&self, joint: usize, of: impl Fn(&Row) -> f64) -> f64 {
        let squares = self.linear_locks(joint).map(|row| of(row).powi(2));
        squares.sum::<f64>().sqrt()
    }

    fn linear_locks(&self, joint: usize) -> impl Iterator<Item = &Row> {
        let locked = self.of(joint).iter().filter(|row| row.is_locked());
        locked.filter(|row| matches!(row.demand.measure, Measure::Linear(_)))
    }

    /// Sums the impulses of a joint's rows.
    pub(super) fn sum(&self, joint: usize, impulses: &[f64], out: &mut JointImpulse) {
        for row in self.of(joint) {
            let Some(id) = row.id else { continue };
            let f = impulses[id.0] * row.scale;
            let linear = out.axes.tr_mul(&row.slope.linear) * f;
            let angular = out.axes.tr_mul(&row.slope.angular) * f;
            let parts = [
                linear.x, linear.y, linear.z, angular.x, angular.y, angular.z,
            ];
            let add = |to: &mut [f64; 6]| to.iter_mut().zip(parts).for_each(|(t, p)| *t += p);
            add(&mut out.impulse);
            match row.demand.law {
                Law::Lock => add(&mut out.locked),
                Law::Lower(_) | Law::Upper(_) => out.limit[row.demand.axis] += f,
                Law::Motor(_) => out.motor[row.demand.axis] += f,
            }
        }
    }
}

impl Row {
    pub(super) fn is_limit(&self) -> bool {
        matches!(self.demand.law, Law::Lower(_) | Law::Upper(_))
    }

    pub(super) fn is_locked(&self) -> bool {
        matches!(self.demand.law, Law::Lock)
    }
}

/// Names a row for the warm start; rows of trees have smaller names.
fn key(joint: ImpulseJointHandle, demand: &Demand) -> u64 {
    let (index, generation) = joint.into_raw_parts();
    1 << 63 | u64::from(index) << 24 | u64::from(generation & 0xffff) << 8 | demand.tag() as u64
}
