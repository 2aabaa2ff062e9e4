//! The attempts at an island, the same for every model: the chosen solver from its warm start, the chosen
//! solver cold, the guaranteed or regularised route, the best effort; then the engine. An
//! answer counts once the residual function has verified it.

use super::fallback::{self, Deadline, Fallback};
use super::share::{self, Tally, Turns};
use super::{ContactSolution, ModelName, ModelSettings, WarmStart, Workspace};
use crate::engine::Engine;
use crate::lcp::Meter;
use crate::problem::{ContactProblem, Island, RowId};
use crate::report::{Residuals, Route, SolveReport, SolveStatus, SolverName};
use crate::residual::{self, Rules};

/// One attempt at an island.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) struct Attempt {
    pub(super) route: Route,
    pub(super) solver: SolverName,
}

impl Attempt {
    pub(super) const fn new(route: Route, solver: SolverName) -> Self {
        Self { route, solver }
    }
}

/// How an attempt ended, by the solver's own account.
#[derive(Clone, Copy, Debug)]
pub(super) struct Effort {
    pub(super) status: SolveStatus,
    pub(super) pivots: usize,
    pub(super) iterations: usize,
}

/// What all attempts share.
#[derive(Clone, Copy, Debug)]
pub(super) struct Context<'a> {
    pub(super) problem: &'a ContactProblem,
    pub(super) name: ModelName,
    pub(super) settings: &'a ModelSettings,
    pub(super) deadline: Deadline,
}

impl<'a> Context<'a> {
    /// Of a solve that begins now.
    pub(super) fn new(
        problem: &'a ContactProblem,
        name: ModelName,
        settings: &'a ModelSettings,
    ) -> Self {
        Self {
            problem,
            name,
            settings,
            deadline: Deadline::after(settings.budget.milliseconds),
        }
    }

    /// The conditions answers are held against.
    pub(super) fn rules(&self) -> Rules<'_> {
        Rules {
            model: self.name,
            settings: self.settings,
            release_failed: false,
        }
    }
}

/// A model's own way of solving one island.
pub(super) trait IslandSolver {
    /// The attempts in order.
    fn attempts(&self) -> &[Attempt];

    /// Solves an island: writes `v_plus` of its blocks and the impulses of its rows. `None` if there
    /// is nothing to attempt, such as a warm start without memory. Every attempt starts from zero
    /// impulses.
    fn attempt(
        &mut self,
        attempt: Attempt,
        island: Island<'_>,
        warm: &mut WarmStart,
        solution: &mut ContactSolution,
    ) -> Option<Effort>;

    /// Records what the next warm start needs of the answer that was kept.
    fn record(&mut self, island: Island<'_>, solution: &ContactSolution, warm: &mut WarmStart);

    /// Whether an answer whose residual misses the acceptance may be applied when no attempt does
    /// better; the island moves with its free velocity otherwise.
    fn keeps_unverified(&self) -> bool {
        true
    }

    /// Number of variables of the island last attempted, for solvers of complementarity problems.
    fn variables(&self) -> usize {
        0
    }

    /// Whether the next solve starts from the impulses of this one.
    fn starts_from_impulses(&self) -> bool;

    /// Bytes of the dense matrices that the island asks for.
    fn memory(&mut self, _: Island<'_>) -> usize {
        0
    }

    /// What counts the work of the attempts, if anything does.
    fn meter(&mut self) -> Option<&mut Meter> {
        None
    }
}

/// Memory that the attempts at all islands share.
pub(super) struct Tools<'a> {
    pub(super) best: &'a mut Best,
    pub(super) scratch: &'a mut residual::Scratch,
    /// What answers in the end; none where it is the solver itself.
    pub(super) engine: Option<&'a mut Engine>,
}

impl Tools<'_> {
    /// For another drive.
    pub(super) fn again(&mut self) -> Tools<'_> {
        Tools {
            best: self.best,
            scratch: self.scratch,
            engine: self.engine.as_deref_mut(),
        }
    }
}

/// The answer of an island with the smallest residual so far.
#[derive(Clone, Debug, Default)]
pub(super) struct Best {
    answer: ContactSolution,
    pub(super) residual: f64,
    pub(super) status: SolveStatus,
    pub(super) attempt: Option<Attempt>,
}

impl Best {
    fn begin(&mut self) {
        self.attempt = None;
        self.residual = f64::INFINITY;
        self.status = SolveStatus::Infeasible;
    }
}

/// All rows of an island.
pub(super) fn rows<'a>(
    problem: &'a ContactProblem,
    island: Island<'a>,
) -> impl Iterator<Item = RowId> + 'a {
    let n = problem.contact_count();
    island.groups.iter().flat_map(move |&g| {
        let g = g as usize;
        let (own, spins) = match g.checked_sub(n) {
            Some(scalar) => (
                problem.scalar_row(scalar).0..problem.scalar_row(scalar).0 + 1,
                None,
            ),
            None => (3 * g..3 * g + 3, problem.spin_rows(g)),
        };
        own.map(RowId).chain(spins.into_iter().flatten())
    })
}

/// Free velocity, zero impulses and nothing declared unmet for the island.
pub(super) fn free(problem: &ContactProblem, island: Island<'_>, solution: &mut ContactSolution) {
    for row in rows(problem, island) {
        solution.unmet[row.0] = false;
        for list in solution.by_row() {
            if let Some(z) = list.get_mut(row.0) {
                *z = 0.0;
            }
        }
    }
    for &b in island.blocks {
        let range = problem.block(b as usize).range();
        solution.v_plus[range.clone()].copy_from_slice(&problem.v_free()[range]);
    }
    for &g in island.groups {
        let g = g as usize;
        if let Some(scalar) = g.checked_sub(problem.contact_count()) {
            solution.f_scalar[scalar] = 0.0;
        } else {
            (solution.f_n[g], solution.f_s[g], solution.f_t[g]) = (0.0, 0.0, 0.0);
            solution.f_spin[g] = [0.0; 3];
        }
    }
}

/// Solves every island of the problem by its attempts, one after another, and checks the residual of the whole.
pub(super) fn drive(
    context: Context<'_>,
    solver: &mut impl IslandSolver,
    warm: &mut WarmStart,
    mut tools: Tools<'_>,
    solution: &mut ContactSolution,
) -> SolveReport {
    solution.reset(context.problem);
    warm.begin(context.problem);
    let mut all = 0..context.problem.island_count();
    let turns = &mut || all.next();
    let tally = islands(context, (turns, solver), warm, tools.again(), solution);
    finish(context, tally, warm, tools.scratch, solution)
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
    let mut tally = share::islands(context.problem, warm, workspace, solution, work);
    let held_back = (workspace.bound).hold(context.problem, context.settings, solution);
    tally.report.hold_back(held_back);
    finish(context, tally, warm, &mut workspace.scratch, solution)
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
    let chosen = settings.solver_for(context.name);
    let fallback = Fallback::of(context.name);
    let mut tally = Tally::default();
    tally.keeps_impulses = solver.starts_from_impulses();
    tools.best.answer.reset(problem);
    while let Some(number) = turns() {
        let island = problem.island(number);
        let Tools { best, scratch, .. } = &mut tools;
        best.begin();
        let mut failed = 0;
        let is_late = context.deadline.is_over() && fallback != Fallback::None;
        let wanted = solver.memory(island);
        if wanted > settings.budget.memory {
            best.status = SolveStatus::TooLarge;
            tally.report.memory_wanted = tally.report.memory_wanted.max(wanted);
        }
        if let Some(meter) = solver.meter() {
            *meter = Meter::new(settings.budget.work);
        }
        let attempts = match is_late || best.status == SolveStatus::TooLarge {
            true => 0,
            false => solver.attempts().len(),
        };
        for i in 0..attempts {
            let attempt = solver.attempts()[i];
            free(problem, island, solution);
            let Some(effort) = solver.attempt(attempt, island, warm, solution) else {
                continue;
            };
            tally.report.pivots += effort.pivots;
            tally.report.iterations += effort.iterations;
            if matches!(effort.status, SolveStatus::NoSolution | SolveStatus::Jammed) {
                // Proven: no attempt can do better.
                best.attempt = None;
                best.status = effort.status;
                break;
            }
            let left =
                residual::of_island(problem, island, context.rules(), solution, scratch).max();
            // What the chosen solver promises, whoever steps in for it; a NaN is refused.
            let accepted = left <= settings.acceptance(context.name, chosen);
            if !accepted && !solver.keeps_unverified() {
                best.status = match effort.status {
                    status if status.is_usable() => SolveStatus::Inaccurate,
                    status => status,
                };
                if !left.is_finite() {
                    best.status = SolveStatus::NonFinite;
                }
                failed += 1;
                continue;
            }
            let better = best.attempt.is_none() || left < best.residual;
            if better && left.is_finite() {
                best.answer.adopt(solution, problem, island);
                best.residual = left;
                best.attempt = Some(attempt);
                best.status = match effort.status {
                    SolveStatus::Solved => SolveStatus::Inaccurate,
                    status if status.is_usable() => status,
                    _ => SolveStatus::Inaccurate,
                };
            }
            if accepted {
                best.status = match effort.status {
                    status @ (SolveStatus::SeveralSolutions | SolveStatus::Relaxed) => status,
                    _ => SolveStatus::Solved,
                };
                break;
            }
            // As good as anything that moves can tell.
            if attempt.solver == SolverName::Engine && left <= settings.tolerances().motion {
                best.status = best.status.min(SolveStatus::SolvedInMotion);
                break;
            }
            if !left.is_finite() {
                best.status = best.status.max(SolveStatus::NonFinite);
            }
            failed += 1;
        }
        if attempts > 0 {
            tally.report.variables += solver.variables();
        }
        // An answer that not even motion could do with is none; the engine's may be better.
        let gave_up = best.attempt.is_none() || best.residual > settings.tolerances().motion;
        if gave_up && fallback != Fallback::None {
            let place = (context, number);
            if fallback::give_up(place, warm, &mut tools, solution, &mut tally) {
                continue;
            }
        }
        let best = &mut *tools.best;
        let Some(attempt) = best.attempt else {
            free(problem, island, solution);
            tally.report.failures += 1;
            tally.report.status = tally.report.status.max(best.status);
            continue;
        };
        solution.adopt(&best.answer, problem, island);
        solver.record(island, solution, warm);
        tally.report.status = tally.report.status.max(best.status);
        tally.report.unverified += usize::from(matches!(
            best.status,
            SolveStatus::IterationLimit | SolveStatus::Inaccurate
        ));
        tally.report.fallbacks += usize::from(failed > 0);
        tally.report.routes.add(attempt.route);
        tally.help(number, failed, attempt.solver);
    }
    tally
}

/// Ends the solve: the record for the next one, and the residual check of the whole.
fn finish(
    context: Context<'_>,
    tally: Tally,
    warm: &mut WarmStart,
    scratch: &mut residual::Scratch,
    solution: &mut ContactSolution,
) -> SolveReport {
    let problem = context.problem;
    if tally.keeps_impulses {
        warm.record_impulses(problem, solution);
        warm.record_wrenches(problem, solution);
    }
    warm.commit();
    let mut report = tally.report(problem, context.settings.solver_for(context.name));
    report.residuals = residual::residuals(problem, context.rules(), solution, scratch);
    if Fallback::of(context.name) == Fallback::Caller && solution.exact_cone.contains(&true) {
        report.residuals = Residuals::default();
        for island in problem.islands() {
            if solution.is_exact_cone(island) {
                continue;
            }
            let own = residual::of_island(problem, island, context.rules(), solution, scratch);
            report.residuals.merge(&own);
        }
    }
    let speeds = problem.v_free().iter();
    let speed = 1.0 + speeds.fold(0.0_f64, |a, v| a.max(v.abs()));
    report.relaxed = report.residuals.contradiction * speed;
    report
}
