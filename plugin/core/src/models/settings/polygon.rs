//! Settings of the models that bound friction by a polygon.

use super::{ModelError, ModelName};
use serde::{Deserialize, Serialize};

/// How a bounce is computed.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "kebab-case")]
pub enum RestitutionLaw {
    /// Newton: the separation speed is e times the approach speed.
    #[default]
    Newton,
    /// Poisson: the impulse of the second phase is e times that of the first \[AP97\].
    Poisson,
}

/// What is added to the matrix to ease the pivoting [TSL, sec. 5].
#[derive(Clone, Copy, Debug, Default, PartialEq, Serialize, Deserialize)]
#[serde(rename_all = "kebab-case")]
pub enum Stabilisation {
    /// Nothing.
    #[default]
    None,
    /// `A_ii (1 + eps)`: the zero block of the slip speeds stays zero.
    Scaled(f64),
    /// `A + eps I` (Tikhonov), eps in the units of each row.
    Tikhonov(f64),
}

/// Settings of `stewart-trinkle`, `anitescu-potra`, `drumwright-shell`, `quasi-static`.
#[derive(Clone, Copy, Debug, PartialEq, Serialize, Deserialize)]
#[serde(default, deny_unknown_fields)]
pub struct PolygonSettings {
    /// Number of friction directions d: even, 4 to 64. The polygon's worst direction sees
    /// `mu cos(pi / d)`.
    pub directions: usize,
    /// How a bounce is computed; `None`: by Poisson's law in `anitescu-potra`, else by Newton's.
    pub restitution: Option<RestitutionLaw>,
    /// What is added to the matrix.
    pub stabilisation: Stabilisation,
    /// Numbers of 32 digits that the precise rung may compute for an island before it gives up, and half as many
    /// for a first try: a count, so that answers do not depend on the machine. A billion takes some 3 s; 0 leaves the rung out.
    pub precise_work: u64,
}

/// More than twice what the most tedious solved one of a million random problems took.
const PRECISE_WORK: u64 = 5_000_000_000;

impl Default for PolygonSettings {
    fn default() -> Self {
        Self {
            directions: 4,
            restitution: None,
            stabilisation: Stabilisation::None,
            precise_work: PRECISE_WORK,
        }
    }
}

impl PolygonSettings {
    /// How a model computes bounces.
    pub fn law(&self, model: ModelName) -> RestitutionLaw {
        match (self.restitution, model) {
            (Some(law), _) => law,
            (None, ModelName::AnitescuPotra) => RestitutionLaw::Poisson,
            (None, _) => RestitutionLaw::Newton,
        }
    }

    pub(super) fn check(&self) -> Result<(), ModelError> {
        if !(4..=64).contains(&self.directions) || self.directions % 2 == 1 {
            return Err(ModelError::BadSetting {
                name: "polygon.directions",
                wanted: "an even number in 4..=64",
                value: self.directions as f64,
            });
        }
        if let Stabilisation::Scaled(eps) | Stabilisation::Tikhonov(eps) = self.stabilisation
            && !(0.0..=1e-2).contains(&eps)
        {
            return Err(ModelError::BadSetting {
                name: "polygon.stabilisation",
                wanted: "in 0..=1e-2",
                value: eps,
            });
        }
        Ok(())
    }
}
