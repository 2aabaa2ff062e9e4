//! The robot as its file describes it: validated, engine-neutral, f64, SI units.

use std::{
    path::{Path, PathBuf},
    sync::Arc,
};

use nalgebra::{Isometry3, Matrix3, Point3, Unit, Vector3};

use crate::{error::UrdfError, mesh::TriMesh, read};

/// What [`RobotModel::from_file`] may do beyond reading.
#[derive(Debug, Clone, Default)]
pub struct LoadOptions {
    /// Folders that hold packages (or are packages), searched first for `package://`.
    pub package_paths: Vec<PathBuf>,
    /// Whether visual meshes are read or only found.
    pub visual_meshes: VisualMeshes,
    /// What to do about a moving link whose inertia is missing or impossible.
    pub inertia: InertiaPolicy,
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

/// What to do about a moving link whose inertia is missing, zero or impossible.
#[derive(Debug, Clone, Copy, Default, PartialEq)]
pub enum InertiaPolicy {
    /// Refuse the file and name the link.
    #[default]
    Refuse,
    /// Keep a positive definite inertia that breaks the triangle inequality, with a warning per
    /// link. Some published robots have such links; their equations of motion are well posed,
    /// though no solid moves like that. Missing or indefinite inertias are refused.
    AcceptImpossible,
    /// Take it from the link's collision shapes (visual ones if it has none) at uniform density,
    /// and say so in the warnings. A positive mass of the file is kept.
    FromGeometry {
        /// Density for links without a mass (kg/m^3).
        density: f64,
    },
}

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
    /// What the loader tolerated, dropped or changed, in words.
    pub warnings: Vec<String>,
}

/// A rigid part in its own axes (the URDF link frame).
#[derive(Debug, Clone, PartialEq)]
pub struct Link {
    /// Unique name.
    pub name: String,
    /// Mass properties; `None` when the file gives none or all zeros.
    pub inertial: Option<Inertial>,
    /// Shapes to draw.
    pub visuals: Vec<Shape>,
    /// Shapes that collide.
    pub collisions: Vec<Shape>,
}

/// Mass properties in link axes.
#[derive(Debug, Clone, Copy, PartialEq)]
pub struct Inertial {
    /// Mass (kg).
    pub mass: f64,
    /// Centre of mass in the link frame (m).
    pub com: Vector3<f64>,
    /// Inertia about the centre of mass, link axes (kg m^2).
    pub inertia: Matrix3<f64>,
}

/// A shape placed on a link.
#[derive(Debug, Clone, PartialEq)]
pub struct Shape {
    /// Optional name of the element.
    pub name: Option<String>,
    /// Pose of the shape in the link frame.
    pub origin: Isometry3<f64>,
    /// What it is.
    pub geometry: Geometry,
    /// Colour of a visual (r, g, b, a in 0..1), its material's if that is named.
    pub color: Option<[f64; 4]>,
}

/// Shapes a robot file may use. Axes of cylinder and capsule: z.
#[derive(Debug, Clone, PartialEq)]
pub enum Geometry {
    /// A box, centred.
    Box {
        /// Edge lengths (m).
        size: Vector3<f64>,
    },
    /// A sphere, centred.
    Sphere {
        /// Radius (m).
        radius: f64,
    },
    /// A cylinder, centred.
    Cylinder {
        /// Radius (m).
        radius: f64,
        /// Length (m).
        length: f64,
    },
    /// A capsule, centred (an extension of URDF).
    Capsule {
        /// Radius (m).
        radius: f64,
        /// Length of the cylindrical part, without the caps (m).
        length: f64,
    },
    /// A triangle mesh.
    Mesh(MeshRef),
}

/// A mesh file and, if read, its triangles.
#[derive(Debug, Clone, PartialEq)]
pub struct MeshRef {
    /// The reference as written.
    pub uri: String,
    /// The file; `None` only for a visual mesh that wasn't found.
    pub path: Option<PathBuf>,
    /// Scale per axis, applied to `mesh` by [`MeshRef::scaled`].
    pub scale: Vector3<f64>,
    /// Triangles before scaling, shared between links that use the same file.
    pub mesh: Option<Arc<TriMesh>>,
}

impl MeshRef {
    /// Triangles in metres with the scale applied; `None` if the file wasn't read.
    pub fn scaled(&self) -> Option<TriMesh> {
        self.mesh.as_ref().map(|m| m.scaled(&self.scale))
    }
}

/// How a joint moves.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash)]
pub enum JointKind {
    /// Not at all.
    Fixed,
    /// About its axis, within limits (rad).
    Revolute,
    /// About its axis, without position limits (rad).
    Continuous,
    /// Along its axis (m).
    Prismatic,
    /// About any axis (an extension of URDF).
    Spherical,
    /// Freely; only between an empty root link and the robot's real base.
    Floating,
}

impl JointKind {
    /// Number of velocity coordinates.
    pub fn dofs(self) -> usize {
        match self {
            Self::Fixed => 0,
            Self::Revolute | Self::Continuous | Self::Prismatic => 1,
            Self::Spherical => 3,
            Self::Floating => 6,
        }
    }
}

/// A joint between two links.
#[derive(Debug, Clone, PartialEq)]
pub struct Joint {
    /// Unique name.
    pub name: String,
    /// How it moves.
    pub kind: JointKind,
    /// Index of the parent link.
    pub parent: usize,
    /// Index of the child link.
    pub child: usize,
    /// Pose of the joint frame (and of the child link at zero) in the parent link frame.
    pub origin: Isometry3<f64>,
    /// Axis in the joint frame.
    pub axis: Unit<Vector3<f64>>,
    /// Position limits (rad or m).
    pub limits: Option<Limits>,
    /// Largest force or torque of a drive (N or N m); `None` if not stated. Zero means undriven.
    pub effort: Option<f64>,
    /// Speed limit (rad/s or m/s); `None` if not stated or zero. Kept for controllers.
    pub velocity: Option<f64>,
    /// Viscous damping (N m s/rad or N s/m).
    pub damping: f64,
    /// Dry friction (N m or N).
    pub friction: f64,
    /// The joint this one follows.
    pub mimic: Option<Mimic>,
}

/// A closed interval of joint positions (rad or m).
#[derive(Debug, Clone, Copy, PartialEq)]
pub struct Limits {
    /// Lower bound.
    pub lower: f64,
    /// Upper bound, at least `lower`.
    pub upper: f64,
}

impl Limits {
    /// The point of the interval nearest to `q`.
    pub fn clamp(&self, q: f64) -> f64 {
        q.max(self.lower).min(self.upper)
    }
}

/// `q = multiplier * q[joint] + offset`.
#[derive(Debug, Clone, Copy, PartialEq)]
pub struct Mimic {
    /// Index of the joint followed.
    pub joint: usize,
    /// Ratio.
    pub multiplier: f64,
    /// Offset (rad or m).
    pub offset: f64,
}

/// The result of [`diagnose`]: the model, if there is one, and everything found on the way.
#[derive(Debug, Clone)]
pub struct Diagnosis {
    /// The robot, when nothing is wrong.
    pub model: Option<RobotModel>,
    /// Everything wrong, in the order found. A file that doesn't parse has one entry.
    pub errors: Vec<UrdfError>,
    /// Everything tolerated, dropped or changed.
    pub warnings: Vec<String>,
}

/// Reads a robot file and lists everything wrong with it, not just the first thing.
pub fn diagnose(path: &Path, options: &LoadOptions) -> Diagnosis {
    match read::file(path) {
        Ok(text) => read::robot(&text, path, options),
        Err(error) => Diagnosis {
            model: None,
            errors: vec![error],
            warnings: Vec::new(),
        },
    }
}

impl RobotModel {
    /// Reads and validates a URDF file with the meshes of its collision shapes.
    ///
    /// # Errors
    /// The first thing wrong, with file and element ([`diagnose`] lists all).
    pub fn from_file(path: &Path, options: &LoadOptions) -> Result<Self, UrdfError> {
        Self::from_urdf(&read::file(path)?, path, options)
    }

    /// The same from text. `file` names it in messages and is where relative paths start.
    ///
    /// # Errors
    /// As [`RobotModel::from_file`].
    pub fn from_urdf(text: &str, file: &Path, options: &LoadOptions) -> Result<Self, UrdfError> {
        let found = read::robot(text, file, options);
        match (found.model, found.errors.into_iter().next()) {
            (_, Some(error)) => Err(error),
            (Some(model), None) => Ok(model),
            (None, None) => Err(UrdfError::NoLinks { file: file.into() }),
        }
    }

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
        self.links
            .iter()
            .filter_map(|l| l.inertial)
            .map(|i| i.mass)
            .sum()
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

impl Joint {
    /// Pose of the child link in the joint frame at position `q`.
    pub fn motion(&self, q: f64) -> Isometry3<f64> {
        match self.kind {
            JointKind::Revolute | JointKind::Continuous => {
                Isometry3::rotation(self.axis.into_inner() * q)
            }
            JointKind::Prismatic => {
                let t = self.axis.into_inner() * q;
                Isometry3::translation(t.x, t.y, t.z)
            }
            JointKind::Fixed | JointKind::Spherical | JointKind::Floating => Isometry3::identity(),
        }
    }
}

impl Inertial {
    /// The same properties seen from a frame in which this one has pose `x`:
    /// com' = x com, I' = R I R^T.
    pub fn moved(&self, x: &Isometry3<f64>) -> Self {
        let r = x.rotation.to_rotation_matrix();
        Self {
            mass: self.mass,
            com: (x * Point3::from(self.com)).coords,
            inertia: r * self.inertia * r.transpose(),
        }
    }

    /// Two rigidly joined parts as one, by the parallel axis theorem
    /// I = sum I_i + m_i (|d_i|^2 1 - d_i d_i^T), d_i from the common centre of mass.
    pub fn joined(&self, other: &Self) -> Self {
        let mass = self.mass + other.mass;
        if mass == 0.0 {
            return Self {
                inertia: self.inertia + other.inertia,
                ..*self
            };
        }
        let com = (self.com * self.mass + other.com * other.mass) / mass;
        let about = |p: &Self| {
            let d = p.com - com;
            p.inertia + (Matrix3::identity() * d.norm_squared() - d * d.transpose()) * p.mass
        };
        Self {
            mass,
            com,
            inertia: about(self) + about(other),
        }
    }
}
