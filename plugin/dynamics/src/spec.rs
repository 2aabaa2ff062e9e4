//! What a tree is built from, and why a description is refused.

use nalgebra::{Isometry3, Matrix3, Vector3};

/// A joint between a link and its parent (or the world, for the root).
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct JointSpec {
    /// Pose of joint frame 1 in the parent link (in the world for the root).
    pub frame1: Isometry3<f64>,
    /// Pose of joint frame 2 in the link itself.
    pub frame2: Isometry3<f64>,
    /// Free translations along the axes of frame 1.
    pub linear: [bool; 3],
    /// Free rotations about the axes of frame 1: none, one or all three.
    pub angular: [bool; 3],
    /// A prescribed joint: its velocity is given, no force changes it.
    pub kinematic: bool,
}

impl JointSpec {
    /// All six axes locked.
    pub fn fixed(frame1: Isometry3<f64>, frame2: Isometry3<f64>) -> Self {
        Self {
            frame1,
            frame2,
            linear: [false; 3],
            angular: [false; 3],
            kinematic: false,
        }
    }

    /// All six axes free, identity frames: the joint of a floating root.
    pub fn floating() -> Self {
        Self {
            linear: [true; 3],
            angular: [true; 3],
            ..Self::fixed(Isometry3::identity(), Isometry3::identity())
        }
    }

    /// One free rotation about `axis` (0, 1 or 2; larger numbers count as 2) of frame 1.
    pub fn revolute(frame1: Isometry3<f64>, frame2: Isometry3<f64>, axis: usize) -> Self {
        let mut joint = Self::fixed(frame1, frame2);
        joint.angular[axis.min(2)] = true;
        joint
    }

    /// One free translation along `axis` (0, 1 or 2; larger numbers count as 2) of frame 1.
    pub fn prismatic(frame1: Isometry3<f64>, frame2: Isometry3<f64>, axis: usize) -> Self {
        let mut joint = Self::fixed(frame1, frame2);
        joint.linear[axis.min(2)] = true;
        joint
    }

    /// Three free rotations.
    pub fn ball(frame1: Isometry3<f64>, frame2: Isometry3<f64>) -> Self {
        Self {
            angular: [true; 3],
            ..Self::fixed(frame1, frame2)
        }
    }
}

/// Mass properties of a link, in its own axes.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct LinkInertia {
    /// Mass \[kg\]; zero is allowed where the rest of the subtree carries mass.
    pub mass: f64,
    /// Centre of mass from the link origin \[m\].
    pub com: Vector3<f64>,
    /// Rotational inertia about the centre of mass [kg m^2].
    pub inertia: Matrix3<f64>,
    /// Factor on gravity [-].
    pub gravity_scale: f64,
}

impl LinkInertia {
    /// Mass properties under full gravity.
    pub fn new(mass: f64, com: Vector3<f64>, inertia: Matrix3<f64>) -> Self {
        Self {
            mass,
            com,
            inertia,
            gravity_scale: 1.0,
        }
    }

    pub(crate) fn check(&self, link: usize) -> Result<(), TreeError> {
        if !(self.mass >= 0.0 && self.mass.is_finite()) {
            return Err(TreeError::BadMass {
                link,
                mass: self.mass,
            });
        }
        if !self.com.iter().all(|x| x.is_finite()) {
            return Err(TreeError::NotFinite {
                link,
                what: "centre of mass",
            });
        }
        if !self.gravity_scale.is_finite() {
            return Err(TreeError::NotFinite {
                link,
                what: "gravity scale",
            });
        }
        let i = &self.inertia;
        // Negated so that NaN is refused too; 1e-6 admits inertias rotated in single precision.
        let symmetric = (i - i.transpose()).amax() <= 1e-6 * i.amax();
        if !symmetric || !i.iter().all(|x| x.is_finite()) || i.diagonal().min() < 0.0 {
            return Err(TreeError::BadInertia { link });
        }
        Ok(())
    }
}

/// One link of a tree.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct LinkSpec {
    /// Index of the parent link, below this link's own; `None` for link 0 alone.
    pub parent: Option<usize>,
    /// Joint to the parent.
    pub joint: JointSpec,
    /// Mass properties.
    pub inertia: LinkInertia,
}

/// Why a tree was refused.
#[derive(Clone, Debug, PartialEq, thiserror::Error)]
pub enum TreeError {
    /// No link at all.
    #[error("a tree needs at least one link")]
    Empty,
    /// Link 0 has a parent.
    #[error("link 0 is the root and must have no parent")]
    RootHasParent,
    /// A second root.
    #[error("link {link} has no parent: only link 0 may be a root; build one tree per root")]
    SecondRoot {
        /// The link.
        link: usize,
    },
    /// A parent that does not come first.
    #[error(
        "link {link}: its parent {parent} must have a lower index; sort parents before children"
    )]
    BadParent {
        /// The link.
        link: usize,
        /// Its parent as given.
        parent: usize,
    },
    /// Two free rotations.
    #[error(
        "link {link}: its joint has two free rotations (a universal joint), which is not supported; \
         free one or three, or use two revolute joints with a massless link between"
    )]
    TwoAngularAxes {
        /// The link.
        link: usize,
    },
    /// A mass that is negative or not finite.
    #[error("link {link}: mass {mass} must be finite and not negative")]
    BadMass {
        /// The link.
        link: usize,
        /// Its mass as given.
        mass: f64,
    },
    /// An inertia that is not symmetric, not finite, or has a negative diagonal.
    #[error(
        "link {link}: its inertia must be finite, symmetric, with a diagonal that is not negative"
    )]
    BadInertia {
        /// The link.
        link: usize,
    },
    /// A quantity that is not finite.
    #[error("link {link}: its {what} is not finite")]
    NotFinite {
        /// The link.
        link: usize,
        /// The quantity.
        what: &'static str,
    },
    /// A link index beyond the tree.
    #[error("there is no link {link}: the tree has {count}")]
    NoSuchLink {
        /// The link asked for.
        link: usize,
        /// Number of links.
        count: usize,
    },
}

pub(crate) fn check_frames(joint: &JointSpec, link: usize) -> Result<(), TreeError> {
    let finite = |pose: &Isometry3<f64>| {
        let shift = &pose.translation.vector;
        shift
            .iter()
            .chain(pose.rotation.coords.iter())
            .all(|x| x.is_finite())
    };
    if finite(&joint.frame1) && finite(&joint.frame2) {
        Ok(())
    } else {
        Err(TreeError::NotFinite {
            link,
            what: "joint frame",
        })
    }
}
