//! Why a step was refused. A refused step leaves every set as it was.

use rapier::prelude::{ImpulseJointHandle, RigidBodyHandle};
use stickslip_core::problem::ProblemError;

/// Why [`ContactPipeline::step`](crate::ContactPipeline::step) did nothing.
#[derive(Debug, Clone, PartialEq, thiserror::Error)]
pub enum StepError {
    /// The time step is negative or not finite; one of zero is a pause.
    #[error(
        "the time step is {dt} s: set IntegrationParameters::dt to a finite value that is not negative"
    )]
    BadTimeStep {
        /// The time step \[s\].
        dt: f64,
    },
    /// `IntegrationParameters::length_unit` is no length.
    #[error(
        "length_unit is {length_unit}: it must be positive and finite, the units of length to a metre"
    )]
    BadLengthUnit {
        /// The unit given.
        length_unit: f64,
    },
    /// Gravity has an entry that is not finite.
    #[error("gravity is not finite")]
    BadGravity,
    /// Soft bodies are in the set.
    #[error(
        "{count} soft bodies are in the set: stickslip does not advance soft bodies; remove them or step this world with rapier's own pipeline"
    )]
    SoftBodies {
        /// How many.
        count: usize,
    },
    /// An impulse joint is unusable.
    #[error("impulse joint {joint:?}: {reason}")]
    ImpulseJoint {
        /// The joint.
        joint: ImpulseJointHandle,
        /// What is wrong.
        reason: String,
    },
    /// A multibody joint has exactly two free angular axes.
    #[error(
        "the joint of link {link} (body {body:?}) has two free angular axes: rapier has no universal multibody joint; split it into two revolute joints with a light link between"
    )]
    UniversalJoint {
        /// The link's body.
        body: RigidBodyHandle,
        /// The link's number in its multibody.
        link: usize,
    },
    /// A link of a multibody has locked axes.
    #[error(
        "body {body:?} is a link of a multibody and has locked axes: lock the joint's axes instead"
    )]
    LockedLink {
        /// The link's body.
        body: RigidBodyHandle,
    },
    /// A link other than the root is not dynamic.
    #[error(
        "body {body:?} is link {link} of a multibody but not dynamic: only a root may be fixed or kinematic; make the joint kinematic instead"
    )]
    LinkNotDynamic {
        /// The link's body.
        body: RigidBodyHandle,
        /// The link's number in its multibody.
        link: usize,
    },
    /// A joint couples several of its own axes.
    #[error(
        "the joint of link {link} (body {body:?}) couples its axes: coupled limits and motors are not supported; limit or drive each axis by itself"
    )]
    CoupledAxes {
        /// The link's body.
        body: RigidBodyHandle,
        /// The link's number in its multibody.
        link: usize,
    },
    /// The dynamics of a multibody could not be set up.
    #[error("the multibody rooted at body {body:?}: {reason}")]
    Multibody {
        /// The root's body.
        body: RigidBodyHandle,
        /// What is wrong.
        reason: String,
    },
    /// More colliders overlap than a step could look at.
    #[error(
        "more than {most} pairs of moving colliders overlap: bodies stand in one place; spread them out or keep them apart by collision groups"
    )]
    Crowded {
        /// The most pairs of moving bodies that there may be; of others sixteen times as many.
        most: usize,
    },
    /// A replaced contact set names a body or a value that can't be used.
    #[error("contact {index} of the contact source: {reason}")]
    ContactSource {
        /// Number of the contact in the set.
        index: usize,
        /// What is wrong.
        reason: String,
    },
    /// The contact problem was malformed.
    #[error(transparent)]
    Problem(#[from] ProblemError),
}
