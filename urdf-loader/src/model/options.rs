//! Choices made on reading a robot file.

use std::{collections::BTreeMap, path::PathBuf};

/// What [`RobotModel::from_file`](crate::RobotModel::from_file) may do beyond reading.
#[derive(Debug, Clone, PartialEq)]
pub struct LoadOptions {
    /// Folders that hold packages (or are packages), searched first for `package://`; then
    /// `ROS_PACKAGE_PATH`, `AMENT_PREFIX_PATH` and the folders above the file. Default: none.
    pub package_paths: Vec<PathBuf>,
    /// Whether visual meshes are read or only found. Default: only found.
    pub visual_meshes: VisualMeshes,
    /// What to do about moving links whose inertia is missing or impossible. Default: refuse.
    pub inertia: InertiaPolicy,
    /// Whether slips against the format are repaired. Default: they are, with a note each.
    pub strictness: Strictness,
    /// Values of `$(arg NAME)` in xacro files; they win over the file's defaults. Default: none.
    pub xacro_args: BTreeMap<String, String>,
    /// Factor on every length of the robot, masses kept: positions, shapes, prismatic travel and
    /// speed times `scale`, inertias times `scale^2`. Efforts and dampings stay as they are.
    /// Default: 1.
    pub scale: f64,
    /// A file with `<loop_joint>` elements for this robot, beside those of the file itself.
    /// Default: none.
    pub closures: Option<PathBuf>,
}

impl Default for LoadOptions {
    fn default() -> Self {
        Self {
            package_paths: Vec::new(),
            visual_meshes: VisualMeshes::default(),
            inertia: InertiaPolicy::default(),
            strictness: Strictness::default(),
            xacro_args: BTreeMap::new(),
            scale: 1.0,
            closures: None,
        }
    }
}

/// Whether slips against the format are repaired.
#[derive(Debug, Clone, Copy, Default, PartialEq, Eq)]
pub enum Strictness {
    /// Repair what has one clear meaning and say so in the model's notes.
    #[default]
    Tolerant,
    /// Refuse what [`Strictness::Tolerant`] would repair.
    Strict,
}

/// Whether visual meshes are read.
#[derive(Debug, Clone, Copy, Default, PartialEq, Eq)]
pub enum VisualMeshes {
    /// Resolve the path, leave the file closed.
    #[default]
    PathOnly,
    /// Read the triangles too.
    Load,
}

/// What to do about moving links whose inertia is missing, and about those whose inertia is
/// impossible. Whatever is changed stands in the model's notes.
#[derive(Debug, Clone, Copy, Default, PartialEq)]
pub struct InertiaPolicy {
    /// No mass, or no rotational inertia at all.
    pub missing: MissingInertia,
    /// Not positive definite, or against the triangle inequality.
    pub impossible: ImpossibleInertia,
}

/// What to do about a moving link without mass or without rotational inertia.
#[derive(Debug, Clone, Copy, Default, PartialEq)]
pub enum MissingInertia {
    /// Refuse the file and name the link.
    #[default]
    Refuse,
    /// Take it from the link's collision shapes (visual ones if it has none) at uniform density. A
    /// positive mass of the file is kept.
    FromGeometry {
        /// Density for links without a mass (kg/m^3).
        density: f64,
    },
    /// Turn the joint above into a fixed one: the link moves with its parent.
    MergeIntoParent,
}

/// What to do about a moving link whose inertia no solid has.
#[derive(Debug, Clone, Copy, Default, PartialEq)]
pub enum ImpossibleInertia {
    /// Refuse the file and name the link with its principal moments.
    #[default]
    Refuse,
    /// Keep a positive definite inertia that breaks the triangle inequality. Some published robots
    /// have such links; their equations of motion are well posed, though no solid moves like that.
    /// What is not positive definite is refused.
    Accept,
    /// The nearest inertia (Frobenius norm) that a solid can have; mass and centre of mass stay.
    Nearest,
    /// Take it from the link's shapes at the file's mass.
    FromGeometry {
        /// Density for links whose mass isn't positive (kg/m^3).
        density: f64,
    },
}

impl InertiaPolicy {
    /// Both kinds of faults repaired from the geometry, at one density (kg/m^3).
    pub fn from_geometry(density: f64) -> Self {
        Self {
            missing: MissingInertia::FromGeometry { density },
            impossible: ImpossibleInertia::FromGeometry { density },
        }
    }
}
