//! The dual active-set method of [GI83], with multipliers bounded on both sides.
//!
//! Keeps every multiplier within its bounds and meets one violated row after another; each row met
//! raises the dual objective strictly, so no active set comes back and the method ends. It is the
//! guaranteed route for the problems of `ppm`.

use super::dual::Step;
use super::system::System;
use crate::report::SolveStatus;
use crate::tolerances::STEPS;

/// Solves from the current active set, after making it dual feasible.
pub(crate) fn active_set(system: &mut System<'_>) -> SolveStatus {
    let budget = system.pivots + system.limits.max_pivots;
    for row in &mut system.memory.rows {
        row.visits = 0;
    }
    system.refine();
    while let Some(position) = system.worst_multiplier(system.zero()) {
        system.drop_at(position);
        system.refine();
    }
    loop {
        system.evaluate();
        let zero = system.zero();
        let Some((row, sign)) = system.most_violated(zero) else {
            // Settling may have moved a multiplier that was at round-off below zero.
            return match system.worst_multiplier(zero) {
                Some(_) if system.pivots >= budget => SolveStatus::PivotLimit,
                Some(position) => {
                    system.drop_at(position);
                    system.refine();
                    continue;
                }
                None if system.is_sound() => system.conclude(),
                None => SolveStatus::NonFinite,
            };
        };
        system.memory.rows[row].visits += 1;
        if system.memory.rows[row].visits > STEPS as u32 {
            return SolveStatus::PivotLimit;
        }
        loop {
            if system.pivots >= budget {
                return SolveStatus::PivotLimit;
            }
            match system.dual_step(row, sign) {
                Step::Done | Step::Dropped | Step::Met => break,
                Step::Infeasible => return SolveStatus::Infeasible,
                Step::Blocked => {}
            }
        }
        system.refine();
    }
}
