//! Keys that `--set` knows for every scenario and model: settings of the models, and coefficients of
//! the contacts that rapier's colliders don't state.
//!
//! A setting of a model goes by a short name, by its path in
//! [`ModelSettings`](stickslip_core::models::ModelSettings) as a problem file states it
//! (`iteration.omega`), or by the last part of that path where it is the only one of its name. A new
//! setting needs nothing here; what it accepts is the core's to say.

mod given;
mod material;
mod paths;
mod short;
#[cfg(test)]
mod tests;

pub use given::ModelKeys;
pub use material::{MATERIAL, Material, material};
pub use paths::{listing, names};
pub use short::{SETTINGS, Setting};

/// The name in `key=value`.
pub(crate) fn name_of(setting: &str) -> &str {
    let name = setting.split_once('=').map_or(setting, |(name, _)| name);
    name.trim()
}
