//! Polygonal Coulomb friction: closed forms and random problems.
#![allow(clippy::unwrap_used)]

#[path = "../common/mod.rs"]
mod common;

mod closed_forms;
mod grasp;
mod poisson;
mod random;
mod scenes;
mod seeds;
mod shell;
mod sliding;
