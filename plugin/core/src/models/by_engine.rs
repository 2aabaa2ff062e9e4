//! Answers of the engine, under a model's law or the exact cone.

use super::SolveContext;
use super::attempt::{Attempt, Context, Effort, Fallback, IslandContext, IslandSolver, free};
use super::share::count;
use super::{ContactSolution, Hover, ModelName, ModelSettings, WarmStart};
use crate::engine::Engine;
use crate::law::Law;
use crate::problem::{Island, IslandProblem};
use crate::report::{SolveReport, SolveStatus};
use crate::settings::Tolerances;
use crate::system::{Friction, Start, System};

impl Context<'_> {
    /// What the engine takes for the law along the tangents: the model's own where it knows that, else the exact cone.
    /// `held` are the contacts that a releasing form holds.
    pub(super) fn friction<'b>(&self, held: &'b [bool]) -> Friction<'b> {
        Friction::Law(match self.name {
            ModelName::NoSlipReleasing => return Friction::Held(held),
            ModelName::Viscous => return Friction::Viscous,
            ModelName::Frictionless => Law::Half,
            ModelName::NoSlip => Law::Free,
            ModelName::Ccp if self.settings.cone.hover == Hover::Keep => Law::Convex,
            _ => Law::Cone,
        })
    }

    /// Whether the engine is the model's first choice.
    pub(super) fn is_over_cones(&self) -> bool {
        self.fallback == Fallback::Own && matches!(self.name, ModelName::Cone | ModelName::Ccp)
    }

    /// Makes an island ready for an iteration under the model's law, from the impulses of the last solve.
    pub fn make_ready(&self, island: Island<'_>, warm: &WarmStart, system: &mut System) {
        let place = self.problem.place(island);
        system.build(place, self.settings, self.friction(&[]));
        system.start_from(self.problem, Start::Last(warm));
    }
}

impl IslandContext<'_> {
    /// What the engine shall do with the island.
    pub(super) fn task<'b>(&'b self, friction: Friction<'b>) -> Task<'b> {
        let context = self.context;
        Task {
            place: self.place(),
            settings: context.settings,
            friction,
            tolerances: context.tolerances(),
            is_past_deadline: context.is_past_deadline(),
        }
    }
}

/// Nothing is tried before the engine, but the last impulses of what rests.
#[derive(Clone, Copy, Debug)]
pub(super) struct ByEngine;

impl IslandSolver for ByEngine {
    fn attempts(&self) -> &[Attempt] {
        &[]
    }

    fn attempt(&mut self, _: Attempt, _: Island<'_>, _: &mut SolveContext<'_>) -> Option<Effort> {
        None
    }

    fn starts_from_impulses(&self) -> bool {
        true
    }

    fn accepts_last(&self) -> bool {
        true
    }
}

/// An answer of the engine.
#[derive(Clone, Copy, Debug)]
pub(super) struct Answer {
    pub(super) residual: f64,
    pub(super) iterations: usize,
    /// The most that a row misses which yields to others [m/s].
    pub(super) missed: f64,
    /// Whether it had to do without factors.
    pub(super) is_beyond_factors: bool,
    /// Whether it made progress from the impulses it started from.
    pub(super) has_gained: bool,
}

impl Answer {
    /// How it ended, by the engine's own account.
    pub(super) fn status(&self, place: IslandProblem<'_>, tolerances: Tolerances) -> SolveStatus {
        match self.residual {
            left if left <= tolerances.rest && self.missed > 0.0 => SolveStatus::Relaxed,
            left if left <= tolerances.rest => SolveStatus::Solved,
            left if left <= Engine::in_motion(place, tolerances) => SolveStatus::SolvedInMotion,
            left if left.is_finite() => SolveStatus::IterationLimit,
            _ => SolveStatus::NonFinite,
        }
    }
}

/// An island, and how the engine shall solve it.
#[derive(Clone, Copy, Debug)]
pub(super) struct Task<'a> {
    pub(super) place: IslandProblem<'a>,
    pub(super) settings: &'a ModelSettings,
    pub(super) friction: Friction<'a>,
    pub(super) tolerances: Tolerances,
    /// Whether its time is over.
    pub(super) is_past_deadline: bool,
}

impl Task<'_> {
    /// Solves the island from the last solve or, without a warm start, the answer at hand, and writes the answer. Where it
    /// has no finite one (the problem's own numbers overflow), the island keeps its free velocity.
    pub(super) fn solve(
        self,
        engine: &mut Engine,
        warm: Option<&WarmStart>,
        solution: &mut ContactSolution,
    ) -> Answer {
        let start = warm.map_or(Start::Answer(solution), Start::Last);
        engine.begin(self.place, self.settings, self.friction, start);
        self.finish(engine, solution)
    }

    /// Goes on from the answer that sweeps before left.
    pub(super) fn go_on(
        self,
        engine: &mut Engine,
        before: Answer,
        solution: &mut ContactSolution,
    ) -> Answer {
        engine.begin(
            self.place,
            self.settings,
            self.friction,
            Start::Answer(solution),
        );
        engine.swept = before.iterations;
        let answer = self.finish(engine, solution);
        Answer {
            iterations: before.iterations + answer.iterations,
            has_gained: before.has_gained || answer.has_gained,
            ..answer
        }
    }

    /// [`Self::solve`] with rows that ask for a motion giving in to what contradicts them; none, and nothing written, where
    /// there are no such rows.
    pub(super) fn relaxed(
        self,
        engine: &mut Engine,
        warm: &WarmStart,
        solution: &mut ContactSolution,
    ) -> Option<Answer> {
        let start = Start::Last(warm);
        engine.begin(self.place, self.settings, self.friction, start);
        engine.relax().then(|| self.finish(engine, solution))
    }

    /// Solves what has been made ready, and writes the answer.
    fn finish(self, engine: &mut Engine, solution: &mut ContactSolution) -> Answer {
        let IslandProblem { problem, island } = self.place;
        free(self.place, solution);
        let budget = self.settings.budget.engine(self.is_past_deadline);
        let answer = engine.solve(self.place, self.tolerances, budget);
        let missed = match answer.residual.is_finite() {
            true => engine.system.write(self.place, solution),
            false => 0.0,
        };
        for c in island.contacts() {
            solution.held[c] = match self.friction {
                Friction::Law(Law::Free) => self.settings.is_closed(&problem.contacts()[c]),
                Friction::Held(held) => held[c],
                Friction::Law(_) | Friction::Viscous => false,
            };
        }
        Answer {
            residual: answer.residual,
            iterations: answer.iterations,
            missed,
            is_beyond_factors: answer.is_beyond_factors,
            has_gained: answer.has_gained,
        }
    }
}

/// Solves an island by the exact cone in place of its model and says so in answer and report.
pub(super) fn exact_cone(
    here: IslandContext<'_>,
    solving: &mut SolveContext<'_>,
    report: &mut SolveReport,
) -> SolveStatus {
    let task = Task {
        tolerances: here.context.settings.tolerances(),
        ..here.task(Friction::Law(Law::Cone))
    };
    let answer = task.solve(
        &mut solving.own.engine,
        Some(solving.warm),
        solving.solution,
    );
    mark(here.island, solving.solution);
    report.exact_cone += 1;
    report.fallbacks += 1;
    report.iterations += answer.iterations;
    let status = answer
        .status(task.place, task.tolerances)
        .max(SolveStatus::ExactCone);
    count(report, status);
    status
}

/// Marks an island as not answered by its model.
pub(super) fn mark(island: Island<'_>, solution: &mut ContactSolution) {
    for &b in island.blocks {
        solution.exact_cone[b as usize] = true;
    }
}
