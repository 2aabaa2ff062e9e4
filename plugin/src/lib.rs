//! A drop-in contact backend for the rapier physics engine: rigid contact with exact Coulomb friction. A body that friction
//! can hold does not creep.
//!
//! Where a program calls rapier's `PhysicsPipeline::step`, it calls [`ContactPipeline::step`] with the same
//! arguments, or [`ContactPipeline::step_world`] with rapier's `PhysicsWorld`:
//!
//! ```
//! use stickslip::{ContactPipeline, rapier::prelude::*};
//!
//! let mut world = PhysicsWorld::new();
//! world.insert_collider(ColliderBuilder::cuboid(5.0, 0.5, 5.0), None);
//! let body = RigidBodyBuilder::dynamic().translation(Vector::new(0.0, 0.75, 0.0));
//! let cube = world.insert_body(body.can_sleep(false));
//! world.insert_collider(ColliderBuilder::cuboid(0.25, 0.25, 0.25).mass(2.0), Some(cube));
//!
//! let mut pipeline = ContactPipeline::default();
//! for _ in 0..60 {
//!     pipeline.step_world(&mut world)?; // was: world.step()
//! }
//! let h = f64::from(world.integration_parameters.dt);
//! let force: f64 = pipeline.contacts().iter().map(|contact| contact.impulse[0] / h).sum();
//! assert!((force - 2.0 * 9.81).abs() < 1e-3);
//! # Ok::<(), stickslip::StepError>(())
//! ```
//!
//! Another model of friction is chosen with [`ContactPipeline::new`]: see [`ModelName`]; one of your own is a [`ContactModel`],
//! a friction law of your own a [`FrictionLaw`].
//! The results of a step are read from
//! [`ContactPipeline::contacts`], [`ContactPipeline::joint_impulses`] and [`ContactPipeline::report`], island by island from
//! [`ContactPipeline::islands`]. A scene is
//! recorded by [`record::Attached`].
//!
//! # Structure
//!
//! Collision detection is rapier's; dynamics, contact model and integration are stickslip's. The modules are the
//! stages of a step, in this order; each imports only from those before it:
//!
//! 1. [`base`] numbers, errors, settings of the step, contacts as data;
//! 2. [`read`] rapier's sets: free bodies, trees of links, bodies with prescribed motion;
//! 3. [`detect`] rapier's own collision detection, by a zero-length step;
//! 4. [`contacts`] contact points and materials;
//! 5. [`joints`] rows of impulse joints;
//! 6. [`assemble`] one contact problem of blocks and rows, which the model of `stickslip-core` solves;
//! 7. [`correct`] corrections of its answer: errors of position, impacts of fast bodies;
//! 8. [`sleep`] bodies that fall asleep and wake;
//! 9. [`write`](mod@write) velocities, positions and events return to rapier's sets;
//! 10. [`pipeline`] the object that users call, and the step from top to bottom;
//! 11. [`record`] records of a step for viewers.
//!
//! The interface has rapier's own vectors; the records and the problem of `stickslip-core` have those of
//! [`nalgebra`], in f64.
//!
//! The same sources make two crates: `stickslip` over `rapier3d` and `stickslip-f64` over
//! `rapier3d-f64`. The solver computes in f64; rapier's state is in its own precision.
//!
//! # What differs from rapier
//!
//! Bodies fall asleep and wake by rapier's thresholds ([`Sleeping`]); a sleeping body has no contacts in
//! [`ContactPipeline::contacts`].
//!
//! A step refuses with an error: soft bodies, multibody joints with two free angular axes, coupled axes, locked
//! axes on links. A body whose pose, velocity or mass is not finite is disabled
//! ([`ContactPipeline::quarantined`]).
//!
//! Fast bodies stop at obstacles on their way, by rapier's rules for continuous detection (see [`correct::ccd`]).
#![allow(
    rustdoc::private_intra_doc_links,
    reason = "the crate's documentation names the stages, which are private"
)]

mod assemble;
mod base;
mod contacts;
mod correct;
mod detect;
mod joints;
mod pipeline;
mod read;
pub mod record;
mod sleep;
#[cfg(test)]
mod tests;
mod write;

pub use base::contact::{Contact, ContactPoint, ContactSource};
pub use base::error::StepError;
pub use base::model::model;
pub use base::surface::Surface;
pub use contacts::material::{ContactMaterial, MaterialError};
pub use detect::fresh::{FreshManifolds, Manifolds};
pub use joints::JointImpulse;
pub use pipeline::{ContactPipeline, IslandReport, StepMemory, default_settings};
pub use read::multibody::MultibodyDynamics;
pub use sleep::Sleeping;

pub use nalgebra;
pub use rapier;
pub use stickslip_core as core;
pub use stickslip_core::law::FrictionLaw;
pub use stickslip_core::models::{ContactModel, ModelName, ModelSettings, Sweeps};
pub use stickslip_core::report::SolverName;
pub use stickslip_dynamics as dynamics;
#[cfg(feature = "problem-file")]
pub use stickslip_problem_file as problem_file;
pub use stickslip_record::StepReport;
#[cfg(feature = "reference")]
pub use stickslip_reference as reference;

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
    #[doc = include_str!("../../docs/upstream/shared_face.md")]
    mod shared_face {}
    #[doc = include_str!("../../docs/upstream/contact_list.md")]
    mod contact_list {}
    #[doc = include_str!("../../docs/upstream/island_numbers.md")]
    mod island_numbers {}
    #[doc = include_str!("../../docs/upstream/refused_joint.md")]
    mod refused_joint {}
}
