//! What a row demands in the problem.

use super::super::demand::{Law, Motor};
use super::super::measure::{Measure, wrapped};
use super::Row;
use crate::base::frame::Frame;
use crate::base::tolerances;
use stickslip_core::problem::ScalarKind;

impl Row {
    /// What the row demands in the problem, and the unit it has there; `None`: nothing. An angle counts as the way of a point a metre
    /// off, so that speeds of all rows compare in any unit of length.
    pub(super) fn kind(&self, frame: Frame) -> Option<(ScalarKind, f64)> {
        let arm = self.arm(frame);
        // Errors of position are put right at the end of the step, if ever without velocity.
        let gap = |gap: f64| arm * if frame.splits { gap.max(0.0) } else { gap };
        let one_sided = |gap, extra: f64| {
            let (kind, scale) = one_sided(gap, arm * extra, frame);
            (kind, arm * scale)
        };
        match self.demand.law {
            Law::Lock => {
                let push = match frame.splits {
                    true => 0.0,
                    false => -frame.baumgarte * self.value / frame.h,
                };
                let velocity = push - self.prescribed;
                Some((ScalarKind::Bilateral { velocity }.scaled(arm), arm))
            }
            Law::Lower(range) => {
                let [lower, _] = range.gaps(self.demand.measure, self.value);
                Some(one_sided(gap(lower), self.prescribed))
            }
            Law::Upper(range) => {
                let [_, upper] = range.gaps(self.demand.measure, self.value);
                let (kind, scale) = one_sided(gap(upper), -self.prescribed);
                Some((kind, -scale))
            }
            Law::Motor(motor) => Some((self.drive(&motor, frame.h)?.scaled(arm), arm)),
        }
    }

    /// Length by which an angle becomes a way: a metre; one for what is a way.
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
fn one_sided(gap: f64, extra: f64, frame: Frame) -> (ScalarKind, f64) {
    let own = if gap >= 0.0 {
        gap / frame.h
    } else {
        (frame.baumgarte * gap / frame.h).max(-frame.push_speed)
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
    if frame.baumgarte <= 0.0 || frame.push_speed <= 0.0 {
        // Nothing may be pushed back: the limit stands still.
        return (ScalarKind::Unilateral { gap: 0.0 }, 1.0);
    }
    let scale = (frame.push_speed / -rate).min(1.0);
    let gap = scale * rate * frame.h / frame.baumgarte;
    (ScalarKind::Unilateral { gap }, scale)
}
