//! Models over cones by the iterations of the literature, and squeezed bodies under a polygon model too; most on the scenes of the
//! core's tests.
#![allow(clippy::unwrap_used)]

#[path = "../common/mod.rs"]
mod common;
#[path = "../contact/generator.rs"]
#[allow(dead_code, reason = "shared with the tests of the projected models")]
mod generator;

mod large;
mod properties;
mod squeezed;
