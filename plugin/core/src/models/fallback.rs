//! What answers for an island whose own solver gives up: the engine, in bounded work. No island moves with its free
//! velocity, through what it stands on, because a solver gave up.

use super::attempt::{Context, Fallback, Outcome, free};
use super::by_engine::{Answer, exact_cone, mark, solve};
use super::relax::settle;
use super::releasing::{self, Held};
use super::share::Tally;
use super::{ContactSolution, ModelName, WarmStart, Workspace};
use crate::engine::Engine;
use crate::law::Law;
use crate::problem::Island;
use crate::report::{Route, SolveReport, SolveStatus, SolverName};
use crate::residual;
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

/// Solves an island by the engine under the model's own law.
fn own_law(
    engine: &mut Engine,
    (context, island, held): (Context<'_>, Island<'_>, &mut Held),
    warm: &mut WarmStart,
    solution: &mut ContactSolution,
    report: &mut SolveReport,
) -> Answer {
    let (problem, settings) = (context.problem, context.settings);
    let tolerances = context.tolerances();
    let bounds = (tolerances, context.deadline.is_over());
    let mut by =
        |friction: Friction<'_>, warm: Option<&WarmStart>, solution: &mut ContactSolution| {
            let how = (settings, friction);
            solve(engine, (problem, island), how, bounds, (warm, solution))
        };
    let answer = match context.name {
        ModelName::NoSlipReleasing => {
            let place = (context, island, held);
            let (answer, has_released) = releasing::solve(place, by, warm, solution);
            report.release_failed = !has_released;
            answer
        }
        ModelName::NoSlip => by(Friction::Law(Law::Free), Some(&*warm), solution),
        ModelName::Viscous => by(Friction::Viscous, Some(&*warm), solution),
        _ => by(Friction::Law(Law::Half), Some(&*warm), solution),
    };
    report.iterations = answer.iterations;
    report.status = answer.status(tolerances);
    report.unverified = usize::from(report.status == SolveStatus::IterationLimit);
    report.failures = usize::from(report.status == SolveStatus::NonFinite);
    answer
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
    let fallback = Fallback::of(context.name);
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
    let mut report = SolveReport::default();
    let answer = if fallback == Fallback::Own {
        report.fallbacks = usize::from(best.failed > 0);
        let place = (context, island, &mut own.held);
        own_law(engine, place, warm, solution, &mut report)
    } else {
        let how = (settings, context.deadline.is_over());
        let answers = (&*warm, &mut *solution);
        exact_cone(engine, (problem, island), how, answers, &mut report)
    };
    if best.attempt.is_some() {
        // Negated so that a NaN is no answer.
        let better = answer.residual < best.residual;
        if !better {
            return false;
        }
    } else if let Some(status) = proven(best.status) {
        report.status = report.status.max(status);
    }
    let rules = context.rules(report.release_failed);
    let mut outcome = Outcome {
        status: report.status,
        residuals: residual::of_island(problem, island, rules, solution, &mut own.scratch),
        release_failed: report.release_failed,
    };
    // Counted once it is settled.
    report = SolveReport {
        status: SolveStatus::Solved,
        unverified: 0,
        failures: 0,
        ..report
    };
    settle(
        context,
        island,
        (warm, own),
        solution,
        (&mut outcome, &mut report),
    );
    tally.take(problem, island, &outcome);
    report.routes.add(Route::BestEffort);
    tally.report.absorb(&report);
    tally.keeps_impulses = true;
    tally.help(number, usize::MAX, SolverName::Engine);
    true
}
