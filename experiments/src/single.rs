//! The scenes over `rapier3d`, from the same sources.

pub(crate) use rapier3d as rapier;
pub(crate) use stickslip;
pub(crate) use stickslip_urdf as urdf;

#[path = "scenes/mod.rs"]
pub mod scenes;
