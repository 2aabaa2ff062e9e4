//! What goes on from the answer of a run: limits that act after all, contacts that hold or release.

use super::pivoting::Pivoting;
use crate::lcp::{RowState, System};
use crate::models::attempt::Attempt;
use crate::models::{ModelName, WarmStart};
use crate::problem::ScalarKind;
use crate::report::SolveStatus;

impl Pivoting<'_> {
    /// Goes on until contacts that yielded and press hold again, no limit that was left out is violated, and, in the
    /// releasing form, contacts hold where they press and nowhere else.
    pub(super) fn complete(
        &mut self,
        attempt: Attempt,
        system: &mut System<'_>,
        warm: &WarmStart,
        (idle, plan): (&mut Vec<u32>, &mut Vec<u32>),
    ) -> SolveStatus {
        let mut rounds = 0;
        loop {
            let changed = system.hold_firm()
                || self.add_violated(system, warm, (idle, plan))
                || self.releases() && self.switch(system);
            if !changed {
                return SolveStatus::Solved;
            }
            if self.releases() {
                rounds += 1;
                if rounds > self.context.settings.release_rounds {
                    self.holds_all = true;
                    return SolveStatus::Cycled;
                }
            }
            let status = system.run(attempt.solver);
            if status != SolveStatus::Solved {
                self.holds_all |= self.changes();
                return status;
            }
        }
    }

    /// Whether closed contacts may slip without pressing.
    pub(super) fn changes(&self) -> bool {
        self.context.name == ModelName::NoSlip || self.context.name == ModelName::NoSlipReleasing
    }

    fn releases(&self) -> bool {
        self.context.name == ModelName::NoSlipReleasing && !self.holds_all
    }

    /// Adds the idle limits that the answer violates; whether there are any.
    fn add_violated(
        &self,
        system: &mut System<'_>,
        warm: &WarmStart,
        (idle, plan): (&mut Vec<u32>, &mut Vec<u32>),
    ) -> bool {
        let (p, settings) = (self.problem, self.context.settings);
        let zero = system.zero();
        let known = system.memory.rows.len();
        idle.retain(|&g| {
            let i = g as usize - p.contact_count();
            let ScalarKind::Unilateral { gap } = p.scalars()[i].1 else {
                return false;
            };
            let w = p.row(p.scalar_row(i)).dot(system.v_plus) + settings.gap_velocity(gap, p.h());
            // Negated so that a NaN is added.
            let holds = w >= -zero;
            if !holds {
                self.push_group(g as usize, warm, system, plan);
            }
            holds
        });
        let changed = system.memory.rows.len() > known;
        if changed && system.relaxed {
            system.relax();
        }
        changed
    }

    /// The releasing form: drops the tangential rows of closed contacts that do not press and takes back those of
    /// contacts that do; whether there are any.
    fn switch(&self, system: &mut System<'_>) -> bool {
        let contact_rows = 3 * self.problem.contact_count();
        let mut changed = false;
        for i in 2..system.memory.rows.len() {
            let normal = system.memory.rows[i];
            if normal.row as usize >= contact_rows
                || !normal.row.is_multiple_of(3)
                || system.memory.rows[i - 2].row != normal.row + 1
            {
                continue;
            }
            let presses = normal.state == RowState::Active
                && normal.z * normal.white.diag > self.context.settings.tolerance * system.speed;
            let holds = system.memory.rows[i - 1].state != RowState::Off;
            if holds == presses {
                continue;
            }
            changed = true;
            for j in [i - 2, i - 1] {
                if holds {
                    system.switch_off(j);
                } else {
                    system.memory.rows[j].state = RowState::Out;
                }
            }
        }
        changed
    }
}
