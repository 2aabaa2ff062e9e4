//! Settings of the quasi-static model.

use super::ModelError;
use serde::{Deserialize, Serialize};

/// Settings of `quasi-static`.
#[derive(Clone, Copy, Debug, PartialEq, Serialize, Deserialize)]
#[serde(default, deny_unknown_fields)]
pub struct QuasiStaticSettings {
    /// Time constant tau of the damping `E = M / tau` that takes the place of inertia \[s\].
    pub damping_time: f64,
}

impl Default for QuasiStaticSettings {
    fn default() -> Self {
        Self { damping_time: 0.01 }
    }
}

impl QuasiStaticSettings {
    pub(super) fn check(&self) -> Result<(), ModelError> {
        if !(self.damping_time > 0.0 && self.damping_time.is_finite()) {
            return Err(ModelError::BadSetting {
                name: "quasi_static.damping_time",
                wanted: "positive and finite",
                value: self.damping_time,
            });
        }
        Ok(())
    }
}
