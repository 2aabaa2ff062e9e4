//! The moving side of a tree: positions, velocities and everything computed from them.

use crate::spatial::{Flow, SpatialInertia, Twist, Wrench};
use crate::tree::Tree;
use nalgebra::{Matrix3, UnitQuaternion, Vector3};
use stickslip_core::kit::Lu;

/// Position of one joint.
#[derive(Clone, Copy, Debug, Default, PartialEq)]
pub struct JointPosition {
    /// Translations along the axes of frame 1; locked axes are ignored \[m\].
    pub linear: Vector3<f64>,
    /// Angle of a joint with one rotation \[rad\].
    pub angle: f64,
    /// Rotation of a joint with three rotations, frame 2 to frame 1.
    pub rotation: UnitQuaternion<f64>,
}

/// World-side quantities of a body; positions are from the reference point.
#[derive(Clone, Copy, Debug, Default)]
pub(crate) struct BodyState {
    // Written by forward_kinematics.
    pub rot: Matrix3<f64>,
    /// Origin of joint frame 2 \[m\].
    pub origin: Vector3<f64>,
    pub com: Vector3<f64>,
    /// About the centre of mass.
    pub inertia: Matrix3<f64>,
    // Written by update_velocities.
    pub velocity: Twist,
    /// Velocity relative to the parent body.
    pub relative: Twist,
    /// Part of the relative velocity due to the free translations.
    pub sliding: Vector3<f64>,
    /// Acceleration at zero coordinate acceleration: d/dt of the twist.
    pub convective: Twist,
    pub com_velocity: Vector3<f64>,
    /// Spin angular momentum `I w`.
    pub spin: Vector3<f64>,
    // Working storage of the recursions.
    pub wrench: Wrench,
    pub work_velocity: Twist,
    pub work_acceleration: Twist,
}

/// Positions, velocities and the quantities derived from them for one [`Tree`].
///
/// Made by [`Tree::new_state`] and only to be used with that tree or a clone of it.
#[derive(Clone, Debug)]
pub struct TreeState {
    pub(crate) positions: Vec<JointPosition>,
    pub(crate) velocity: Vec<f64>,
    /// Velocity of a fixed root, of its link origin, world axes: prescribed motion. Ignored for
    /// roots that have coordinates.
    pub root_velocity: Twist,
    /// Reference point of all spatial quantities, in the world.
    pub(crate) reference: Vector3<f64>,
    pub(crate) bodies: Vec<BodyState>,
    /// Motion subspace: unit-velocity twist of each coordinate (m).
    pub(crate) columns: Vec<Twist>,
    /// External wrench on each body about the reference point.
    pub(crate) external: Vec<Wrench>,
    pub(crate) has_external: bool,
    /// Sum of the magnitudes of all velocities, the root's included: a bound of each.
    pub(crate) speed: f64,
    pub(crate) composite: Vec<SpatialInertia>,
    /// Diagonal addition of the last mass matrix (m).
    pub(crate) diagonal: Vec<f64>,
    pub(crate) matrix: TreeMatrix,
}

impl TreeState {
    /// Joint position of each link; those of locked joints are ignored.
    pub fn positions(&self) -> &[JointPosition] {
        &self.positions
    }

    /// Joint positions, to write before [`Tree::forward_kinematics`].
    pub fn positions_mut(&mut self) -> &mut [JointPosition] {
        &mut self.positions
    }

    /// Velocity coordinates (m).
    pub fn velocity(&self) -> &[f64] {
        &self.velocity
    }

    /// Velocity coordinates, to write before [`Tree::update_velocities`] (m).
    pub fn velocity_mut(&mut self) -> &mut [f64] {
        &mut self.velocity
    }

    /// The reference point of the columns, in the world \[m\].
    pub fn reference(&self) -> Vector3<f64> {
        self.reference
    }

    /// Twist of each coordinate at unit velocity about [`TreeState::reference`] (m).
    pub fn columns(&self) -> &[Twist] {
        &self.columns
    }

    /// Forgets all external forces.
    pub fn clear_forces(&mut self) {
        if self.has_external {
            self.external.fill(Wrench::default());
            self.has_external = false;
        }
    }
}

impl Tree {
    /// A state at the zero of every coordinate, at rest.
    pub fn new_state(&self) -> TreeState {
        let (bodies, m) = (self.bodies.len(), self.dim());
        TreeState {
            positions: vec![JointPosition::default(); self.link_count()],
            velocity: vec![0.0; m],
            root_velocity: Twist::default(),
            reference: Vector3::zeros(),
            bodies: vec![BodyState::default(); bodies],
            columns: vec![Twist::default(); m],
            external: vec![Wrench::default(); bodies],
            has_external: false,
            speed: 0.0,
            composite: vec![SpatialInertia::default(); bodies],
            diagonal: vec![0.0; m],
            matrix: TreeMatrix::new(self),
        }
    }
}

/// The matrix A of the linearised step of a tree, along the paths of its pattern.
#[derive(Clone, Debug, Default)]
pub(crate) struct TreeMatrix {
    pub(crate) flow: Vec<Flow>,
    /// `a_j` of each coordinate (m).
    pub(crate) carried: Vec<Twist>,
    /// Row j up to the diagonal: `A_ji` for i on the path of j.
    pub(crate) lower: Vec<f64>,
    /// Column j down to the diagonal: `A_ij`.
    pub(crate) upper: Vec<f64>,
    /// Second term of the series (m).
    pub(crate) term: Vec<f64>,
    /// Dense matrix of the fallback, allocated when first needed (m x m, row by row).
    pub(crate) dense: Vec<f64>,
    pub(crate) lu: Lu,
}

impl TreeMatrix {
    pub(crate) fn new(tree: &Tree) -> Self {
        Self {
            flow: vec![Flow::default(); tree.bodies.len()],
            carried: vec![Twist::default(); tree.dim()],
            lower: vec![0.0; tree.pattern.len()],
            upper: vec![0.0; tree.pattern.len()],
            term: vec![0.0; tree.dim()],
            dense: Vec::new(),
            lu: Lu::default(),
        }
    }
}
