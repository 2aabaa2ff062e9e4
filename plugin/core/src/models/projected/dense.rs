//! The same models by the solvers of dense problems.
//!
//! The bilateral rows and the tangential ones a model holds are eliminated:
//! `F = N P N^T`, `e = N v + b` with X v+ = c [D15, sec. VI]; normals, limits and bounded rows make the
//! complementarity problem. What these solvers can't answer (walls that contradict each other or lie
//! in the span of X, so that contacts have to yield) falls to the active-set method.

use super::super::driver::{self, Attempt, Context, Effort, IslandSolver};
use super::super::polygon::{Plain, Sweep};
use super::super::reduced::Reduced;
use super::super::{ContactSolution, ModelName, ModelSettings, WarmStart, Workspace};
use super::{Memory as Rows, Run};
use crate::lcp::dense::{
    Dantzig, InteriorPoint, LcpSolver, Lemke, Limits, PrincipalPivoting, Start,
};
use crate::problem::{ContactProblem, Island, RowId};
use crate::report::{Rung, SolveReport, SolveStatus, SolverName};

/// From which miss on an eliminated row that depends on others counts as not met, relative to
/// `1 + max |v_free|`: what the judge accepts.
const MET: f64 = 1e-9;

/// Memory of the dense problem and its solvers.
#[derive(Clone, Debug, Default)]
pub(in crate::models) struct Memory {
    reduced: Reduced,
    plain: Plain,
    z: Vec<f64>,
    impulses: Vec<f64>,
    lemke: Lemke,
    dantzig: Dantzig,
    principal: PrincipalPivoting,
    interior: InteriorPoint,
    sweep: Sweep,
}

/// Whether a solver works on a dense problem.
pub(super) fn is_dense(solver: SolverName) -> bool {
    !matches!(solver, SolverName::Ppm | SolverName::ActiveSet)
}

/// Solves a problem by the dense solver of the settings.
pub(super) fn solve(
    problem: &ContactProblem,
    (name, settings): (ModelName, &ModelSettings),
    warm: &mut WarmStart,
    workspace: &mut Workspace,
    solution: &mut ContactSolution,
) -> SolveReport {
    let guaranteed = ModelSettings {
        solver: Some(SolverName::ActiveSet),
        ..settings.clone()
    };
    let context = Context {
        problem,
        name,
        settings,
    };
    driver::drive_shared(
        context,
        warm,
        workspace,
        solution,
        |turns, warm, own, solution| {
            let mut run = Dense {
                context,
                rows: Run {
                    problem,
                    source: problem,
                    damping: None,
                    name,
                    settings: &guaranteed,
                },
                memory: &mut own.dense,
                active: &mut own.projected,
                ladder: [
                    Attempt::new(Rung::Cold, settings.solver_for(name)),
                    Attempt::new(Rung::Guaranteed, SolverName::ActiveSet),
                ],
            };
            let judging = (&mut own.best, &mut own.judge);
            driver::climb(context, (turns, &mut run), warm, judging, solution)
        },
    )
}

/// One solve.
struct Dense<'a> {
    context: Context<'a>,
    rows: Run<'a>,
    memory: &'a mut Memory,
    active: &'a mut Rows,
    ladder: [Attempt; 2],
}

impl IslandSolver for Dense<'_> {
    fn ladder(&self) -> &[Attempt] {
        &self.ladder
    }

    fn attempt(
        &mut self,
        attempt: Attempt,
        island: Island<'_>,
        warm: &mut WarmStart,
        solution: &mut ContactSolution,
    ) -> Option<Effort> {
        let n = self.context.problem.contact_count();
        for &g in island.groups.iter().filter(|&&g| (g as usize) < n) {
            solution.held[g as usize] = false;
        }
        if attempt.rung == Rung::Cold {
            return Some(self.dense(attempt.solver, island, solution));
        }
        let mut report = SolveReport::default();
        let twins = (island, island);
        let outcome = (self.rows).island(twins, warm, self.active, solution, &mut report);
        Some(Effort {
            status: outcome.status,
            pivots: report.pivots,
            iterations: report.iterations,
        })
    }

    fn record(&mut self, _: Island<'_>, _: &ContactSolution, _: &mut WarmStart) {}

    fn variables(&self) -> usize {
        self.memory.plain.dim()
    }

    fn starts_from_impulses(&self) -> bool {
        false
    }
}

impl Dense<'_> {
    fn dense(
        &mut self,
        solver: SolverName,
        island: Island<'_>,
        solution: &mut ContactSolution,
    ) -> Effort {
        let (problem, settings) = (self.context.problem, self.context.settings);
        let memory = &mut *self.memory;
        memory.reduced.begin(problem, island);
        memory.reduced.eliminate_bilateral(problem, island);
        if self.context.name == ModelName::NoSlip {
            for &g in island.groups {
                let Some(contact) = problem.contacts().get(g as usize) else {
                    continue;
                };
                if settings.is_closed(contact) {
                    let c = g as usize;
                    solution.held[c] = true;
                    for (k, target) in contact.surface_velocity.into_iter().enumerate() {
                        let row = RowId(3 * c + 1 + k);
                        memory.reduced.eliminate(problem, row, target);
                    }
                }
            }
        }
        let plain = &mut memory.plain;
        plain.lay_out(problem, island, settings, &mut memory.reduced);
        memory.reduced.assemble(problem, island);
        plain.assemble(&memory.reduced);
        // A run that solves takes a few pivots per variable; round-off may go round for ever.
        let limits = Limits {
            tolerance: settings.tolerance,
            max_pivots: settings.max_pivots.min(20 * plain.dim() + 200),
        };
        let solvers: &mut dyn LcpSolver = match solver {
            SolverName::Dantzig => &mut memory.dantzig,
            SolverName::PrincipalPivoting => &mut memory.principal,
            SolverName::InteriorPoint => &mut memory.interior,
            _ => &mut memory.lemke,
        };
        let effort = if solver == SolverName::Pgs {
            plain.sweep(
                &memory.reduced,
                &settings.iteration,
                &mut memory.sweep,
                &mut memory.impulses,
            )
        } else if let Some(lcp) = plain.lcp() {
            let outcome = solvers.solve(lcp, &limits, Start::Cold, &mut memory.z);
            plain.impulses(&memory.reduced, &memory.z, &mut memory.impulses);
            Effort {
                status: outcome.status,
                pivots: outcome.pivots,
                iterations: outcome.iterations,
            }
        } else {
            memory.impulses.clear();
            memory.impulses.resize(memory.reduced.rows().len(), 0.0);
            Effort {
                status: SolveStatus::NonFinite,
                pivots: 0,
                iterations: 0,
            }
        };
        let within = MET * memory.reduced.speed();
        let answer = (&memory.impulses[..], within);
        let missed = memory.reduced.finish(problem, island, answer, solution);
        if missed > 0.0 && effort.status == SolveStatus::Solved {
            return Effort {
                status: SolveStatus::Relaxed,
                ..effort
            };
        }
        effort
    }
}
