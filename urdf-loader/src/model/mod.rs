//! The robot as its file describes it: validated, engine-neutral, f64, SI units.

mod closure;
mod drive;
mod joint;
mod link;
mod note;
mod options;

use std::path::PathBuf;

use nalgebra::Isometry3;

pub use closure::Closure;
pub use drive::{Actuator, Calibration, SafetyController, Transmission};
pub(crate) use joint::axis_turn;
pub use joint::{Joint, JointKind, Limits, Mimic};
pub use link::{Geometry, Inertial, Link, MeshRef, Shape};
pub use note::{Note, NoteKind};
pub use options::{
    DENSITY, ImpossibleInertia, InertiaPolicy, LoadOptions, MissingInertia, MissingMesh,
    Strictness, VisualMeshes,
};

use crate::error::UrdfError;

/// A validated robot: a tree of links joined by joints.
///
/// Links are in depth-first order from the root, siblings as in the file. `joints[i]` is the joint
/// above `links[i + 1]`, so there is one joint less than links and a parent always precedes its
/// children.
#[derive(Debug, Clone, PartialEq)]
pub struct RobotModel {
    /// Name of the robot (may be empty).
    pub name: String,
    /// The file it came from.
    pub file: PathBuf,
    /// Links, root first.
    pub links: Vec<Link>,
    /// Joints; `joints[i].child == i + 1`.
    pub joints: Vec<Joint>,
    /// How its inertias were judged.
    pub inertia_policy: InertiaPolicy,
    /// Motors of the file.
    pub transmissions: Vec<Transmission>,
    /// Joints that close loops.
    pub closures: Vec<Closure>,
    /// What the loader repaired, ignored, assumed or changed, in the order found.
    pub notes: Vec<Note>,
}

/// The result of [`diagnose`](crate::diagnose): the model, if there is one, and everything found on the way.
#[derive(Debug, Clone)]
pub struct Diagnosis {
    /// The robot, when nothing is wrong.
    pub model: Option<RobotModel>,
    /// Everything wrong, in the order found. A file that doesn't parse has one entry.
    pub errors: Vec<UrdfError>,
    /// Everything repaired, ignored, assumed or changed.
    pub notes: Vec<Note>,
}

impl RobotModel {
    /// Index of a link by name.
    pub fn link_index(&self, name: &str) -> Option<usize> {
        self.links.iter().position(|l| l.name == name)
    }

    /// Index of a joint by name.
    pub fn joint_index(&self, name: &str) -> Option<usize> {
        self.joints.iter().position(|j| j.name == name)
    }

    /// The joint above a link; `None` for the root.
    pub fn joint_above(&self, link: usize) -> Option<&Joint> {
        link.checked_sub(1).and_then(|i| self.joints.get(i))
    }

    /// Total mass (kg).
    pub fn mass(&self) -> f64 {
        let inertials = self.links.iter().filter_map(|l| l.inertial);
        // From 0: the sum of no numbers is -0.
        inertials.map(|i| i.mass).fold(0.0, |sum, m| sum + m)
    }

    /// Inertia of the rotors that drive a joint, as the joint feels it (kg m^2 or kg): the sum of
    /// reduction^2 I over the motors of its transmissions. `None` where the file gives none.
    ///
    /// Only transmissions that drive this joint alone count: how a coupled one spreads its rotors
    /// isn't in the file.
    pub fn reflected_inertia(&self, joint: usize) -> Option<f64> {
        let own = self.transmissions.iter().filter(|t| t.joints == [joint]);
        own.flat_map(|t| &t.actuators)
            .filter_map(Actuator::reflected_inertia)
            .reduce(|a, b| a + b)
    }

    /// Collision shapes declared in the file.
    pub fn collision_count(&self) -> usize {
        self.links.iter().map(|l| l.collisions.len()).sum()
    }

    /// Poses of all links in the root link's frame when the joints stand at `positions` (one value
    /// per joint, ignored for fixed, spherical and floating ones, which stay at zero).
    pub fn link_poses(&self, positions: &[f64]) -> Vec<Isometry3<f64>> {
        let mut poses = vec![Isometry3::identity(); self.links.len()];
        for (i, joint) in self.joints.iter().enumerate() {
            let q = positions.get(i).copied().unwrap_or(0.0);
            poses[joint.child] = poses[joint.parent] * joint.origin * joint.motion(q);
        }
        poses
    }
}
