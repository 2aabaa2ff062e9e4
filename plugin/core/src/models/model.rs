//! A contact model with its settings, built in or the caller's.

use super::by_engine::ByEngine;
use super::driver::{Context, drive};
use super::own::{self, ContactModel};
use super::workspace::SolveContext;
use super::{
    ContactSolution, ModelError, ModelName, ModelSettings, WarmStart, Workspace, projected,
};
use crate::problem::{ContactData, ContactProblem};
use crate::report::{SolveReport, SolverName};

/// A method for whole problems: solves that of the context.
pub type Method = fn(Context<'_>, &mut SolveContext<'_>) -> SolveReport;

/// Who solves the problems of a model.
#[derive(Debug)]
enum By {
    /// A method of this crate or another.
    Method(Method),
    /// A model of the caller's.
    Own(Box<dyn ContactModel>),
}

/// A contact model with its settings. [`Solver`](super::Solver) keeps it with its memory.
#[derive(Debug)]
pub struct Model {
    name: ModelName,
    settings: ModelSettings,
    by: By,
}

impl Model {
    /// The model `name` with these settings, if it and its solver are among those of this crate: `frictionless`, `no-slip`,
    /// `no-slip-releasing` and `viscous` by principal pivoting or the dual active set, `cone` and `ccp` by the engine.
    ///
    /// # Errors
    /// [`ModelError::BadSetting`] naming the setting; [`ModelError::UnfitSolver`] with the solvers that
    /// fit; [`ModelError::InReference`] for the other models and solvers.
    pub fn new(name: ModelName, settings: ModelSettings) -> Result<Self, ModelError> {
        settings.check(name)?;
        if !is_built_in(name, settings.solver_for(name)) {
            return Err(in_reference(name, settings.solver_for(name)));
        }
        Self::by(solve_by_name, name, settings)
    }

    /// The model `name` solved by a method.
    ///
    /// # Errors
    /// As [`Self::new`] but the last.
    pub fn by(
        method: Method,
        name: ModelName,
        settings: ModelSettings,
    ) -> Result<Self, ModelError> {
        settings.check(name)?;
        Ok(Self {
            name,
            settings,
            by: By::Method(method),
        })
    }

    /// A model of the caller's with these settings; its name is that of its law.
    ///
    /// # Errors
    /// [`ModelError::BadSetting`] as in [`Self::new`], also for a solver: the model is its own;
    /// [`ModelError::UnfitLaw`] if answers can't be held against its law.
    pub fn own(model: Box<dyn ContactModel>, settings: ModelSettings) -> Result<Self, ModelError> {
        let name = model.law();
        own::check(name, &settings)?;
        Ok(Self {
            name,
            settings,
            by: By::Own(model),
        })
    }

    /// The same model by the same method with other settings.
    ///
    /// # Errors
    /// As [`Self::by`] or [`Self::own`], and [`ModelError::InReference`] where the solver asks for another method; nothing has
    /// changed then.
    pub fn set_settings(&mut self, settings: ModelSettings) -> Result<(), ModelError> {
        match self.by {
            By::Method(_) => {
                settings.check(self.name)?;
                let [before, after] = [&self.settings, &settings].map(|s| s.solver_for(self.name));
                if is_built_in(self.name, before) != is_built_in(self.name, after) {
                    return Err(in_reference(self.name, after));
                }
            }
            By::Own(_) => own::check(self.name, &settings)?,
        }
        self.settings = settings;
        Ok(())
    }

    /// Which model this is; of one of the caller's, the law it is held against.
    pub fn name(&self) -> ModelName {
        self.name
    }

    /// The settings it was made with.
    pub fn settings(&self) -> &ModelSettings {
        &self.settings
    }

    /// Whether it is one of the caller's.
    pub fn is_own(&self) -> bool {
        matches!(self.by, By::Own(_))
    }

    /// Solves a problem.
    ///
    /// `warm` carries what was active from one solve to the next (an empty one is a cold start),
    /// `workspace` the memory; `solution` is overwritten. Never fails: the report's status says how
    /// good the answer is.
    pub fn solve(
        &mut self,
        problem: &ContactProblem,
        warm: &mut WarmStart,
        workspace: &mut Workspace,
        solution: &mut ContactSolution,
    ) -> SolveReport {
        let context = Context::new(problem, self.name, &self.settings);
        workspace.engine.is_alone = warm.is_empty();
        let mut solving = SolveContext::new(warm, workspace, solution);
        let mut report = match &mut self.by {
            By::Method(method) => method(context, &mut solving),
            By::Own(model) => own::solve(context, model.as_mut(), &mut solving),
        };
        report.spins_left_out = spins_left_out(problem, self.name);
        report
    }
}

fn in_reference(model: ModelName, solver: SolverName) -> ModelError {
    ModelError::InReference {
        model: model.as_str(),
        solver: solver.as_str(),
    }
}

/// Whether a model is solved here by such a solver.
pub(crate) fn is_built_in(name: ModelName, solver: SolverName) -> bool {
    match name {
        ModelName::Frictionless
        | ModelName::NoSlip
        | ModelName::NoSlipReleasing
        | ModelName::Viscous => matches!(solver, SolverName::Ppm | SolverName::ActiveSet),
        ModelName::Cone | ModelName::Ccp => solver == SolverName::Engine,
        _ => false,
    }
}

/// Solves a problem by a model of this crate ([`Model::new`]); others are solved as `cone`.
pub fn solve_by_name(context: Context<'_>, solving: &mut SolveContext<'_>) -> SolveReport {
    match context.name {
        ModelName::Frictionless
        | ModelName::NoSlip
        | ModelName::NoSlipReleasing
        | ModelName::Viscous => projected::solve(context, solving),
        _ => drive(context, ByEngine, solving),
    }
}

/// Contacts that ask for torsional or rolling friction under a model that has none.
fn spins_left_out(problem: &ContactProblem, name: ModelName) -> usize {
    let asks = |c: &&ContactData| c.mu_torsional > 0.0 || c.mu_rolling > 0.0;
    if name.has_spin_friction() {
        0
    } else {
        problem.contacts().iter().filter(asks).count()
    }
}
