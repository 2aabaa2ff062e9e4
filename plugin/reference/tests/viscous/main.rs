//! Viscous friction at acceleration level.
#![allow(clippy::unwrap_used)]

#[path = "../common/mod.rs"]
mod common;
#[path = "../contact/generator.rs"]
#[allow(dead_code)]
mod generator;

mod acceleration;
mod acceleration_properties;
mod stability;
