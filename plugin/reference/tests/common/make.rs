//! The models that these tests are over: all of them.

use stickslip_core::models::{Model, ModelName, ModelSettings};
use stickslip_core::report::SolverName;

pub const MODELS: [ModelName; 12] = ModelName::ALL;

/// The solvers of the models over cones, but for the core's.
pub const OVER_CONES: &[SolverName] = &[SolverName::Psor, SolverName::Apgd];

/// A model over friction polygons.
pub const POLYGON: Option<ModelName> = Some(ModelName::AnitescuPotra);

pub fn model(name: ModelName, settings: ModelSettings) -> Model {
    stickslip_reference::model(name, settings).unwrap()
}
