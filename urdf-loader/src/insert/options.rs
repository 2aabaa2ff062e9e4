//! Choices made on placing a robot.

use std::{collections::BTreeMap, path::PathBuf};

use nalgebra::Isometry3;

use crate::{assembly::FixedJoints, srdf::Srdf};

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
    /// Initial positions of joints with one coordinate by name (rad or m), clamped into the limits.
    /// Joints not named start at zero, or at the nearest limit when zero is outside; mimicking
    /// joints follow, and the joints they follow stay where they can.
    pub initial: BTreeMap<String, f64>,
    /// Initial coordinates of planar, spherical and floating joints by name, as
    /// [`Joint::motion_of`](crate::Joint::motion_of) takes them. Joints not named start at zero.
    pub initial_coordinates: BTreeMap<String, Vec<f64>>,
    /// A position drive on every joint with one coordinate whose effort limit isn't zero; mimicking
    /// joints follow and get none.
    pub drive: Option<Drive>,
    /// Drives of single joints by name; they win over `drive`.
    pub joint_drives: BTreeMap<String, Drive>,
    /// Drives with gains that suit each joint, on every joint that has none from `drive` or
    /// `joint_drives`; planar and spherical ones too, mimicking ones not.
    pub hold: Option<Hold>,
    /// Whether drives honour the file's effort limits.
    pub effort: EffortLimits,
    /// Which links of the robot may touch each other.
    pub self_collision: SelfCollision,
    /// What the robot's maker says beside the file: pairs of links that don't touch, whatever
    /// `self_collision` says, and rotors for `rotor_inertia`. Its poses are for `initial`, see
    /// [`Srdf::state`].
    pub srdf: Option<Srdf>,
    /// How mesh shapes collide.
    pub mesh_collision: MeshCollision,
    /// Folder that keeps the results of [`MeshCollision::ConvexParts`] from one run to the next.
    pub mesh_cache: Option<PathBuf>,
    /// Contact behaviour of all colliders.
    pub surface: Surface,
    /// Rotor inertia added to every joint coordinate (kg m^2 or kg); not to the floating base.
    pub armature: f64,
    /// The same for single joints by name; it wins over `armature`.
    pub joint_armature: BTreeMap<String, f64>,
    /// Whether the rotor inertias of the file's `<transmission>`s and of `srdf` count.
    pub rotor_inertia: RotorInertia,
}

impl Default for InsertOptions {
    fn default() -> Self {
        Self {
            base: Base::default(),
            pose: Isometry3::identity(),
            fixed_joints: FixedJoints::default(),
            initial: BTreeMap::new(),
            initial_coordinates: BTreeMap::new(),
            drive: None,
            joint_drives: BTreeMap::new(),
            hold: None,
            effort: EffortLimits::default(),
            self_collision: SelfCollision::default(),
            srdf: None,
            mesh_collision: MeshCollision::default(),
            mesh_cache: None,
            surface: Surface::default(),
            armature: 0.0,
            joint_armature: BTreeMap::new(),
            rotor_inertia: RotorInertia::default(),
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

/// Whether the rotor inertias of the files are added to the joints they drive, as reduction^2 times
/// the rotor's own.
#[derive(Debug, Clone, Copy, Default, PartialEq, Eq)]
pub enum RotorInertia {
    /// They are not.
    #[default]
    Ignore,
    /// They are, on top of any armature.
    Add,
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
    /// All but bodies joined by a joint and bodies that overlap, or touch (within 0.1 mm), at the
    /// initial configuration.
    ExcludeOverlapping,
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

/// A spring and damper towards the initial position, limited by the joint's effort:
/// force = stiffness (q_0 - q) - damping v.
#[derive(Debug, Clone, Copy, PartialEq)]
pub struct Drive {
    /// Stiffness (N m/rad or N/m).
    pub stiffness: f64,
    /// Damping (N m s/rad or N s/m).
    pub damping: f64,
}

/// A [`Drive`] in terms of what it holds: stiffness = I w^2, damping = 2 z I w, where I is the
/// inertia (kg m^2 or kg) that the joint moves along each of its coordinates at the initial
/// configuration: that of everything below the joint, or of the rest of a floating robot if that is
/// larger, as when it stands on its feet. The larger side swings with frequency w, the
/// smaller one follows faster and is damped more. Gravity moves a mass at distance r from the axis
/// by g/(r w^2) at most.
#[derive(Debug, Clone, Copy, PartialEq)]
pub struct Hold {
    /// Frequency w (rad/s).
    pub frequency: f64,
    /// Damping ratio z; 1 is critical.
    pub damping_ratio: f64,
}

impl Default for Hold {
    /// 30 rad/s, critically damped.
    fn default() -> Self {
        Self {
            frequency: 30.0,
            damping_ratio: 1.0,
        }
    }
}

/// Whether drives honour the effort limits of the file.
#[derive(Debug, Clone, Copy, Default, PartialEq, Eq)]
pub enum EffortLimits {
    /// They do; a limit of zero means no drive.
    #[default]
    File,
    /// Drives are as strong as it takes.
    Unlimited,
}
