//! Islands that are large, or that pivoting gives up on, by the engine.

use super::{HELD, ModelName, Outcome, Run, WarmStart};
use crate::engine::{Engine, Tolerances};
use crate::law::Law;
use crate::models::ContactSolution;
use crate::models::fallback::{self, Answer};
use crate::problem::Island;
use crate::report::{Route, SolveReport, SolveStatus, SolverName};
use crate::system::Friction;

/// Rounds of the releasing form, each a solve of the engine, after which it falls back to the bilateral one.
const ROUNDS: usize = 8;

impl Run<'_> {
    /// Solves an island of the source by the engine, in bounded work.
    pub(super) fn by_engine(
        &self,
        island: Island<'_>,
        (warm, (memory, engine)): (&mut WarmStart, (&mut super::Memory, &mut Engine)),
        (failed, solution): (usize, &mut ContactSolution),
        report: &mut SolveReport,
    ) -> Outcome {
        let tolerances = Tolerances {
            rest: (self.settings).acceptance(self.name, self.settings.solver_for(self.name)),
            ..self.settings.tolerances()
        };
        let mut solve =
            |friction: Friction<'_>, warm: &WarmStart, solution: &mut ContactSolution| {
                let (place, how) = ((self.source, island), (self.settings, friction));
                let bounds = (tolerances, self.deadline.is_over());
                fallback::solve(engine, place, how, bounds, (warm, solution))
            };
        let answer = match (self.name, self.damping) {
            (ModelName::NoSlip, _) => solve(Friction::Law(Law::Free), warm, solution),
            (ModelName::Frictionless, _) => solve(Friction::Law(Law::Half), warm, solution),
            (ModelName::NoSlipReleasing, _) => {
                let held = &mut memory.held;
                let (answer, released) =
                    self.released(island, held, (warm, solution), |held, warm, solution| {
                        solve(Friction::Held(held), warm, solution)
                    });
                report.release_failed |= !released;
                answer
            }
            (_, None) => solve(Friction::Viscous, warm, solution),
            (_, Some(damping)) => {
                let apart = &mut memory.apart;
                apart.reset(self.source);
                let answer = solve(Friction::Viscous, warm, apart);
                solution.adopt_groups(apart, self.source, island);
                for &b in island.blocks {
                    for x in self.source.block(b as usize).range() {
                        solution.v_plus[damping.coordinate(x)] = apart.v_plus[x];
                    }
                }
                answer
            }
        };
        report.iterations += answer.iterations;
        report.relaxed = report.relaxed.max(answer.missed);
        let status = answer.status(tolerances);
        report.unverified += usize::from(status == SolveStatus::IterationLimit);
        Outcome {
            status,
            solver: SolverName::Engine,
            route: Route::Guaranteed,
            failed,
        }
    }

    /// The releasing form: lets go of contacts that do not press and holds those that press and slip, until there are
    /// none; all that are closed where it does not come to that. Whether it did.
    fn released(
        &self,
        island: Island<'_>,
        held: &mut Vec<bool>,
        (warm, solution): (&mut WarmStart, &mut ContactSolution),
        mut solve: impl FnMut(&[bool], &WarmStart, &mut ContactSolution) -> Answer,
    ) -> (Answer, bool) {
        let contacts = self.source.contacts();
        held.resize(contacts.len(), false);
        let own = || island.groups.iter().map(|&g| g as usize);
        let closed =
            || own().filter(|&g| contacts.get(g).is_some_and(|c| self.settings.is_closed(c)));
        for c in closed() {
            let known = warm.contact(c, contacts[c].key);
            held[c] = known.is_none_or(|bits| bits & HELD != 0);
        }
        // Well within what the residual allows.
        let still = 0.1 * self.settings.acceptance(self.name, SolverName::Ppm);
        let mut spent = 0;
        for _ in 0..self.settings.release_rounds.min(ROUNDS) {
            let answer = solve(held, warm, solution);
            spent += answer.iterations;
            let mut agree = true;
            for c in closed() {
                let [_, s, t] = self.source.contact_dots(c, &solution.v_plus);
                let [to_s, to_t] = contacts[c].surface_velocity;
                let presses = solution.f_n[c] > 0.0;
                let slips = (s - to_s).hypot(t - to_t) > still;
                let holds = presses && (held[c] || slips);
                agree &= held[c] == holds;
                held[c] = holds;
            }
            if agree {
                self.record(closed(), warm, solution);
                return (
                    Answer {
                        iterations: spent,
                        ..answer
                    },
                    true,
                );
            }
        }
        closed().for_each(|c| held[c] = true);
        let answer = solve(held, warm, solution);
        self.record(closed(), warm, solution);
        (
            Answer {
                iterations: spent + answer.iterations,
                ..answer
            },
            false,
        )
    }

    /// What the next solve begins with.
    fn record(
        &self,
        closed: impl Iterator<Item = usize>,
        warm: &mut WarmStart,
        solution: &ContactSolution,
    ) {
        for c in closed.filter(|&c| solution.held[c]) {
            warm.record_contact(c, HELD);
        }
    }
}
