//! The models that these tests are over: all of them.

use stickslip_core::models::{Model, ModelName, ModelSettings};

pub const MODELS: [ModelName; 12] = ModelName::ALL;

/// A model over friction polygons.
pub const POLYGON: Option<ModelName> = Some(ModelName::AnitescuPotra);

pub fn model(name: ModelName, settings: ModelSettings) -> Model {
    stickslip_reference::model(name, settings).unwrap()
}
