//! What an attempt at an island is made of: who tries, with what, and the best answer so far.

use super::SolveContext;
use super::{ContactSolution, ModelName, ModelSettings, WarmStart, Workspace};
use crate::law::FrictionLaw;
use crate::problem::{ContactProblem, Island, IslandProblem};
use crate::report::{Residuals, Route, SolveReport, SolveStatus, SolverName};
use crate::residual::Rules;
use crate::settings::Tolerances;
use crate::tolerances::LOOSE;
use std::time::{Duration, Instant};

/// One attempt at an island.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Attempt {
    /// Where it starts from.
    pub route: Route,
    /// The method.
    pub solver: SolverName,
}

impl Attempt {
    /// An attempt.
    pub const fn new(route: Route, solver: SolverName) -> Self {
        Self { route, solver }
    }
}

/// How an attempt ended, by the solver's own account.
#[derive(Clone, Copy, Debug)]
pub struct Effort {
    /// Status.
    pub status: SolveStatus,
    /// Changes of the active set or basis.
    pub pivots: usize,
    /// Iterations.
    pub iterations: usize,
}

impl Effort {
    /// Without work.
    pub fn ended(status: SolveStatus) -> Self {
        Self {
            status,
            pivots: 0,
            iterations: 0,
        }
    }

    /// Takes in what followed: the worse status, the work of both.
    pub fn add(&mut self, next: Self) {
        self.status = self.status.max(next.status);
        self.pivots += next.pivots;
        self.iterations += next.iterations;
    }
}

/// What all attempts share.
#[derive(Clone, Copy, Debug)]
pub struct Context<'a> {
    /// The problem.
    pub problem: &'a ContactProblem,
    /// The model.
    pub name: ModelName,
    /// Its settings.
    pub settings: &'a ModelSettings,
    /// The solver tried first.
    pub(super) chosen: SolverName,
    /// Who answers where it gives up.
    pub(super) fallback: Fallback,
    /// Friction of a model of the caller's that has its own.
    pub(super) friction: Option<&'a dyn FrictionLaw>,
    /// When its time is over, if ever.
    pub(super) deadline: Option<Instant>,
    /// Whether the velocities of the problem are accelerations.
    pub(super) is_stage: bool,
}

impl<'a> Context<'a> {
    /// Of a solve that begins now.
    pub fn new(problem: &'a ContactProblem, name: ModelName, settings: &'a ModelSettings) -> Self {
        let milliseconds = settings.budget.milliseconds;
        let time = milliseconds.and_then(|ms| Duration::try_from_secs_f64(1e-3 * ms).ok());
        Self {
            problem,
            name,
            settings,
            chosen: settings.solver_for(name),
            fallback: Fallback::of(name),
            friction: None,
            deadline: time.and_then(|time| Instant::now().checked_add(time)),
            is_stage: false,
        }
    }

    /// Of another problem in the same solve: its time ends with that of the whole.
    pub fn part<'b>(
        &self,
        problem: &'b ContactProblem,
        name: ModelName,
        settings: &'b ModelSettings,
    ) -> Context<'b> {
        Context {
            deadline: self.deadline,
            ..Context::new(problem, name, settings)
        }
    }

    /// The same for a problem whose velocities are accelerations.
    pub fn of_stage(self) -> Self {
        Self {
            is_stage: true,
            ..self
        }
    }

    /// The same with one of the problem's islands.
    pub(super) fn at(self, island: Island<'a>) -> IslandContext<'a> {
        let context = self;
        IslandContext { context, island }
    }

    /// Whether its time is over.
    pub(super) fn is_past_deadline(&self) -> bool {
        self.deadline.is_some_and(|end| Instant::now() >= end)
    }

    /// Tolerances of the engine under the model's own law: at rest what the model accepts.
    pub(super) fn tolerances(&self) -> Tolerances {
        let own = self.settings.tolerances();
        let loose = match self.name {
            ModelName::Cone => LOOSE * own.motion,
            _ => own.motion,
        };
        Tolerances {
            rest: self.settings.acceptance(self.name, self.chosen),
            loose,
            ..own
        }
    }

    /// The conditions answers are held against.
    pub fn rules(&self, release_failed: bool) -> Rules<'_> {
        Rules {
            model: self.name,
            settings: self.settings,
            release_failed,
            friction: self.friction,
        }
    }
}

/// What all attempts at one island share.
#[derive(Clone, Copy, Debug)]
pub(super) struct IslandContext<'a> {
    pub(super) context: Context<'a>,
    pub(super) island: Island<'a>,
}

impl<'a> IslandContext<'a> {
    /// The problem and the island.
    pub(super) fn place(self) -> IslandProblem<'a> {
        self.context.problem.place(self.island)
    }
}

/// A model's own way of solving one island; its memory is in the workspace.
pub trait IslandSolver {
    /// The attempts in order.
    fn attempts(&self) -> &[Attempt];

    /// Makes ready for an island of the problem.
    fn begin(&mut self, _: &mut Workspace) {}

    /// Solves an island: writes `v_plus` of its blocks and the impulses of its rows. `None` if there
    /// is nothing to attempt, such as a warm start without memory. Every attempt starts from zero
    /// impulses.
    fn attempt(
        &mut self,
        attempt: Attempt,
        island: Island<'_>,
        solving: &mut SolveContext<'_>,
    ) -> Option<Effort>;

    /// Records what the next warm start needs of the answer that was kept, and counts the rows or variables that it
    /// was found with.
    fn record(&self, _own: &mut Workspace, _: &mut WarmStart, _: &mut SolveReport) {}

    /// Whether an answer whose residual misses the acceptance may be applied when no attempt does
    /// better; the island moves with its free velocity otherwise.
    fn keeps_unverified(&self) -> bool {
        true
    }

    /// Whether contacts were held, pressed or not, by a form that releases them.
    fn release_failed(&self) -> bool {
        false
    }

    /// Whether the next solve starts from the impulses of this one.
    fn starts_from_impulses(&self) -> bool;

    /// Whether the impulses of the last solve are looked at before anything is attempted, where nothing moves.
    fn accepts_last(&self) -> bool {
        false
    }

    /// [`Self::record`] of an answer that is the last one.
    fn record_accepted(&self, _: Island<'_>, _: &mut WarmStart, _: &mut SolveReport) {}

    /// Whether the engine solves such an island sooner.
    fn leaves_to_engine(&self, _: Island<'_>) -> bool {
        false
    }

    /// What the dense matrices of the island ask for.
    fn wanted(&self, _: Island<'_>) -> Wanted {
        Wanted::default()
    }
}

/// Who answers for an island whose solver gives up.
#[derive(Clone, Copy, Debug, PartialEq)]
pub(super) enum Fallback {
    /// The engine under the model's own law.
    Own,
    /// The engine under the exact cone.
    ExactCone,
    /// The caller, who put the problem together from another one: the island is only marked.
    Caller,
    /// Nobody where there is a finite answer, whatever its residual; else the engine under the exact cone.
    Nobody,
}

impl Fallback {
    pub(super) fn of(model: ModelName) -> Self {
        match model {
            ModelName::Frictionless
            | ModelName::NoSlip
            | ModelName::NoSlipReleasing
            | ModelName::Viscous
            | ModelName::Cone
            | ModelName::Ccp => Self::Own,
            ModelName::CoulombAcceleration | ModelName::ViscousAcceleration => Self::Caller,
            ModelName::StewartTrinkle
            | ModelName::AnitescuPotra
            | ModelName::DrumwrightShell
            | ModelName::QuasiStatic => Self::ExactCone,
        }
    }
}

/// What is known of an island's answer.
pub(super) struct Outcome {
    pub(super) status: SolveStatus,
    pub(super) residuals: Residuals,
    /// Whether contacts were held, pressed or not, by a form that releases them.
    pub(super) release_failed: bool,
}

/// What an island takes, known before anything is tried.
#[derive(Clone, Copy, Debug, Default)]
pub struct Wanted {
    /// Bytes.
    pub memory: usize,
    /// Operations, the fewest from nothing.
    pub work: f64,
}

/// The answer of an island with the smallest residual so far.
#[derive(Clone, Debug, Default)]
pub(super) struct Best {
    pub(super) answer: ContactSolution,
    pub(super) residuals: Residuals,
    pub(super) residual: f64,
    pub(super) status: SolveStatus,
    pub(super) attempt: Option<Attempt>,
    /// Whether the answer has the shape of the problem.
    pub(super) is_shaped: bool,
    /// Attempts that failed.
    pub(super) failed: usize,
    /// Whether the answer is verified; it stands in the solution then.
    pub(super) is_verified: bool,
    /// Whether it is that of the last solve.
    pub(super) is_accepted: bool,
}

impl Best {
    pub(super) fn begin(&mut self) {
        self.attempt = None;
        self.residual = f64::INFINITY;
        self.status = SolveStatus::Infeasible;
        self.failed = 0;
        (self.is_verified, self.is_accepted) = (false, false);
    }

    /// Keeps the answer of an island.
    pub(super) fn store(&mut self, place: IslandProblem<'_>, solution: &ContactSolution) {
        if !std::mem::replace(&mut self.is_shaped, true) {
            self.answer.reset(place.problem);
        }
        self.answer.adopt(solution, place);
    }

    pub(super) fn take(&mut self, attempt: Attempt, status: SolveStatus, residuals: Residuals) {
        self.attempt = Some(attempt);
        self.status = status;
        self.residuals = residuals;
        self.residual = residuals.max();
    }
}

/// Free velocity, zero impulses and nothing declared unmet for the island.
pub(super) fn free(place: IslandProblem<'_>, solution: &mut ContactSolution) {
    let problem = place.problem;
    for row in place.rows() {
        *solution.impulse_mut(problem, row) = 0.0;
        solution.unmet[row.0] = false;
        for list in solution.by_row() {
            if let Some(z) = list.get_mut(row.0) {
                *z = 0.0;
            }
        }
    }
    for block in place.blocks() {
        let range = block.range();
        solution.v_plus[range.clone()].copy_from_slice(&problem.v_free()[range]);
    }
    for c in place.contacts() {
        solution.held[c] = false;
    }
}
