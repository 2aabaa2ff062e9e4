//! Dynamics of articulated trees: kinematics, mass matrix, bias forces, contact rows, free velocity.
//!
//! A [`Tree`] holds what is constant (topology, joint frames, inertias), a [`TreeState`] what moves.
//! The order of a step:
//!
//! 1. write positions and velocities into the state, [`Tree::forward_kinematics`],
//!    [`Tree::update_velocities`];
//! 2. [`Tree::mass_matrix`] into a [`MassFactor`](crate::mass::MassFactor), which is then factored;
//! 3. [`Tree::bias`], then [`Tree::velocity_change`] for the velocity without contact impulses;
//! 4. [`Tree::point_rows`] for the contacts;
//! 5. write the new velocity, [`Tree::integrate`].
//!
//! # Conventions
//! * Links are numbered parents first, link 0 is the root; velocity coordinates are numbered in link
//!   order, within a joint the free translations (x, y, z) before the free rotations.
//! * `X_PC = frame1 * Translation(lin) * Rotation * frame2^-1` for a child C of P. Translations are
//!   along the axes of frame 1, rotations about them; the velocity coordinates of a ball joint are
//!   the relative angular velocity in the axes of frame 1, and its rotation integrates by the
//!   exponential map multiplied from the left.
//! * A floating root has six free axes; with identity frames its coordinates are the velocity of
//!   the link *origin* and the angular velocity, both in world axes, wherever the mass lies.
//! * All spatial quantities are in world axes about one reference point: the origin of the root's
//!   joint frame 2 (the link origin of a floating root, the pose of a fixed one). It is near the
//!   robot, so moments keep their digits far from the world origin. As a point of differentiation it
//!   is fixed in space at each instant.
//!
//! Links joined rigidly are merged into one body at construction and cost nothing in a step.
//!
//! Source of the recursions: R. Featherstone, *Rigid Body Dynamics Algorithms*, 2008, chapters 5
//! and 6, written in one common frame, where composite inertias and forces simply add.

mod bias;
mod free_velocity;
mod kinematics;
mod mass_matrix;
mod momentum;
mod rows;
mod spatial;
mod spec;
mod state;
mod tree;

#[cfg(test)]
mod tests;

pub use free_velocity::VelocityPath;
pub use momentum::{BaseError, Momentum};
pub use spatial::{Twist, Wrench};
pub use spec::{JointSpec, LinkInertia, LinkSpec, TreeError};
pub use state::{JointPosition, TreeState};
pub use tree::Tree;
