//! Common rapier scenes, and what a step must achieve in them.
//!
//! A scene ([`single::scenes`], [`double::scenes`]) is a seeded world that can be built at any size.
//! [`turns`] steps copies of a world under several engines in turns, [`measure`] measures every step,
//! [`verdict`] says what failed, [`table`] prints it and [`page`] writes docs/scenes.md. The scenes are compiled twice from one source,
//! over `rapier3d` and over `rapier3d-f64`.
//!
//! In all scenes y is up, gravity 9.81, friction 0.5, density 1000 kg/m^3, 60 steps a second, nothing
//! sleeps, unless a scene says otherwise.
#![allow(
    clippy::duplicate_mod,
    reason = "the scenes are compiled over both precisions of the engine from one source"
)]

pub mod clock;
pub mod double;
pub mod engine;
pub mod families;
pub mod measure;
pub mod page;
pub mod random;
pub mod single;
pub mod table;
pub mod turns;
pub mod verdict;
