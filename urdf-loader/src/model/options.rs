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
    /// What to do about collision meshes that aren't found or can't be read. Default: refuse the file. A visual mesh
    /// is never a reason to refuse it.
    pub missing_mesh: MissingMesh,
    /// What to do about moving links whose inertia is missing or impossible. Default: repair.
    pub inertia: InertiaPolicy,
    /// Whether what is wrong in the file is repaired. Default: it is, with a note each.
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
            missing_mesh: MissingMesh::default(),
            inertia: InertiaPolicy::default(),
            strictness: Strictness::default(),
            xacro_args: BTreeMap::new(),
            scale: 1.0,
            closures: None,
        }
    }
}

/// Whether what is wrong in a file is repaired: slips against the format, limits the wrong way round, a parent
/// `world` that isn't declared, joints that follow none, and inertias as [`InertiaPolicy`] says.
#[derive(Debug, Clone, Copy, Default, PartialEq, Eq)]
pub enum Strictness {
    /// Repair it and say so in the model's notes.
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

/// What to do about collision meshes that can't be had.
#[derive(Debug, Clone, Copy, Default, PartialEq, Eq)]
pub enum MissingMesh {
    /// Refuse the file and name link and mesh.
    #[default]
    Refuse,
    /// Leave the shape out: the link collides with what else it has. Stands in the model's notes.
    Skip,
    /// A box in their place, one per link, noted: around the link's visual shapes where they can be had, else the
    /// uniform one with its mass and inertia; where there is neither, the shape is left out.
    Box,
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

/// Density of links whose mass the file doesn't give (kg/m^3): water.
pub const DENSITY: f64 = 1000.0;

/// What to do about a moving link without mass or without rotational inertia.
#[derive(Debug, Clone, Copy, PartialEq)]
pub enum MissingInertia {
    /// Whatever it takes, so that every joint of the file can move; under [`Strictness::Strict`] as
    /// `Refuse`. A positive mass of the file is kept. In this order:
    ///
    /// 1. from the link's collision shapes (visual ones if it has none) at uniform density, a mesh
    ///    that encloses no volume as the box around it;
    /// 2. without shapes, as a solid ball of that density and of the file's mass;
    /// 3. without a mass either, as a ball of a thousandth of the mass that the link carries, or of
    ///    the robot's where it carries none.
    ///
    /// A base without mass is left alone: it stands still.
    Repair {
        /// Density (kg/m^3).
        density: f64,
    },
    /// Refuse the file and name the link.
    Refuse,
    /// Take it from the link's collision shapes (visual ones if it has none) at uniform density;
    /// refuse the file where they don't give it. A positive mass of the file is kept.
    FromGeometry {
        /// Density for links without a mass (kg/m^3).
        density: f64,
    },
    /// Turn the joint above into a fixed one: the link moves with its parent.
    MergeIntoParent,
}

impl Default for MissingInertia {
    fn default() -> Self {
        Self::Repair { density: DENSITY }
    }
}

/// What to do about a moving link whose inertia no solid has.
#[derive(Debug, Clone, Copy, Default, PartialEq)]
pub enum ImpossibleInertia {
    /// As `Nearest`; under [`Strictness::Strict`] as `Refuse`.
    #[default]
    Repair,
    /// Refuse the file and name the link with its principal moments.
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

    /// Nothing repaired: a moving link with a missing or impossible inertia is refused.
    pub fn refuse() -> Self {
        Self {
            missing: MissingInertia::Refuse,
            impossible: ImpossibleInertia::Refuse,
        }
    }

    /// The densities it names (kg/m^3).
    pub(crate) fn densities(&self) -> impl Iterator<Item = f64> {
        let missing = match self.missing {
            MissingInertia::Repair { density } | MissingInertia::FromGeometry { density } => {
                Some(density)
            }
            MissingInertia::Refuse | MissingInertia::MergeIntoParent => None,
        };
        let impossible = match self.impossible {
            ImpossibleInertia::FromGeometry { density } => Some(density),
            _ => None,
        };
        missing.into_iter().chain(impossible)
    }

    /// What the default repairs come to under a strictness.
    pub(crate) fn under(self, strictness: Strictness) -> Self {
        let strict = strictness == Strictness::Strict;
        Self {
            missing: match self.missing {
                MissingInertia::Repair { .. } if strict => MissingInertia::Refuse,
                other => other,
            },
            impossible: match self.impossible {
                ImpossibleInertia::Repair if strict => ImpossibleInertia::Refuse,
                other => other,
            },
        }
    }
}
