//! Contact models: what turns a [`ContactProblem`] into impulses.
//!
//! | name | tangential rows at closed contacts | source |
//! |---|---|---|
//! | `frictionless` | none | \[D15\] with X = J |
//! | `no-slip` | always (the paper's bilateral form) | [D15, sec. VI] |
//! | `no-slip-releasing` | only where the contact presses | the same, with the trap mended |
//!
//! All share the velocity-level scheme
//! ```text
//! M (v+ - v_free) = X^T f_x + N^T f_n,   X v+ = c,   0 <= f_n  complementary to  N v+ + b >= 0
//! ```
//! with `b` of [`ModelSettings::gap_velocity`].
//!
//! Where the held rows of `no-slip` would pin a penetrating normal for good (it lies in their span),
//! contacts that do not press yield their tangential rows to it, the one that pins it most first. A
//! contact that presses never slips: a penetration among such stays, and is reported as a
//! contradiction.

mod ladder;
mod settings;
mod solve;
mod warm;

pub use settings::{ModelError, ModelSettings};
pub use solve::Workspace;
pub use warm::WarmStart;

use crate::problem::ContactProblem;
use crate::report::SolveReport;
use std::fmt;
use std::str::FromStr;

/// The contact models.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Hash)]
pub enum ModelName {
    /// No tangential impulses.
    Frictionless,
    /// No slip at closed contacts, held or not [D15, sec. VI].
    #[default]
    NoSlip,
    /// No slip at closed contacts that press.
    NoSlipReleasing,
}

impl ModelName {
    /// Every model, in the order of the command's list.
    pub const ALL: [Self; 3] = [Self::Frictionless, Self::NoSlip, Self::NoSlipReleasing];

    /// The name used by the command.
    pub fn as_str(self) -> &'static str {
        match self {
            Self::Frictionless => "frictionless",
            Self::NoSlip => "no-slip",
            Self::NoSlipReleasing => "no-slip-releasing",
        }
    }
}

impl fmt::Display for ModelName {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(self.as_str())
    }
}

impl FromStr for ModelName {
    type Err = ModelError;

    fn from_str(s: &str) -> Result<Self, ModelError> {
        let found = Self::ALL.into_iter().find(|m| m.as_str() == s);
        found.ok_or_else(|| ModelError::UnknownModel { name: s.into() })
    }
}

/// Impulses and velocities of one solve. The vectors are resized, so they allocate only while the
/// problem grows beyond what they have held.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct ContactSolution {
    /// Velocity at the end of the step (m).
    pub v_plus: Vec<f64>,
    /// Impulse along each contact's normal [N s] (n), >= 0.
    pub f_n: Vec<f64>,
    /// Impulse along each contact's tangent s [N s] (n).
    pub f_s: Vec<f64>,
    /// Impulse along each contact's tangent t [N s] (n).
    pub f_t: Vec<f64>,
    /// Impulse of each scalar row [N s or N m s].
    pub f_scalar: Vec<f64>,
    /// Tangential speed of each contact at the end of the step, surface velocity taken off [m/s]
    /// (n).
    pub slip: Vec<f64>,
    /// Whether each contact's tangential rows were held (n).
    pub held: Vec<bool>,
    /// Rows of the problem ([`crate::problem::RowId`]) that the solve declares it could not meet,
    /// because they contradict others: they hold in the least-squares sense at best.
    pub unmet: Vec<bool>,
}

impl ContactSolution {
    /// Shapes the solution for a problem: `v_plus = v_free`, no impulse.
    pub fn reset(&mut self, problem: &ContactProblem) {
        self.v_plus.clear();
        self.v_plus.extend_from_slice(problem.v_free());
        let n = problem.contact_count();
        for x in [&mut self.f_n, &mut self.f_s, &mut self.f_t, &mut self.slip] {
            x.clear();
            x.resize(n, 0.0);
        }
        self.held.clear();
        self.held.resize(n, false);
        self.unmet.clear();
        self.unmet.resize(problem.row_count(), false);
        self.f_scalar.clear();
        self.f_scalar.resize(problem.scalar_count(), 0.0);
    }
}

/// A contact model with its solver: interchangeable at run time.
pub trait ContactModel: fmt::Debug + Send + Sync {
    /// Which model this is.
    fn name(&self) -> ModelName;

    /// The settings it was made with.
    fn settings(&self) -> &ModelSettings;

    /// Solves a problem.
    ///
    /// `warm` carries the active rows from one solve to the next (an empty one is a cold start),
    /// `workspace` the memory; `solution` is overwritten. Never fails: an island whose solvers all
    /// fail moves with its free velocity and the report's status says why.
    fn solve(
        &self,
        problem: &ContactProblem,
        warm: &mut WarmStart,
        workspace: &mut Workspace,
        solution: &mut ContactSolution,
    ) -> SolveReport;
}

/// The model `name` with these settings.
///
/// # Errors
/// [`ModelError::BadSetting`] naming the setting; [`ModelError::UnfitSolver`] with the solvers that
/// fit.
pub fn model(
    name: ModelName,
    settings: ModelSettings,
) -> Result<Box<dyn ContactModel>, ModelError> {
    settings.check(name)?;
    Ok(Box::new(Projected { name, settings }))
}

/// The three models whose matrix is symmetric positive semidefinite: they differ only in which
/// tangential rows they hold.
#[derive(Clone, Debug)]
struct Projected {
    name: ModelName,
    settings: ModelSettings,
}

impl ContactModel for Projected {
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
        solve::Run {
            problem,
            name: self.name,
            settings: &self.settings,
        }
        .solve(warm, workspace, solution)
    }
}
