//! Loads robots from URDF and xacro files, checks them, and inserts them into rapier's sets.
//!
//! [`RobotModel::from_file`] reads a file into a [`RobotModel`] (f64, without an engine), and [`RobotModel::insert`] makes
//! bodies, colliders and joints of it. Nothing is dropped silently: an error of a file is reported, or repaired
//! with a note in [`RobotModel::notes`]; [`Strictness::Strict`] refuses instead.
//!
//! ```
//! use std::path::Path;
//! # use rapier as rapier3d;
//! use rapier3d::prelude::*;
//! use stickslip_urdf::{InsertOptions, LoadOptions, RobotModel};
//!
//! # let file = Path::new(concat!(env!("CARGO_MANIFEST_DIR"), "/../assets/gripper.urdf"));
//! let model = RobotModel::from_file(file, &LoadOptions::default())?;
//! for note in &model.notes {
//!     println!("{note}"); // repaired, assumed or left out, with the line of the file
//! }
//! let mut world = PhysicsWorld::new();
//! let robot = model.insert(
//!     &InsertOptions::default(),
//!     &mut world.bodies,
//!     &mut world.colliders,
//!     &mut world.impulse_joints,
//!     &mut world.multibody_joints,
//! )?;
//! let finger = robot.joint("left_finger").expect("the gripper has one");
//! assert_eq!(finger.position(&world.multibody_joints), Some(0.0));
//! # Ok::<(), Box<dyn std::error::Error>>(())
//! ```
//!
//! Units are SI, angles are radians. A link's axes are those of its URDF frame; a pose is an isometry that takes the
//! link's coordinates to its parent's (or the world's).

pub mod assembly;
pub mod error;
mod file;
mod findings;
mod inertia;
pub mod insert;
mod judge;
pub mod kinematics;
pub mod mesh;
pub mod model;
mod read;
pub mod resolve;
mod scan;
pub mod srdf;
pub mod tree;
mod xacro;

pub use assembly::FixedJoints;
pub use error::UrdfError;
pub use inertia::{DEFINITE_SLACK, TRIANGLE_SLACK};
pub use insert::{
    Base, ClosureHandle, Coordinates, Drive, EffortLimits, Hold, InsertError, InsertOptions,
    JointHandle, LinkHandle, MeshCollision, RobotHandles, RotorInertia, SelfCollision, Surface,
};
pub use kinematics::{IkOptions, IkSolution, IkTarget, KinematicsError};
pub use model::{
    Actuator, Calibration, Closure, DENSITY, Diagnosis, Geometry, ImpossibleInertia, InertiaPolicy,
    Inertial, Joint, JointKind, Limits, Link, LoadOptions, MeshRef, Mimic, MissingInertia,
    MissingMesh, Note, NoteKind, RobotModel, SafetyController, Shape, Strictness, Transmission,
    VisualMeshes,
};
pub use read::diagnose;
pub use srdf::Srdf;

#[cfg(test)]
#[allow(clippy::useless_conversion)] // f64::from(Real) says something in one of the two crates.
mod tests;
