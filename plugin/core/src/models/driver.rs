//! The attempts at an island, the same for every model: the last impulses, of what rests; the model's own solver from its warm start, cold, and by the
//! route that is left to it; then the engine. An answer counts once the residual function has verified it.

use super::SolveContext;
use super::accept::{accept_last, hold_again, stand};
pub(super) use super::attempt::{Attempt, Best, Context, IslandContext, IslandSolver, free};
use super::attempt::{Fallback, Outcome};
use super::fallback;
use super::relax::handle_infeasible;
use super::share::{self, IslandQueue, Tally};
use crate::engine::Engine;
use crate::lcp::Meter;
use crate::report::{IslandAnswer, Route, SolveReport, SolveStatus, SolverName};
use crate::residual;

/// Solves every island of the problem by its attempts; the islands may be shared out among threads.
pub fn drive(
    context: Context<'_>,
    solver: impl IslandSolver + Clone + Sync,
    solving: &mut SolveContext<'_>,
) -> SolveReport {
    let work = |queue: &mut IslandQueue<'_>, solving: &mut SolveContext<'_>| {
        islands(context, queue, &mut solver.clone(), solving)
    };
    let tally = share::islands(context.problem, solving, work);
    finish(context, tally, solving)
}

/// Solves every island of the problem by its attempts, one after another, with a solver that has memory of its own.
pub(super) fn drive_alone(
    context: Context<'_>,
    solver: &mut impl IslandSolver,
    solving: &mut SolveContext<'_>,
) -> SolveReport {
    share::begin(context.problem, solving);
    let mut all = 0..context.problem.island_count();
    let tally = islands(context, &mut || all.next(), solver, solving);
    finish(context, tally, solving)
}

/// Records what the next solve starts from, and reports.
fn finish(context: Context<'_>, tally: Tally, solving: &mut SolveContext<'_>) -> SolveReport {
    if tally.keeps_impulses {
        solving.warm.record_impulses(solving.solution);
    }
    solving.warm.commit();
    tally.report(context.problem, context.chosen)
}

/// Solves islands by their attempts as long as the queue has one.
fn islands(
    context: Context<'_>,
    queue: &mut IslandQueue<'_>,
    solver: &mut impl IslandSolver,
    solving: &mut SolveContext<'_>,
) -> Tally {
    let (problem, settings) = (context.problem, context.settings);
    let fallback = context.fallback;
    let mut tally = Tally::default();
    tally.keeps_impulses = solver.starts_from_impulses() || solver.accepts_last();
    solving.own.best.is_shaped = false;
    while let Some(number) = queue() {
        let island = problem.island(number);
        let (here, place) = (context.at(island), problem.place(island));
        solving.own.best.begin();
        solving.own.meter = Meter::new(settings.budget.work);
        solver.begin(solving.own);
        let wanted = solver.wanted(island);
        let may_try = solver.attempts().is_empty()
            || !context.is_past_deadline() && !solver.leaves_to_engine(island);
        if wanted.memory > settings.budget.memory || wanted.work > settings.budget.work {
            solving.own.best.status = SolveStatus::TooLarge;
            let report = &mut tally.report;
            report.memory_wanted = report.memory_wanted.max(wanted.memory);
            report.work_wanted = report.work_wanted.max(wanted.work);
        } else if !(solver.accepts_last() && answer_as_before(here, solver, solving)) && may_try {
            try_all(here, solver, solving, &mut tally.report);
        }
        let best = &solving.own.best;
        // Under another law the engine's answer is better only where not even motion could do with this one.
        let is_good = fallback != Fallback::Own
            && best.attempt.is_some()
            && (best.residual <= settings.tolerances().motion || fallback == Fallback::Nobody);
        let mut by_engine = None;
        if fallback == Fallback::Caller {
            if best.attempt.is_none() {
                let status = fallback::leave(here, solving, &mut tally.report);
                solving.solution.islands[number].status = status;
                continue;
            }
        } else if !best.is_verified && !is_good {
            by_engine = fallback::give_up(here, solving, &mut tally.report);
        }
        let best = &solving.own.best;
        let (mut outcome, attempt) = if let Some(answer) = by_engine {
            tally.keeps_impulses = true;
            tally.help(number, usize::MAX, SolverName::Engine);
            answer
        } else {
            let Some(attempt) = best.attempt else {
                continue;
            };
            if !best.is_verified {
                solving.solution.adopt(&best.answer, place);
            }
            if best.is_accepted {
                solver.record_accepted(island, solving.warm, &mut tally.report);
                if attempt.solver == SolverName::Engine {
                    tally.help(number, usize::MAX, attempt.solver);
                }
            } else {
                solver.record(solving.own, solving.warm, &mut tally.report);
            }
            let best = &solving.own.best;
            tally.report.fallbacks += usize::from(best.failed > 0);
            tally.help(number, best.failed, attempt.solver);
            let outcome = Outcome {
                status: best.status,
                residuals: best.residuals,
                release_failed: solver.release_failed(),
            };
            (outcome, attempt)
        };
        if !solving.own.best.is_accepted {
            handle_infeasible(here, solving, &mut outcome, &mut tally.report);
        }
        solving.solution.islands[number] = IslandAnswer {
            status: outcome.status,
            solver: attempt.solver,
            residual: outcome.residuals.max(),
        };
        tally.take(place, &outcome);
        tally.report.routes.add(attempt.route);
    }
    tally
}

/// Answers an island that rests by its last impulses, if they are good enough; whether they are.
fn answer_as_before(
    here: IslandContext<'_>,
    solver: &impl IslandSolver,
    solving: &mut SolveContext<'_>,
) -> bool {
    let IslandContext { context, island } = here;
    let (place, tolerances) = (here.place(), context.tolerances());
    let Some(goal) = Engine::at_rest(place, tolerances) else {
        return false;
    };
    if accept_last(place, solving.warm, solving.solution) {
        let goal = goal.min(tolerances.rest);
        let held = hold_again(here, solving, tolerances);
        let (rules, scratch) = (context.rules(false), &mut solving.own.scratch);
        let standing = match context.is_stage {
            true => None,
            false => stand(place, rules, solving.solution, scratch, goal),
        };
        let found = standing.or(held).or_else(|| {
            let made = residual::of_made(place, rules, solving.solution, scratch);
            (made.max() <= goal).then_some(made)
        });
        if let Some(residuals) = found {
            let status = match residuals.max() {
                left if left <= goal => SolveStatus::Solved,
                left if left <= tolerances.motion => SolveStatus::SolvedInMotion,
                _ => SolveStatus::IterationLimit,
            };
            let best = &mut solving.own.best;
            let by = match solver.leaves_to_engine(island) {
                true => SolverName::Engine,
                false => context.chosen,
            };
            let before = Attempt::new(Route::Warm, by);
            best.take(before, status, residuals);
            (best.is_verified, best.is_accepted) = (true, true);
            return true;
        }
    }
    free(place, solving.solution);
    false
}

/// Tries one attempt after another until one is verified; the best stays in the workspace.
fn try_all(
    here: IslandContext<'_>,
    solver: &mut impl IslandSolver,
    solving: &mut SolveContext<'_>,
    report: &mut SolveReport,
) {
    let IslandContext { context, island } = here;
    let (place, settings) = (here.place(), context.settings);
    for i in 0..solver.attempts().len() {
        let attempt = solver.attempts()[i];
        if i > 0 {
            free(place, solving.solution);
        }
        let Some(effort) = solver.attempt(attempt, island, solving) else {
            continue;
        };
        report.pivots += effort.pivots;
        report.iterations += effort.iterations;
        if matches!(effort.status, SolveStatus::NoSolution | SolveStatus::Jammed) {
            // Proven: no attempt can do better.
            (solving.own.best.attempt, solving.own.best.status) = (None, effort.status);
            return;
        }
        let residuals = solving.residuals(here, solver.release_failed());
        let best = &mut solving.own.best;
        let left = residuals.max();
        // What the chosen solver promises, whoever steps in for it; a NaN is refused.
        if left <= settings.acceptance(context.name, context.chosen) {
            let status = match effort.status {
                status @ (SolveStatus::SeveralSolutions | SolveStatus::Relaxed) => status,
                _ => SolveStatus::Solved,
            };
            best.take(attempt, status, residuals);
            best.is_verified = true;
            return;
        }
        let is_usable = effort.status.is_usable();
        best.failed += 1;
        let status = match effort.status {
            status if is_usable && status != SolveStatus::Solved => status,
            _ => SolveStatus::Inaccurate,
        };
        if !left.is_finite() {
            best.status = best.status.max(SolveStatus::NonFinite);
        } else if !solver.keeps_unverified() {
            best.status = match is_usable {
                true => SolveStatus::Inaccurate,
                false => effort.status,
            };
        } else if best.attempt.is_none() || left < best.residual {
            best.store(place, solving.solution);
            best.take(attempt, status, residuals);
        }
    }
}
