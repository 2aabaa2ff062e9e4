//! Free bodies as blocks of the contact problem, and what every body is to the solver.
//!
//! A free body's coordinates are its velocity in world axes at its centre of mass, linear first,
//! the locked axes left out: `M = diag(m 1, R I R^T)` restricted to the free axes.

mod fill;

use crate::base::convert::{point, real, rotation};
use crate::base::surface::Motion;
use crate::read::spin::{self};
use fill::{free_axes, full_inertia};
use nalgebra::{Matrix3, Point3, UnitQuaternion, Vector3};
use rapier::prelude::*;
use std::sync::Arc;
use stickslip_core::mass::{MassFactor, MassPattern, NO_PARENT};
use stickslip_core::problem::BlockId;

/// What a body is to the contact problem.
#[derive(Clone, Copy, Debug, Default, PartialEq)]
pub(crate) enum Role {
    /// Set aside: no contact touches it.
    Absent,
    /// Fixed, kinematic, asleep, or without mass: moves as prescribed.
    #[default]
    Prescribed,
    /// A free body, by its number in [`Bodies::free`].
    Free(usize),
    /// A link of the tree with the given number.
    Link {
        /// Number of the tree.
        tree: usize,
        /// Number of the link in it.
        link: usize,
    },
}

/// Which of the six axes of a free body move: linear x y z, angular x y z.
type Axes = [bool; 6];

/// One free body of the current step.
#[derive(Clone, Debug)]
pub(crate) struct FreeBody {
    pub(crate) handle: RigidBodyHandle,
    pub(crate) block: BlockId,
    /// Centre of mass in the world, start of the step \[m\].
    pub(crate) com: Point3<f64>,
    /// The free axes in the order of the block's coordinates (block coordinate -> axis 0..6).
    pub(crate) axes: [usize; 6],
    /// Number of coordinates.
    pub(crate) dim: usize,
    /// Inertia in the body's axes [kg m^2].
    inertia_local: Matrix3<f64>,
    /// Body to world at the start of the step.
    rotation: UnitQuaternion<f64>,
    /// How long it moves in this step \[s\]: all of it, or to its first impact.
    pub(crate) time: f64,
    /// How far what it met carries it along after that \[m\].
    pub(crate) carried: Vector3<f64>,
    /// Angular momentum about the centre of mass that the step must end with when nothing
    /// touches the body [kg m^2/s], if it is to be conserved.
    pub(crate) spin_momentum: Option<Vector3<f64>>,
    mass: MassFactor,
    v: [f64; 6],
    v_free: [f64; 6],
}

impl FreeBody {
    /// The free velocity of the block and its mass, for the problem.
    pub(crate) fn block_data(&self) -> (&MassFactor, &[f64], &[f64]) {
        (&self.mass, &self.v[..self.dim], &self.v_free[..self.dim])
    }

    /// Writes the velocity rows of `point` along three directions, one after another, signed.
    pub(crate) fn point_rows(
        &self,
        point: &Point3<f64>,
        directions: &[Vector3<f64>; 3],
        sign: f64,
        rows: &mut Vec<f64>,
    ) {
        let arm = point - self.com;
        let row = |d: &Vector3<f64>| {
            let moment = arm.cross(d);
            [d.x, d.y, d.z, moment.x, moment.y, moment.z].map(|x| sign * x)
        };
        if self.dim == 6 {
            rows.resize(18, 0.0);
            let (each, _) = rows.as_chunks_mut::<6>();
            for (own, d) in each.iter_mut().zip(directions) {
                *own = row(d);
            }
            return;
        }
        rows.clear();
        for d in directions {
            let row = row(d);
            rows.extend(self.axes[..self.dim].iter().map(|&axis| row[axis]));
        }
    }

    /// Writes the rows of the angular velocity about three directions, one after another, signed.
    pub(crate) fn spin_rows(&self, directions: &[Vector3<f64>; 3], sign: f64, rows: &mut Vec<f64>) {
        rows.clear();
        for d in directions {
            let axes = self.axes[..self.dim].iter();
            rows.extend(axes.map(|&axis| if axis < 3 { 0.0 } else { sign * d[axis - 3] }));
        }
    }

    /// The larger of the present and the free velocity of a point along a signed direction.
    pub(crate) fn fastest_along(&self, point: &Point3<f64>, n: &Vector3<f64>, sign: f64) -> f64 {
        let arm = point - self.com;
        let along = |v: &[f64]| {
            let (linear, angular) = self.twist(v);
            sign * (linear + angular.cross(&arm)).dot(n)
        };
        along(&self.v[..self.dim]).max(along(&self.v_free[..self.dim]))
    }

    /// How the body's point at `point` moves when no coordinate accelerates.
    pub(crate) fn motion(&self, point: &Point3<f64>) -> Motion {
        let (linear, angular) = self.twist(&self.v[..self.dim]);
        Motion::about(&linear, &angular, &(point - self.com))
    }

    /// Linear and angular velocity in the world from the block's coordinates.
    pub(crate) fn twist(&self, v: &[f64]) -> (Vector3<f64>, Vector3<f64>) {
        if let &[x, y, z, a, b, c] = v {
            return (Vector3::new(x, y, z), Vector3::new(a, b, c));
        }
        let (mut linear, mut angular) = (Vector3::zeros(), Vector3::zeros());
        for (&axis, &value) in self.axes[..self.dim].iter().zip(v) {
            if axis < 3 {
                linear[axis] = value;
            } else {
                angular[axis - 3] = value;
            }
        }
        (linear, angular)
    }

    /// Orientation and angular velocity after a free flight of `time` \[s\] with the angular momentum
    /// `l` (world axes); `None` for a body without rotational inertia.
    pub(crate) fn flight(
        &self,
        l: &Vector3<f64>,
        time: f64,
    ) -> Option<(UnitQuaternion<f64>, Vector3<f64>)> {
        let inverse = self.inertia_local.try_inverse()?;
        Some(spin::free_flight(&inverse, &self.rotation, l, time))
    }
}

/// The bodies of one step; buffers are kept from step to step.
#[derive(Default, Debug)]
pub(crate) struct Bodies {
    roles: Vec<Role>,
    /// Where the roles are not what they are by default.
    named: Vec<usize>,
    free: Vec<FreeBody>,
    count: usize,
    kinematic: Vec<RigidBodyHandle>,
    patterns: Vec<(Axes, Arc<MassPattern>)>,
}

impl Bodies {
    /// The role of a body.
    #[inline]
    pub(crate) fn role(&self, handle: RigidBodyHandle) -> Role {
        let index = handle.into_raw_parts().0 as usize;
        self.roles.get(index).copied().unwrap_or_default()
    }

    /// Makes a body a link of a tree.
    pub(crate) fn set_link(&mut self, handle: RigidBodyHandle, tree: usize, link: usize) {
        self.set_role(handle, Role::Link { tree, link });
    }

    fn set_role(&mut self, handle: RigidBodyHandle, role: Role) {
        let index = handle.into_raw_parts().0 as usize;
        if self.roles.len() <= index {
            self.roles.resize(index + 1, Role::default());
        }
        self.roles[index] = role;
        self.named.push(index);
    }

    /// The free bodies of this step.
    pub(crate) fn free(&self) -> &[FreeBody] {
        &self.free[..self.count]
    }

    /// Kinematic bodies that are not links of a tree.
    pub(crate) fn kinematic(&self) -> &[RigidBodyHandle] {
        &self.kinematic
    }

    /// The free bodies of this step.
    pub(crate) fn free_mut(&mut self) -> &mut [FreeBody] {
        &mut self.free[..self.count]
    }

    /// Forgets the roles of the last step; links are announced next, then [`Bodies::gather`].
    pub(crate) fn clear(&mut self) {
        for index in self.named.drain(..) {
            self.roles[index] = Role::default();
        }
        self.count = 0;
        self.kinematic.clear();
    }

    /// Reads every active body that is not a link: roles, masses, free velocities; one whose numbers are unusable is
    /// left out and named in `bad`. O(active bodies).
    pub(crate) fn gather(
        &mut self,
        set: &RigidBodySet,
        active: &[RigidBodyHandle],
        gravity: &Vector3<f64>,
        h: f64,
        bad: &mut Vec<RigidBodyHandle>,
    ) {
        for &handle in active {
            let Some(rb) = set.get(handle) else { continue };
            if !rb.is_enabled() || matches!(self.role(handle), Role::Link { .. }) {
                continue;
            }
            let mass = real(rb.mass());
            if rb.is_kinematic() {
                self.kinematic.push(handle);
            }
            if !rb.is_dynamic() || rb.is_sleeping() || mass == 0.0 {
                continue;
            }
            if self.add_free(handle, rb, gravity, h) {
                self.set_role(handle, Role::Free(self.count - 1));
            } else {
                self.count -= 1;
                self.set_role(handle, Role::Absent);
                bad.push(handle);
            }
        }
    }

    /// Takes a link out of the scene.
    pub(crate) fn leave_out(&mut self, link: RigidBodyHandle) {
        self.roles[link.into_raw_parts().0 as usize] = Role::Absent;
    }

    /// The pattern of a body with these axes, by its place in `patterns`.
    fn pattern(&mut self, axes: Axes) -> usize {
        if let Some(known) = self.patterns.iter().position(|(a, _)| *a == axes) {
            return known;
        }
        let mut parents = Vec::with_capacity(6);
        let mut last = NO_PARENT;
        for (axis, free) in axes.into_iter().enumerate() {
            if free && axis < 3 {
                parents.push(NO_PARENT);
            } else if free {
                parents.push(last);
                last = parents.len() - 1;
            }
        }
        let pattern = match MassPattern::from_parents(&parents) {
            Ok(pattern) => Arc::new(pattern),
            Err(_) => unreachable!("axes are numbered parents first"),
        };
        self.patterns.push((axes, pattern));
        self.patterns.len() - 1
    }

    /// Adds a body. False if its mass or its velocity is unusable.
    fn add_free(
        &mut self,
        handle: RigidBodyHandle,
        rb: &RigidBody,
        gravity: &Vector3<f64>,
        h: f64,
    ) -> bool {
        let props = &rb.mass_properties().local_mprops;
        let mass = real(rb.mass());
        let inertia_local = full_inertia(props);
        let axes = free_axes(rb, &inertia_local);
        let pattern = self.pattern(axes);
        let pattern = &self.patterns[pattern].1;
        let rotation = rotation(*rb.rotation());
        let r = rotation.to_rotation_matrix();
        let inertia = r.matrix() * inertia_local * r.matrix().transpose();
        if self.free.len() == self.count {
            self.free.push(FreeBody {
                handle,
                block: BlockId(0),
                com: Point3::origin(),
                axes: [0; 6],
                dim: 0,
                inertia_local,
                rotation,
                time: h,
                carried: Vector3::zeros(),
                spin_momentum: None,
                mass: MassFactor::new(pattern.clone()),
                v: [0.0; 6],
                v_free: [0.0; 6],
            });
        }
        let body = &mut self.free[self.count];
        self.count += 1;
        if !Arc::ptr_eq(body.mass.pattern(), pattern) {
            body.mass = MassFactor::new(pattern.clone());
        }
        body.handle = handle;
        body.time = h;
        body.carried = Vector3::zeros();
        body.com = point(rb.center_of_mass());
        body.inertia_local = inertia_local;
        body.rotation = rotation;
        body.dim = 0;
        for (axis, free) in axes.into_iter().enumerate() {
            if free {
                body.axes[body.dim] = axis;
                body.dim += 1;
            }
        }
        if !body.fill_mass(mass, &inertia) {
            return false;
        }
        body.fill_velocity(rb, mass, &inertia, gravity, h);
        let velocities = body.v.iter().chain(&body.v_free).take(6 + body.dim);
        velocities.copied().all(f64::is_finite)
    }
}
