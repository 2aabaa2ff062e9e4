//! `cone` and `ccp` by iterations over cones, matrix-free: `psor`, `apgd`. What they leave undone is solved by the engine.

mod apgd;
mod psor;

use stickslip_core::kit::Memory as _;
use stickslip_core::kit::cones::{Goal, System};
use stickslip_core::kit::{Attempt, Context, Effort, IslandSolver, SolveContext, drive};
use stickslip_core::problem::Island;
use stickslip_core::report::{Route, SolveReport, SolveStatus, SolverName};

/// Memory of an island and of the gradient.
#[derive(Clone, Debug, Default)]
pub(super) struct Memory {
    system: System,
    gradient: apgd::Gradient,
}

/// `cone`, `ccp`.
pub(super) fn solve(context: Context<'_>, solving: &mut SolveContext<'_>) -> SolveReport {
    let chosen = context.settings.solver_for(context.name);
    let attempt = Attempt::new(Route::Warm, chosen);
    drive(context, Run { context, attempt }, solving)
}

#[derive(Clone)]
struct Run<'a> {
    context: Context<'a>,
    attempt: Attempt,
}

impl IslandSolver for Run<'_> {
    fn attempts(&self) -> &[Attempt] {
        std::slice::from_ref(&self.attempt)
    }

    fn attempt(
        &mut self,
        attempt: Attempt,
        island: Island<'_>,
        solving: &mut SolveContext<'_>,
    ) -> Option<Effort> {
        let (problem, settings) = (self.context.problem, self.context.settings);
        let accepted = settings.acceptance(self.context.name, attempt.solver);
        let goal = Goal {
            most: settings.iteration.max_iterations,
            // The residual function's scale may differ a little from the iteration's own.
            tolerance: 0.5 * accepted,
        };
        let memory = &mut solving.own.beside::<crate::Memory>().cones;
        let system = &mut memory.system;
        self.context.make_ready(island, solving.warm, system);
        let ended = match attempt.solver {
            SolverName::Apgd => memory.gradient.run(system, goal),
            _ => psor::run(system, goal, &settings.iteration, settings.cone.sweep),
        };
        let missed = system.write(problem.place(island), solving.solution);
        let status = match ended.residual {
            left if left <= accepted && missed > 0.0 => SolveStatus::Relaxed,
            left if left <= accepted => SolveStatus::Solved,
            left if left.is_finite() => SolveStatus::IterationLimit,
            _ => SolveStatus::NonFinite,
        };
        Some(Effort {
            status,
            pivots: 0,
            iterations: ended.iterations,
        })
    }

    fn starts_from_impulses(&self) -> bool {
        true
    }
}
