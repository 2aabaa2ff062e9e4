//! Viscous friction through the public interface.
#![allow(clippy::unwrap_used)]

#[path = "../common/mod.rs"]
mod common;
#[path = "../contact/generator.rs"]
#[allow(dead_code)]
mod generator;

mod closed_forms;
mod properties;
mod stiff;

use stickslip_core::models::{DampingRoute, ModelSettings, ViscousSettings};
use stickslip_core::report::SolverName;

/// Every solver on every route.
pub fn all_ways() -> [ModelSettings; 4] {
    let way = |solver, route| ModelSettings {
        solver: Some(solver),
        viscous: ViscousSettings { route },
        ..ModelSettings::default()
    };
    [
        way(SolverName::Ppm, DampingRoute::Rows),
        way(SolverName::Ppm, DampingRoute::Mass),
        way(SolverName::ActiveSet, DampingRoute::Rows),
        way(SolverName::ActiveSet, DampingRoute::Mass),
    ]
}
