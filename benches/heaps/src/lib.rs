//! Scenes that any rapier user has, and what a step must do there.
//!
//! A scene ([`single::scenes`], [`double::scenes`]) is a seeded world that can be built at any size.
//! [`turns`] steps equal worlds under several engines in turns, [`measure`] keeps what each step did,
//! [`verdict`] says what broke, [`table`] prints it and [`page`] makes docs/scenes.md of it. The scenes are compiled twice from one source,
//! over `rapier3d` and over `rapier3d-f64`.
//!
//! Everywhere: y is up, gravity 9.81, friction 0.5, density 1000 kg/m^3, 60 steps a second, nothing
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
