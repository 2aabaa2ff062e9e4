//! The impulses of the last solve as they are: of what rests they are the answer, and no island has to be made ready.

use super::attempt::IslandContext;
use super::{ContactSolution, SolveContext, WarmStart};
use crate::engine::Engine;
use crate::kernel;
use crate::problem::{ContactProblem, GroupId, IslandProblem};
use crate::report::Residuals;
use crate::residual::{self, Rules, Scratch};
use crate::settings::Tolerances;
use crate::warm::HELD;

/// Writes the impulses that are remembered under the names of an island's rows, and the velocity
/// `v_free + M^-1 R^T f` they lead to; false where one is not known. O(rows and their depth in the tree).
pub(super) fn accept_last(
    place: IslandProblem<'_>,
    warm: &WarmStart,
    solution: &mut ContactSolution,
) -> bool {
    let problem = place.problem;
    for block in place.blocks() {
        solution.v_plus[block.range()].fill(0.0);
    }
    for &g in place.island.groups {
        let known = match g {
            GroupId::Scalar(s) => accept_scalar(problem, s.0, warm, solution),
            GroupId::Contact(c) => accept_contact(problem, c.0, warm, solution),
        };
        if !known {
            return false;
        }
    }
    place.respond(problem.v_free(), &mut solution.v_plus);
    true
}

/// Writes the velocity that the impulses of an island of contacts alone lead to.
pub(super) fn make(place: IslandProblem<'_>, solution: &mut ContactSolution) {
    for block in place.blocks() {
        solution.v_plus[block.range()].fill(0.0);
    }
    for c in place.contacts() {
        let f = [solution.f_n[c], solution.f_s[c], solution.f_t[c]];
        add_contact(place.problem, c, f, solution);
    }
    place.respond(place.problem.v_free(), &mut solution.v_plus);
}

fn add_contact(problem: &ContactProblem, c: usize, f: [f64; 3], solution: &mut ContactSolution) {
    if f != [0.0; 3] {
        for (range, rows) in problem.contact_runs(c) {
            kernel::add_rows(&mut solution.v_plus[range], f, rows);
        }
    }
}

/// Sets the velocities to zero where this is an answer within the tolerance too, and gives its residuals: of several answers
/// the one without motion is taken, so that what rests neither creeps nor changes from step to step. `None`, and the
/// velocities unchanged, where a coordinate is faster than the tolerance, or where velocity zero misses the tolerance.
pub(super) fn stand(
    place: IslandProblem<'_>,
    rules: Rules<'_>,
    solution: &mut ContactSolution,
    scratch: &mut Scratch,
    goal: f64,
) -> Option<Residuals> {
    let most = goal * residual::speed(place);
    match is_slower(place, solution, most) {
        true => at_rest(place, rules, solution, scratch, |left| left.max() <= goal),
        false => None,
    }
}

/// Holds an island that stood, as long as its answer is unfinished and shows no motion: where every body is slower than
/// `n r (1 + max |v_free|)`, with n bodies between each of which the answer may be off by its residual r, and stands by
/// [`Engine::stands`] too. The velocity is zero then, if no row asks for another one; the next solve goes on from the impulses.
/// Errors of impulses that are kept from step to step would be speeds that grow. Within the tolerance of motion, or where a solve makes
/// no progress, it is remembered to stand.
pub(super) fn hold(
    here: IslandContext<'_>,
    solving: &mut SolveContext<'_>,
    left: f64,
    has_gained: bool,
    tolerances: Tolerances,
) -> Option<Residuals> {
    let (context, place) = (here.context, here.place());
    let most = left * place.island.blocks.len() as f64 * residual::speed(place);
    let stands = left > tolerances.rest
        && Engine::stands(place, place.problem.v(), tolerances)
        && Engine::stands(place, &solving.solution.v_plus, tolerances)
        && is_slower(place, solving.solution, most);
    if !stands {
        return None;
    }
    let (rules, scratch) = (context.rules(false), &mut solving.own.scratch);
    let of_laws = |all: &Residuals| {
        let laws = Residuals {
            momentum: 0.0,
            ..*all
        };
        laws.max() <= tolerances.motion
    };
    let residuals = at_rest(place, rules, solving.solution, scratch, of_laws)?;
    if residuals.max() <= tolerances.motion || !has_gained {
        solving.warm.record_standing(place.island);
    }
    Some(residuals)
}

/// [`hold`] of an island that is remembered to stand, by the last impulses and the velocity they lead to.
pub(super) fn hold_again(
    here: IslandContext<'_>,
    solving: &mut SolveContext<'_>,
    tolerances: Tolerances,
) -> Option<Residuals> {
    let (context, place) = (here.context, here.place());
    if context.is_stage || !solving.warm.stands(place) {
        return None;
    }
    let (rules, scratch) = (context.rules(false), &mut solving.own.scratch);
    let made = residual::of_made(place, rules, solving.solution, scratch);
    hold(here, solving, made.max(), false, tolerances)
}

/// Whether no coordinate is faster than `most`.
fn is_slower(place: IslandProblem<'_>, solution: &ContactSolution, most: f64) -> bool {
    place.blocks().all(|block| {
        let v = &solution.v_plus[block.range()];
        v.iter().all(|v| v.abs() <= most)
    })
}

/// Sets the velocities to zero and gives the residuals there, if they are good enough; nothing has changed else.
fn at_rest(
    place: IslandProblem<'_>,
    rules: Rules<'_>,
    solution: &mut ContactSolution,
    scratch: &mut Scratch,
    is_enough: impl Fn(&Residuals) -> bool,
) -> Option<Residuals> {
    let ranges = || place.blocks().map(|block| block.range());
    for range in ranges() {
        scratch.set_aside(range.clone(), &mut solution.v_plus[range]);
    }
    let residuals = residual::of_island(place, rules, solution, scratch);
    if is_enough(&residuals) {
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
    add_contact(problem, c, [n, s, t], solution);
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
