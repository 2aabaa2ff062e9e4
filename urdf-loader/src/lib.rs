//! URDF files to validated robot models to rapier multibodies.
//!
//! The road: a path -> [`RobotModel`] (f64, no engine in it, everything checked) -> rapier's sets
//! by [`RobotModel::insert`]. Nothing is dropped silently: what the loader can't honour is an error
//! or stands in [`RobotModel::notes`].
//!
//! Units are SI, angles radians. Frames: a link's axes are the URDF link frame; poses are written
//! as isometries that take link coordinates to the parent's (or the world's).

pub mod assembly;
pub mod error;
mod findings;
mod inertia;
pub mod insert;
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
    Inertial, Joint, JointKind, Limits, Link, LoadOptions, MeshRef, Mimic, MissingInertia, Note,
    NoteKind, RobotModel, SafetyController, Shape, Strictness, Transmission, VisualMeshes,
    diagnose,
};
pub use srdf::Srdf;

#[cfg(test)]
#[allow(clippy::useless_conversion)] // f64::from(Real) says something in one of the two crates.
mod tests;
