//! What answers for an island whose own solver gives up: the engine, in bounded work. No island moves with its free
//! velocity, through what it stands on, because a solver gave up.

use super::driver::{self, Context, Tools};
use super::share::Tally;
use super::{ContactSolution, ModelName, ModelSettings, WarmStart};
use crate::engine::{Engine, Tolerances};
use crate::law::Law;
use crate::problem::{ContactProblem, Island};
use crate::report::{Route, SolveReport, SolveStatus, SolverName};
use crate::system::Friction;
use std::time::{Duration, Instant};

/// When the time of a solve is over; never, where none is set.
#[derive(Clone, Copy, Debug, Default)]
pub(super) struct Deadline(Option<Instant>);

impl Deadline {
    pub(super) fn after(milliseconds: Option<f64>) -> Self {
        let time = milliseconds.and_then(|ms| Duration::try_from_secs_f64(1e-3 * ms).ok());
        Self(time.and_then(|time| Instant::now().checked_add(time)))
    }

    pub(super) fn is_over(self) -> bool {
        self.0.is_some_and(|end| Instant::now() >= end)
    }
}

/// Who answers for an island whose solver gives up.
#[derive(Clone, Copy, Debug, PartialEq)]
pub(super) enum Fallback {
    /// The engine under the model's own law.
    Own(Law),
    /// The engine under the exact cone.
    ExactCone,
    /// The caller, who put the problem together from another one: the island is only marked.
    Caller,
    /// Nobody: the solver is the engine.
    None,
}

impl Fallback {
    pub(super) fn of(model: ModelName) -> Self {
        match model {
            ModelName::Frictionless => Self::Own(Law::Half),
            ModelName::NoSlip => Self::Own(Law::Free),
            ModelName::Cone | ModelName::Ccp => Self::None,
            ModelName::CoulombAcceleration | ModelName::ViscousAcceleration => Self::Caller,
            ModelName::NoSlipReleasing
            | ModelName::Viscous
            | ModelName::StewartTrinkle
            | ModelName::AnitescuPotra
            | ModelName::DrumwrightShell
            | ModelName::QuasiStatic => Self::ExactCone,
        }
    }
}

/// An answer of the engine.
#[derive(Clone, Copy, Debug)]
pub(super) struct Answer {
    pub(super) residual: f64,
    pub(super) iterations: usize,
    /// The most that a row misses which yields to others [m/s].
    pub(super) missed: f64,
}

impl Answer {
    /// How it ended, by the engine's own account.
    pub(super) fn status(&self, tolerances: Tolerances) -> SolveStatus {
        match self.residual {
            left if left <= tolerances.rest && self.missed > 0.0 => SolveStatus::Relaxed,
            left if left <= tolerances.rest => SolveStatus::Solved,
            left if left <= tolerances.motion => SolveStatus::SolvedInMotion,
            left if left.is_finite() => SolveStatus::IterationLimit,
            _ => SolveStatus::NonFinite,
        }
    }
}

/// Solves an island by the engine and writes the answer. Where it has no finite one (the problem's own numbers
/// overflow), the island keeps its free velocity.
pub(super) fn solve(
    engine: &mut Engine,
    (problem, island): (&ContactProblem, Island<'_>),
    (settings, friction): (&ModelSettings, Friction<'_>),
    (tolerances, is_late): (Tolerances, bool),
    (warm, solution): (&WarmStart, &mut ContactSolution),
) -> Answer {
    driver::free(problem, island, solution);
    engine.begin((problem, island), (settings, friction), warm);
    let budget = settings.budget.engine(is_late);
    let answer = engine.solve((problem, island), tolerances, budget);
    let mut missed = 0.0;
    if answer.residual.is_finite() {
        missed = engine.system.write(problem, island, solution);
    }
    for &g in island.groups {
        if let Some(contact) = problem.contacts().get(g as usize) {
            solution.held[g as usize] = match friction {
                Friction::Law(Law::Free) => settings.is_closed(contact),
                Friction::Held(held) => held[g as usize],
                Friction::Law(_) | Friction::Viscous => false,
            };
        }
    }
    Answer {
        residual: answer.residual,
        iterations: answer.iterations,
        missed,
    }
}

/// Solves an island by the exact cone in place of its model and says so in answer and report.
pub(super) fn exact_cone(
    engine: &mut Engine,
    place: (&ContactProblem, Island<'_>),
    (settings, is_late): (&ModelSettings, bool),
    (warm, solution): (&WarmStart, &mut ContactSolution),
    report: &mut SolveReport,
) -> Answer {
    let tolerances = settings.tolerances();
    let how = (settings, Friction::Law(Law::Cone));
    let answer = solve(
        engine,
        place,
        how,
        (tolerances, is_late),
        (warm, &mut *solution),
    );
    mark(place.1, solution);
    report.exact_cone += 1;
    report.fallbacks += 1;
    report.iterations += answer.iterations;
    let status = answer.status(tolerances).max(SolveStatus::ExactCone);
    report.unverified += usize::from(status == SolveStatus::IterationLimit);
    report.failures += usize::from(status == SolveStatus::NonFinite);
    report.status = report.status.max(status);
    answer
}

/// Marks an island as not answered by its model.
pub(super) fn mark(island: Island<'_>, solution: &mut ContactSolution) {
    for &b in island.blocks {
        solution.exact_cone[b as usize] = true;
    }
}

/// What is known of an island that the model has no answer for, beyond that its solver gave up.
fn proven(status: SolveStatus) -> Option<SolveStatus> {
    let known = [
        SolveStatus::NoSolution,
        SolveStatus::Jammed,
        SolveStatus::TooLarge,
    ];
    known.contains(&status).then_some(status)
}

/// Lets the engine answer for an island that all attempts gave up on; false where what they left is better.
pub(super) fn give_up(
    (context, number): (Context<'_>, usize),
    warm: &WarmStart,
    tools: &mut Tools<'_>,
    solution: &mut ContactSolution,
    tally: &mut Tally,
) -> bool {
    let (problem, settings) = (context.problem, context.settings);
    let island = problem.island(number);
    let place = (problem, island);
    let best = &*tools.best;
    let is_late = context.deadline.is_over();
    let fallback = Fallback::of(context.name);
    let Some(engine) = tools.engine.as_deref_mut() else {
        // The caller answers.
        let marked = fallback == Fallback::Caller && best.attempt.is_none();
        if marked {
            driver::free(problem, island, solution);
            mark(island, solution);
            let status = proven(best.status).unwrap_or(SolveStatus::ExactCone);
            tally.report.status = tally.report.status.max(status);
        }
        return marked;
    };
    let mut report = SolveReport::default();
    let answers = (warm, &mut *solution);
    let residual = if let Fallback::Own(law) = fallback {
        let rest = settings.acceptance(context.name, settings.solver_for(context.name));
        let tolerances = Tolerances {
            rest,
            ..settings.tolerances()
        };
        let how = (settings, Friction::Law(law));
        let answer = solve(engine, place, how, (tolerances, is_late), answers);
        report.fallbacks = 1;
        report.iterations = answer.iterations;
        report.status = answer.status(tolerances);
        report.unverified = usize::from(report.status == SolveStatus::IterationLimit);
        report.failures = usize::from(report.status == SolveStatus::NonFinite);
        answer.residual
    } else {
        let how = (settings, is_late);
        exact_cone(engine, place, how, answers, &mut report).residual
    };
    if best.attempt.is_some() {
        // Negated so that a NaN is no answer.
        let better = residual < best.residual;
        if !better {
            return false;
        }
    } else if let Some(status) = proven(best.status) {
        report.status = report.status.max(status);
    }
    report.routes.add(Route::BestEffort);
    tally.report.absorb(&report);
    tally.keeps_impulses = true;
    tally.help(number, usize::MAX, SolverName::Engine);
    true
}
