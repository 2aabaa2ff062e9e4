//! What must hold for every model under every solver that fits it, on seeded random problems.
#![allow(clippy::unwrap_used)]

#[path = "../common/mod.rs"]
mod common;

mod checks;
mod corrupted;
mod pairs;
mod rubble;
