//! Multibodies as trees of our own dynamics, one block of the contact problem each.
//!
//! Rapier's Jacobians and mass matrices are wrong for a floating base whose centre of mass is not at
//! its origin, so only its joint data, coordinates and velocities are read. The conventions of
//! `stickslip_dynamics` are rapier's.

mod axes;
mod dynamics;
mod energy;
mod inertia;
#[cfg(feature = "serde-serialize")]
mod past;
mod read;
mod trees;

pub use dynamics::MultibodyDynamics;
pub(crate) use energy::Allowed;
pub(crate) use trees::{Trees, multibodies};

use crate::base::convert::isometry;
use crate::base::error::StepError;
use crate::base::surface::Motion;
use crate::base::tolerances;
use axes::Axes;
use nalgebra::{Isometry3, Point3, Vector3};
use rapier::math::{Pose, Real, Rotation, Vector};
use rapier::prelude::*;
use stickslip_core::mass::MassFactor;
use stickslip_core::problem::BlockId;
use stickslip_dynamics::{JointSpec, LinkSpec, Tree, TreeError, TreeState};

/// Two coordinates held in proportion, `q2 = coeff q1 + offset`.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Coupling {
    pub(crate) coordinates: [usize; 2],
    pub(crate) entries: [f64; 2],
    /// `q2 - coeff q1 - offset`.
    pub(crate) error: f64,
}

/// What a link looked like when it was last read or written, to notice what changed since.
#[derive(Clone, Copy, Debug, PartialEq)]
#[cfg_attr(
    feature = "serde-serialize",
    derive(serde::Serialize, serde::Deserialize)
)]
struct Seen {
    coords: [Real; 6],
    rotation: Rotation,
    frames: [Pose; 2],
    mass: MassProperties,
    gravity_scale: Real,
}

/// One multibody.
#[derive(Debug)]
pub(crate) struct TreeBody {
    pub(crate) links: Vec<RigidBodyHandle>,
    /// Locked axes and kinematic flag of each joint: what the tree's topology depends on.
    shape: Vec<(u8, bool, usize)>,
    pub(crate) tree: Tree,
    pub(crate) state: TreeState,
    mass: MassFactor,
    pub(crate) axes: Axes,
    couplings: Vec<Coupling>,
    pub(crate) v: Vec<f64>,
    v_free: Vec<f64>,
    /// Work of the Coriolis and centrifugal forces in the free velocity, where it matters \[J\].
    turned: f64,
    net: Vec<f64>,
    /// What is added to the diagonal of the mass matrix; free for other use once the dynamics are done.
    diagonal: Vec<f64>,
    /// The diagonal of the mass matrix: what a coordinate moves with the others held.
    held: Vec<f64>,
    /// Whether links without mass were given some.
    is_filled: bool,
    seen: Vec<Option<Seen>>,
    /// Whether nothing has been read into it yet.
    unread: bool,
    /// The root body's velocity as last written: a user's change shows against it.
    root_velocity: [Vector; 2],
    /// The root body's pose as last written.
    root_pose: Option<Pose>,
    pub(crate) displacement: Vec<Real>,
    /// How long it moves in this step \[s\]: all of it, or to its first impact.
    pub(crate) time: f64,
    pub(crate) block: BlockId,
    /// Where the links would be at the end of the step; made when a joint first asks.
    ahead: Option<TreeState>,
    /// The joints as they were when the tree fell asleep; empty while it is awake.
    slept_with: Vec<GenericJoint>,
    /// Whether it is left out of this step; see [`crate::read::quarantine`].
    quarantined: bool,
}

fn tree_error(root: RigidBodyHandle) -> impl Fn(TreeError) -> StepError {
    move |error| StepError::Multibody {
        body: root,
        reason: error.to_string(),
    }
}

fn shape_of(link: &MultibodyLink) -> (u8, bool, usize) {
    let joint = link.joint();
    let parent = link.parent_id().unwrap_or(usize::MAX);
    (joint.data.locked_axes.bits(), joint.kinematic, parent)
}

/// Whether a multibody has these links, joined in this way.
fn has_links(
    links: &[RigidBodyHandle],
    shape: &[(u8, bool, usize)],
    multibody: &Multibody,
) -> bool {
    multibody.num_links() == links.len()
        && multibody
            .links()
            .zip(links.iter().zip(shape))
            .all(|(link, (&handle, &shape))| {
                link.rigid_body_handle() == handle && shape_of(link) == shape
            })
}

/// Whether coordinates, frames and root pose are those last seen.
fn is_untouched(
    seen: &[Option<Seen>],
    root_pose: Option<Pose>,
    multibody: &Multibody,
    set: &RigidBodySet,
) -> bool {
    let root = set.get(multibody.root().rigid_body_handle());
    root.map(|rb| *rb.position()) == root_pose
        && multibody.links().zip(seen).all(|(link, seen)| {
            let joint = link.joint();
            let q = joint.coords();
            seen.is_some_and(|s| {
                s.coords.iter().eq(q.iter())
                    && s.rotation == joint.joint_rot()
                    && s.frames == [joint.data.local_frame1, joint.data.local_frame2]
            })
        })
}

/// Whether a multibody that was at rest got a velocity, or other joints or drives.
fn is_roused(slept_with: &[GenericJoint], multibody: &Multibody) -> bool {
    let joints = multibody.links().map(|link| &link.joint().data);
    !joints.eq(slept_with) || multibody.generalized_velocity().iter().any(|v| *v != 0.0)
}

fn joint_of(link: &MultibodyLink) -> JointSpec {
    let joint = link.joint();
    let free = |axis: u8| joint.data.locked_axes.bits() >> axis & 1 == 0;
    JointSpec {
        frame1: isometry(&joint.data.local_frame1),
        frame2: isometry(&joint.data.local_frame2),
        linear: [free(0), free(1), free(2)],
        angular: [free(3), free(4), free(5)],
        kinematic: joint.kinematic,
    }
}

impl TreeBody {
    fn new(multibody: &Multibody) -> Result<Self, StepError> {
        let root = multibody.root().rigid_body_handle();
        let specs: Vec<LinkSpec> = multibody
            .links()
            .map(|link| LinkSpec {
                parent: link.parent_id(),
                joint: joint_of(link),
                inertia: inertia::none(),
            })
            .collect();
        let tree = Tree::new(&specs).map_err(tree_error(root))?;
        let m = tree.dim();
        Ok(Self {
            links: multibody
                .links()
                .map(MultibodyLink::rigid_body_handle)
                .collect(),
            shape: multibody.links().map(shape_of).collect(),
            state: tree.new_state(),
            mass: MassFactor::new(tree.pattern().clone()),
            axes: Axes::default(),
            couplings: Vec::new(),
            v: vec![0.0; m],
            v_free: vec![0.0; m],
            turned: 0.0,
            net: vec![0.0; m],
            diagonal: Vec::with_capacity(m),
            held: Vec::with_capacity(m),
            is_filled: false,
            seen: vec![None; specs.len()],
            unread: true,
            root_velocity: [Vector::ZERO; 2],
            root_pose: None,
            displacement: Vec::with_capacity(m),
            time: 0.0,
            block: BlockId(0),
            ahead: None,
            slept_with: Vec::new(),
            quarantined: false,
            tree,
        })
    }

    /// The root link's body.
    pub(crate) fn root(&self) -> RigidBodyHandle {
        self.links[0]
    }

    pub(crate) fn is_asleep(&self) -> bool {
        !self.slept_with.is_empty()
    }

    /// Whether it takes part in this step.
    pub(crate) fn is_stepped(&self) -> bool {
        !self.is_asleep() && !self.quarantined
    }

    fn wake(&mut self) {
        self.slept_with.clear();
    }

    fn fall_asleep(&mut self, multibody: &Multibody) {
        if !self.is_asleep() {
            let joints = multibody.links().map(|link| link.joint().data);
            self.slept_with.extend(joints);
        }
    }

    /// Whether a sleeping tree got other coordinates, velocities, joints or drives.
    fn is_disturbed(&self, multibody: &Multibody, set: &RigidBodySet) -> bool {
        !self.is_fresh(multibody, set) || is_roused(&self.slept_with, multibody)
    }

    fn is_for(&self, multibody: &Multibody) -> bool {
        has_links(&self.links, &self.shape, multibody)
    }

    /// Mass factor, velocity and free velocity, for the problem.
    pub(crate) fn block_data(&self) -> (&MassFactor, &[f64], &[f64]) {
        (&self.mass, &self.v, &self.v_free)
    }

    pub(crate) fn couplings(&self) -> &[Coupling] {
        &self.couplings
    }

    /// Coordinates of a contact row on a link.
    pub(crate) fn row_path(&self, link: usize) -> &[usize] {
        self.tree.row_path(link)
    }

    /// Velocity rows of a point along three directions, one after another, signed.
    pub(crate) fn point_rows(
        &self,
        link: usize,
        point: &Point3<f64>,
        directions: &[Vector3<f64>; 3],
        sign: f64,
        rows: &mut Vec<f64>,
    ) {
        rows.clear();
        rows.resize(3 * self.tree.row_path(link).len(), 0.0);
        let signed = directions.map(|d| d * sign);
        self.tree
            .point_rows(&self.state, link, &point.coords, &signed, rows);
        self.drop_round_off(link, point, rows);
    }

    /// Zeroes the entries of a point's rows that are no more than the error of contact points and normals: where the path of
    /// the point is normal to a row's direction the coordinate does not move it that way, and whatever holds the row
    /// would hold the joint with any force. A lever is the difference of places, so it is as uncertain as those are long.
    fn drop_round_off(&self, link: usize, point: &Point3<f64>, rows: &mut [f64]) {
        let path = self.tree.row_path(link);
        let far = point.coords.norm() + (point.coords - self.state.reference()).norm();
        let columns = self.state.columns();
        for (k, &coordinate) in path.iter().enumerate() {
            let column = &columns[coordinate];
            let bound =
                tolerances::NEGLIGIBLE * (column.linear.norm() + column.angular.norm() * far);
            for row in 0..3 {
                let entry = &mut rows[row * path.len() + k];
                if entry.abs() <= bound {
                    *entry = 0.0;
                }
            }
        }
    }

    /// Rows of a link's angular velocity about three directions, one after another, signed.
    pub(crate) fn spin_rows(
        &self,
        link: usize,
        directions: &[Vector3<f64>; 3],
        sign: f64,
        rows: &mut Vec<f64>,
    ) {
        let count = self.tree.row_path(link).len();
        rows.clear();
        rows.resize(3 * count, 0.0);
        for (row, d) in rows.chunks_exact_mut(count.max(1)).zip(directions) {
            self.tree.angular_row(&self.state, link, &(d * sign), row);
        }
    }

    /// The larger of the present and the free velocity of a link's point along a direction.
    pub(crate) fn fastest_along(
        &self,
        link: usize,
        point: &Point3<f64>,
        direction: &Vector3<f64>,
        row: &mut Vec<f64>,
    ) -> f64 {
        let path = self.tree.row_path(link);
        row.clear();
        row.resize(path.len(), 0.0);
        self.tree
            .point_row(&self.state, link, &point.coords, direction, row);
        let along = |v: &[f64]| -> f64 { path.iter().zip(&*row).map(|(&j, r)| r * v[j]).sum() };
        let prescribed = self.prescribed_velocity(link, point).dot(direction);
        along(&self.v).max(along(&self.v_free)) + prescribed
    }

    /// Velocity of a link's point that a moving root and kinematic joints contribute.
    pub(crate) fn prescribed_velocity(&self, link: usize, point: &Point3<f64>) -> Vector3<f64> {
        let twist = self.tree.prescribed_twist(&self.state, link);
        twist.at(&(point.coords - self.state.reference()))
    }

    /// How a link's point moves when no coordinate accelerates.
    pub(crate) fn motion(&self, link: usize, point: &Point3<f64>) -> Motion {
        Motion {
            velocity: (self.tree).point_velocity(&self.state, link, &point.coords),
            angular: self.tree.link_velocity(&self.state, link).angular,
            acceleration: (self.tree).point_bias_acceleration(&self.state, link, &point.coords),
        }
    }

    /// Moves a copy of the tree with the end velocities `v_plus` for the step, for
    /// [`Self::pose_ahead`]. The root stays where it is if it moves as prescribed. O(links).
    pub(crate) fn look_ahead(&mut self, v_plus: &[f64], h: f64) {
        let ahead = self.ahead.get_or_insert_with(|| self.tree.new_state());
        ahead
            .positions_mut()
            .copy_from_slice(self.state.positions());
        ahead.velocity_mut().copy_from_slice(v_plus);
        self.tree.integrate(ahead, h);
        self.tree.forward_kinematics(ahead);
    }

    /// Pose of a link after [`Self::look_ahead`].
    pub(crate) fn pose_ahead(&self, link: usize) -> Isometry3<f64> {
        let state = self.ahead.as_ref().unwrap_or(&self.state);
        self.tree.link_pose(state, link)
    }

    /// Mass matrix with its implicit parts and the free velocity. O(links) and the factorization. False if
    /// there is none.
    fn dynamics(&mut self, gravity: &Vector3<f64>, h: f64) -> bool {
        if self.axes.needs_inertia() {
            let passive = self.axes.passive_diagonal();
            self.diagonal.clear();
            self.diagonal.extend_from_slice(passive);
            if !self.factor() {
                return false;
            }
            let (mass, unit) = (&self.mass, &mut self.net);
            self.axes.scale_by_inertia(|j| {
                unit.fill(0.0);
                unit[j] = 1.0;
                mass.solve(unit);
                1.0 / unit[j]
            });
        }
        self.axes.place_drives(&self.v, h);
        self.diagonal.clear();
        self.diagonal.extend_from_slice(&self.axes.diagonal);
        if !self.factor() {
            return false;
        }
        self.tree.carry_forces(&mut self.state);
        self.tree.bias(&mut self.state, gravity, &mut self.net);
        for (net, force) in self.net.iter_mut().zip(&self.axes.force) {
            *net = force - *net;
        }
        let dv = &mut self.v_free;
        self.tree
            .velocity_change(&mut self.state, &self.mass, h, &self.net, dv);
        for (dv, v) in dv.iter_mut().zip(&self.v) {
            *dv += v;
        }
        self.hold_coriolis(gravity, h);
        self.v_free.iter().all(|v| v.is_finite())
    }

    /// Impulse that a tree with a floating base gets from outside but for its weight and contacts, and its moment about the reference
    /// point [N s, N m s]: external forces, and what dampers, springs and armature between base and world give to the free
    /// velocity, `h f - D dv` in the base's coordinates.
    pub(crate) fn impulse_of_world(&self, h: f64) -> [Vector3<f64>; 2] {
        let external = self.tree.external_forces(&self.state);
        let [mut impulse, mut moment] = external.map(|sum| sum * h);
        for (i, column) in self.state.columns()[..6].iter().enumerate() {
            let dv = self.v_free[i] - self.v[i];
            let p = h * self.axes.force[i] - self.axes.diagonal[i] * dv;
            match i < 3 {
                true => impulse += column.linear * p,
                false => moment += column.angular * p,
            }
        }
        [impulse, moment]
    }

    /// Remembers what was written to the root's body.
    pub(crate) fn written_root(&mut self, rb: &RigidBody) {
        self.root_velocity = [rb.linvel(), rb.angvel()];
        self.root_pose = Some(*rb.position());
    }
}
