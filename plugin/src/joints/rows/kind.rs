//! What a row demands in the problem.

use super::super::demand::{Law, Motor};
use super::super::measure::{Measure, wrapped};
use super::Row;
use crate::base::frame::Frame;
use crate::base::tolerances;
use stickslip_core::problem::ScalarKind;

impl Row {
    /// What the row demands in the problem, and the factor it has there; `None`: nothing. The row of an angle is multiplied by one
    /// metre, so that the velocities of all rows are lengths per second in any unit of length.
    pub(super) fn kind(&self, frame: Frame) -> Option<(ScalarKind, f64)> {
        let arm = self.arm(frame);
        let (kind, scale) = self.plain_kind(frame, frame.push_speed / arm)?;
        Some((kind.scaled(arm), arm * scale))
    }

    /// The same of the row as it is, with the speed at which errors are taken back.
    fn plain_kind(&self, frame: Frame, push_speed: f64) -> Option<(ScalarKind, f64)> {
        // Errors of position are put right at the end of the step, if ever without velocity.
        let gap = |gap: f64| if frame.splits { gap.max(0.0) } else { gap };
        match self.demand.law {
            Law::Lock => {
                let push = match frame.splits {
                    true => 0.0,
                    false => -frame.baumgarte * self.value / frame.h,
                };
                let velocity = push - self.prescribed;
                Some((ScalarKind::Bilateral { velocity }, 1.0))
            }
            Law::Lower(range) => {
                let [lower, _] = range.gaps(self.demand.measure, self.value);
                Some(one_sided(gap(lower), self.prescribed, frame, push_speed))
            }
            Law::Upper(range) => {
                let [_, upper] = range.gaps(self.demand.measure, self.value);
                let (kind, scale) = one_sided(gap(upper), -self.prescribed, frame, push_speed);
                Some((kind, -scale))
            }
            Law::Motor(motor) => Some((self.drive(&motor, frame.h)?, 1.0)),
        }
    }

    /// What the row is multiplied by in the problem: one metre for an angle, one for a length.
    pub(super) fn arm(&self, frame: Frame) -> f64 {
        match self.demand.measure.is_angular() {
            true => frame.length_unit,
            false => 1.0,
        }
    }

    /// The implicit drive as a bounded row with compliance; `None` without stiffness and damping.
    fn drive(&self, motor: &Motor, h: f64) -> Option<ScalarKind> {
        let damping = motor.damping + h * motor.stiffness;
        let gain = h * damping * self.inertia;
        if gain <= 0.0 {
            return None;
        }
        let measure = self.demand.measure;
        let error = match measure {
            Measure::Angle(_) => wrapped(motor.position - self.value),
            _ => motor.position - self.value,
        };
        let mut target = motor.velocity;
        if let Some(range) = motor.range {
            let [below, above] = range.gaps(measure, self.value);
            target = target.max(-below / h).min(above / h);
        }
        Some(ScalarKind::Bounded {
            velocity: target + motor.stiffness * error / damping - self.prescribed,
            limit: (h * motor.max_force).min(tolerances::UNBOUNDED),
            compliance: 1.0 / gain,
        })
    }
}

/// `scale (r v+) + b(gap') >= 0` that says `r v+ + b(gap) + extra >= 0`. The core knows a gap alone,
/// of which it takes `gap/h` if positive and the share K otherwise, at `push_speed` at most: a
/// gap' that gives the wanted number there is chosen, and where even that is too slow the row is
/// scaled down.
fn one_sided(gap: f64, extra: f64, frame: Frame, push_speed: f64) -> (ScalarKind, f64) {
    let own = if gap >= 0.0 {
        gap / frame.h
    } else {
        (frame.baumgarte * gap / frame.h).max(-push_speed)
    };
    let rate = own + extra;
    if rate >= 0.0 {
        return (
            ScalarKind::Unilateral {
                gap: rate * frame.h,
            },
            1.0,
        );
    }
    if frame.baumgarte <= 0.0 || push_speed <= 0.0 {
        // Nothing may be pushed back: the limit stands still.
        return (ScalarKind::Unilateral { gap: 0.0 }, 1.0);
    }
    let scale = (push_speed / -rate).min(1.0);
    let gap = scale * rate * frame.h / frame.baumgarte;
    (ScalarKind::Unilateral { gap }, scale)
}
