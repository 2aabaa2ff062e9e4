//! One-sided rows so far open that nothing known yet closes them: they are left out, and taken in where an answer would
//! break them.
//!
//! Every coordinate of a robot has two limits, and one in twenty is near. A row `r v + b >= 0` without impulse is
//! met by an answer of the others as soon as its velocity meets it, so rows left out change no answer; which ones are, only the
//! time. Contacts are not: heaps pass pushes on, and what was left out is in the way a moment later.

use super::System;
use crate::problem::{ContactProblem, ScalarKind};
use crate::settings::ModelSettings;
use crate::tolerances::{FAR_OPEN, LARGE_SYSTEM};

/// A row that is left out.
#[derive(Clone, Copy, Debug)]
pub(super) struct Open {
    scalar: u32,
    /// `b` of `r v + b >= 0`.
    b: f64,
}

impl System {
    /// Leaves a scalar row out if it is far from closing. Those of large islands are kept: one of so many closes too
    /// often, which costs a second solve, and their units are sorted.
    pub(super) fn leave_out(
        &mut self,
        problem: &ContactProblem,
        scalar: usize,
        settings: &ModelSettings,
    ) -> bool {
        let ScalarKind::Unilateral { gap } = problem.scalars()[scalar].1 else {
            return false;
        };
        let b = settings.gap_velocity(gap, problem.h());
        let row = problem.row(problem.scalar_row(scalar));
        let [before, free] = [problem.v(), problem.v_free()].map(|v| row.dot(v).abs());
        let is_far = self.order.len() < LARGE_SYSTEM && b > FAR_OPEN * before.max(free);
        if is_far {
            let scalar = scalar as u32;
            self.open.push(Open { scalar, b });
        }
        is_far
    }

    /// Takes in the rows that a velocity breaks, behind those that are there, the second time all of them: an island is
    /// solved three times at most. Whether there are any. Impulses and velocity of the system stay. O(rows left out).
    pub(crate) fn take_in(
        &mut self,
        problem: &ContactProblem,
        settings: &ModelSettings,
        v: &[f64],
    ) -> bool {
        let is_broken = |open: &Open| {
            let row = problem.row(problem.scalar_row(open.scalar as usize));
            let u = row.dot(v) + open.b;
            u.is_nan() || u < 0.0
        };
        let any = self.open.iter().any(is_broken);
        if any {
            let all = std::mem::replace(&mut self.has_taken, true);
            let mut open = std::mem::take(&mut self.open);
            open.retain(|open| {
                let is_taken = all || is_broken(open);
                if is_taken {
                    self.push_scalar(problem, open.scalar as usize, settings);
                }
                !is_taken
            });
            self.open = open;
        }
        any
    }
}
