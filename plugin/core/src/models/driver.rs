//! The ladder of solvers that an island climbs, the same for every model: the chosen solver from its
//! warm start, the chosen solver cold, the guaranteed or regularised route, the best effort. An
//! answer counts once the residual function has verified it.

use super::share::{self, Tally, Turns};
use super::{ContactSolution, ModelName, ModelSettings, WarmStart, Workspace};
use crate::problem::{ContactProblem, Island, RowId};
use crate::report::{Rung, SolveReport, SolveStatus, SolverName};
use crate::residual::{self, Rules};

/// One attempt of the ladder.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) struct Attempt {
    pub(super) rung: Rung,
    pub(super) solver: SolverName,
}

impl Attempt {
    pub(super) const fn new(rung: Rung, solver: SolverName) -> Self {
        Self { rung, solver }
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
}

impl Context<'_> {
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
    fn ladder(&self) -> &[Attempt];

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
}

/// The answer of an island with the smallest residual so far.
#[derive(Clone, Debug, Default)]
pub(super) struct Best {
    velocity: Vec<f64>,
    contacts: Vec<[f64; 6]>,
    scalars: Vec<f64>,
    /// The rows declared unmet.
    unmet: Vec<RowId>,
    /// The lists of [`ContactSolution::by_row`] at the island's rows, where they are filled.
    by_row: [Vec<f64>; 3],
    residual: f64,
    status: SolveStatus,
    attempt: Option<Attempt>,
}

impl Best {
    fn begin(&mut self) {
        self.attempt = None;
        self.residual = f64::INFINITY;
        self.status = SolveStatus::Infeasible;
    }

    fn keep(
        &mut self,
        problem: &ContactProblem,
        island: Island<'_>,
        solution: &mut ContactSolution,
    ) {
        self.velocity.clear();
        self.contacts.clear();
        self.scalars.clear();
        self.unmet.clear();
        let rows = rows(problem, island);
        (self.unmet).extend(rows.filter(|row| solution.unmet[row.0]));
        for (kept, list) in self.by_row.iter_mut().zip(solution.by_row()) {
            kept.clear();
            if !list.is_empty() {
                kept.extend(self::rows(problem, island).map(|row| list[row.0]));
            }
        }
        for &b in island.blocks {
            let range = problem.block(b as usize).range();
            self.velocity.extend_from_slice(&solution.v_plus[range]);
        }
        for &g in island.groups {
            let g = g as usize;
            match g.checked_sub(problem.contact_count()) {
                Some(scalar) => self.scalars.push(solution.f_scalar[scalar]),
                None => {
                    let [a, b, c] = solution.f_spin[g];
                    let f = [solution.f_n[g], solution.f_s[g], solution.f_t[g], a, b, c];
                    self.contacts.push(f);
                }
            }
        }
    }

    fn restore(
        &self,
        problem: &ContactProblem,
        island: Island<'_>,
        solution: &mut ContactSolution,
    ) {
        for row in rows(problem, island) {
            solution.unmet[row.0] = false;
        }
        for row in &self.unmet {
            solution.unmet[row.0] = true;
        }
        for (kept, list) in self.by_row.iter().zip(solution.by_row()) {
            for (row, z) in rows(problem, island).zip(kept) {
                list[row.0] = *z;
            }
        }
        let mut at = 0;
        for &b in island.blocks {
            let range = problem.block(b as usize).range();
            let next = at + range.len();
            solution.v_plus[range].copy_from_slice(&self.velocity[at..next]);
            at = next;
        }
        let (mut contacts, mut scalars) = (self.contacts.iter(), self.scalars.iter());
        for &g in island.groups {
            let g = g as usize;
            if let Some(scalar) = g.checked_sub(problem.contact_count()) {
                solution.f_scalar[scalar] = scalars.next().copied().unwrap_or(0.0);
            } else if let Some(&[n, s, t, a, b, c]) = contacts.next() {
                (solution.f_n[g], solution.f_s[g], solution.f_t[g]) = (n, s, t);
                solution.f_spin[g] = [a, b, c];
            }
        }
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

/// Solves every island of the problem by its ladder, one after another, and judges the whole.
pub(super) fn drive(
    context: Context<'_>,
    solver: &mut impl IslandSolver,
    warm: &mut WarmStart,
    (best, judge): (&mut Best, &mut residual::Scratch),
    solution: &mut ContactSolution,
) -> SolveReport {
    solution.reset(context.problem);
    warm.begin(context.problem);
    let mut all = 0..context.problem.island_count();
    let turns = &mut || all.next();
    let judging = (&mut *best, &mut *judge);
    let tally = climb(context, (turns, solver), warm, judging, solution);
    finish(context, tally, warm, judge, solution)
}

/// The same where the islands may be shared out among threads: `work` makes a solver with the memory
/// of the workspace it is given and lets it [`climb`].
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
    if context.settings.solver == Some(SolverName::Engine) {
        let held_back = (workspace.bound).hold(context.problem, context.settings, solution);
        tally.report.hold_back(held_back);
    }
    finish(context, tally, warm, &mut workspace.judge, solution)
}

/// Solves islands by the ladder as long as there are turns.
pub(super) fn climb(
    context: Context<'_>,
    (turns, solver): (&mut Turns<'_>, &mut impl IslandSolver),
    warm: &mut WarmStart,
    (best, judge): (&mut Best, &mut residual::Scratch),
    solution: &mut ContactSolution,
) -> Tally {
    let problem = context.problem;
    let chosen = context.settings.solver_for(context.name);
    let mut tally = Tally::default();
    tally.keeps_impulses = solver.starts_from_impulses();
    while let Some(number) = turns() {
        let island = problem.island(number);
        best.begin();
        let mut failed = 0;
        for i in 0..solver.ladder().len() {
            let attempt = solver.ladder()[i];
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
            let left = residual::of_island(problem, island, context.rules(), solution, judge).max();
            // What the chosen solver promises, whoever steps in for it; a NaN is refused.
            let accepted = left <= context.settings.acceptance(context.name, chosen);
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
                best.keep(problem, island, solution);
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
            if attempt.solver == SolverName::Engine && left <= context.settings.tolerances().motion
            {
                best.status = best.status.min(SolveStatus::SolvedInMotion);
                break;
            }
            if !left.is_finite() {
                best.status = best.status.max(SolveStatus::NonFinite);
            }
            failed += 1;
        }
        tally.report.variables += solver.variables();
        let Some(attempt) = best.attempt else {
            free(problem, island, solution);
            tally.report.failures += 1;
            tally.report.status = tally.report.status.max(best.status);
            continue;
        };
        best.restore(problem, island, solution);
        solver.record(island, solution, warm);
        tally.report.status = tally.report.status.max(best.status);
        tally.report.unverified += usize::from(matches!(
            best.status,
            SolveStatus::IterationLimit | SolveStatus::Inaccurate
        ));
        tally.report.fallbacks += usize::from(failed > 0);
        tally.report.rungs.add(attempt.rung);
        tally.help(number, failed, attempt.solver);
    }
    tally
}

/// Ends the solve: the record for the next one, and the judgement of the whole.
fn finish(
    context: Context<'_>,
    tally: Tally,
    warm: &mut WarmStart,
    judge: &mut residual::Scratch,
    solution: &mut ContactSolution,
) -> SolveReport {
    let problem = context.problem;
    if tally.keeps_impulses {
        warm.record_impulses(problem, solution);
        warm.record_wrenches(problem, solution);
    }
    warm.commit();
    let mut report = tally.report(problem, context.settings.solver_for(context.name));
    report.residuals = residual::residuals(problem, context.rules(), solution, judge);
    let speeds = problem.v_free().iter();
    let speed = 1.0 + speeds.fold(0.0_f64, |a, v| a.max(v.abs()));
    report.relaxed = report.residuals.contradiction * speed;
    report
}
