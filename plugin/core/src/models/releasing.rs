//! The releasing form of `no-slip` by the engine: contacts that do not press are let go, those that press and slip are
//! held, until there are none of either.

use super::attempt::Context;
use super::by_engine::Answer;
use super::{ContactSolution, WarmStart};
use crate::problem::Island;
use crate::report::SolverName;
use crate::system::Friction;
use crate::warm::HELD;

/// Rounds of the releasing form, each a solve of the engine, after which it falls back to the bilateral one.
const ROUNDS: usize = 8;

/// Solves an island by rounds of `solve`, `held` being scratch memory; holds all that are closed where they do not come to an end. Whether they did.
pub(super) fn solve(
    (context, island, held): (Context<'_>, Island<'_>, &mut Vec<bool>),
    mut solve: impl FnMut(Friction<'_>, &WarmStart, &mut ContactSolution) -> Answer,
    warm: &WarmStart,
    solution: &mut ContactSolution,
) -> (Answer, bool) {
    let (problem, settings) = (context.problem, context.settings);
    let contacts = problem.contacts();
    held.resize(contacts.len(), false);
    let own = || island.groups.iter().map(|&g| g as usize);
    let closed = || own().filter(|&g| contacts.get(g).is_some_and(|c| settings.is_closed(c)));
    for c in closed() {
        let known = warm.contact(c, contacts[c].key);
        held[c] = known.is_none_or(|bits| bits & HELD != 0);
    }
    // Well within what the residual allows.
    let still = 0.1 * settings.acceptance(context.name, SolverName::Ppm);
    let (mut iterations, mut agree) = (0, false);
    let mut answer = None;
    for _ in 0..settings.release_rounds.min(ROUNDS) {
        let round = solve(Friction::Held(held), warm, solution);
        iterations += round.iterations;
        agree = true;
        for c in closed() {
            let [_, s, t] = problem.contact_dots(c, &solution.v_plus);
            let [to_s, to_t] = contacts[c].surface_velocity;
            let slips = (s - to_s).hypot(t - to_t) > still;
            let holds = solution.f_n[c] > 0.0 && (held[c] || slips);
            agree &= held[c] == holds;
            held[c] = holds;
        }
        answer = Some(round);
        if agree {
            break;
        }
    }
    let answer = match answer {
        Some(answer) if agree => answer,
        _ => {
            closed().for_each(|c| held[c] = true);
            let last = solve(Friction::Held(held), warm, solution);
            iterations += last.iterations;
            last
        }
    };
    (
        Answer {
            iterations,
            ..answer
        },
        agree,
    )
}
