//! The scenes and their stepper over `rapier3d`.

pub(crate) use rapier3d as rapier;
pub(crate) use stickslip;

#[path = "scenes/mod.rs"]
pub mod scenes;
#[path = "stepper.rs"]
pub mod stepper;
