//! The attempts at an island, the same for every model: the last impulses, of what rests; the model's own solver from its warm start, cold, and by the
//! route that is left to it; then the engine. An answer counts once the residual function has verified it.

use super::Desk;
pub(super) use super::attempt::{Attempt, Best, Context, Effort, IslandSolver, free};
use super::attempt::{Fallback, Outcome};
use super::fallback;
use super::recall::{recall, stand};
use super::relax::handle_infeasible;
use super::share::{self, Tally, Turns};
use crate::engine::Engine;
use crate::lcp::Meter;
use crate::problem::Island;
use crate::report::{IslandAnswer, Route, SolveReport, SolveStatus, SolverName};
use crate::residual;

/// Solves every island of the problem by its attempts; the islands may be shared out among threads.
pub fn drive(
    context: Context<'_>,
    solver: impl IslandSolver + Clone + Sync,
    desk: &mut Desk<'_>,
) -> SolveReport {
    let work = |turns: &mut Turns<'_>, desk: &mut Desk<'_>| {
        islands(context, (turns, &mut solver.clone()), desk)
    };
    let tally = share::islands(context.problem, desk, work);
    finish(context, tally, desk)
}

/// Solves every island of the problem by its attempts, one after another, with a solver that has memory of its own.
pub(super) fn drive_alone(
    context: Context<'_>,
    solver: &mut impl IslandSolver,
    desk: &mut Desk<'_>,
) -> SolveReport {
    share::begin(context.problem, desk);
    let mut all = 0..context.problem.island_count();
    let tally = islands(context, (&mut || all.next(), solver), desk);
    finish(context, tally, desk)
}

/// Records what the next solve starts from, and reports.
fn finish(context: Context<'_>, tally: Tally, desk: &mut Desk<'_>) -> SolveReport {
    if tally.keeps_impulses {
        desk.warm.record_impulses(desk.solution);
    }
    desk.warm.commit();
    tally.report(context.problem, context.chosen)
}

/// Solves islands by their attempts as long as there are turns.
fn islands(
    context: Context<'_>,
    (turns, solver): (&mut Turns<'_>, &mut impl IslandSolver),
    desk: &mut Desk<'_>,
) -> Tally {
    let (problem, settings) = (context.problem, context.settings);
    let fallback = context.fallback;
    let mut tally = Tally::default();
    tally.keeps_impulses = solver.starts_from_impulses() || solver.recalls();
    desk.own.best.is_shaped = false;
    while let Some(number) = turns() {
        let island = problem.island(number);
        desk.own.best.begin();
        desk.own.meter = Meter::new(settings.budget.work);
        solver.begin(desk.own);
        let wanted = solver.wanted(island);
        let may_try = solver.attempts().is_empty()
            || !context.is_past_deadline() && !solver.leaves_to_engine(island);
        if wanted.memory > settings.budget.memory || wanted.work > settings.budget.work {
            desk.own.best.status = SolveStatus::TooLarge;
            let report = &mut tally.report;
            report.memory_wanted = report.memory_wanted.max(wanted.memory);
            report.work_wanted = report.work_wanted.max(wanted.work);
        } else if !(solver.recalls() && answer_as_before((context, island), solver, desk))
            && may_try
        {
            try_all((context, island), solver, desk, &mut tally.report);
        }
        let best = &desk.own.best;
        // Under another law the engine's answer is better only where not even motion could do with this one.
        let is_good = fallback != Fallback::Own
            && best.attempt.is_some()
            && (best.residual <= settings.tolerances().motion || fallback == Fallback::Nobody);
        let mut by_engine = None;
        if fallback == Fallback::Caller {
            if best.attempt.is_none() {
                let status = fallback::leave((context, island), desk, &mut tally.report);
                desk.solution.islands[number].status = status;
                continue;
            }
        } else if !best.is_verified && !is_good {
            by_engine = fallback::give_up((context, island), desk, &mut tally.report);
        }
        let best = &desk.own.best;
        let (mut outcome, attempt) = if let Some(answer) = by_engine {
            tally.keeps_impulses = true;
            tally.help(number, usize::MAX, SolverName::Engine);
            answer
        } else {
            let Some(attempt) = best.attempt else {
                continue;
            };
            if !best.is_verified {
                desk.solution.adopt(&best.answer, problem, island);
            }
            if best.is_recalled {
                solver.recalled(island, desk.warm, &mut tally.report);
                if attempt.solver == SolverName::Engine {
                    tally.help(number, usize::MAX, attempt.solver);
                }
            } else {
                solver.record(desk.own, desk.warm, &mut tally.report);
            }
            let best = &desk.own.best;
            tally.report.fallbacks += usize::from(best.failed > 0);
            tally.help(number, best.failed, attempt.solver);
            let outcome = Outcome {
                status: best.status,
                residuals: best.residuals,
                release_failed: solver.release_failed(),
            };
            (outcome, attempt)
        };
        if !desk.own.best.is_recalled {
            let told = (&mut outcome, &mut tally.report);
            handle_infeasible((context, island), desk, told);
        }
        desk.solution.islands[number] = IslandAnswer {
            status: outcome.status,
            solver: attempt.solver,
            residual: outcome.residuals.max(),
        };
        tally.take(problem, island, &outcome);
        tally.report.routes.add(attempt.route);
    }
    tally
}

/// Answers an island that rests by its last impulses, if they are good enough; whether they are.
fn answer_as_before(
    (context, island): (Context<'_>, Island<'_>),
    solver: &impl IslandSolver,
    desk: &mut Desk<'_>,
) -> bool {
    let problem = context.problem;
    let tolerances = context.tolerances();
    let Some(goal) = Engine::at_rest((problem, island), tolerances) else {
        return false;
    };
    if recall(problem, island, desk.warm, desk.solution) {
        let goal = goal.min(tolerances.rest);
        let (rules, scratch) = (context.rules(false), &mut desk.own.scratch);
        let standing = match context.is_stage {
            true => None,
            false => stand((problem, island), rules, (desk.solution, scratch), goal),
        };
        let found = standing.or_else(|| {
            let made = residual::of_made((problem, island), rules, desk.solution, scratch);
            (made.max() <= goal).then_some(made)
        });
        if let Some(residuals) = found {
            let best = &mut desk.own.best;
            let by = match solver.leaves_to_engine(island) {
                true => SolverName::Engine,
                false => context.chosen,
            };
            let before = Attempt::new(Route::Warm, by);
            best.take(before, SolveStatus::Solved, residuals);
            (best.is_verified, best.is_recalled) = (true, true);
            return true;
        }
    }
    free(problem, island, desk.solution);
    false
}

/// Tries one attempt after another until one is verified; the best stays in the workspace.
fn try_all(
    (context, island): (Context<'_>, Island<'_>),
    solver: &mut impl IslandSolver,
    desk: &mut Desk<'_>,
    report: &mut SolveReport,
) {
    let (problem, settings) = (context.problem, context.settings);
    for i in 0..solver.attempts().len() {
        let attempt = solver.attempts()[i];
        if i > 0 {
            free(problem, island, desk.solution);
        }
        let Some(effort) = solver.attempt(attempt, island, desk) else {
            continue;
        };
        report.pivots += effort.pivots;
        report.iterations += effort.iterations;
        if matches!(effort.status, SolveStatus::NoSolution | SolveStatus::Jammed) {
            // Proven: no attempt can do better.
            (desk.own.best.attempt, desk.own.best.status) = (None, effort.status);
            return;
        }
        let residuals = desk.residuals((context, island), solver.release_failed());
        let best = &mut desk.own.best;
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
            best.keep(problem, island, desk.solution);
            best.take(attempt, status, residuals);
        }
    }
}
