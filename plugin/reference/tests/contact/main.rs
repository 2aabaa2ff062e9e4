//! Convex models by dense methods, on the scenes of the core's tests.
#![allow(clippy::unwrap_used)]

#[path = "../common/mod.rs"]
mod common;

mod dense;
#[allow(dead_code, reason = "shared with the tests of the core")]
mod generator;
