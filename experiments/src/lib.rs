//! The experiments of stickslip and its command.
//!
//! [`catalog`] names the scenarios, [`settings`] validates what a run is asked to do, [`runner`]
//! runs it and collects a [`result::RunResult`]. The scenes themselves are compiled twice from one
//! source, over `rapier3d-f64` ([`double`]) and over `rapier3d` ([`single`]).
#![allow(
    clippy::duplicate_mod,
    reason = "the scenes are compiled over both precisions of the engine from one source"
)]

mod block_law;
pub mod catalog;
mod check;
mod cli;
mod compare;
pub mod double;
pub mod dump;
pub mod error;
pub mod interrupt;
pub mod keys;
mod listing;
pub mod manifest;
pub mod metrics;
pub mod model_keys;
pub mod output;
pub mod plot;
pub mod poses;
mod problems;
pub mod progress;
pub mod provenance;
mod random;
mod replay;
mod report;
pub mod result;
pub mod robot_args;
pub mod runner;
pub mod session;
pub mod settings;
pub mod single;
mod solve;
mod sweep;
mod table;
mod terrain;
pub mod trace;
pub mod trajectory;
mod walking;

pub use cli::command;
