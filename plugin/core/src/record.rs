//! What a viewer or a metric needs of a scene and of one step: owned, engine-neutral, f64.

use crate::report::StepReport;
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
    /// The bodies; [`StepRecord::body_poses`] has the same order.
    pub bodies: Vec<BodyRecord>,
    /// Total weight of what moves \[N\]: the reference line of the normal forces.
    pub weight: f64,
    /// Acceleration by gravity, in the world [m/s^2].
    pub gravity: Vector3<f64>,
    /// The joints with one coordinate; [`StepRecord::joints`] has the same order.
    pub joints: Vec<JointRecord>,
    /// Whether joints hold something that moves to something that doesn't: forces that no record states
    /// then change the momentum.
    pub anchored: bool,
    /// What the scene is about.
    pub view: ViewRecord,
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
    /// Unit tangent s, in the world; t is `normal x s`. Zero where it is not known.
    pub tangent: Vector3<f64>,
    /// Coulomb coefficients along s and t, where they are known.
    pub friction: Option<[f64; 2]>,
    /// Gap at the start of the step \[m\]; negative = penetration.
    pub gap: f64,
    /// Force on body 1 along the normal \[N\] (impulse / h).
    pub normal_force: f64,
    /// Tangential force on body 1, in the world \[N\].
    pub friction_force: Vector3<f64>,
    /// Torque on body 1 by torsional and rolling friction, in the world [N m].
    pub spin_torque: Vector3<f64>,
    /// Tangential velocity of body 1 relative to body 0 at the end of the step, in the world [m/s].
    pub slip_velocity: Vector3<f64>,
    /// What it does.
    pub state: ContactState,
}

impl ContactRecord {
    /// The share of its friction bound that a contact uses, `|(f_s / mu_s, f_t / mu_t)| / f_n`: at most 1
    /// under Coulomb's law, `|f_t| / (mu f_n)` where both coefficients are the same. `None` where no
    /// coefficient is known or nothing presses, infinite where friction acts without any.
    pub fn utilisation(&self) -> Option<f64> {
        let [mu_s, mu_t] = self.friction?;
        if self.normal_force <= 0.0 {
            return None;
        }
        let share = |force: f64, mu: f64| if force == 0.0 { 0.0 } else { force.abs() / mu };
        let used = if mu_s == mu_t {
            share(self.friction_force.norm(), mu_s)
        } else {
            let across = self.normal.cross(&self.tangent);
            let along = share(self.friction_force.dot(&self.tangent), mu_s);
            along.hypot(share(self.friction_force.dot(&across), mu_t))
        };
        Some(used / self.normal_force)
    }
}

/// How a body moves.
#[derive(Clone, Copy, Debug, Default, PartialEq)]
pub struct MotionRecord {
    /// Velocity of its centre of mass, in the world [m/s].
    pub linear: Vector3<f64>,
    /// Angular velocity, in the world [rad/s].
    pub angular: Vector3<f64>,
}

/// What a joint does at the end of a step.
#[derive(Clone, Copy, Debug, Default, PartialEq)]
pub struct JointSample {
    /// Its position [rad or m].
    pub position: f64,
    /// Its velocity [rad/s or m/s].
    pub velocity: f64,
    /// The position that its drive aims at [rad or m], if it aims at one.
    pub target: Option<f64>,
    /// Effort of its drive during the step [N m or N], if it is known.
    pub effort: Option<f64>,
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
    /// How the bodies move, in the same order; empty where it is not known.
    pub body_motions: Vec<MotionRecord>,
    /// What the joints do, in the order of [`SceneRecord::joints`]; empty where it is not known.
    pub joints: Vec<JointSample>,
    /// Sum of the forces that the user applies to bodies, in the world \[N\].
    pub applied_force: Vector3<f64>,
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

#[cfg(test)]
mod tests;
