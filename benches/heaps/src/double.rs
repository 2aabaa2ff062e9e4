//! The scenes and their stepper over `rapier3d-f64`, from the same sources.

pub(crate) use rapier3d_f64 as rapier;
pub(crate) use stickslip_f64 as stickslip;

#[path = "scenes/mod.rs"]
pub mod scenes;
#[path = "stepper.rs"]
pub mod stepper;
