//! Multibodies as trees of our own dynamics, one block of the contact problem each.
//!
//! Rapier's Jacobians and mass matrices are wrong for a floating base whose centre of mass is not at
//! its origin, so only its joint data, coordinates and velocities are read. The conventions of
//! `stickslip_core::dynamics` are rapier's.

use crate::bodies::Bodies;
use crate::convert::{isometry, local_inertia, real, rotation, vector};
use crate::error::StepError;
use crate::joints::Axes;
use nalgebra::{Point3, Vector3};
use rapier::math::{Pose, Real, Rotation, Vector};
use rapier::prelude::*;
use stickslip_core::dynamics::{
    JointSpec, LinkInertia, LinkSpec, Tree, TreeError, TreeState, Twist,
};
use stickslip_core::mass::MassFactor;
use stickslip_core::problem::BlockId;

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
    net: Vec<f64>,
    seen: Vec<Option<Seen>>,
    /// The root body's velocity as last written: a user's change shows against it.
    root_velocity: [Vector; 2],
    /// The root body's pose as last written.
    root_pose: Option<Pose>,
    pub(crate) displacement: Vec<Real>,
    pub(crate) block: BlockId,
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

fn inertia_of(rb: &RigidBody) -> LinkInertia {
    let props = &rb.mass_properties().local_mprops;
    LinkInertia {
        mass: real(rb.mass()),
        com: vector(props.local_com),
        inertia: local_inertia(props),
        gravity_scale: real(rb.gravity_scale()),
    }
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
    fn new(set: &RigidBodySet, multibody: &Multibody) -> Result<Self, StepError> {
        let root = multibody.root().rigid_body_handle();
        let specs: Vec<LinkSpec> = multibody
            .links()
            .map(|link| LinkSpec {
                parent: link.parent_id(),
                joint: joint_of(link),
                inertia: set.get(link.rigid_body_handle()).map_or(
                    LinkInertia::new(0.0, Vector3::zeros(), nalgebra::Matrix3::zeros()),
                    inertia_of,
                ),
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
            net: vec![0.0; m],
            seen: vec![None; specs.len()],
            root_velocity: [Vector::ZERO; 2],
            root_pose: None,
            displacement: Vec::with_capacity(m),
            block: BlockId(0),
            tree,
        })
    }

    /// The root link's body.
    pub(crate) fn root(&self) -> RigidBodyHandle {
        self.links[0]
    }

    fn is_for(&self, multibody: &Multibody) -> bool {
        multibody.num_links() == self.links.len()
            && multibody.links().zip(&self.links).zip(&self.shape).all(
                |((link, &handle), &shape)| {
                    link.rigid_body_handle() == handle && shape_of(link) == shape
                },
            )
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
        let told = self.told_velocity(link, point).dot(direction);
        along(&self.v).max(along(&self.v_free)) + told
    }

    /// Velocity of a link's point that a moving root and kinematic joints contribute.
    pub(crate) fn told_velocity(&self, link: usize, point: &Point3<f64>) -> Vector3<f64> {
        let twist = self.tree.prescribed_twist(&self.state, link);
        twist.at(&(point.coords - self.state.reference()))
    }

    /// Reads what changed since the last step: masses, frames, coordinates, velocities, forces.
    fn read(&mut self, set: &RigidBodySet, multibody: &Multibody, h: f64) -> Result<(), StepError> {
        let root = self.root();
        let mut moved = self.read_links(set, multibody).map_err(tree_error(root))?;
        for (v, x) in self
            .v
            .iter_mut()
            .zip(multibody.generalized_velocity().iter())
        {
            *v = real(*x);
        }
        self.read_root(set, h, &mut moved);
        moved |= self.v != self.state.velocity();
        if moved {
            self.state.velocity_mut().copy_from_slice(&self.v);
            self.tree.forward_kinematics(&mut self.state);
            self.tree.update_velocities(&mut self.state);
        }
        self.read_forces(set);
        self.axes.read(multibody, &self.v, h);
        self.read_couplings(multibody);
        Ok(())
    }

    fn read_links(&mut self, set: &RigidBodySet, multibody: &Multibody) -> Result<bool, TreeError> {
        let mut changed = false;
        for (number, link) in multibody.links().enumerate() {
            let Some(rb) = set.get(link.rigid_body_handle()) else {
                continue;
            };
            let joint = link.joint();
            let q = joint.coords();
            let now = Seen {
                coords: [q[0], q[1], q[2], q[3], q[4], q[5]],
                rotation: joint.joint_rot(),
                frames: [joint.data.local_frame1, joint.data.local_frame2],
                mass: rb.mass_properties().local_mprops,
                gravity_scale: rb.gravity_scale(),
            };
            let before = self.seen[number].replace(now);
            if before == Some(now) {
                continue;
            }
            changed = true;
            let is = |f: fn(&Seen) -> [Pose; 2]| before.is_some_and(|b| f(&b) == f(&now));
            if !is(|s| s.frames) {
                let [frame1, frame2] = now.frames.map(|f| isometry(&f));
                self.tree.set_frames(number, frame1, frame2)?;
            }
            let heavy = |b: Seen| b.mass == now.mass && b.gravity_scale == now.gravity_scale;
            if !before.is_some_and(heavy) {
                self.tree.set_link_inertia(number, inertia_of(rb))?;
            }
            self.read_position(number, joint);
        }
        Ok(changed)
    }

    fn read_position(&mut self, number: usize, joint: &MultibodyJoint) {
        let q = joint.coords();
        let position = &mut self.state.positions_mut()[number];
        position.linear = Vector3::new(real(q[0]), real(q[1]), real(q[2]));
        let free = !joint.data.locked_axes.bits() >> 3 & 0b111;
        if free == 0b111 {
            position.rotation = rotation(joint.joint_rot());
        } else if free != 0 {
            position.angle = real(q[3 + free.trailing_zeros() as usize]);
        }
    }

    /// Takes the coordinates again after they were displaced.
    pub(crate) fn read_positions(&mut self, multibody: &Multibody) {
        for (number, link) in multibody.links().enumerate() {
            let joint = link.joint();
            self.read_position(number, joint);
            if let Some(seen) = &mut self.seen[number] {
                let q = joint.coords();
                seen.coords = [q[0], q[1], q[2], q[3], q[4], q[5]];
                seen.rotation = joint.joint_rot();
            }
        }
    }

    /// A root that moves as told has a velocity of its own; a velocity that the user gave to a
    /// floating root's body since the last step replaces the coordinates' (rapier loses it).
    fn read_root(&mut self, set: &RigidBodySet, h: f64, moved: &mut bool) {
        let Some(rb) = set.get(self.root()) else {
            return;
        };
        if !rb.is_dynamic() {
            let (linear, angular, com) = crate::assemble::told_twist(rb, h);
            let origin = vector(rb.translation());
            let twist = Twist::new(linear + angular.cross(&(origin - com.coords)), angular);
            *moved |= twist != self.state.root_velocity;
            self.state.root_velocity = twist;
        } else if [rb.linvel(), rb.angvel()] != self.root_velocity && self.tree.has_floating_base()
        {
            let angular = vector(rb.angvel());
            let arm = vector(rb.translation()) - vector(rb.center_of_mass());
            let linear = vector(rb.linvel()) + angular.cross(&arm);
            self.v[..3].copy_from_slice(linear.as_slice());
            self.v[3..6].copy_from_slice(angular.as_slice());
        }
    }

    fn read_forces(&mut self, set: &RigidBodySet) {
        self.state.clear_forces();
        for (number, &handle) in self.links.iter().enumerate() {
            let Some(rb) = set.get(handle) else { continue };
            let (force, torque) = (rb.user_force(), rb.user_torque());
            if force != Vector::ZERO || torque != Vector::ZERO {
                self.tree
                    .add_force(&mut self.state, number, &vector(force), &vector(torque));
            }
        }
    }

    fn read_couplings(&mut self, multibody: &Multibody) {
        self.couplings.clear();
        for coupling in multibody.couplings() {
            let ends = [
                (coupling.link1, coupling.dof1, coupling.axis1),
                (coupling.link2, coupling.dof2, coupling.axis2),
            ];
            let mut coordinates = [0; 2];
            let mut q = [0.0; 2];
            for (k, (link, dof, axis)) in ends.into_iter().enumerate() {
                let Some(link) = multibody.link(link) else {
                    continue;
                };
                coordinates[k] = link.assembly_id() + dof;
                q[k] = real(link.joint().coords()[axis]);
            }
            let coeff = real(coupling.coeff);
            self.couplings.push(Coupling {
                coordinates,
                entries: [-coeff, 1.0],
                error: q[1] - coeff * q[0] - real(coupling.offset),
            });
        }
    }

    /// Mass matrix with its implicit parts and the free velocity. O(links) and the factorization.
    fn dynamics(&mut self, gravity: &Vector3<f64>, h: f64) -> Result<(), StepError> {
        let root = self.root();
        let singular = |error: stickslip_core::mass::MassError| StepError::Multibody {
            body: root,
            reason: error.to_string(),
        };
        if self.axes.needs_inertia() {
            let diagonal = self.axes.passive_diagonal();
            self.tree
                .mass_matrix(&mut self.state, diagonal, &mut self.mass);
            self.mass.factor().map_err(singular)?;
            let (mass, unit) = (&self.mass, &mut self.net);
            self.axes.scale_by_inertia(|j| {
                unit.fill(0.0);
                unit[j] = 1.0;
                mass.solve(unit);
                1.0 / unit[j]
            });
        }
        self.axes.place_drives(&self.v, h);
        self.tree
            .mass_matrix(&mut self.state, &self.axes.diagonal, &mut self.mass);
        self.mass.factor().map_err(singular)?;
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
        Ok(())
    }

    /// Whether nothing but contacts and applied forces changes the momentum: a floating base
    /// without dampers or springs to the world.
    pub(crate) fn flies_free(&self) -> bool {
        self.tree.has_floating_base() && self.axes.diagonal[..6].iter().all(|d| *d == 0.0)
    }

    /// Remembers what was written to the root's body.
    pub(crate) fn written_root(&mut self, rb: &RigidBody) {
        self.root_velocity = [rb.linvel(), rb.angvel()];
        self.root_pose = Some(*rb.position());
    }

    fn is_fresh(&self, multibody: &Multibody, set: &RigidBodySet) -> bool {
        let root = set.get(self.root()).map(|rb| *rb.position());
        self.is_for(multibody)
            && root == self.root_pose
            && multibody.links().zip(&self.seen).all(|(link, seen)| {
                let joint = link.joint();
                let q = joint.coords();
                seen.is_some_and(|s| {
                    s.coords.iter().eq(q.iter())
                        && s.rotation == joint.joint_rot()
                        && s.frames == [joint.data.local_frame1, joint.data.local_frame2]
                })
            })
    }
}

/// The trees of a world, in the order of rapier's multibodies; kept from step to step.
#[derive(Debug, Default)]
pub(crate) struct Trees {
    trees: Vec<TreeBody>,
}

impl std::ops::Index<usize> for Trees {
    type Output = TreeBody;

    fn index(&self, number: usize) -> &TreeBody {
        &self.trees[number]
    }
}

impl Trees {
    pub(crate) fn iter(&self) -> impl Iterator<Item = &TreeBody> {
        self.trees.iter()
    }

    pub(crate) fn iter_mut(&mut self) -> impl Iterator<Item = &mut TreeBody> {
        self.trees.iter_mut()
    }

    /// Whether a multibody is as the last step left it.
    pub(crate) fn is_fresh(
        &self,
        number: usize,
        multibody: &Multibody,
        set: &RigidBodySet,
    ) -> bool {
        self.trees
            .get(number)
            .is_some_and(|tree| tree.is_fresh(multibody, set))
    }

    /// Keeps the trees in step with rapier's multibodies: rebuilds those whose topology changed.
    fn follow(&mut self, set: &RigidBodySet, joints: &MultibodyJointSet) -> Result<(), StepError> {
        let mut count = 0;
        for multibody in joints.multibodies() {
            let known = (count..self.trees.len()).find(|&k| self.trees[k].is_for(multibody));
            match known {
                Some(k) => self.trees.swap(count, k),
                None => {
                    let tree = TreeBody::new(set, multibody)?;
                    self.trees.insert(count, tree);
                }
            }
            count += 1;
        }
        self.trees.truncate(count);
        Ok(())
    }

    /// Reads every multibody and announces its links. Needs fresh poses: after detection.
    pub(crate) fn gather(
        &mut self,
        set: &RigidBodySet,
        joints: &MultibodyJointSet,
        bodies: &mut Bodies,
        h: f64,
    ) -> Result<(), StepError> {
        self.follow(set, joints)?;
        for (number, (tree, multibody)) in
            self.trees.iter_mut().zip(joints.multibodies()).enumerate()
        {
            for (link, &handle) in tree.links.iter().enumerate() {
                bodies.set_link(handle, number, link);
            }
            tree.read(set, multibody, h)?;
        }
        Ok(())
    }

    /// Mass matrices and free velocities of all trees.
    pub(crate) fn dynamics(&mut self, gravity: &Vector3<f64>, h: f64) -> Result<(), StepError> {
        self.trees
            .iter_mut()
            .try_for_each(|tree| tree.dynamics(gravity, h))
    }

    /// Turns drives past their effort limit into bounded rows. True if any: assemble again.
    pub(crate) fn saturate(
        &mut self,
        v_plus: &[f64],
        range: impl Fn(BlockId) -> std::ops::Range<usize>,
        h: f64,
    ) -> bool {
        let mut changed = false;
        for tree in &mut self.trees {
            changed |= tree.axes.saturate(&v_plus[range(tree.block)], h);
        }
        changed
    }

    /// Lets drives well inside their limit return to the mass matrix in the next step.
    pub(crate) fn release(
        &mut self,
        v_plus: &[f64],
        range: impl Fn(BlockId) -> std::ops::Range<usize>,
        h: f64,
    ) {
        for tree in &mut self.trees {
            tree.axes.release(&v_plus[range(tree.block)], h);
        }
    }
}
