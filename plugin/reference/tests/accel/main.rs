//! Coulomb friction at acceleration level, and bodies without inertia.
#![allow(clippy::unwrap_used)]

#[path = "../common/mod.rs"]
mod common;

mod grasp;
mod painleve;
mod paper;
mod peg;
mod plane;
mod quasi_static;
mod random;
mod scalars;
mod slow;
