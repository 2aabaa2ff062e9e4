//! `ccp` and `cone`: friction cones with torsional and rolling parts.
//!
//! Islands are solved by the engine from the last impulses; where an iteration of the literature is
//! asked for by name, it goes first and the engine takes over what it leaves undone.

use super::driver::{self, Attempt, Context, Effort, IslandSolver};
use super::{ContactSolution, WarmStart, Workspace};
use crate::engine::{Goal, Relaxation};
use crate::law::Law;
use crate::problem::Island;
use crate::report::{Route, SolveReport, SolveStatus, SolverName};
use crate::system::{Friction, Start};

/// `ccp`, `cone`.
pub(super) fn solve(
    context: Context<'_>,
    warm: &mut WarmStart,
    workspace: &mut Workspace,
    solution: &mut ContactSolution,
) -> SolveReport {
    let settings = context.settings;
    let chosen = settings.solver_for(context.name);
    let attempts = [
        Attempt::new(Route::Warm, chosen),
        Attempt::new(Route::Guaranteed, SolverName::Engine),
    ];
    let attempts = match chosen {
        SolverName::Engine => &attempts[..1],
        _ => &attempts[..],
    };
    let run = Run {
        context,
        attempts,
        friction: context.law(),
    };
    driver::drive(context, run, (warm, workspace), solution)
}

#[derive(Clone)]
struct Run<'a> {
    context: Context<'a>,
    attempts: &'a [Attempt],
    friction: Law,
}

impl IslandSolver for Run<'_> {
    fn attempts(&self) -> &[Attempt] {
        self.attempts
    }

    fn attempt(
        &mut self,
        attempt: Attempt,
        island: Island<'_>,
        (warm, own): (&mut WarmStart, &mut Workspace),
        solution: &mut ContactSolution,
    ) -> Option<Effort> {
        let engine = &mut own.engine;
        let (problem, settings) = (self.context.problem, self.context.settings);
        if attempt.route == Route::Warm {
            engine.begin(
                (problem, island),
                (settings, Friction::Law(self.friction)),
                Start::Last(warm),
            );
        }
        let answer = match attempt.solver {
            SolverName::Engine => engine.solve(
                (problem, island),
                settings.tolerances(),
                settings.budget.engine(self.context.deadline.is_over()),
            ),
            method => {
                let goal = Goal {
                    most: settings.iteration.max_iterations,
                    // The residual function's scale may differ a little from the iteration's own.
                    tolerance: 0.5 * settings.acceptance(self.context.name, method),
                };
                let how = Relaxation {
                    omega: settings.iteration.omega,
                    lambda: settings.iteration.lambda,
                    order: settings.cone.sweep,
                };
                engine.iterate(method, (goal, how))
            }
        };
        let missed = engine.system.write(problem, island, solution);
        let status = match answer.residual.is_finite() {
            true if answer.residual <= settings.acceptance(self.context.name, attempt.solver) => {
                match missed > 0.0 {
                    true => SolveStatus::Relaxed,
                    false => SolveStatus::Solved,
                }
            }
            true => SolveStatus::IterationLimit,
            false => SolveStatus::NonFinite,
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
}
