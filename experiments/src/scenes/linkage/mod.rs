//! Mechanisms whose loops are closed by joints.

mod hexapod;
mod hinge;
mod leg;
mod swing;

pub(super) use hexapod::hexapod;
pub(super) use swing::{four_bar, pendulum};
