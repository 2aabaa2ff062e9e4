//! What a viewer or a metric needs of a scene and of one step: owned, engine-neutral, f64.

use crate::report::StepReport;
use nalgebra::{Isometry3, Point3, Vector3};

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

/// A body as the viewer knows it.
#[derive(Clone, Debug, PartialEq)]
pub struct BodyRecord {
    /// Name, unique in the scene; becomes part of an entity path.
    pub name: String,
    /// Name of the robot the body is a link of, if any.
    pub robot: Option<String>,
    /// Whether the body can move.
    pub moves: bool,
    /// Its shapes.
    pub shapes: Vec<ShapeRecord>,
}

/// What does not change during a run.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct SceneRecord {
    /// Name of the scenario.
    pub name: String,
    /// The bodies; [`StepRecord::body_poses`] has the same order.
    pub bodies: Vec<BodyRecord>,
    /// Total weight of what moves \[N\]: the reference line of the normal forces.
    pub weight: f64,
}

/// What a contact does during a step.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum ContactState {
    /// No normal impulse.
    Separated,
    /// Pressed, tangential speed zero to round-off.
    Sticking,
    /// Pressed and sliding.
    Sliding,
}

/// One contact of one step.
#[derive(Clone, Debug, PartialEq)]
pub struct ContactRecord {
    /// The two bodies, as indices into [`SceneRecord::bodies`] where they are known there.
    pub bodies: [Option<usize>; 2],
    /// The contact point in the world \[m\].
    pub point: Point3<f64>,
    /// Unit normal from body 0 to body 1, in the world.
    pub normal: Vector3<f64>,
    /// Gap at the start of the step \[m\]; negative = penetration.
    pub gap: f64,
    /// Force on body 1 along the normal \[N\] (impulse / h).
    pub normal_force: f64,
    /// Tangential force on body 1, in the world \[N\].
    pub friction_force: Vector3<f64>,
    /// Tangential velocity of body 1 relative to body 0 at the end of the step, in the world [m/s].
    pub slip_velocity: Vector3<f64>,
    /// What it does.
    pub state: ContactState,
}

/// Everything a viewer or a metric needs of one step.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct StepRecord {
    /// Number of the step, from 0.
    pub step: u64,
    /// Simulated time at the end of the step \[s\].
    pub time: f64,
    /// Poses of the bodies in the world (`X_WB`), in the order of [`SceneRecord::bodies`].
    pub body_poses: Vec<Isometry3<f64>>,
    /// The contacts.
    pub contacts: Vec<ContactRecord>,
    /// What the step says about itself.
    pub report: StepReport,
}

/// Receives records; it can never change the simulation.
pub trait Recorder {
    /// Why a record could not be taken.
    type Error: std::error::Error + Send + Sync + 'static;

    /// Takes what does not change, once, before the first step.
    ///
    /// # Errors
    /// When the sink refuses it.
    fn begin(&mut self, scene: &SceneRecord) -> Result<(), Self::Error>;

    /// Takes one step.
    ///
    /// # Errors
    /// When the sink refuses it.
    fn record(&mut self, step: &StepRecord) -> Result<(), Self::Error>;

    /// Completes the recording. A file appears under its name only now, whole.
    ///
    /// # Errors
    /// When the sink cannot be completed.
    fn finish(&mut self) -> Result<(), Self::Error>;
}
