//! `ccp` and `cone`: friction cones with torsional and rolling parts.
//!
//! Islands are solved by the engine from the last impulses; where an iteration of the literature is
//! asked for by name, it goes first and the engine takes over what it leaves undone.

use super::SolveContext;
use super::driver::{self, Attempt, Context, Effort, IslandSolver};
use crate::engine::{Goal, Relaxation};
use crate::problem::Island;
use crate::report::{Route, SolveReport, SolveStatus, SolverName};
use crate::system::Start;

/// `ccp`, `cone`.
pub(super) fn solve(context: Context<'_>, solving: &mut SolveContext<'_>) -> SolveReport {
    let chosen = context.settings.solver_for(context.name);
    let attempt = Attempt::new(Route::Warm, chosen);
    let run = Run { context, attempt };
    driver::drive(context, run, solving)
}

#[derive(Clone)]
struct Run<'a> {
    context: Context<'a>,
    attempt: Attempt,
}

impl IslandSolver for Run<'_> {
    fn attempts(&self) -> &[Attempt] {
        match self.attempt.solver {
            SolverName::Engine => &[],
            _ => std::slice::from_ref(&self.attempt),
        }
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
        let how = Relaxation {
            omega: settings.iteration.omega,
            lambda: settings.iteration.lambda,
            order: settings.cone.sweep,
        };
        let (engine, law) = (
            &mut solving.own.engine,
            (settings, self.context.friction(&[])),
        );
        engine.begin((problem, island), law, Start::Last(solving.warm));
        let answer = engine.iterate(attempt.solver, (goal, how));
        let missed = engine.system.write(problem, island, solving.solution);
        let status = match answer.residual {
            left if left <= accepted && missed > 0.0 => SolveStatus::Relaxed,
            left if left <= accepted => SolveStatus::Solved,
            left if left.is_finite() => SolveStatus::IterationLimit,
            _ => SolveStatus::NonFinite,
        };
        Some(Effort {
            status,
            pivots: 0,
            iterations: answer.iterations,
        })
    }

    fn starts_from_impulses(&self) -> bool {
        true
    }

    fn accepts_last(&self) -> bool {
        self.attempt.solver == SolverName::Engine
    }
}
