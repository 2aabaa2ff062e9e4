//! The models that these tests are over: those of the core.

use stickslip_core::models::{Model, ModelName, ModelSettings};
use stickslip_core::report::SolverName;

pub const MODELS: [ModelName; 6] = [
    ModelName::Frictionless,
    ModelName::NoSlip,
    ModelName::NoSlipReleasing,
    ModelName::Viscous,
    ModelName::Cone,
    ModelName::Ccp,
];

/// The solvers of the models over cones.
pub const OVER_CONES: &[SolverName] = &[SolverName::Engine];

/// A model over friction polygons.
pub const POLYGON: Option<ModelName> = None;

pub fn model(name: ModelName, settings: ModelSettings) -> Model {
    Model::new(name, settings).unwrap()
}
