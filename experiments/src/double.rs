//! The scenes over `rapier3d-f64`.

pub(crate) use rapier3d_f64 as rapier;
pub(crate) use stickslip_f64 as stickslip;
pub(crate) use stickslip_urdf_f64 as urdf;

#[path = "scenes/mod.rs"]
pub mod scenes;
