//! The experiments of stickslip and its command.
//!
//! In the order in which they import each other: `request` validates what a run is asked to do, `measure` says
//! what is measured, `parts` and `problems` need no engine, `scenes` build the scenarios (compiled twice from one
//! source, over `rapier3d-f64` in [`double`] and over `rapier3d` in [`single`]), `running` runs them, `results`
//! makes tables and files of the outcome, `commands` and `cli` are the command `stickslip`.
#![allow(
    clippy::duplicate_mod,
    reason = "the scenes are compiled over both precisions of the engine from one source"
)]

mod cli;
mod commands;
pub mod double;
pub mod error;
pub mod files;
mod measure;
mod parts;
mod problems;
mod request;
mod results;
mod running;
pub mod single;

pub use cli::{command, command_from};
pub use measure::{forces, metrics, session, trace, trajectory, verdict};
pub use request::{
    catalog, figures, ignored, keys, model_keys, poses, robot_args, scene_file, settings,
};
pub use results::{output, plot};
pub use running::{
    drive, dump, force_log, interrupt, manifest, progress, provenance, result, runner,
};

use commands::{check, compare, listing, replay, report, solve, sweep};
use measure::digits;
use parts::{block_law, terrain, walking};
use request::{choices, hands, near};
use results::{summary, table};
