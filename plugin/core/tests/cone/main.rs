//! Models over exact friction cones through their public interface.
#![allow(clippy::unwrap_used)]

#[path = "../common/mod.rs"]
mod common;
#[path = "../contact/generator.rs"]
#[allow(dead_code, reason = "shared with the tests of the projected models")]
mod generator;

mod alone;
mod body;
mod closed_forms;

mod energy;
mod engine;
mod joints;
mod limits;
mod properties;
mod squeezed;
mod tangle;
