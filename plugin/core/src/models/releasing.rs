//! The releasing form of `no-slip` by the engine: contacts that do not press are let go, those that press and slip are
//! held, until there are none of either. What was let go and had to be held again stays held, pressed or not: contacts
//! change twice at most, and where there is no answer those few hold that would come and go for ever.

use super::attempt::Context;
use super::by_engine::{Answer, Task};
use super::{ContactSolution, WarmStart};
use crate::engine::Engine;
use crate::report::SolverName;
use crate::system::Friction;
use crate::warm::HELD;

/// Which contacts hold (n).
#[derive(Clone, Debug, Default)]
pub(super) struct Held {
    held: Vec<bool>,
    /// For good.
    kept: Vec<bool>,
}

impl Held {
    /// Those that an answer holds.
    pub(super) fn of(&mut self, solution: &ContactSolution) -> &[bool] {
        self.held.clone_from(&solution.held);
        &self.held
    }
}

/// Solves an island by rounds; holds all that are closed where they do not come to an end. Whether a contact holds that
/// does not press.
pub(super) fn solve(
    context: Context<'_>,
    task: Task<'_>,
    memory: &mut Held,
    engine: &mut Engine,
    warm: &WarmStart,
    solution: &mut ContactSolution,
) -> (Answer, bool) {
    let (settings, place) = (context.settings, task.place);
    let mut solve = |held: &[bool], start: Option<&WarmStart>, solution: &mut ContactSolution| {
        let friction = Friction::Held(held);
        Task { friction, ..task }.solve(engine, start, solution)
    };
    let contacts = place.problem.contacts();
    let Held { held, kept } = memory;
    held.resize(contacts.len(), false);
    kept.resize(contacts.len(), false);
    let closed = || (place.contacts()).filter(|&c| settings.is_closed(&contacts[c]));
    for c in closed() {
        let known = warm.contact(c, contacts[c].key);
        held[c] = known.is_none_or(|bits| bits & HELD != 0);
        kept[c] = false;
    }
    // Well within what the residual allows.
    let still = 0.1 * settings.acceptance(context.name, SolverName::Ppm);
    let (mut iterations, mut agree) = (0, false);
    // Each round starts from the answer of the one before.
    let mut start = Some(warm);
    let mut answer = None;
    for number in 0..settings.release_rounds {
        let round = solve(held, start.take(), solution);
        iterations += round.iterations;
        agree = true;
        for c in closed() {
            let [_, s, t] = place.problem.contact_dots(c, &solution.v_plus);
            let [to_s, to_t] = contacts[c].surface_velocity;
            let slips = (s - to_s).hypot(t - to_t) > still;
            let holds = kept[c] || solution.f_n[c] > 0.0 && (held[c] || slips);
            kept[c] |= number > 0 && holds && !held[c];
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
            let last = solve(held, start, solution);
            iterations += last.iterations;
            last
        }
    };
    (
        Answer {
            iterations,
            ..answer
        },
        !agree || closed().any(|c| held[c] && solution.f_n[c] <= 0.0),
    )
}
