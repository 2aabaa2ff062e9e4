//! The models' names.

use super::ModelError;
use serde::{Deserialize, Serialize};
use std::fmt;
use std::str::FromStr;

/// The contact models.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Hash, Serialize, Deserialize)]
#[serde(rename_all = "kebab-case")]
pub enum ModelName {
    /// No tangential impulses.
    Frictionless,
    /// No slip at closed contacts, held or not [D15, sec. VI].
    NoSlip,
    /// No slip at closed contacts that press.
    NoSlipReleasing,
    /// Viscous friction, implicit at velocity level.
    Viscous,
    /// Viscous friction at acceleration level [D15, sec. IV].
    ViscousAcceleration,
    /// Polygonal Coulomb friction as a linear complementarity problem \[ST96\].
    StewartTrinkle,
    /// The same with the restitution laws of \[AP97\].
    AnitescuPotra,
    /// The exact friction cone with maximum dissipation [D15, eq. 23-28].
    #[default]
    Cone,
    /// The convex relaxation of the cone: cone complementarity \[TA\].
    Ccp,
    /// Least kinetic energy under polygonal friction \[DS\].
    DrumwrightShell,
    /// Coulomb friction at acceleration level [D15, sec. III-B; T95].
    CoulombAcceleration,
    /// Bodies without inertia, moved by others through polygonal friction \[G\].
    QuasiStatic,
}

impl ModelName {
    /// Every model, in the order of the command's list.
    pub const ALL: [Self; 12] = [
        Self::Frictionless,
        Self::NoSlip,
        Self::NoSlipReleasing,
        Self::Viscous,
        Self::ViscousAcceleration,
        Self::CoulombAcceleration,
        Self::StewartTrinkle,
        Self::AnitescuPotra,
        Self::DrumwrightShell,
        Self::Cone,
        Self::Ccp,
        Self::QuasiStatic,
    ];

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

    /// The name used by the command.
    pub fn as_str(self) -> &'static str {
        match self {
            Self::Frictionless => "frictionless",
            Self::NoSlip => "no-slip",
            Self::NoSlipReleasing => "no-slip-releasing",
            Self::Viscous => "viscous",
            Self::ViscousAcceleration => "viscous-acceleration",
            Self::StewartTrinkle => "stewart-trinkle",
            Self::AnitescuPotra => "anitescu-potra",
            Self::Cone => "cone",
            Self::Ccp => "ccp",
            Self::DrumwrightShell => "drumwright-shell",
            Self::CoulombAcceleration => "coulomb-acceleration",
            Self::QuasiStatic => "quasi-static",
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
