//! What does not change during a run: bodies with their shapes, joints, and what a viewer shows of them.

use nalgebra::{Isometry3, Matrix3, Point3, Vector3};

/// A shape in its own axes. Capsules and cylinders lie along y, half spaces face `normal`.
#[derive(Clone, Debug, PartialEq)]
pub enum Geometry {
    /// Ball of the given radius \[m\].
    Sphere {
        /// Radius \[m\].
        radius: f64,
    },
    /// Cuboid.
    Cuboid {
        /// Half of each side \[m\].
        half_extents: Vector3<f64>,
    },
    /// Capsule along y.
    Capsule {
        /// Half the length of the straight part \[m\].
        half_height: f64,
        /// Radius \[m\].
        radius: f64,
    },
    /// Cylinder along y.
    Cylinder {
        /// Half the length \[m\].
        half_height: f64,
        /// Radius \[m\].
        radius: f64,
    },
    /// Triangles.
    Mesh {
        /// Corners \[m\].
        vertices: Vec<Point3<f64>>,
        /// Corner indices of each triangle, counter-clockwise from outside.
        triangles: Vec<[u32; 3]>,
    },
    /// Everything below a plane through the origin.
    HalfSpace {
        /// Outward unit normal.
        normal: Vector3<f64>,
    },
}

/// A shape fixed to a body.
#[derive(Clone, Debug, PartialEq)]
pub struct ShapeRecord {
    /// Pose of the shape's axes in the body's (`X_BS`).
    pub pose: Isometry3<f64>,
    /// The shape.
    pub geometry: Geometry,
    /// Colour, red green blue alpha.
    pub color: [u8; 4],
}

/// Mass, centre of mass and inertia of a body.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct InertialRecord {
    /// Mass \[kg\].
    pub mass: f64,
    /// Centre of mass in the body's axes \[m\].
    pub center: Point3<f64>,
    /// Inertia about the centre of mass, in the body's axes [kg m^2].
    pub inertia: Matrix3<f64>,
    /// Share of gravity that acts on it.
    pub gravity_scale: f64,
}

/// A body as the viewer knows it.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct BodyRecord {
    /// Name, unique in the scene; becomes part of an entity path.
    pub name: String,
    /// Name of the robot the body is a link of, if any.
    pub robot: Option<String>,
    /// Whether the body can move.
    pub moves: bool,
    /// What it looks like.
    pub shapes: Vec<ShapeRecord>,
    /// Its collision shapes, where they are not what it looks like: a layer of their own.
    pub collision: Vec<ShapeRecord>,
    /// Its mass and inertia, where they are known.
    pub inertial: Option<InertialRecord>,
    /// Whether it is a foot, a finger or another end whose contact wrench is of interest.
    pub is_end: bool,
}

/// How a joint moves.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub enum JointMotion {
    /// About its axis; positions in rad, efforts in N m.
    #[default]
    Turning,
    /// Along its axis; positions in m, efforts in N.
    Sliding,
}

/// A joint with one coordinate.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct JointRecord {
    /// Name.
    pub name: String,
    /// The body that it moves, as an index into [`SceneRecord::bodies`].
    pub body: usize,
    /// A point of its axis, in the axes of that body \[m\].
    pub anchor: Vector3<f64>,
    /// Unit vector along its axis, in the axes of that body.
    pub axis: Vector3<f64>,
    /// How it moves.
    pub motion: JointMotion,
    /// Largest effort of the drive [N m or N], if it has a bound.
    pub effort: Option<f64>,
}

/// A group of curves.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub enum CurveGroup {
    /// Smallest gap.
    Gap,
    /// Fastest slip.
    Slip,
    /// Sum of the normal forces, and the weight.
    Force,
    /// Friction force over its bound.
    Utilisation,
    /// What is wrong with the answers.
    Residual,
    /// Contacts, pivots, fallbacks and failures.
    Solver,
    /// Time per stage.
    Time,
    /// Mechanical energy and the work of the drives.
    Energy,
    /// Momentum that no force accounts for.
    Momentum,
    /// Joint positions and what the drives aim at.
    JointPosition,
    /// Joint efforts and their limits.
    JointEffort,
    /// Contact force and torque of feet and fingers.
    Wrench,
}

/// Something drawn beside bodies, contact points and forces.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub enum Layer {
    /// Collision shapes, where they are not what a body looks like.
    Collision,
    /// The axes of every link.
    Frames,
    /// The axes of the joints.
    JointAxes,
    /// The tangents of every contact.
    Tangents,
    /// Friction cones.
    Cones,
    /// Centre of mass and support polygon.
    Balance,
    /// Contact force and torque of feet and fingers.
    Wrenches,
}

/// How contact forces are drawn.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub enum Arrows {
    /// Normal and friction force of each contact, to one scale for the whole run.
    #[default]
    Parts,
    /// The whole force of each contact, the largest of every step equally long: where directions count and
    /// sizes are not determined.
    Directions,
}

/// What a scene is about: what a viewer shows of it first.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct ViewRecord {
    /// What there is to see, in a sentence or two.
    pub caption: String,
    /// Curves to show at first sight, the most telling first; empty for the usual ones.
    pub curves: Vec<CurveGroup>,
    /// Layers to show at first sight; `None` for the usual ones.
    pub layers: Option<Vec<Layer>>,
    /// Direction from the scene to the eye, in the world; zero for the usual one.
    pub from: Vector3<f64>,
    /// The body that the eye follows, as an index into [`SceneRecord::bodies`].
    pub follow: Option<usize>,
    /// How contact forces are drawn.
    pub arrows: Arrows,
    /// Simulated seconds per second at which a viewer plays, up to the end; real time, over and over, if none is
    /// given.
    pub playback: Option<f64>,
}

/// What does not change during a run.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct SceneRecord {
    /// Name of the scenario.
    pub name: String,
    /// The bodies; [`StepRecord::body_poses`](crate::StepRecord::body_poses) has the same order.
    pub bodies: Vec<BodyRecord>,
    /// Total weight of what moves \[N\]: the reference line of the normal forces.
    pub weight: f64,
    /// Acceleration by gravity, in the world [m/s^2].
    pub gravity: Vector3<f64>,
    /// The joints with one coordinate; [`StepRecord::joints`](crate::StepRecord::joints) has the same order.
    pub joints: Vec<JointRecord>,
    /// Whether joints hold something that moves to something that doesn't: forces that no record states
    /// then change the momentum.
    pub anchored: bool,
    /// What the scene is about.
    pub view: ViewRecord,
}
