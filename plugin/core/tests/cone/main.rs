//! Models over exact friction cones through their public interface.
#![allow(clippy::unwrap_used)]

#[path = "../common/mod.rs"]
mod common;
#[path = "../contact/generator.rs"]
#[allow(dead_code)]
mod generator;

mod properties;
