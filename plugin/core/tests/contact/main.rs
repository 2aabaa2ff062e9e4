//! The contact models through their public interface.
#![allow(clippy::unwrap_used)]

#[path = "../common/mod.rs"]
mod common;

mod closed_forms;
mod contradictory;
mod degenerate;
mod generator;
mod grasp;
mod properties;
