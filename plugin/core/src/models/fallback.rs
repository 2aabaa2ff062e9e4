//! What answers for an island whose own solver gives up: the engine, in bounded work. No island moves with its free
//! velocity, through what it stands on, because a solver gave up.

use super::attempt::{Context, Fallback, Outcome, free};
use super::by_engine::mark;
use super::relax::settle;
use super::releasing;
use super::share::Tally;
use super::{ContactSolution, ModelName, WarmStart, Workspace};
use crate::report::{Route, SolveReport, SolveStatus, SolverName};
use crate::residual;

/// What is known of an island that the model has no answer for, beyond that its solver gave up.
fn proven(status: SolveStatus) -> Option<SolveStatus> {
    let known = [
        SolveStatus::NoSolution,
        SolveStatus::Jammed,
        SolveStatus::TooLarge,
    ];
    known.contains(&status).then_some(status)
}

/// Lets the engine answer for an island that all attempts gave up on, or that was left to it; false where what they
/// left is better.
pub(super) fn give_up(
    (context, number): (Context<'_>, usize),
    (warm, own): (&mut WarmStart, &mut Workspace),
    solution: &mut ContactSolution,
    tally: &mut Tally,
) -> bool {
    let (problem, settings) = (context.problem, context.settings);
    let island = problem.island(number);
    let (best, engine) = (&mut own.best, &mut own.engine);
    let (fallback, failed) = (Fallback::of(context.name), best.failed);
    if fallback == Fallback::Caller {
        let marked = best.attempt.is_none();
        if marked {
            free(problem, island, solution);
            mark(island, solution);
            let status = proven(best.status).unwrap_or(SolveStatus::ExactCone);
            tally.report.status = tally.report.status.max(status);
        }
        return marked;
    }
    let is_exact = fallback == Fallback::ExactCone;
    let mut task = context.task(island, context.friction(&[]));
    if is_exact {
        task.tolerances = settings.tolerances();
    }
    let (mut answer, release_failed) = if context.name == ModelName::NoSlipReleasing {
        releasing::solve((context, task, &mut own.held), engine, warm, solution)
    } else {
        // Over cones it goes on from what an iteration of the literature left.
        let start = (!context.is_over_cones() || failed == 0).then_some(&*warm);
        (task.solve(engine, start, solution), false)
    };
    // Negated so that a NaN is no answer.
    let is_better = answer.residual < best.residual;
    if best.attempt.is_some() && !is_better {
        return false;
    }
    if is_exact {
        mark(island, solution);
    }
    let rules = context.rules(release_failed);
    let residuals = residual::of_island(problem, island, rules, solution, &mut own.scratch);
    // Cones scale their maps otherwise than the engine.
    answer.residual = answer.residual.max(residuals.max());
    let known = match best.attempt {
        Some(_) => None,
        None => proven(best.status),
    };
    let least = match is_exact {
        true => SolveStatus::ExactCone,
        false => SolveStatus::Solved,
    };
    let status = answer.status(task.tolerances);
    let mut outcome = Outcome {
        status: status.max(least).max(known.unwrap_or_default()),
        residuals,
        release_failed,
    };
    let mut report = SolveReport {
        iterations: answer.iterations,
        exact_cone: usize::from(is_exact),
        fallbacks: usize::from(is_exact || failed > 0),
        release_failed,
        ..SolveReport::default()
    };
    let told = (&mut outcome, &mut report);
    settle(context, island, (warm, own), solution, told);
    tally.take(problem, island, &outcome);
    report.routes.add(match (context.is_over_cones(), failed) {
        (true, 0) => Route::Warm,
        (true, _) => Route::Guaranteed,
        _ => Route::BestEffort,
    });
    tally.report.absorb(&report);
    tally.keeps_impulses = true;
    tally.help(number, usize::MAX, SolverName::Engine);
    true
}
