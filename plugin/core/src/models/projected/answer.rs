//! Reading the answer off the rows of a solved island.

use super::{ACTIVE, ContactSolution, HELD, HIGH, LOW, ModelName, NORMAL, Run, WarmStart};
use super::{TANGENT_S, TANGENT_T};
use crate::lcp::{LcpRow, RowKind, RowState, System};
use crate::report::SolveReport;

impl Run<'_> {
    /// Counts rows for the report.
    pub(super) fn count(&self, system: &System<'_>, report: &mut SolveReport) {
        let contact_rows = 3 * self.problem.contact_count();
        for row in &system.memory.rows {
            if row.kind == RowKind::Free {
                let tangent = (row.row as usize) < contact_rows;
                let kept = row.state == RowState::Active;
                report.tangent_rows += usize::from(tangent);
                report.tangent_rows_kept += usize::from(tangent && kept);
                report.rank += usize::from(kept);
                report.yielded += usize::from(row.state == RowState::Yielded && row.row % 3 == 1);
            }
        }
    }

    /// Copies impulses and states out; returns the largest shortfall of a row, and marks those that
    /// fall short by more than `within`.
    pub(super) fn read_off(
        &self,
        rows: &[LcpRow],
        within: f64,
        warm: &mut WarmStart,
        solution: &mut ContactSolution,
    ) -> f64 {
        let contact_rows = 3 * self.problem.contact_count();
        let mut worst = 0.0_f64;
        for row in rows {
            let left = System::shortfall(row);
            if left > within {
                worst = worst.max(left);
                solution.unmet[row.row as usize] = true;
            }
            let (low, high) = row.bounds();
            let z = row.z.clamp(low, high);
            let id = row.row as usize;
            if id >= contact_rows {
                let i = id - contact_rows;
                solution.f_scalar[i] = z;
                let state = match row.state {
                    RowState::Active => ACTIVE,
                    RowState::AtLow => LOW,
                    RowState::AtHigh => HIGH,
                    _ => 0,
                };
                warm.record_scalar(i, state);
                continue;
            }
            let (list, bit) = match id % 3 {
                0 => (&mut solution.f_n, NORMAL),
                1 => (&mut solution.f_s, TANGENT_S),
                _ => (&mut solution.f_t, TANGENT_T),
            };
            list[id / 3] = z;
            let active = if row.state == RowState::Active {
                bit
            } else {
                0
            };
            let gone = matches!(row.state, RowState::Off | RowState::Yielded);
            let held = if bit != NORMAL && !gone && self.name != ModelName::Viscous {
                HELD
            } else {
                0
            };
            solution.held[id / 3] |= held != 0;
            warm.record_contact(id / 3, active | held);
        }
        worst
    }
}
