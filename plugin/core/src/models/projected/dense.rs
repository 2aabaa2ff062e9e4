//! The same models by the solvers of dense problems.
//!
//! The bilateral rows and the tangential ones a model holds are eliminated:
//! `F = N P N^T`, `e = N v + b` with X v+ = c [D15, sec. VI]; normals, limits and bounded rows make the
//! complementarity problem. What these solvers can't answer (unilateral rows that contradict each other or lie
//! in the span of X, so that contacts have to yield) is left to the engine.

use super::super::attempt::{Attempt, Context, Effort, IslandSolver};
use super::super::polygon::{Plain, Size, Sweep};
use super::super::reduced::Reduced;
use super::super::{ContactSolution, ModelName, WarmStart};
use crate::lcp::dense::{Dantzig, InteriorPoint, LcpSolver, Lemke, PrincipalPivoting, Start};
use crate::lcp::{self, Meter};
use crate::problem::{Island, RowId};
use crate::report::{Route, SolveStatus, SolverName};

/// From which miss on an eliminated row that depends on others counts as not met, relative to
/// `1 + max |v_free|`: what the residual check accepts.
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
    meter: Meter,
}

/// One solve.
pub(super) struct Dense<'a> {
    context: Context<'a>,
    memory: &'a mut Memory,
    attempts: [Attempt; 1],
}

impl<'a> Dense<'a> {
    pub(super) fn new(context: Context<'a>, memory: &'a mut Memory) -> Self {
        let solver = context.settings.solver_for(context.name);
        Self {
            context,
            memory,
            attempts: [Attempt::new(Route::Cold, solver)],
        }
    }
}

impl IslandSolver for Dense<'_> {
    fn attempts(&self) -> &[Attempt] {
        &self.attempts
    }

    fn attempt(
        &mut self,
        attempt: Attempt,
        island: Island<'_>,
        _: &mut WarmStart,
        solution: &mut ContactSolution,
    ) -> Option<Effort> {
        Some(self.dense(attempt.solver, island, solution))
    }

    fn record(&mut self, _: Island<'_>, _: &ContactSolution, _: &mut WarmStart) {}

    fn variables(&self) -> usize {
        self.memory.plain.dim()
    }

    fn starts_from_impulses(&self) -> bool {
        false
    }

    fn memory(&mut self, island: Island<'_>) -> usize {
        let (problem, settings) = (self.context.problem, self.context.settings);
        let size = Size::of(problem, island, settings);
        // Normals, limits, and three for a drive.
        let contacts = island
            .groups
            .iter()
            .filter(|&&g| (g as usize) < problem.contact_count());
        let contacts = contacts.count();
        size.bytes(contacts + 3 * (island.groups.len() - contacts))
    }

    fn meter(&mut self) -> Option<&mut Meter> {
        Some(&mut self.memory.meter)
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
        let n = plain.dim();
        let most = settings.max_pivots.min(20 * n + 200);
        let limits = memory.meter.limits((settings.tolerance, most), n);
        let is_affordable =
            solver != SolverName::InteriorPoint || memory.meter.allows(lcp::interior_point(n));
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
        } else if let Some(lcp) = plain.lcp().filter(|_| is_affordable) {
            let outcome = solvers.solve(lcp, &limits, Start::Cold, &mut memory.z);
            match solver {
                SolverName::InteriorPoint => memory.meter.spend(lcp::interior_point(n)),
                _ => memory.meter.count(&outcome, n),
            }
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
                status: match is_affordable {
                    true => SolveStatus::NonFinite,
                    false => SolveStatus::IterationLimit,
                },
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
