//! Settings of the quasi-static model.

use serde::{Deserialize, Serialize};
use smart_default::SmartDefault;

/// When the friction cones of islands are checked for being pointed.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "kebab-case")]
pub enum PointednessCheck {
    /// At every solve; the report counts the islands that are wedged.
    #[default]
    Always,
    /// Where the step has no answer, to tell whether bodies are jammed.
    OnFailure,
}

/// Settings of `quasi-static`.
#[derive(Clone, Copy, Debug, PartialEq, Serialize, Deserialize, SmartDefault)]
#[serde(default, deny_unknown_fields)]
pub struct QuasiStaticSettings {
    /// Time constant tau of the damping `E = M / tau` that takes the place of inertia \[s\].
    #[default = 0.01]
    pub damping_time: f64,
    /// When friction cones are checked for being pointed.
    pub pointedness: PointednessCheck,
}
