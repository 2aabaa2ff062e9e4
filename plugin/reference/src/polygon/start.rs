//! What an attempt starts from: the basis or the impulses of the last solve, or nothing.

use super::Memory;
use super::island::Run;
use stickslip_core::kit::Attempt;
use stickslip_core::kit::LastSolve;
use stickslip_core::models::WarmStart;
use stickslip_core::report::{Route, SolverName};

impl Run<'_> {
    /// Fills what an attempt starts from: on the warm route what is known of the last solve, else nothing. False if
    /// nothing is known, or the solver starts from nothing.
    pub(super) fn start_from_last(
        &self,
        attempt: Attempt,
        warm: &WarmStart,
        memory: &mut Memory,
    ) -> bool {
        memory.start.clear();
        let flags = memory.layout.variables.len() + memory.bare.variables.len();
        memory.start.resize(flags, false);
        let is_warm = attempt.route == Route::Warm;
        if attempt.solver == SolverName::Pgs {
            return self.start_from_impulses(warm, is_warm, memory);
        }
        let mut known = !is_warm;
        if known || attempt.solver != SolverName::Lemke {
            return known;
        }
        for (group, slots) in memory.layout.slots(&memory.bare) {
            let bits = warm.group_basis(group);
            known |= bits.is_some();
            let bits = bits.unwrap_or_default();
            for (bit, i) in slots.enumerate() {
                memory.start[i] |= bits[bit / 64] >> (bit % 64) & 1 == 1;
            }
        }
        known
    }

    /// Fills the impulses of the kept rows: on the warm route with those of the last solve, else 0.
    /// False if there was none.
    fn start_from_impulses(&self, warm: &WarmStart, is_warm: bool, memory: &mut Memory) -> bool {
        let problem = self.context.problem;
        let n = problem.contact_count();
        memory.impulses.clear();
        memory.impulses.resize(memory.reduced.rows().len(), 0.0);
        let mut known = !is_warm;
        if known {
            return true;
        }
        let of = |c: usize| warm.contact_impulse(c, problem.contacts()[c].key);
        for (z, row) in memory.impulses.iter_mut().zip(memory.reduced.rows()) {
            let last = if row.0 < 3 * n {
                of(row.0 / 3).map(|f| f[row.0 % 3])
            } else if let Some((key, _)) = problem.scalars().get(row.0 - 3 * n) {
                warm.scalar_impulse(row.0 - 3 * n, *key)
            } else {
                let spin = row.0 - 3 * n - problem.scalar_count();
                of(problem.spins()[spin / 3] as usize).map(|f| f[3 + spin % 3])
            };
            known |= last.is_some();
            *z = last.unwrap_or(0.0);
        }
        known
    }
}
