//! Dynamics of articulated trees: kinematics, mass matrix, bias forces, contact rows, free velocity.
//!
//! The crate depends on no physics engine, and its numbers are `f64`. Mass matrices are those of `stickslip-core`, whose
//! contact problems take them as they are.
//!
//! A [`Tree`] holds what is constant (topology, joint frames, inertias), a [`TreeState`] what moves.
//! The order of a step:
//!
//! 1. write positions and velocities into the state, [`Tree::forward_kinematics`],
//!    [`Tree::update_velocities`];
//! 2. [`Tree::mass_matrix`] into a [`MassFactor`](stickslip_core::mass::MassFactor), which is then factored;
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
//!
//! # Example
//! A pendulum of 2 kg and 0.5 m turns about the y axis. It is let go where it lies level, along x, and falls with g / l:
//! ```
//! use nalgebra::{Isometry3, Matrix3, Vector3};
//! use stickslip_core::mass::MassFactor;
//! use stickslip_dynamics::{JointSpec, LinkInertia, LinkSpec, Tree};
//!
//! let (m, l, g, h) = (2.0, 0.5, 9.81, 0.01);
//! let root = LinkSpec {
//!     parent: None,
//!     joint: JointSpec::fixed(Isometry3::identity(), Isometry3::identity()),
//!     inertia: LinkInertia::new(1.0, Vector3::zeros(), Matrix3::identity()),
//! };
//! let pendulum = LinkSpec {
//!     parent: Some(0),
//!     joint: JointSpec::revolute(Isometry3::identity(), Isometry3::identity(), 1),
//!     inertia: LinkInertia::new(m, Vector3::new(l, 0.0, 0.0), Matrix3::zeros()),
//! };
//! let tree = Tree::new(&[root, pendulum])?;
//! let mut state = tree.new_state();
//! tree.forward_kinematics(&mut state);
//! tree.update_velocities(&mut state);
//!
//! let mut mass = MassFactor::new(tree.pattern().clone());
//! tree.mass_matrix(&mut state, &[0.0], &mut mass);
//! mass.factor()?;
//! let mut bias = [0.0];
//! tree.bias(&mut state, &Vector3::new(0.0, 0.0, -g), &mut bias);
//! assert!((bias[0] + m * g * l).abs() < 1e-12);
//! let mut change = [0.0];
//! tree.velocity_change(&mut state, &mass, h, &[-bias[0]], &mut change);
//! assert!((change[0] - h * g / l).abs() < 1e-12);
//! # Ok::<(), Box<dyn std::error::Error>>(())
//! ```

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

pub use free_velocity::VelocityPath;
pub use momentum::{BaseError, Momentum};
pub use spatial::{Twist, Wrench};
pub use spec::{JointSpec, LinkInertia, LinkSpec, TreeError};
pub use state::{JointPosition, TreeState};
pub use tree::Tree;

#[cfg(test)]
mod tests;
