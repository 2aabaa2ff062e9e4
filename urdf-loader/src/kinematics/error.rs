//! Why kinematics can't answer.

use thiserror::Error;

/// Why [`RobotModel::k_chain`](crate::RobotModel::k_chain) or
/// [`RobotModel::ik`](crate::RobotModel::ik) refuses, or how far from the target it stayed.
#[derive(Debug, Clone, Error, PartialEq)]
#[non_exhaustive]
pub enum KinematicsError {
    /// A link that isn't there.
    #[error("robot `{robot}` has no link `{link}`")]
    UnknownLink {
        /// The robot.
        robot: String,
        /// The name given.
        link: String,
    },
    /// A start position for a joint that isn't there or has no single coordinate.
    #[error(
        "robot `{robot}`: the start names joint `{joint}`, which has no position to start from"
    )]
    UnknownJoint {
        /// The robot.
        robot: String,
        /// The name given.
        joint: String,
    },
    /// A number that can't be.
    #[error("robot `{robot}`: {what} = {value} is not {wanted}")]
    BadNumber {
        /// The robot.
        robot: String,
        /// What.
        what: String,
        /// Its value.
        value: f64,
        /// What is expected.
        wanted: &'static str,
    },
    /// Limits that cross or a pose with a number that isn't finite: only after the model was
    /// changed by hand.
    #[error("robot `{robot}`, joint `{joint}`: {reason}")]
    BadJoint {
        /// The robot.
        robot: String,
        /// The joint.
        joint: String,
        /// What is wrong.
        reason: &'static str,
    },
    /// More joints below each other than `k` can hold.
    #[error("robot `{robot}`: {joints} joints below each other are more than {most}")]
    TooDeep {
        /// The robot.
        robot: String,
        /// Joints on the longest way from the root.
        joints: usize,
        /// The most there may be.
        most: usize,
    },
    /// Fewer joints that can move than directions to hold.
    #[error(
        "robot `{robot}`, link `{link}`: {joints} independent joints can't hold {held} directions; \
         hold fewer of them (IkTarget::held)"
    )]
    TooFewJoints {
        /// The robot.
        robot: String,
        /// The link.
        link: String,
        /// Joints between root and link with one coordinate that neither follow nor lead another
        /// joint on the way.
        joints: usize,
        /// Directions held.
        held: usize,
    },
    /// The target was not reached from any start.
    #[error(
        "robot `{robot}`, link `{link}`: not reached from {tries} starts; the nearest ended \
         {distance} m and {angle} rad away"
    )]
    NotReached {
        /// The robot.
        robot: String,
        /// The link.
        link: String,
        /// Distance left in the held directions (m).
        distance: f64,
        /// Angle left about the held directions (rad).
        angle: f64,
        /// Starts tried.
        tries: usize,
    },
}
