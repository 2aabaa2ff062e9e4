//! The models' names, and why one could not be made.

use crate::named::named;
use crate::report::SolverName;
use serde::{Deserialize, Serialize};
use std::str::FromStr;

named! {
    /// The contact models.
    #[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Hash, Serialize, Deserialize)]
    #[serde(rename_all = "kebab-case")]
    pub enum ModelName {
        /// No tangential impulses.
        Frictionless = "frictionless",
        /// No slip at closed contacts, held or not [D15, sec. VI].
        NoSlip = "no-slip",
        /// No slip at closed contacts that press.
        NoSlipReleasing = "no-slip-releasing",
        /// Viscous friction, implicit at velocity level.
        Viscous = "viscous",
        /// Viscous friction at acceleration level [D15, sec. IV].
        ViscousAcceleration = "viscous-acceleration",
        /// Coulomb friction at acceleration level [D15, sec. III-B; T95].
        CoulombAcceleration = "coulomb-acceleration",
        /// Polygonal Coulomb friction as a linear complementarity problem \[ST96\].
        StewartTrinkle = "stewart-trinkle",
        /// The same with the restitution laws of \[AP97\].
        AnitescuPotra = "anitescu-potra",
        /// Least kinetic energy under polygonal friction \[DS\].
        DrumwrightShell = "drumwright-shell",
        /// The exact friction cone with maximum dissipation [D15, eq. 23-28].
        #[default]
        Cone = "cone",
        /// The convex relaxation of the cone: cone complementarity \[TA\].
        Ccp = "ccp",
        /// Bodies without inertia, moved by others through polygonal friction \[G\].
        QuasiStatic = "quasi-static",
    }
}

impl ModelName {
    /// Whether its unknowns are forces and accelerations, so that it asks what the velocities alone do
    /// to the rows of contacts ([`crate::problem::ContactData::acceleration_bias`]).
    pub fn is_at_acceleration_level(self) -> bool {
        matches!(self, Self::ViscousAcceleration | Self::CoulombAcceleration)
    }

    /// Whether torsional and rolling friction are part of it (the others leave them out and count the
    /// contacts that ask for them in [`crate::report::SolveReport::spins_left_out`]).
    pub fn has_spin_friction(self) -> bool {
        matches!(
            self,
            Self::StewartTrinkle
                | Self::AnitescuPotra
                | Self::DrumwrightShell
                | Self::Cone
                | Self::Ccp
        )
    }

    /// The solvers that can solve this model's problem, the default one first.
    pub fn solvers(self) -> &'static [SolverName] {
        match self {
            // Strictly convex programs in v+.
            Self::Frictionless | Self::NoSlip => &[
                SolverName::Ppm,
                SolverName::ActiveSet,
                SolverName::Lemke,
                SolverName::Dantzig,
                SolverName::PrincipalPivoting,
                SolverName::InteriorPoint,
                SolverName::Pgs,
            ],
            Self::NoSlipReleasing | Self::Viscous | Self::ViscousAcceleration => {
                &[SolverName::Ppm, SolverName::ActiveSet]
            }
            // Over cones.
            Self::Ccp => &[SolverName::Engine, SolverName::Psor, SolverName::Apgd],
            Self::Cone => &[SolverName::Engine, SolverName::Psor],
            // Copositive-plus.
            Self::StewartTrinkle | Self::AnitescuPotra => &[
                SolverName::Lemke,
                SolverName::InteriorPoint,
                SolverName::Pgs,
            ],
            Self::DrumwrightShell | Self::QuasiStatic => {
                &[SolverName::Lemke, SolverName::InteriorPoint]
            }
            // No class of matrices with a guarantee.
            Self::CoulombAcceleration => &[SolverName::Lemke, SolverName::InteriorPoint],
        }
    }
}

impl FromStr for ModelName {
    type Err = ModelError;

    fn from_str(s: &str) -> Result<Self, ModelError> {
        let found = Self::ALL.into_iter().find(|m| m.as_str() == s);
        found.ok_or_else(|| ModelError::UnknownModel { name: s.into() })
    }
}

/// Why a model could not be made.
#[derive(Clone, Debug, PartialEq, thiserror::Error)]
pub enum ModelError {
    /// No model of that name.
    #[error("unknown model `{name}`; the models are {}", ModelName::ALL.map(ModelName::as_str).join(", "))]
    UnknownModel {
        /// The name given.
        name: String,
    },
    /// The model's problem is not of the kind the solver solves.
    #[error("model `{model}` can't be solved by `{solver}`; solvers that fit: {fit}")]
    UnfitSolver {
        /// The model.
        model: &'static str,
        /// The solver.
        solver: &'static str,
        /// The solvers that fit.
        fit: String,
    },
    /// The model or its solver is in the crate `stickslip-reference`.
    #[error(
        "model `{model}` by `{solver}` is in the crate `stickslip-reference`: switch on the feature `reference` of `stickslip`, \
         or make it by `stickslip_reference::model`"
    )]
    InReference {
        /// The model.
        model: &'static str,
        /// The solver.
        solver: &'static str,
    },
    /// No answers can be held against the law that a model of the caller's names.
    #[error("a model of one's own can't be held against `{law}`; laws that fit: {fit}")]
    UnfitLaw {
        /// The law.
        law: &'static str,
        /// Those that fit.
        fit: String,
    },
    /// A setting is out of range.
    #[error("setting `{name}` must be {wanted}, not {value}")]
    BadSetting {
        /// Name of the setting.
        name: &'static str,
        /// What is allowed.
        wanted: &'static str,
        /// The value given.
        value: f64,
    },
}
