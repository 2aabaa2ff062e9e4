//! Joints: how they move, and everything a file says about their drives.

use nalgebra::{Isometry3, Translation3, Unit, UnitQuaternion, Vector3};

use super::{Calibration, SafetyController};

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
    /// In the plane across its axis, and about the axis: two translations (m), one angle (rad).
    Planar,
    /// About any axis (an extension of URDF).
    Spherical,
    /// Freely. Between an empty root link and the robot's real base it says that the base floats.
    Floating,
}

impl JointKind {
    /// The word for it in a robot file.
    pub fn word(self) -> &'static str {
        match self {
            Self::Fixed => "fixed",
            Self::Revolute => "revolute",
            Self::Continuous => "continuous",
            Self::Prismatic => "prismatic",
            Self::Planar => "planar",
            Self::Spherical => "spherical",
            Self::Floating => "floating",
        }
    }

    /// Number of velocity coordinates.
    pub fn dofs(self) -> usize {
        match self {
            Self::Fixed => 0,
            Self::Revolute | Self::Continuous | Self::Prismatic => 1,
            Self::Planar | Self::Spherical => 3,
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
    /// Acceleration limit of URDF 1.2 (rad/s^2 or m/s^2). Kept for controllers.
    pub acceleration: Option<f64>,
    /// Deceleration limit of URDF 1.2 (rad/s^2 or m/s^2). Kept for controllers.
    pub deceleration: Option<f64>,
    /// Jerk limit of URDF 1.2 (rad/s^3 or m/s^3). Kept for controllers.
    pub jerk: Option<f64>,
    /// Viscous damping (N m s/rad or N s/m).
    pub damping: f64,
    /// Dry friction (N m or N).
    pub friction: f64,
    /// The joint this one follows.
    pub mimic: Option<Mimic>,
    /// Soft limits of a controller.
    pub safety: Option<SafetyController>,
    /// Reference positions.
    pub calibration: Option<Calibration>,
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

impl Joint {
    /// Pose of the child link in the joint frame at position `q` of a joint with one coordinate;
    /// other joints stand at zero.
    pub fn motion(&self, q: f64) -> Isometry3<f64> {
        let own = [q];
        self.motion_of(if self.kind.dofs() == 1 { &own } else { &[] })
    }

    /// Pose of the child link in the joint frame at the joint's own coordinates; missing ones are 0.
    ///
    /// - revolute, continuous: angle about the axis (rad); prismatic: travel along it (m);
    /// - planar: travel along x and y of the plane (m), angle about the axis (rad). The plane's x, y
    ///   and normal are the x, y and z axes turned by [`Joint::axis_turn`];
    /// - spherical: rotation vector (rad); floating: translation (m), then rotation vector (rad).
    pub fn motion_of(&self, q: &[f64]) -> Isometry3<f64> {
        let at = |i: usize| q.get(i).copied().unwrap_or(0.0);
        let triple = |i: usize| Vector3::new(at(i), at(i + 1), at(i + 2));
        match self.kind {
            JointKind::Fixed => Isometry3::identity(),
            JointKind::Revolute | JointKind::Continuous => {
                Isometry3::rotation(self.axis.into_inner() * at(0))
            }
            JointKind::Prismatic => Translation3::from(self.axis.into_inner() * at(0)).into(),
            JointKind::Planar => {
                let shift = self.axis_turn() * Vector3::new(at(0), at(1), 0.0);
                Isometry3::new(shift, self.axis.into_inner() * at(2))
            }
            JointKind::Spherical => Isometry3::rotation(triple(0)),
            JointKind::Floating => Isometry3::new(triple(0), triple(3)),
        }
    }

    /// The turn that takes x (z for a planar joint) to the joint axis. Both joint frames are turned
    /// by it, so that every joint with one coordinate moves about or along the x axis of its frames
    /// and a planar joint in their x-y plane. Where the shortest turn isn't unique (the axis points
    /// backwards) it is half a turn about z (about x). Identity for joints without an axis.
    pub fn axis_turn(&self) -> UnitQuaternion<f64> {
        axis_turn(self.kind, &self.axis)
    }
}

/// [`Joint::axis_turn`] for whatever has a kind and an axis.
pub(crate) fn axis_turn(kind: JointKind, axis: &Unit<Vector3<f64>>) -> UnitQuaternion<f64> {
    let (from, about) = match kind {
        JointKind::Revolute | JointKind::Continuous | JointKind::Prismatic => {
            (Vector3::x(), Vector3::z_axis())
        }
        JointKind::Planar => (Vector3::z(), Vector3::x_axis()),
        JointKind::Fixed | JointKind::Spherical | JointKind::Floating => {
            return UnitQuaternion::identity();
        }
    };
    UnitQuaternion::rotation_between(&from, axis)
        .unwrap_or_else(|| UnitQuaternion::from_axis_angle(&about, std::f64::consts::PI))
}
