//! Squeezed bodies under a polygon model too, on the scenes of the core's tests.
#![allow(clippy::unwrap_used)]

#[path = "../common/mod.rs"]
mod common;

mod squeezed;
