//! Mechanisms whose loops are closed by joints.

mod hexapod;
mod hinge;
mod leg;
mod swing;

pub(in super::super) use hexapod::hexapod;
pub(in super::super) use swing::{four_bar, pendulum};
