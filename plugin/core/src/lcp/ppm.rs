//! The modified principal pivoting method [D15, Alg. 1].
//!
//! Departures from the listing, each for a reason: a factor of all active rows replaces the dense
//! matrix; rows are named by index, not by their place in a sorted set (the listing drops the wrong
//! one); a row that depends on the active set enters by exchange, as in a dual method, since its
//! pivot is zero; rows with an upper bound leave to either bound; ties go to the lowest index; a set
//! that comes back ends the solve, because termination is proved for positive definite matrices
//! only.

use super::dual::Step;
use super::system::System;
use crate::report::SolveStatus;

/// Solves from the current active set. O(envelope of the factor + rows) per pivot.
pub(crate) fn ppm(system: &mut System<'_>) -> SolveStatus {
    system.memory.seen.clear();
    let budget = system.pivots + system.limits.max_pivots;
    let mut inserted = false;
    loop {
        system.refine();
        let mut zero = system.zero();
        if inserted && let Some(position) = system.worst_multiplier(zero) {
            system.drop_at(position);
            system.refine();
            zero = system.zero();
        }
        system.evaluate();
        inserted = false;
        if let Some((row, sign)) = system.most_violated(zero) {
            let before = system.hash;
            match insert(system, row, sign, budget) {
                SolveStatus::Solved => {}
                status => return status,
            }
            inserted = system.hash != before;
            if !inserted {
                // Met up to round-off: on to the next row.
                continue;
            }
        } else if let Some(position) = system.worst_multiplier(zero) {
            system.drop_at(position);
        } else if !system.is_sound() {
            return SolveStatus::NonFinite;
        } else {
            return system.conclude();
        }
        if system.memory.seen.contains(&system.hash) {
            return SolveStatus::Cycled;
        }
        system.memory.seen.push(system.hash);
        if system.pivots >= budget {
            return SolveStatus::PivotLimit;
        }
    }
}

/// Puts a row into the active set, by exchange while it depends on it.
fn insert(system: &mut System<'_>, row: usize, sign: f64, budget: usize) -> SolveStatus {
    loop {
        if system.activate(row) {
            system.pivots += 1;
            return SolveStatus::Solved;
        }
        match system.dual_step(row, sign) {
            Step::Done | Step::Dropped | Step::Met => return SolveStatus::Solved,
            Step::Infeasible => return SolveStatus::Infeasible,
            Step::Blocked if system.pivots >= budget => return SolveStatus::PivotLimit,
            Step::Blocked => {}
        }
    }
}
