//! The attempts at an island, the same for every model: the last impulses, of what rests; the model's own solver from its warm start, cold, and by the
//! route that is left to it; then the engine. An answer counts once the residual function has verified it.

pub(super) use super::attempt::{Attempt, Best, Context, Effort, IslandSolver, free};
use super::attempt::{Fallback, Outcome};
use super::fallback;
use super::recall::recall;
use super::relax::settle;
use super::share::{self, Tally, Turns};
use super::{ContactSolution, WarmStart, Workspace};
use crate::engine::Engine;
use crate::lcp::Meter;
use crate::problem::Island;
use crate::report::{Route, SolveReport, SolveStatus, SolverName};
use crate::residual;

/// Solves every island of the problem by its attempts; the islands may be shared out among threads.
pub(super) fn drive(
    context: Context<'_>,
    solver: impl IslandSolver,
    (warm, workspace): (&mut WarmStart, &mut Workspace),
    solution: &mut ContactSolution,
) -> SolveReport {
    let problem = context.problem;
    let work = |turns: &mut Turns<'_>,
                warm: &mut WarmStart,
                own: &mut Workspace,
                solution: &mut ContactSolution| {
        islands(context, (turns, solver.clone()), (warm, own), solution)
    };
    let tally = share::islands(problem, warm, workspace, solution, work);
    if tally.keeps_impulses {
        warm.record_impulses(solution);
    }
    warm.commit();
    tally.report(problem, context.settings.solver_for(context.name))
}

/// Solves islands by their attempts as long as there are turns.
fn islands(
    context: Context<'_>,
    (turns, mut solver): (&mut Turns<'_>, impl IslandSolver),
    (warm, own): (&mut WarmStart, &mut Workspace),
    solution: &mut ContactSolution,
) -> Tally {
    let (problem, settings) = (context.problem, context.settings);
    let fallback = Fallback::of(context.name);
    let mut tally = Tally::default();
    tally.keeps_impulses = solver.starts_from_impulses() || solver.recalls();
    own.best.is_shaped = false;
    while let Some(number) = turns() {
        let island = problem.island(number);
        own.best.begin();
        own.meter = Meter::new(settings.budget.work);
        solver.begin(own);
        let wanted = solver.wanted(island);
        let may_try = solver.attempts().is_empty()
            || !context.deadline.is_over() && !solver.leaves_to_engine(island);
        if wanted.memory > settings.budget.memory || wanted.work > settings.budget.work {
            own.best.status = SolveStatus::TooLarge;
            let report = &mut tally.report;
            report.memory_wanted = report.memory_wanted.max(wanted.memory);
            report.work_wanted = report.work_wanted.max(wanted.work);
        } else if may_try {
            let report = &mut tally.report;
            try_all(
                context,
                (&mut solver, island),
                (warm, own),
                solution,
                report,
            );
        }
        let best = &own.best;
        // Under another law the engine's answer is better only where not even motion could do with this one.
        let is_good = fallback != Fallback::Own
            && best.attempt.is_some()
            && best.residual <= settings.tolerances().motion;
        let mut by_engine = None;
        if fallback == Fallback::Caller {
            if best.attempt.is_none() {
                fallback::leave((context, island), best.status, solution, &mut tally.report);
                continue;
            }
        } else if !best.is_verified && !is_good {
            let (place, report) = ((context, island), &mut tally.report);
            by_engine = fallback::give_up(place, (warm, own), solution, report);
        }
        let best = &own.best;
        let (mut outcome, attempt) = if let Some(answer) = by_engine {
            tally.keeps_impulses = true;
            tally.help(number, usize::MAX, SolverName::Engine);
            answer
        } else {
            let Some(attempt) = best.attempt else {
                continue;
            };
            if !best.is_verified {
                solution.adopt(&best.answer, problem, island);
            }
            if best.is_recalled {
                solver.recalled(island, warm, &mut tally.report);
            } else {
                solver.record(island, own, (solution, warm), &mut tally.report);
            }
            tally.report.fallbacks += usize::from(best.failed > 0);
            tally.help(number, best.failed, attempt.solver);
            let outcome = Outcome {
                status: best.status,
                residuals: best.residuals,
                release_failed: solver.release_failed(),
            };
            (outcome, attempt)
        };
        if !own.best.is_recalled {
            let told = (&mut outcome, &mut tally.report);
            settle(context, island, (warm, own), solution, told);
        }
        tally.take(problem, island, &outcome);
        tally.report.routes.add(attempt.route);
    }
    tally
}

/// Tries one attempt after another until one is verified; the best stays in the workspace.
fn try_all(
    context: Context<'_>,
    (solver, island): (&mut impl IslandSolver, Island<'_>),
    (warm, own): (&mut WarmStart, &mut Workspace),
    solution: &mut ContactSolution,
    report: &mut SolveReport,
) {
    let (problem, settings) = (context.problem, context.settings);
    let chosen = settings.solver_for(context.name);
    let first = Attempt::new(Route::Warm, chosen);
    if solver.recalls()
        && let Some(goal) = Engine::at_rest((problem, island), settings.tolerances())
    {
        if recall(problem, island, warm, solution) {
            let rules = context.rules(false);
            let place = (problem, island);
            let residuals = residual::of_made(place, rules, solution, &mut own.scratch);
            if residuals.max() <= goal.min(settings.acceptance(context.name, chosen)) {
                let best = &mut own.best;
                best.take(first, SolveStatus::Solved, residuals);
                (best.is_verified, best.is_recalled) = (true, true);
                return;
            }
        }
        free(problem, island, solution);
    }
    for i in 0..solver.attempts().len() {
        let attempt = solver.attempts()[i];
        if i > 0 {
            free(problem, island, solution);
        }
        let Some(effort) = solver.attempt(attempt, island, (warm, own), solution) else {
            continue;
        };
        let best = &mut own.best;
        report.pivots += effort.pivots;
        report.iterations += effort.iterations;
        if matches!(effort.status, SolveStatus::NoSolution | SolveStatus::Jammed) {
            // Proven: no attempt can do better.
            best.attempt = None;
            best.status = effort.status;
            return;
        }
        let rules = context.rules(solver.release_failed());
        let residuals = residual::of_island(problem, island, rules, solution, &mut own.scratch);
        let left = residuals.max();
        // What the chosen solver promises, whoever steps in for it; a NaN is refused.
        let accepted = left <= settings.acceptance(context.name, chosen);
        if accepted {
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
            best.keep(problem, island, solution);
            best.take(attempt, status, residuals);
        }
    }
}
