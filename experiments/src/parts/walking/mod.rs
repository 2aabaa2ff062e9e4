//! Walking on four legs: which foot stands when, where each goes, and what each carries.
//!
//! Engine-neutral. Everything is in the base's frame (x forwards, y to the left, z up) in metres,
//! kilograms and seconds, unless it says otherwise. A robot is known by its [`Legs`] alone.

mod gait;
mod support;
mod sway;
mod swing;
mod walker;

pub(crate) use gait::{Gait, Place, Schedule};
pub(crate) use walker::{Command, Legs, Sensed, Step, Walker};
