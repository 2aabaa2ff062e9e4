//! The impulses of the last solve as they are: of what rests they are the answer, and no island has to be made ready.

use super::{ContactSolution, WarmStart};
use crate::kernel;
use crate::problem::{ContactProblem, GroupId, Island};
use crate::report::Residuals;
use crate::residual::{self, Rules, Scratch};
use crate::warm::HELD;

/// Writes the impulses that are remembered under the names of an island's rows, and the velocity
/// `v_free + M^-1 R^T f` they lead to; false where one is not known. O(rows and their depth in the tree).
pub(super) fn accept_last(
    problem: &ContactProblem,
    island: Island<'_>,
    warm: &WarmStart,
    solution: &mut ContactSolution,
) -> bool {
    for &b in island.blocks {
        solution.v_plus[problem.block(b as usize).range()].fill(0.0);
    }
    for &g in island.groups {
        let known = match g {
            GroupId::Scalar(s) => accept_scalar(problem, s.0, warm, solution),
            GroupId::Contact(c) => accept_contact(problem, c.0, warm, solution),
        };
        if !known {
            return false;
        }
    }
    for &b in island.blocks {
        let block = problem.block(b as usize);
        let v = &mut solution.v_plus[block.range()];
        block.solve_lt(v);
        block.solve_l(v);
        for (v, free) in v.iter_mut().zip(&problem.v_free()[block.range()]) {
            *v += free;
        }
    }
    true
}

/// Sets the velocities to zero where this is an answer within the tolerance too, and gives its residuals: of several answers
/// the one without motion is taken, so that what rests neither creeps nor changes from step to step. `None`, and the
/// velocities unchanged, where a coordinate is faster than the tolerance, or where velocity zero misses the tolerance.
pub(super) fn stand(
    place: (&ContactProblem, Island<'_>),
    rules: Rules<'_>,
    (solution, scratch): (&mut ContactSolution, &mut Scratch),
    goal: f64,
) -> Option<Residuals> {
    let (problem, island) = place;
    let ranges = || (island.blocks.iter()).map(|&b| problem.block(b as usize).range());
    let most = goal * residual::speed(problem, island);
    let is_slow = ranges().all(|range| solution.v_plus[range].iter().all(|v| v.abs() <= most));
    if !is_slow {
        return None;
    }
    for range in ranges() {
        scratch.set_aside(range.clone(), &mut solution.v_plus[range]);
    }
    let residuals = residual::of_island(problem, island, rules, solution, scratch);
    if residuals.max() <= goal {
        return Some(residuals);
    }
    for range in ranges() {
        solution.v_plus[range.clone()].copy_from_slice(scratch.aside(range));
    }
    None
}

fn accept_scalar(
    problem: &ContactProblem,
    scalar: usize,
    warm: &WarmStart,
    solution: &mut ContactSolution,
) -> bool {
    let Some(f) = warm.scalar_impulse(scalar, problem.scalars()[scalar].0) else {
        return false;
    };
    solution.f_scalar[scalar] = f;
    let row = problem.row(problem.scalar_row(scalar));
    row.add_to(f, &mut solution.v_plus);
    true
}

fn accept_contact(
    problem: &ContactProblem,
    c: usize,
    warm: &WarmStart,
    solution: &mut ContactSolution,
) -> bool {
    let Some([n, s, t, spin @ ..]) = warm.contact_impulse(c, problem.contacts()[c].key) else {
        return false;
    };
    (solution.f_n[c], solution.f_s[c], solution.f_t[c]) = (n, s, t);
    solution.f_spin[c] = spin;
    let state = warm.contact(c, problem.contacts()[c].key);
    solution.held[c] = state.is_some_and(|state| state & HELD != 0);
    if [n, s, t] != [0.0; 3] {
        for (range, rows) in problem.contact_runs(c) {
            kernel::add_rows(&mut solution.v_plus[range], [n, s, t], rows);
        }
    }
    if spin != [0.0; 3] {
        for (row, f) in problem.spin_rows(c).into_iter().flatten().zip(spin) {
            problem.row(row).add_to(f, &mut solution.v_plus);
        }
    }
    true
}

#[cfg(test)]
#[allow(clippy::unwrap_used)]
mod tests;
