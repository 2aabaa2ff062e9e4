//! Contact that sticks: a drop-in contact backend for the rapier physics engine.
//!
//! [`ContactPipeline::step`] takes the arguments of rapier's `PhysicsPipeline::step`. Collision
//! detection stays rapier's; dynamics, contact model and integration are stickslip's:
//!
//! 1. [`check`] what can't be stepped rightly is refused, before anything changes;
//! 2. [`detect`] rapier's own detection, by a zero-length step;
//! 3. [`bodies`], [`multibody`], [`joints`], [`impulse_joints`], [`contacts`] read what is there;
//! 4. [`assemble`] one contact problem of blocks and rows;
//! 5. the model of `stickslip-core` solves it;
//! 6. [`writeback`] velocities and positions return to rapier's sets.
//!
//! The same sources make two crates: `stickslip` over `rapier3d` and `stickslip-f64` over
//! `rapier3d-f64`. All our arithmetic is f64; the engine's state is in its own precision.
//!
//! Bodies fall asleep and wake by rapier's thresholds ([`Sleeping`]); what sleeps has no contacts in
//! [`ContactPipeline::contacts`].
//!
//! What a step refuses with an error: soft bodies, universal multibody joints, coupled axes, locked axes on
//! links. Bodies that are not numbers are set aside ([`ContactPipeline::quarantined`]).
//!
//! Fast bodies stop at what is in their way, by rapier's rules for continuous detection (see [`ccd`]).
#![allow(
    rustdoc::private_intra_doc_links,
    reason = "the crate's documentation names the stages, which are private"
)]

mod aside;
mod assemble;
mod bodies;
mod ccd;
mod check;
mod clock;
mod contacts;
mod convert;
mod corners;
mod detect;
mod dispatch;
mod error;
mod events;
mod frame;
mod fresh;
mod hooks;
mod impulse_joints;
mod impulses;
mod joints;
mod material;
mod memory;
mod mend;
mod multibody;
mod pair;
mod pinched;
mod pipeline;
mod reach;
pub mod record;
mod relief;
mod sides;
mod sleeping;
mod spin;
#[cfg(feature = "serde-serialize")]
mod state;
mod step;
mod surface;
#[cfg(test)]
mod tests;
mod told;
mod wild;
mod writeback;

pub use contacts::{Contact, ContactPoint, ContactSource};
pub use error::StepError;
pub use fresh::{FreshManifolds, Manifolds};
pub use impulse_joints::JointImpulse;
pub use material::{ContactMaterial, MaterialError};
pub use pipeline::{ContactPipeline, default_settings};
pub use sleeping::Sleeping;
pub use surface::Surface;

pub use rapier;
pub use stickslip_core as core;
pub use stickslip_core::models::{ModelName, ModelSettings};
pub use stickslip_core::report::{SolverName, StepReport};

/// The programs of docs/upstream are run as documentation tests.
#[cfg(doctest)]
mod upstream {
    #[doc = include_str!("../../docs/upstream/tree_out.md")]
    mod tree_out {}
    #[doc = include_str!("../../docs/upstream/offset_base.md")]
    mod offset_base {}
    #[doc = include_str!("../../docs/upstream/universal_joint.md")]
    mod universal_joint {}
    #[doc = include_str!("../../docs/upstream/root_velocity.md")]
    mod root_velocity {}
    #[doc = include_str!("../../docs/upstream/link_colliders.md")]
    mod link_colliders {}
    #[doc = include_str!("../../docs/upstream/base_damping.md")]
    mod base_damping {}
    #[doc = include_str!("../../docs/upstream/soft_ccd_at_rest.md")]
    mod soft_ccd_at_rest {}
    #[doc = include_str!("../../docs/upstream/wide_boxes.md")]
    mod wide_boxes {}
}
