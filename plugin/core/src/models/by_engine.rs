//! Answers of the engine, under a model's law or the exact cone.

use super::attempt::free;
use super::{ContactSolution, ModelSettings, WarmStart};
use crate::engine::Engine;
use crate::law::Law;
use crate::problem::{ContactProblem, Island};
use crate::report::{SolveReport, SolveStatus};
use crate::settings::Tolerances;
use crate::system::{Friction, Start};

/// An answer of the engine.
#[derive(Clone, Copy, Debug)]
pub(super) struct Answer {
    pub(super) residual: f64,
    pub(super) iterations: usize,
    /// The most that a row misses which yields to others [m/s].
    pub(super) missed: f64,
}

impl Answer {
    /// How it ended, by the engine's own account.
    pub(super) fn status(&self, tolerances: Tolerances) -> SolveStatus {
        match self.residual {
            left if left <= tolerances.rest && self.missed > 0.0 => SolveStatus::Relaxed,
            left if left <= tolerances.rest => SolveStatus::Solved,
            left if left <= tolerances.motion => SolveStatus::SolvedInMotion,
            left if left.is_finite() => SolveStatus::IterationLimit,
            _ => SolveStatus::NonFinite,
        }
    }
}

/// Solves an island by the engine, from the last solve or, without a warm start, the answer at hand, and writes the answer.
/// Where it has no finite one (the problem's own numbers overflow), the island keeps its free velocity.
pub(super) fn solve(
    engine: &mut Engine,
    (problem, island): (&ContactProblem, Island<'_>),
    (settings, friction): (&ModelSettings, Friction<'_>),
    (tolerances, is_late): (Tolerances, bool),
    (warm, solution): (Option<&WarmStart>, &mut ContactSolution),
) -> Answer {
    let start = match warm {
        Some(warm) => Start::Last(warm),
        None => Start::Answer(solution),
    };
    engine.begin((problem, island), (settings, friction), start);
    let how = (settings, friction);
    finish(
        engine,
        (problem, island),
        how,
        (tolerances, is_late),
        solution,
    )
}

/// [`solve`] with rows that ask for a motion giving in to what contradicts them; none, and nothing written, where there
/// are no such rows.
pub(super) fn relaxed(
    engine: &mut Engine,
    place: (&ContactProblem, Island<'_>),
    how: (&ModelSettings, Friction<'_>),
    bounds: (Tolerances, bool),
    (warm, solution): (&WarmStart, &mut ContactSolution),
) -> Option<Answer> {
    engine.begin(place, how, Start::Last(warm));
    (engine.relax()).then(|| finish(engine, place, how, bounds, solution))
}

/// Solves what has been made ready, and writes the answer.
fn finish(
    engine: &mut Engine,
    (problem, island): (&ContactProblem, Island<'_>),
    (settings, friction): (&ModelSettings, Friction<'_>),
    (tolerances, is_late): (Tolerances, bool),
    solution: &mut ContactSolution,
) -> Answer {
    free(problem, island, solution);
    let budget = settings.budget.engine(is_late);
    let answer = engine.solve((problem, island), tolerances, budget);
    let mut missed = 0.0;
    if answer.residual.is_finite() {
        missed = engine.system.write(problem, island, solution);
    }
    for &g in island.groups {
        if let Some(contact) = problem.contacts().get(g as usize) {
            solution.held[g as usize] = match friction {
                Friction::Law(Law::Free) => settings.is_closed(contact),
                Friction::Held(held) => held[g as usize],
                Friction::Law(_) | Friction::Viscous => false,
            };
        }
    }
    Answer {
        residual: answer.residual,
        iterations: answer.iterations,
        missed,
    }
}

/// Solves an island by the exact cone in place of its model and says so in answer and report.
pub(super) fn exact_cone(
    engine: &mut Engine,
    place: (&ContactProblem, Island<'_>),
    (settings, is_late): (&ModelSettings, bool),
    (warm, solution): (&WarmStart, &mut ContactSolution),
    report: &mut SolveReport,
) -> Answer {
    let tolerances = settings.tolerances();
    let how = (settings, Friction::Law(Law::Cone));
    let answer = solve(
        engine,
        place,
        how,
        (tolerances, is_late),
        (Some(warm), &mut *solution),
    );
    mark(place.1, solution);
    report.exact_cone += 1;
    report.fallbacks += 1;
    report.iterations += answer.iterations;
    let status = answer.status(tolerances).max(SolveStatus::ExactCone);
    report.unverified += usize::from(status == SolveStatus::IterationLimit);
    report.failures += usize::from(status == SolveStatus::NonFinite);
    report.status = report.status.max(status);
    answer
}

/// Marks an island as not answered by its model.
pub(super) fn mark(island: Island<'_>, solution: &mut ContactSolution) {
    for &b in island.blocks {
        solution.exact_cone[b as usize] = true;
    }
}
