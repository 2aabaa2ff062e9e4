//! The contact models through their public interface.
#![allow(clippy::unwrap_used)]

#[path = "../common/mod.rs"]
mod common;

mod closed_forms;
mod contradictory;
mod degenerate;
#[allow(dead_code, reason = "shared with the tests over cones")]
mod generator;
mod grasp;
mod large;
mod properties;
