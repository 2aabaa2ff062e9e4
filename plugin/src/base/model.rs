//! Models by their names.

use stickslip_core::models::{Model, ModelError, ModelName, ModelSettings};

/// The model `name` with these settings; those of the crate `stickslip-reference` by the feature `reference`.
///
/// # Errors
/// When a setting is out of range or the solver does not fit the model, and for a model or solver of the feature `reference`
/// without it.
pub fn model(name: ModelName, settings: ModelSettings) -> Result<Model, ModelError> {
    #[cfg(feature = "reference")]
    let made = stickslip_reference::model(name, settings);
    #[cfg(not(feature = "reference"))]
    let made = Model::new(name, settings);
    made
}
