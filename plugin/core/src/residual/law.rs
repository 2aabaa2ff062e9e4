//! What a model demands along the tangents.

use super::Rules;
use crate::settings::{Hover, ModelName, RollingFriction};

/// The tangential law an answer is held against.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Law {
    /// No tangential impulses.
    Frictionless,
    /// No slip where held.
    Hold,
    /// `f = -h mu_viscous slip`.
    Viscous,
    /// Maximum dissipation over a polygon with this many corners.
    Polygon(usize),
    /// Maximum dissipation over the ellipse.
    Cone,
    /// The same, the separation speed lessened by `mu |slip|`.
    Convex,
}

impl Law {
    pub(super) fn of(rules: Rules<'_>) -> Self {
        match rules.model {
            // Stages at acceleration level are checked on their own; viscous forces among the
            // external ones.
            ModelName::Frictionless | ModelName::ViscousAcceleration => Self::Frictionless,
            ModelName::NoSlip | ModelName::NoSlipReleasing => Self::Hold,
            ModelName::Viscous => Self::Viscous,
            ModelName::Cone => Self::Cone,
            ModelName::Ccp => match rules.settings.cone.hover {
                Hover::Keep => Self::Convex,
                Hover::Remove => Self::Cone,
            },
            ModelName::CoulombAcceleration
                if rules.settings.acceleration.rolling == RollingFriction::Cone =>
            {
                Self::Cone
            }
            ModelName::StewartTrinkle
            | ModelName::AnitescuPotra
            | ModelName::DrumwrightShell
            | ModelName::CoulombAcceleration
            | ModelName::QuasiStatic => Self::Polygon(rules.settings.polygon.directions),
        }
    }
}
