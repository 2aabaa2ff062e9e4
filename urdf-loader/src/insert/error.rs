//! Why a valid model can't be placed as asked.

use thiserror::Error;

use crate::error::UrdfError;
use crate::scan::spelling::nearest;

/// Why [`RobotModel::insert`](crate::RobotModel::insert) refuses. The sets are untouched then,
/// except after [`InsertError::Engine`].
#[derive(Debug, Clone, Error, PartialEq)]
pub enum InsertError {
    /// The base shall float but can't.
    #[error("the base can't float: {0}; or insert the robot with a fixed base")]
    Base(UrdfError),
    /// An option names a joint that isn't there.
    #[error(
        "robot `{robot}`: {what} names joint `{joint}`, which is not there; {}",
        meant(joint, known)
    )]
    UnknownJoint {
        /// The robot.
        robot: String,
        /// Which option.
        what: &'static str,
        /// The name given.
        joint: String,
        /// Joints with one coordinate.
        known: Vec<String>,
    },
    /// An option with a value that can't be.
    #[error("robot `{robot}`: {what} = {value} is not {wanted}")]
    BadOption {
        /// The robot.
        robot: String,
        /// Which option.
        what: String,
        /// Its value.
        value: f64,
        /// What is expected.
        wanted: &'static str,
    },
    /// A collision mesh without a usable shape.
    #[error("robot `{robot}`, link `{link}`: collision {index}: {reason}")]
    Shape {
        /// The robot.
        robot: String,
        /// The link.
        link: String,
        /// Which collision shape, counted from 1.
        index: usize,
        /// What to do.
        reason: String,
    },
    /// Fewer or more colliders than the file declares.
    #[error(
        "robot `{robot}`: {declared} collision shapes declared but {loaded} colliders made; this is a defect of the loader, please report it"
    )]
    ColliderCount {
        /// The robot.
        robot: String,
        /// Shapes in the file.
        declared: usize,
        /// Colliders made.
        loaded: usize,
    },
    /// The engine refused a joint between two bodies made for it.
    #[error("robot `{robot}`: the engine refused joint `{joint}`")]
    Engine {
        /// The robot.
        robot: String,
        /// The joint.
        joint: String,
    },
}

/// The known name that a misspelt one is nearest to, else all of them.
fn meant(name: &str, known: &[String]) -> String {
    let names: Vec<&str> = known.iter().map(String::as_str).collect();
    match nearest(name, &names) {
        Some(near) => format!("did you mean `{near}`?"),
        None => format!("joints that move: {}", names.join(", ")),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    /// A misspelt joint of a robot with many names the nearest one; an unlike name, those there are.
    #[test]
    fn a_misspelt_joint_names_the_nearest() {
        let error = |joint: &str| InsertError::UnknownJoint {
            robot: "arm".to_owned(),
            what: "the initial configuration",
            joint: joint.to_owned(),
            known: ["shoulder", "elbow", "wrist"].map(str::to_owned).into(),
        };
        let near = error("elbwo").to_string();
        assert!(near.ends_with("did you mean `elbow`?"), "{near}");
        let far = error("neck").to_string();
        assert!(
            far.ends_with("joints that move: shoulder, elbow, wrist"),
            "{far}"
        );
    }
}
