//! Contact models and complementarity solvers of the literature, over the problems of `stickslip-core`.
//!
//! [`model`] makes any model of [`ModelName`] with any of its solvers; what the core has itself comes from there. The dense
//! methods alone are in [`lcp`]. `README.md` is the map from papers to functions; marks in brackets are those of
//! `docs/references.md` in the repository.
//!
//! ```
//! use stickslip_core::models::{ModelName, ModelSettings};
//!
//! let mut solver = stickslip_reference::solver(ModelName::StewartTrinkle, ModelSettings::default())?;
//! assert_eq!(solver.model().name(), ModelName::StewartTrinkle);
//! # Ok::<(), stickslip_core::models::ModelError>(())
//! ```

mod cones;
mod coulomb_acceleration;
mod impact;
pub mod lcp;
mod polygon;
mod quasi_static;
mod reduced;
mod viscous_acceleration;

pub use quasi_static::{Pointedness, pointedness};

use stickslip_core::kit::Method;
use stickslip_core::models::{Model, ModelError, ModelName, ModelSettings, Solver};

/// Memory of the methods of this crate.
#[derive(Debug, Default)]
struct Memory {
    cones: cones::Memory,
    polygon: polygon::Memory,
    quasi_static: quasi_static::Memory,
    coulomb: coulomb_acceleration::Memory,
    viscous_acceleration: viscous_acceleration::Memory,
}

/// The model `name` with these settings.
///
/// # Errors
/// [`ModelError::BadSetting`] naming the setting; [`ModelError::UnfitSolver`] with the solvers that fit.
pub fn model(name: ModelName, settings: ModelSettings) -> Result<Model, ModelError> {
    match Model::new(name, settings.clone()) {
        Err(ModelError::InReference { .. }) => Model::by(method(name), name, settings),
        made => made,
    }
}

/// [`model`] with its memory.
///
/// # Errors
/// As [`model`].
pub fn solver(name: ModelName, settings: ModelSettings) -> Result<Solver, ModelError> {
    model(name, settings).map(Solver::of)
}

/// What solves a model that the core does not.
fn method(name: ModelName) -> Method {
    match name {
        ModelName::ViscousAcceleration => viscous_acceleration::solve,
        ModelName::CoulombAcceleration => coulomb_acceleration::solve,
        ModelName::QuasiStatic => quasi_static::solve,
        ModelName::Cone | ModelName::Ccp => cones::solve,
        ModelName::Frictionless
        | ModelName::NoSlip
        | ModelName::NoSlipReleasing
        | ModelName::Viscous
        | ModelName::StewartTrinkle
        | ModelName::AnitescuPotra
        | ModelName::DrumwrightShell => polygon::solve,
    }
}
