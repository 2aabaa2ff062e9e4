//! `ccp` and `cone`: friction cones with torsional and rolling parts.

use super::driver::{self, Attempt, Context, Effort, IslandSolver};
use super::{ContactModel, ContactSolution, Hover, ModelName, ModelSettings, WarmStart, Workspace};
use crate::cone::{Friction, Iteration, System, psor};
use crate::problem::{ContactProblem, Island};
use crate::report::{Rung, SolveReport, SolveStatus, SolverName};

/// Memory of the rows and the solvers.
#[derive(Clone, Debug, Default)]
pub(super) struct Memory {
    system: System,
}

/// `ccp`, `cone`.
#[derive(Clone, Debug)]
pub(super) struct Cones {
    name: ModelName,
    settings: ModelSettings,
    ladder: [Attempt; 4],
}

impl Cones {
    pub(super) fn new(name: ModelName, settings: ModelSettings) -> Self {
        let chosen = settings.solver_for(name);
        Self {
            name,
            settings,
            ladder: [
                Attempt::new(Rung::Warm, chosen),
                Attempt::new(Rung::Cold, chosen),
                Attempt::new(Rung::Guaranteed, SolverName::Psor),
                Attempt::new(Rung::BestEffort, SolverName::Psor),
            ],
        }
    }
}

impl ContactModel for Cones {
    fn name(&self) -> ModelName {
        self.name
    }

    fn settings(&self) -> &ModelSettings {
        &self.settings
    }

    fn solve(
        &self,
        problem: &ContactProblem,
        warm: &mut WarmStart,
        workspace: &mut Workspace,
        solution: &mut ContactSolution,
    ) -> SolveReport {
        let context = Context {
            problem,
            name: self.name,
            settings: &self.settings,
        };
        let exact = self.name == ModelName::Cone || self.settings.cone.hover == Hover::Remove;
        let mut run = Run {
            context,
            ladder: &self.ladder,
            friction: if exact {
                Friction::Exact
            } else {
                Friction::Convex
            },
            memory: &mut workspace.cone,
        };
        let judging = (&mut workspace.best, &mut workspace.judge);
        driver::drive(context, &mut run, warm, judging, solution)
    }
}

struct Run<'a> {
    context: Context<'a>,
    ladder: &'a [Attempt],
    friction: Friction,
    memory: &'a mut Memory,
}

impl Run<'_> {
    fn iteration(&self, sweeps: usize) -> Iteration {
        let settings = self.context.settings;
        Iteration {
            sweeps,
            // The residual function's scale may differ a little from the iteration's own.
            tolerance: 0.5 * settings.iteration.tolerance,
            omega: settings.iteration.omega,
            lambda: settings.iteration.lambda,
            order: settings.cone.sweep,
        }
    }
}

impl IslandSolver for Run<'_> {
    fn ladder(&self) -> &[Attempt] {
        self.ladder
    }

    fn attempt(
        &mut self,
        attempt: Attempt,
        island: Island<'_>,
        warm: &mut WarmStart,
        solution: &mut ContactSolution,
    ) -> Option<Effort> {
        let (problem, settings) = (self.context.problem, self.context.settings);
        let sweeps = settings.iteration.max_iterations;
        let how = self.iteration(match attempt.rung {
            Rung::Warm | Rung::Cold => sweeps,
            Rung::Guaranteed | Rung::BestEffort => 4 * sweeps,
        });
        let system = &mut self.memory.system;
        system.build(problem, island, settings);
        if attempt.rung == Rung::Warm && !system.start_from(problem, warm) {
            return None;
        }
        let ended = psor(system, self.friction, &how);
        system.write(problem, island, solution);
        let status = if ended.residual <= how.tolerance {
            SolveStatus::Solved
        } else if ended.residual.is_finite() {
            SolveStatus::IterationLimit
        } else {
            SolveStatus::NonFinite
        };
        Some(Effort {
            status,
            pivots: 0,
            iterations: ended.iterations,
        })
    }

    fn record(&mut self, _: Island<'_>, _: &ContactSolution, _: &mut WarmStart) {}

    fn starts_from_impulses(&self) -> bool {
        true
    }
}
