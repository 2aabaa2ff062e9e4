//! A contact model with its settings, built in or the caller's.

use super::driver::Context;
use super::own::{self, ContactModel};
use super::workspace::Desk;
use super::{
    ContactSolution, ModelError, ModelName, ModelSettings, WarmStart, Workspace, cone,
    coulomb_acceleration, polygon, projected, quasi_static, viscous_acceleration,
};
use crate::problem::{ContactData, ContactProblem};
use crate::report::SolveReport;

/// A contact model with its settings. [`Solver`](super::Solver) keeps it with its memory.
#[derive(Debug)]
pub struct Model {
    name: ModelName,
    settings: ModelSettings,
    own: Option<Box<dyn ContactModel>>,
}

impl Model {
    /// The model `name` with these settings.
    ///
    /// # Errors
    /// [`ModelError::BadSetting`] naming the setting; [`ModelError::UnfitSolver`] with the solvers that
    /// fit.
    pub fn new(name: ModelName, settings: ModelSettings) -> Result<Self, ModelError> {
        settings.check(name)?;
        Ok(Self {
            name,
            settings,
            own: None,
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
            own: Some(model),
        })
    }

    /// The same model with other settings.
    ///
    /// # Errors
    /// As [`Self::new`] or [`Self::own`]; nothing has changed then.
    pub fn set_settings(&mut self, settings: ModelSettings) -> Result<(), ModelError> {
        match self.own {
            None => settings.check(self.name)?,
            Some(_) => own::check(self.name, &settings)?,
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
        self.own.is_some()
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
        let mut desk = Desk::new(warm, workspace, solution);
        let mut report = match &mut self.own {
            Some(model) => own::solve(context, model.as_mut(), &mut desk),
            None => by_name(context, &mut desk),
        };
        report.spins_left_out = spins_left_out(problem, self.name);
        report
    }
}

/// Solves a problem by the model of the context's name.
fn by_name(context: Context<'_>, desk: &mut Desk<'_>) -> SolveReport {
    let solve = match context.name {
        ModelName::Frictionless
        | ModelName::NoSlip
        | ModelName::NoSlipReleasing
        | ModelName::Viscous => projected::solve,
        ModelName::ViscousAcceleration => viscous_acceleration::solve,
        ModelName::Cone | ModelName::Ccp => cone::solve,
        ModelName::CoulombAcceleration => coulomb_acceleration::solve,
        ModelName::StewartTrinkle | ModelName::AnitescuPotra | ModelName::DrumwrightShell => {
            polygon::solve
        }
        ModelName::QuasiStatic => quasi_static::solve,
    };
    solve(context, desk)
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
