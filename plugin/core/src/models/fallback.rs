//! What answers for an island whose own solver gives up: the engine, in bounded work. No island moves with its free
//! velocity, through what it stands on, because a solver gave up.

use super::ModelName;
use super::SolveContext;
use super::accept;
use super::attempt::{Attempt, Fallback, IslandContext, Outcome, free};
use super::by_engine::mark;
use super::loose;
use super::releasing;
use crate::law::Law;
use crate::report::{Route, SolveReport, SolveStatus, SolverName};
use crate::system::Friction;

/// What is known of an island that the model has no answer for, beyond that its solver gave up.
fn proven(status: SolveStatus) -> Option<SolveStatus> {
    let known = [
        SolveStatus::NoSolution,
        SolveStatus::Jammed,
        SolveStatus::TooLarge,
    ];
    known.contains(&status).then_some(status)
}

/// Marks an island that all attempts gave up on for a caller who put the problem together from another one; what is known of
/// it.
pub(super) fn leave(
    here: IslandContext<'_>,
    solving: &mut SolveContext<'_>,
    report: &mut SolveReport,
) -> SolveStatus {
    free(here.place(), solving.solution);
    mark(here.island, solving.solution);
    let status = proven(solving.own.best.status).unwrap_or(SolveStatus::ExactCone);
    report.status = report.status.max(status);
    status
}

/// Lets the engine answer for an island that all attempts gave up on, or that was left to it; none where what they
/// left is better.
pub(super) fn give_up(
    here: IslandContext<'_>,
    solving: &mut SolveContext<'_>,
    report: &mut SolveReport,
) -> Option<(Outcome, Attempt)> {
    let IslandContext { context, island } = here;
    let is_exact = matches!(context.fallback, Fallback::ExactCone | Fallback::Nobody);
    let mut task = here.task(context.friction(&[]));
    if is_exact {
        task.friction = Friction::Law(Law::Cone);
        task.tolerances = context.settings.tolerances();
    }
    let loose = loose::sweep(here, task, solving, is_exact);
    let (warm, own, solution) = solving.parts();
    let (engine, best) = (&mut own.engine, &own.best);
    let mut known = None;
    let (mut answer, release_failed) = if context.name == ModelName::NoSlipReleasing {
        releasing::solve(context, task, &mut own.held, engine, warm, solution)
    } else if let Some(loose) = loose {
        if loose.is_enough {
            known = Some(loose.residuals);
            (loose.answer, false)
        } else {
            (task.go_on(engine, loose.answer, solution), false)
        }
    } else {
        // Over cones it goes on from what an iteration of the literature left.
        let start = (!context.is_over_cones() || best.failed == 0).then_some(&*warm);
        (task.solve(engine, start, solution), false)
    };
    // Negated so that a NaN is no answer.
    let is_better = answer.residual < best.residual;
    let mut least = SolveStatus::Solved;
    if best.attempt.is_none() {
        least = proven(best.status).unwrap_or_default();
    } else if !is_better {
        return None;
    }
    if is_exact {
        mark(island, solution);
        least = least.max(SolveStatus::ExactCone);
    }
    let failed = best.failed;
    let mut residuals = known.unwrap_or_else(|| solving.residuals(here, release_failed));
    // Cones scale their maps otherwise than the engine; a NaN of the engine's stays.
    if residuals.max() > answer.residual {
        answer.residual = residuals.max();
    }
    if answer.is_beyond_factors && !context.is_stage {
        let (left, has_gained) = (answer.residual, answer.has_gained);
        if let Some(held) = accept::hold(here, solving, left, has_gained, task.tolerances) {
            residuals = held;
            answer.residual = held.max();
        }
    }
    report.iterations += answer.iterations;
    report.exact_cone += usize::from(is_exact);
    report.fallbacks += usize::from(is_exact || failed > 0);
    let route = match (context.is_over_cones(), failed) {
        (true, 0) => Route::Warm,
        (true, _) => Route::Guaranteed,
        _ => Route::BestEffort,
    };
    let outcome = Outcome {
        status: answer.status(task.place, task.tolerances).max(least),
        residuals,
        release_failed,
    };
    Some((outcome, Attempt::new(route, SolverName::Engine)))
}
