//! What a run is asked to do: scenario, model, keys, robot file; checked before anything is built.

mod asked;
pub mod catalog;
pub(crate) mod choices;
pub mod figures;
pub(crate) mod hands;
pub mod ignored;
pub(crate) mod key_values;
pub mod keys;
pub mod model_keys;
pub(crate) mod near;
pub mod poses;
pub mod robot_args;
pub mod scene_file;
pub mod settings;
