//! `ccp` and `cone`: friction cones with torsional and rolling parts.
//!
//! The ladder: the chosen solver from the last impulses, the chosen solver from nothing, proximal steps
//! by Newton's method (globally convergent for the convex problem; with De Saxce's fixed point around
//! them for the exact law) or else the interior-point method (both report as `conic`, or as `psor` where its
//! tolerance is what counts), more sweeps, Newton's method on the exact law from Lemke's answers for
//! polygons whose corners turn to where contacts slide ([`turned`], reports as `lemke`). Islands too large for Newton's method get one budget of the
//! chosen solver.

mod turned;

use super::driver::{self, Attempt, Context, Effort, IslandSolver};
use super::{
    ContactModel, ContactSolution, Hover, ModelName, ModelSettings, WarmStart, Workspace, polygon,
};
use crate::cone::{Base, Friction, Iteration, Solvers, Start};
use crate::problem::{ContactProblem, Island};
use crate::report::{Rung, SolveReport, SolveStatus, SolverName};

/// `ccp`, `cone`.
#[derive(Clone, Debug)]
pub(super) struct Cones {
    name: ModelName,
    settings: ModelSettings,
    ladder: [Attempt; 5],
}

impl Cones {
    pub(super) fn new(name: ModelName, settings: ModelSettings) -> Self {
        let chosen = settings.solver_for(name);
        // Help answers to the tolerance of the solver it helps: the acceptance goes by the name.
        let exact = name == ModelName::Cone;
        let tight = chosen == SolverName::Conic;
        let name_of = |tight| match tight {
            true => SolverName::Conic,
            false => SolverName::Psor,
        };
        Self {
            name,
            settings,
            ladder: [
                Attempt::new(Rung::Warm, chosen),
                Attempt::new(Rung::Cold, chosen),
                Attempt::new(Rung::Guaranteed, name_of(tight || exact)),
                Attempt::new(Rung::BestEffort, name_of(tight && !exact)),
                Attempt::new(Rung::BestEffort, SolverName::Lemke),
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
        let friction = match exact {
            true => Friction::Exact,
            false => Friction::Convex,
        };
        driver::drive_shared(
            context,
            warm,
            workspace,
            solution,
            |turns, warm, own, solution| {
                let mut run = Run {
                    context,
                    ladder: &self.ladder,
                    friction,
                    solvers: &mut own.cone,
                    polygon: &mut own.polygon,
                    fans: &mut own.fans,
                    tired: false,
                };
                let judging = (&mut own.best, &mut own.judge);
                driver::climb(context, (turns, &mut run), warm, judging, solution)
            },
        )
    }
}

struct Run<'a> {
    context: Context<'a>,
    ladder: &'a [Attempt],
    friction: Friction,
    solvers: &'a mut Solvers,
    /// Gives starts to the exact law.
    polygon: &'a mut polygon::Memory,
    /// Corners of those polygons.
    fans: &'a mut Vec<[polygon::Fan; 2]>,
    /// Whether the last attempt spent the budget of a large island.
    tired: bool,
}

/// How a solved island ends whose bilateral rows miss their targets by so much.
fn solved(missed: f64) -> SolveStatus {
    if missed > 0.0 {
        SolveStatus::Relaxed
    } else {
        SolveStatus::Solved
    }
}

/// Sweeps of the last rung in those of the first.
const BEST_EFFORT: usize = 4;

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
        let from_memory = attempt.rung == Rung::Warm;
        if from_memory {
            self.tired = false;
            // An interior-point method has no use for an answer at the boundary.
            if attempt.solver == SolverName::Conic {
                return None;
            }
        } else if self.tired {
            return None;
        }
        if attempt.solver == SolverName::Lemke {
            return self.solve_by_turning(island, warm, solution);
        }
        let solvers = &mut *self.solvers;
        solvers.system.build(problem, island, settings);
        if from_memory && !solvers.system.start_from(problem, warm) {
            return None;
        }
        let rounds = if attempt.rung == Rung::BestEffort {
            BEST_EFFORT
        } else {
            1
        };
        let how = self.iteration(rounds * settings.iteration.max_iterations);
        let solvers = &mut *self.solvers;
        let start = if from_memory {
            Start::Warm
        } else {
            Start::Cold
        };
        let accepted = settings.acceptance(self.context.name, attempt.solver);
        let chosen = self.ladder[1].solver;
        let bases: &[Base] = match (attempt.rung, self.friction) {
            (Rung::Guaranteed, Friction::Exact) if chosen != SolverName::Psor => {
                &[Base::Psor, Base::Proximal]
            }
            (Rung::Guaranteed, _) if chosen != SolverName::Conic => &[Base::Proximal, Base::Conic],
            (Rung::Guaranteed, _) => &[Base::Proximal],
            (Rung::BestEffort, _) => &[Base::Psor],
            (_, _) if attempt.solver == SolverName::Apgd => &[Base::Apgd],
            (_, _) if attempt.solver == SolverName::Conic => &[Base::Conic],
            _ => &[Base::Psor],
        };
        let mut iterations = 0;
        let mut residual = f64::INFINITY;
        for (i, &base) in bases.iter().enumerate() {
            if i > 0 {
                solvers.system.forget();
            }
            let ended = solvers.solve(self.friction, base, (start, &how));
            iterations += ended.iterations;
            // That of what is written.
            solvers.system.tidy();
            residual = solvers.system.residual(self.friction);
            if residual <= accepted {
                break;
            }
        }
        let missed = solvers.system.write(problem, island, solution);
        let status = if residual <= accepted {
            solved(missed)
        } else if residual.is_finite() {
            // One budget is enough where everything else costs more still.
            self.tired = !solvers.is_small();
            SolveStatus::IterationLimit
        } else {
            SolveStatus::NonFinite
        };
        Some(Effort {
            status,
            pivots: 0,
            iterations,
        })
    }

    fn record(&mut self, _: Island<'_>, _: &ContactSolution, _: &mut WarmStart) {}

    fn starts_from_impulses(&self) -> bool {
        true
    }
}
