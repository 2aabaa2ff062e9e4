//! Settings of the models that bound friction by a polygon.

use super::ModelName;
use serde::{Deserialize, Serialize};
use smart_default::SmartDefault;

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
#[derive(Clone, Copy, Debug, PartialEq, Serialize, Deserialize, SmartDefault)]
#[serde(default, deny_unknown_fields)]
pub struct PolygonSettings {
    /// Number of friction directions d: even, 4 to 64. The polygon's worst direction sees
    /// `mu cos(pi / d)`.
    #[default = 4]
    pub directions: usize,
    /// How a bounce is computed; `None`: by Poisson's law in `anitescu-potra`, else by Newton's.
    pub restitution: Option<RestitutionLaw>,
    /// What is added to the matrix.
    pub stabilisation: Stabilisation,
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
}
