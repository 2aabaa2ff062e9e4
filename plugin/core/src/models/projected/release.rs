//! What goes on from the answer of a run: contacts that hold or release.

use super::pivoting::Pivoting;
use crate::lcp::{RowState, System};
use crate::models::ModelName;
use crate::models::attempt::Attempt;
use crate::report::SolveStatus;

impl Pivoting<'_> {
    /// Goes on until contacts that yielded and press hold again, and, in the releasing form, contacts hold where they press
    /// and nowhere else.
    pub(super) fn complete(&mut self, attempt: Attempt, system: &mut System<'_>) -> SolveStatus {
        let mut rounds = 0;
        loop {
            let changed = system.hold_firm() || self.releases() && self.switch(rounds, system);
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

    /// The releasing form: drops the tangential rows of closed contacts that do not press and takes back those of
    /// contacts that do, for good if it was here that they were dropped; whether there are any.
    fn switch(&mut self, rounds: usize, system: &mut System<'_>) -> bool {
        let contact_rows = 3 * self.problem.contact_count();
        let mut changed = false;
        self.keeps_some = false;
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
            if holds && system.is_firm(i - 2) {
                self.keeps_some = true;
                continue;
            }
            changed = true;
            if holds {
                system.look_again();
            }
            if presses && rounds > 0 {
                system.hold_for_good(i - 2);
            }
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
