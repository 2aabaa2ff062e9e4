//! Choices of [`RobotModel::insert`](crate::RobotModel::insert).

use std::{collections::BTreeMap, path::PathBuf};

use nalgebra::Isometry3;

use crate::assembly::FixedJoints;

/// How a robot is placed in a scene. [`InsertOptions::default`] is a robot at the world's origin,
/// base as [`Base::Auto`] says, joints at zero or the nearest limit, no drives.
#[derive(Debug, Clone, PartialEq)]
pub struct InsertOptions {
    /// Whether the base moves.
    pub base: Base,
    /// Pose of the root link in the world.
    pub pose: Isometry3<f64>,
    /// What becomes of fixed joints.
    pub fixed_joints: FixedJoints,
    /// Initial joint positions by name (rad or m), clamped into the limits. Joints not named start
    /// at zero, or at the nearest limit when zero is outside; mimicking joints follow.
    pub initial: BTreeMap<String, f64>,
    /// A position drive on every joint whose effort limit isn't zero; mimicking joints follow and
    /// get none.
    pub drive: Option<Drive>,
    /// Drives of single joints by name; they win over `drive`.
    pub joint_drives: BTreeMap<String, Drive>,
    /// Which links of the robot may touch each other.
    pub self_collision: SelfCollision,
    /// How mesh shapes collide.
    pub mesh_collision: MeshCollision,
    /// Folder that keeps the results of [`MeshCollision::ConvexParts`] from one run to the next.
    pub mesh_cache: Option<PathBuf>,
    /// Contact behaviour of all colliders.
    pub surface: Surface,
    /// Rotor inertia added to every joint coordinate (kg m^2 or kg); not to the floating base.
    pub armature: f64,
}

impl Default for InsertOptions {
    fn default() -> Self {
        Self {
            base: Base::default(),
            pose: Isometry3::identity(),
            fixed_joints: FixedJoints::default(),
            initial: BTreeMap::new(),
            drive: None,
            joint_drives: BTreeMap::new(),
            self_collision: SelfCollision::default(),
            mesh_collision: MeshCollision::default(),
            mesh_cache: None,
            surface: Surface::default(),
            armature: 0.0,
        }
    }
}

/// Whether the base of the robot moves.
#[derive(Debug, Clone, Copy, Default, PartialEq, Eq)]
pub enum Base {
    /// Fixed if the root link is called `world`, or if it and everything fixed to it has no mass;
    /// floating otherwise. An empty root with the real base fixed to it floats.
    #[default]
    Auto,
    /// Welded to the world.
    Fixed,
    /// Free.
    Floating,
}

/// A spring and damper towards the initial position, limited by the joint's effort:
/// force = stiffness (q_0 - q) - damping v.
#[derive(Debug, Clone, Copy, PartialEq)]
pub struct Drive {
    /// Stiffness (N m/rad or N/m).
    pub stiffness: f64,
    /// Damping (N m s/rad or N s/m).
    pub damping: f64,
}

/// Which links of the robot may touch each other.
#[derive(Debug, Clone, Copy, Default, PartialEq, Eq)]
pub enum SelfCollision {
    /// None.
    Off,
    /// All, neighbours included.
    On,
    /// All but bodies joined by a joint. With merged fixed joints the neighbours are those of the
    /// merged bodies; with kept ones only directly joined links.
    #[default]
    ExcludeAdjacent,
}

/// How mesh shapes collide.
#[derive(Debug, Clone, Copy, Default, PartialEq, Eq)]
pub enum MeshCollision {
    /// As the convex hull of the mesh: solid and fast; hollows are filled.
    #[default]
    ConvexHull,
    /// As the triangles themselves: a thin shell, for static parts with hollows.
    Exact,
    /// As convex parts that leave hollows open (V-HACD). Takes seconds; see
    /// [`InsertOptions::mesh_cache`].
    ConvexParts {
        /// Voxels along the longest side, 8 to 512: what is smaller is filled.
        resolution: u32,
    },
    /// As the box around it, along the axes of the mesh.
    BoundingBox,
}

/// Contact behaviour of all colliders of the robot.
#[derive(Debug, Clone, Copy, PartialEq)]
pub struct Surface {
    /// Coulomb friction coefficient.
    pub friction: f64,
    /// Coefficient of restitution (0..1).
    pub restitution: f64,
}

impl Default for Surface {
    fn default() -> Self {
        Self {
            friction: 0.5,
            restitution: 0.0,
        }
    }
}
