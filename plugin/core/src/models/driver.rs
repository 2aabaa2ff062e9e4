//! The attempts at an island, the same for every model: the last impulses, of what rests; the model's own solver from its warm start, cold, and by the
//! route that is left to it; then the engine. An answer counts once the residual function has verified it.

pub(super) use super::attempt::{Attempt, Best, Context, Effort, IslandSolver, Tools, free};
use super::fallback::{self, Fallback};
use super::recall::recall;
use super::share::{self, Tally, Turns};
use super::{ContactSolution, WarmStart, Workspace};
use crate::engine::Engine;
use crate::lcp::Meter;
use crate::problem::Island;
use crate::report::{SolveReport, SolveStatus, SolverName};
use crate::residual;

/// Solves every island of the problem by its attempts, one after another.
pub(super) fn drive(
    context: Context<'_>,
    solver: &mut impl IslandSolver,
    warm: &mut WarmStart,
    tools: Tools<'_>,
    solution: &mut ContactSolution,
) -> SolveReport {
    solution.reset(context.problem);
    warm.begin(context.problem);
    let mut all = 0..context.problem.island_count();
    let turns = &mut || all.next();
    let tally = islands(context, (turns, solver), warm, tools, solution);
    finish(context, tally, warm, solution)
}

/// The same where the islands may be shared out among threads: `work` makes a solver with the memory
/// of the workspace it is given and lets it [`islands`].
pub(super) fn drive_shared<W>(
    context: Context<'_>,
    warm: &mut WarmStart,
    workspace: &mut Workspace,
    solution: &mut ContactSolution,
    work: W,
) -> SolveReport
where
    W: Fn(&mut Turns<'_>, &mut WarmStart, &mut Workspace, &mut ContactSolution) -> Tally + Sync,
{
    let problem = context.problem;
    let mut tally = share::islands(problem, warm, workspace, solution, work);
    let held_back = (workspace.bound).hold(problem, context.settings, solution);
    if held_back > 0 {
        tally.report.hold_back(held_back);
        let rules = context.rules(tally.report.release_failed);
        tally.report.residuals =
            residual::residuals(problem, rules, solution, &mut workspace.scratch);
    }
    finish(context, tally, warm, solution)
}

/// Solves islands by their attempts as long as there are turns.
pub(super) fn islands(
    context: Context<'_>,
    (turns, solver): (&mut Turns<'_>, &mut impl IslandSolver),
    warm: &mut WarmStart,
    mut tools: Tools<'_>,
    solution: &mut ContactSolution,
) -> Tally {
    let (problem, settings) = (context.problem, context.settings);
    let fallback = Fallback::of(context.name);
    let mut tally = Tally::default();
    tally.keeps_impulses = solver.starts_from_impulses();
    tools.best.is_shaped = false;
    while let Some(number) = turns() {
        let island = problem.island(number);
        tools.best.begin();
        solver.begin(number);
        if let Some(meter) = solver.meter() {
            *meter = Meter::new(settings.budget.work);
        }
        let wanted = solver.memory(island);
        let may_try = fallback == Fallback::None
            || !context.deadline.is_over() && !solver.leaves_to_engine(island);
        if wanted > settings.budget.memory {
            tools.best.status = SolveStatus::TooLarge;
            tally.report.memory_wanted = tally.report.memory_wanted.max(wanted);
        } else if may_try {
            let report = &mut tally.report;
            try_all(
                context,
                (solver, island),
                warm,
                &mut tools,
                solution,
                report,
            );
            report.variables += solver.variables();
        }
        let best = &*tools.best;
        // Under another law the engine's answer is better only where not even motion could do with this one.
        let is_good = fallback != Fallback::Own
            && best.attempt.is_some()
            && best.residual <= settings.tolerances().motion;
        if !best.is_verified && !is_good && fallback != Fallback::None {
            let place = (context, number);
            if fallback::give_up(place, warm, &mut tools, solution, &mut tally) {
                continue;
            }
        }
        let best = &mut *tools.best;
        tally.report.status = tally.report.status.max(best.status);
        let Some(attempt) = best.attempt else {
            free(problem, island, solution);
            tally.report.failures += 1;
            continue;
        };
        if !best.is_verified {
            solution.adopt(&best.answer, problem, island);
        }
        solver.record(island, solution, warm);
        solver.count(&mut tally.report);
        tally.check(problem, island, &best.residuals);
        tally.report.unverified += usize::from(matches!(
            best.status,
            SolveStatus::IterationLimit | SolveStatus::Inaccurate
        ));
        tally.report.fallbacks += usize::from(best.failed > 0);
        tally.report.routes.add(attempt.route);
        tally.help(number, best.failed, attempt.solver);
    }
    tally
}

/// Tries one attempt after another until one is verified; the best stays in `tools`.
fn try_all(
    context: Context<'_>,
    (solver, island): (&mut impl IslandSolver, Island<'_>),
    warm: &mut WarmStart,
    tools: &mut Tools<'_>,
    solution: &mut ContactSolution,
    report: &mut SolveReport,
) {
    let (problem, settings) = (context.problem, context.settings);
    let chosen = settings.solver_for(context.name);
    let Tools { best, scratch, .. } = tools;
    let first = solver.attempts()[0];
    if first.solver == SolverName::Engine
        && let Some(goal) = Engine::at_rest((problem, island), settings.tolerances())
    {
        if recall(problem, island, warm, solution) {
            let rules = context.rules(false);
            let residuals = residual::of_island(problem, island, rules, solution, scratch);
            if residuals.max() <= goal {
                best.take(first, SolveStatus::Solved, residuals);
                best.is_verified = true;
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
        let Some(effort) = solver.attempt(attempt, island, warm, solution) else {
            continue;
        };
        report.pivots += effort.pivots;
        report.iterations += effort.iterations;
        if matches!(effort.status, SolveStatus::NoSolution | SolveStatus::Jammed) {
            // Proven: no attempt can do better.
            best.attempt = None;
            best.status = effort.status;
            return;
        }
        let rules = context.rules(solver.release_failed());
        let residuals = residual::of_island(problem, island, rules, solution, scratch);
        let left = residuals.max();
        // What the chosen solver promises, whoever steps in for it; a NaN is refused.
        let accepted = left <= settings.acceptance(context.name, chosen);
        // As good as anything that moves can tell.
        let is_enough = attempt.solver == SolverName::Engine
            && left <= settings.tolerances().motion
            && left < best.residual;
        if accepted || is_enough {
            let status = match effort.status {
                _ if !accepted => SolveStatus::SolvedInMotion,
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
            if !std::mem::replace(&mut best.is_shaped, true) {
                best.answer.reset(problem);
            }
            best.answer.adopt(solution, problem, island);
            best.take(attempt, status, residuals);
        }
    }
}

/// Ends the solve: the record for the next one.
fn finish(
    context: Context<'_>,
    tally: Tally,
    warm: &mut WarmStart,
    solution: &ContactSolution,
) -> SolveReport {
    if tally.keeps_impulses {
        warm.record_impulses(solution);
    }
    warm.commit();
    tally.report(context.problem, context.settings.solver_for(context.name))
}
