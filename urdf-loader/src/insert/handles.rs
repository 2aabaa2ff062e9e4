//! Where the parts of an inserted robot are.

use rapier::{
    dynamics::{
        ImpulseJointHandle, JointAxis, MultibodyIndex, MultibodyJointSet, RigidBodyHandle,
        RigidBodySet,
    },
    geometry::ColliderHandle,
    math::{Pose, Real},
};

use super::options::{Base, Drive};
use crate::model::{JointKind, Limits};

/// Where the parts of an inserted robot are.
#[derive(Debug, Clone)]
pub struct RobotHandles {
    /// Name of the robot.
    pub name: String,
    /// Body of the base.
    pub root: RigidBodyHandle,
    /// What the base became: [`Base::Fixed`] or [`Base::Floating`].
    pub base: Base,
    /// The multibody; `None` when the robot is a single rigid body.
    pub multibody: Option<MultibodyIndex>,
    /// Rigid bodies of the robot, parents first (the order of multibody links).
    pub bodies: Vec<RigidBodyHandle>,
    /// Links in the order of the model.
    pub links: Vec<LinkHandle>,
    /// Joints in the order of the model.
    pub joints: Vec<JointHandle>,
    /// Joints that close loops, in the order of the model; those within one rigid body are left
    /// out.
    pub closures: Vec<ClosureHandle>,
    /// Joints that hold nothing and keep a pair of bodies from touching.
    pub filters: Vec<ImpulseJointHandle>,
    /// What was changed or can't be honoured, in words.
    pub warnings: Vec<String>,
}

/// A link of the file in the scene.
#[derive(Debug, Clone)]
pub struct LinkHandle {
    /// Its name.
    pub name: String,
    /// The body it is part of.
    pub body: RigidBodyHandle,
    /// Its pose in that body's frame.
    pub offset: Pose,
    /// Its colliders, as many as the file declares for it, in that order.
    pub colliders: Vec<ColliderHandle>,
}

/// A joint of the file in the scene.
#[derive(Debug, Clone)]
pub struct JointHandle {
    /// Its name.
    pub name: String,
    /// How it moves.
    pub kind: JointKind,
    /// Body of its child link.
    pub body: RigidBodyHandle,
    /// Coordinates in the multibody; `None` for fixed (merged) joints.
    pub coordinates: Option<Coordinates>,
    /// Position limits (rad or m).
    pub limits: Option<Limits>,
    /// Effort limit (N m or N); `None` if the file states none.
    pub effort: Option<f64>,
    /// Speed limit (rad/s or m/s), for controllers; see [`RobotHandles::keep_speed_limits`].
    pub velocity: Option<f64>,
    /// Initial coordinates, as [`Joint::motion_of`](crate::Joint::motion_of) takes them: one for
    /// most joints (rad or m), none for fixed ones.
    pub initial: Vec<f64>,
    /// Drives towards them, one per coordinate; empty without.
    pub drives: Vec<Drive>,
}

/// A closed loop in the scene.
#[derive(Debug, Clone, PartialEq)]
pub struct ClosureHandle {
    /// Its name (may be empty).
    pub name: String,
    /// What it leaves free.
    pub kind: JointKind,
    /// The joint that closes it.
    pub joint: ImpulseJointHandle,
}

/// Which coordinates of the multibody a joint owns.
#[derive(Debug, Clone, Copy, PartialEq)]
pub struct Coordinates {
    /// Link id in the multibody.
    pub link_id: usize,
    /// Index of the first coordinate in the generalized vectors.
    pub first: usize,
    /// Number of coordinates: 1, 3 if planar or spherical, 6 if floating.
    pub count: usize,
    /// The first free axis, the only one of a joint with one coordinate.
    pub axis: JointAxis,
}

impl RobotHandles {
    /// A link by name.
    pub fn link(&self, name: &str) -> Option<&LinkHandle> {
        self.links.iter().find(|l| l.name == name)
    }

    /// A joint by name.
    pub fn joint(&self, name: &str) -> Option<&JointHandle> {
        self.joints.iter().find(|j| j.name == name)
    }

    /// Number of colliders.
    pub fn collider_count(&self) -> usize {
        self.links.iter().map(|l| l.colliders.len()).sum()
    }
}

impl LinkHandle {
    /// Pose of the link in the world; `None` when its body has been removed.
    pub fn pose(&self, bodies: &RigidBodySet) -> Option<Pose> {
        bodies.get(self.body).map(|b| b.position() * self.offset)
    }
}

impl JointHandle {
    /// Position of a joint with one coordinate (rad or m).
    pub fn position(&self, joints: &MultibodyJointSet) -> Option<Real> {
        let c = self.coordinates.filter(|c| c.count == 1)?;
        let multibody = joints.get_multibody(joints.rigid_body_link(self.body)?.multibody)?;
        Some(multibody.link(c.link_id)?.joint().coords()[c.axis as usize])
    }

    /// Velocity of a joint with one coordinate (rad/s or m/s).
    pub fn velocity_now(&self, joints: &MultibodyJointSet) -> Option<Real> {
        let c = self.coordinates.filter(|c| c.count == 1)?;
        let multibody = joints.get_multibody(joints.rigid_body_link(self.body)?.multibody)?;
        multibody.generalized_velocity().get(c.first).copied()
    }
}
