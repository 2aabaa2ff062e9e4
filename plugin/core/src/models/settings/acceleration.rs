//! Settings of the models at acceleration level.

use super::ModelError;
use serde::{Deserialize, Serialize};

/// Settings of `viscous-acceleration` and `coulomb-acceleration`.
#[derive(Clone, Copy, Debug, PartialEq, Serialize, Deserialize)]
#[serde(default, deny_unknown_fields)]
pub struct AccelerationSettings {
    /// Normal speed up to which a closed contact is sustained; above it an impact comes first [m/s].
    pub touching_speed: f64,
}

impl Default for AccelerationSettings {
    fn default() -> Self {
        Self {
            touching_speed: 1e-6,
        }
    }
}

impl AccelerationSettings {
    pub(super) fn check(&self) -> Result<(), ModelError> {
        if !(0.0..=1.0).contains(&self.touching_speed) {
            return Err(ModelError::BadSetting {
                name: "acceleration.touching_speed",
                wanted: "in 0..=1",
                value: self.touching_speed,
            });
        }
        Ok(())
    }
}
