//! What rapier's joint description asks of each coordinate.
//!
//! Of coupled linear axes the offset along all of them counts, by its length; of two coupled angular
//! axes the angle by which they tilt the third. Limits and motor of such a group are those of its
//! first axis, as in rapier.

use super::measure::{Measure, wrapped};
use crate::base::convert::real;
use crate::base::tolerances;
use rapier::prelude::*;
use std::f64::consts::TAU;

const LINEAR: u8 = 0b111;

/// What a row asks of its coordinate.
#[derive(Clone, Copy, Debug)]
pub(super) enum Law {
    /// Stays zero.
    Lock,
    /// Not below the lower limit.
    Lower(Range),
    /// Not above the upper limit.
    Upper(Range),
    /// Is driven.
    Motor(Motor),
}

/// Limits of a coordinate.
#[derive(Clone, Copy, Debug)]
pub(super) struct Range {
    pub(super) lower: f64,
    pub(super) upper: f64,
}

impl Range {
    /// Distances to the lower and the upper limit; an angle is measured from the middle of its range.
    pub(super) fn gaps(&self, measure: Measure, value: f64) -> [f64; 2] {
        if matches!(measure, Measure::Angle(_)) {
            let half = (self.upper - self.lower) / 2.0;
            let from_middle = wrapped(value - (self.upper + self.lower) / 2.0);
            [half + from_middle, half - from_middle]
        } else {
            [value - self.lower, self.upper - value]
        }
    }
}

/// A motor's numbers in f64.
#[derive(Clone, Copy, Debug)]
pub(super) struct Motor {
    pub(super) stiffness: f64,
    pub(super) damping: f64,
    pub(super) position: f64,
    pub(super) velocity: f64,
    pub(super) max_force: f64,
    /// Whether stiffness and damping are per unit of the inertia seen along the coordinate.
    pub(super) per_inertia: bool,
    pub(super) range: Option<Range>,
}

/// One row's worth of a joint.
#[derive(Clone, Copy, Debug)]
pub(super) struct Demand {
    /// Axis 0..6 of the joint; of a coupled group the first.
    pub(super) axis: usize,
    pub(super) measure: Measure,
    pub(super) law: Law,
}

impl Demand {
    /// Number below 24 that names the row within its joint.
    pub(super) fn tag(&self) -> usize {
        4 * self.axis
            + match self.law {
                Law::Lock => 0,
                Law::Lower(_) => 1,
                Law::Upper(_) => 2,
                Law::Motor(_) => 3,
            }
    }
}

/// Calls `each` with every demand of a joint.
pub(super) fn demands(joint: &GenericJoint, mut each: impl FnMut(Demand)) {
    let locked = joint.locked_axes.bits();
    let coupled = joint.coupled_axes.bits() & !locked;
    for axis in 0..6 {
        let bit = 1 << axis;
        if locked & bit != 0 {
            let measure = if axis < 3 {
                Measure::Linear(axis)
            } else {
                Measure::Turn(axis - 3)
            };
            let law = Law::Lock;
            each(Demand { axis, measure, law });
        } else if coupled & bit == 0 {
            let measure = if axis < 3 {
                Measure::Linear(axis)
            } else {
                Measure::Angle(axis - 3)
            };
            let has_motor = joint.motor_axes.bits() & bit != 0;
            axis_demands(joint, axis, measure, has_motor, &mut each);
        }
    }
    let linear = coupled & LINEAR;
    if linear != 0 {
        let axis = linear.trailing_zeros() as usize;
        let has_motor = joint.motor_axes.bits() & linear != 0;
        axis_demands(joint, axis, Measure::Distance(linear), has_motor, &mut each);
    }
    let angular = coupled >> 3;
    if angular != 0 {
        let axis = 3 + angular.trailing_zeros() as usize;
        let third = (!angular).trailing_zeros() as usize;
        if third < 3 {
            axis_demands(joint, axis, Measure::Swing(third), false, &mut each);
        }
    }
}

fn axis_demands(
    joint: &GenericJoint,
    axis: usize,
    measure: Measure,
    has_motor: bool,
    each: &mut impl FnMut(Demand),
) {
    let range = range(joint, axis, measure);
    if let Some(range) = range {
        // Lengths and tilts are never negative: rapier's ropes have the lower limit 0.
        let signed = !matches!(measure, Measure::Distance(_) | Measure::Swing(_));
        if range.lower > -tolerances::UNBOUNDED && (signed || range.lower > 0.0) {
            let law = Law::Lower(range);
            each(Demand { axis, measure, law });
        }
        if range.upper < tolerances::UNBOUNDED {
            let law = Law::Upper(range);
            each(Demand { axis, measure, law });
        }
    }
    if has_motor {
        let m = &joint.motors[axis];
        let motor = Motor {
            stiffness: real(m.stiffness),
            damping: real(m.damping),
            position: real(m.target_pos),
            velocity: real(m.target_vel),
            max_force: real(m.max_force),
            per_inertia: m.model == MotorModel::AccelerationBased,
            range,
        };
        if motor.stiffness != 0.0 || motor.damping != 0.0 {
            let law = Law::Motor(motor);
            each(Demand { axis, measure, law });
        }
    }
}

fn range(joint: &GenericJoint, axis: usize, measure: Measure) -> Option<Range> {
    if joint.limit_axes.bits() >> axis & 1 == 0 {
        return None;
    }
    let limits = &joint.limits[axis];
    let range = Range {
        lower: real(limits.min),
        upper: real(limits.max),
    };
    // Rotations don't count turns: a range of a whole one limits nothing.
    let whole = matches!(measure, Measure::Angle(_)) && range.upper - range.lower >= TAU;
    (!whole).then_some(range)
}

/// What makes a joint unusable, if anything. O(1).
pub(super) fn fault(joint: &GenericJoint) -> Option<String> {
    for (number, frame) in [(1, &joint.local_frame1), (2, &joint.local_frame2)] {
        if !frame.is_finite() {
            return Some(format!("its local frame {number} is not finite"));
        }
    }
    let coupled = (joint.coupled_axes.bits() & !joint.locked_axes.bits()) >> 3;
    let used = |mask: JointAxesMask| mask.bits() >> 3 & coupled != 0;
    if used(joint.motor_axes) {
        return Some(
            "a motor on coupled angular axes has no meaning; drive each axis by itself".into(),
        );
    }
    if used(joint.limit_axes) && coupled.count_ones() != 2 {
        return Some("a limit on coupled angular axes needs exactly two of them coupled".into());
    }
    let mut reason = None;
    demands(joint, |demand| {
        let axis = demand.axis;
        match demand.law {
            Law::Lower(r) | Law::Upper(r)
                if r.lower.is_nan() || r.upper.is_nan() || r.lower > r.upper =>
            {
                let (lower, upper) = (r.lower, r.upper);
                reason = Some(format!(
                    "the limits of axis {axis}, {lower} to {upper}, are empty"
                ));
            }
            Law::Motor(m) => {
                let numbers = [m.stiffness, m.damping, m.position, m.velocity];
                if !numbers.iter().all(|x| x.is_finite()) || m.stiffness < 0.0 || m.damping < 0.0 {
                    reason = Some(format!(
                        "the motor of axis {axis} needs finite targets and finite stiffness and damping >= 0"
                    ));
                } else if m.max_force.is_nan() || m.max_force < 0.0 {
                    let force = m.max_force;
                    reason = Some(format!(
                        "the motor of axis {axis} has the largest force {force}; it must be >= 0"
                    ));
                }
            }
            _ => {}
        }
    });
    reason
}
