//! Free bodies as blocks of the contact problem, and what every body is to the solver.
//!
//! A free body's coordinates are its velocity in world axes at its centre of mass, linear first,
//! the locked axes left out: `M = diag(m 1, R I R^T)` restricted to the free axes.

mod fill;
mod role;

pub(crate) use role::Role;

use crate::base::convert::{point, real, rotation};
use crate::base::surface::Motion;
use fill::{WorldInertia, free_axes, full_inertia, turned_inertia};
use nalgebra::{Point3, Vector3};
use rapier::prelude::*;
use role::{NONE, Packed};
use std::sync::Arc;
use stickslip_core::mass::{MassFactor, MassPattern, NO_PARENT};
use stickslip_core::problem::{BlockId, ContactProblem};

/// Which of the six axes of a free body move: linear x y z, angular x y z.
type Axes = [bool; 6];

/// One free body of the current step.
#[derive(Clone, Debug)]
pub(crate) struct FreeBody {
    pub(crate) handle: RigidBodyHandle,
    v_free: [f64; 6],
    /// Number of its block, or [`NONE`].
    block: u32,
    /// The free axes in the order of the block's coordinates (block coordinate -> axis 0..6).
    axes: [u8; 6],
    /// Number of coordinates.
    dim: u8,
    /// Whether it keeps its angular momentum when nothing touches it.
    keeps_spin: bool,
}

/// What the problem takes of a body that something may touch.
#[derive(Clone, Debug)]
struct Part {
    mass: MassFactor,
    /// Centre of mass in the world, start of the step \[m\].
    com: Point3<f64>,
    v: [f64; 6],
}

impl FreeBody {
    /// Its block of the contact problem, where it has one: what nothing may touch moves with its free velocity.
    pub(crate) fn block(&self) -> Option<BlockId> {
        (self.block != NONE).then_some(BlockId(self.block as usize))
    }

    /// Number of coordinates.
    pub(crate) fn dim(&self) -> usize {
        self.dim.into()
    }

    /// The free axes in the order of the coordinates.
    pub(crate) fn axes(&self) -> impl Iterator<Item = usize> {
        self.axes[..self.dim()].iter().map(|&axis| axis.into())
    }

    /// Its part of a velocity over the coordinates of the problem; the free one if it has none.
    pub(crate) fn part_of<'a>(&'a self, problem: &ContactProblem, v: &'a [f64]) -> &'a [f64] {
        match self.block() {
            Some(block) => &v[problem.block_range(block)],
            None => &self.v_free[..self.dim()],
        }
    }

    /// Writes the velocity rows of a point at `arm` from the centre of mass along three directions, one after another, signed.
    pub(crate) fn point_rows(
        &self,
        arm: &Vector3<f64>,
        directions: &[Vector3<f64>; 3],
        sign: f64,
        rows: &mut Vec<f64>,
    ) {
        let row = |d: &Vector3<f64>| {
            let moment = arm.cross(d);
            [d.x, d.y, d.z, moment.x, moment.y, moment.z].map(|x| sign * x)
        };
        if self.dim() == 6 {
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
            rows.extend(self.axes().map(|axis| row[axis]));
        }
    }

    /// Writes the rows of the angular velocity about three directions, one after another, signed.
    pub(crate) fn spin_rows(&self, directions: &[Vector3<f64>; 3], sign: f64, rows: &mut Vec<f64>) {
        rows.clear();
        for d in directions {
            let spin = |axis: usize| if axis < 3 { 0.0 } else { sign * d[axis - 3] };
            rows.extend(self.axes().map(spin));
        }
    }

    /// Linear and angular velocity in the world from the block's coordinates.
    pub(crate) fn twist(&self, v: &[f64]) -> (Vector3<f64>, Vector3<f64>) {
        if let &[x, y, z, a, b, c] = v {
            return (Vector3::new(x, y, z), Vector3::new(a, b, c));
        }
        let (mut linear, mut angular) = (Vector3::zeros(), Vector3::zeros());
        for (axis, &value) in self.axes().zip(v) {
            if axis < 3 {
                linear[axis] = value;
            } else {
                angular[axis - 3] = value;
            }
        }
        (linear, angular)
    }
}

/// A body whose motion ends before the step does.
#[derive(Clone, Copy, Debug, PartialEq)]
pub(crate) struct Stop {
    number: u32,
    /// How long it moves \[s\].
    pub(crate) time: f64,
    /// How far what it met carries it along after that \[m\].
    pub(crate) carried: Vector3<f64>,
}

/// The bodies of one step; buffers are kept from step to step.
#[derive(Default, Debug)]
pub(crate) struct Bodies {
    roles: Vec<Packed>,
    /// Where the roles are not what they are by default.
    named: Vec<u32>,
    free: Vec<FreeBody>,
    /// Of the bodies that have a block, by its number; those beyond their count are of earlier steps.
    parts: Vec<Part>,
    count: usize,
    /// By the number of the body, ascending.
    stops: Vec<Stop>,
    /// Length of the step \[s\].
    h: f64,
    kinematic: Vec<RigidBodyHandle>,
    patterns: Vec<(Axes, Arc<MassPattern>)>,
    /// By the index of a body, the step in which something touched it last.
    touched: Vec<u32>,
    /// The number of this step.
    step: u32,
}

impl Bodies {
    /// The role of a body.
    #[inline]
    pub(crate) fn role(&self, handle: RigidBodyHandle) -> Role {
        let index = handle.into_raw_parts().0 as usize;
        let known = self.roles.get(index).copied();
        known.map_or_else(Role::default, Packed::role)
    }

    /// Notes, before [`Bodies::gather`], that a row may touch a body: the problem has a block for it.
    pub(crate) fn touch(&mut self, handle: RigidBodyHandle) {
        let index = handle.into_raw_parts().0 as usize;
        if self.touched.len() <= index {
            self.touched.resize(index + 1, 0);
        }
        self.touched[index] = self.step;
    }

    /// Velocity, free velocity and mass of the blocks of the problem.
    pub(crate) fn blocks(&self) -> impl Iterator<Item = (&MassFactor, &[f64], &[f64])> {
        let parts = self.free.iter().filter(|body| body.block != NONE);
        parts.map(|body| self.data(body))
    }

    fn data<'a>(&'a self, body: &'a FreeBody) -> (&'a MassFactor, &'a [f64], &'a [f64]) {
        let part = &self.parts[body.block as usize];
        (
            &part.mass,
            &part.v[..body.dim()],
            &body.v_free[..body.dim()],
        )
    }

    /// Mass, velocity and free velocity of a body that has a block.
    pub(crate) fn block_data(&self, number: usize) -> (&MassFactor, &[f64], &[f64]) {
        self.data(&self.free[number])
    }

    /// The larger of the present and the free velocity of a point of a body that has a block along a signed direction.
    pub(crate) fn fastest_along(
        &self,
        number: usize,
        point: &Point3<f64>,
        n: &Vector3<f64>,
        sign: f64,
    ) -> f64 {
        let body = &self.free[number];
        let arm = self.arm(number, point);
        let along = |v: &[f64]| {
            let (linear, angular) = body.twist(v);
            sign * (linear + angular.cross(&arm)).dot(n)
        };
        let (_, v, v_free) = self.data(body);
        along(v).max(along(v_free))
    }

    /// How a point of a body that has a block moves when no coordinate accelerates.
    pub(crate) fn motion(&self, number: usize, point: &Point3<f64>) -> Motion {
        let body = &self.free[number];
        let (linear, angular) = body.twist(self.data(body).1);
        Motion::about(&linear, &angular, &self.arm(number, point))
    }

    /// Centre of mass of a body that has a block, at the start of the step \[m\].
    pub(crate) fn com(&self, number: usize) -> Point3<f64> {
        self.parts[self.free[number].block as usize].com
    }

    /// From the centre of mass of a body that has a block to a point \[m\].
    pub(crate) fn arm(&self, number: usize, point: &Point3<f64>) -> Vector3<f64> {
        point - self.com(number)
    }

    /// How a body's motion ends.
    pub(crate) fn stop(&self, number: usize) -> Stop {
        let whole = Stop {
            number: number as u32,
            time: self.h,
            carried: Vector3::zeros(),
        };
        // Next to none is stopped.
        let at = self.find_stop(number);
        at.map_or(whole, |at| self.stops[at])
    }

    /// The same, to be changed.
    pub(crate) fn stop_mut(&mut self, number: usize) -> &mut Stop {
        let at = self.find_stop(number).unwrap_or_else(|at| {
            self.stops.insert(at, self.stop(number));
            at
        });
        &mut self.stops[at]
    }

    fn find_stop(&self, number: usize) -> Result<usize, usize> {
        (self.stops).binary_search_by_key(&number, |stop| stop.number as usize)
    }

    /// Makes a body a link of a tree.
    pub(crate) fn set_link(&mut self, handle: RigidBodyHandle, tree: usize, link: usize) {
        self.set_role(handle, Role::Link { tree, link });
    }

    fn set_role(&mut self, handle: RigidBodyHandle, role: Role) {
        let index = handle.into_raw_parts().0 as usize;
        if self.roles.len() <= index {
            self.roles.resize(index + 1, Packed::of(Role::default()));
        }
        self.roles[index] = Packed::of(role);
        self.named.push(index as u32);
    }

    /// The free bodies of this step.
    pub(crate) fn free(&self) -> &[FreeBody] {
        &self.free
    }

    /// Kinematic bodies that are not links of a tree.
    pub(crate) fn kinematic(&self) -> &[RigidBodyHandle] {
        &self.kinematic
    }

    /// Forgets the roles of the last step; links are announced next, then [`Bodies::gather`].
    pub(crate) fn clear(&mut self) {
        for index in self.named.drain(..) {
            self.roles[index as usize] = Packed::of(Role::default());
        }
        self.free.clear();
        self.count = 0;
        self.stops.clear();
        self.kinematic.clear();
        self.step = self.step.wrapping_add(1);
        if self.step == 0 {
            self.touched.fill(0);
            self.step = 1;
        }
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
        self.h = h;
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
                self.set_role(handle, Role::Free(self.free.len() - 1));
            } else {
                self.set_role(handle, Role::Absent);
                bad.push(handle);
            }
        }
    }

    /// Takes a link out of the scene.
    pub(crate) fn leave_out(&mut self, link: RigidBodyHandle) {
        self.roles[link.into_raw_parts().0 as usize] = Packed::of(Role::Absent);
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

    /// Adds a body. False, and without it, if its mass or its velocity is unusable.
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
        let inertia = turned_inertia(&inertia_local, &rotation(*rb.rotation()));
        // What nothing touches leaves its place to the next one.
        if self.parts.len() == self.count {
            self.parts.push(Part {
                mass: MassFactor::new(pattern.clone()),
                com: Point3::origin(),
                v: [0.0; 6],
            });
        }
        let part = &mut self.parts[self.count];
        if !Arc::ptr_eq(part.mass.pattern(), pattern) {
            part.mass = MassFactor::new(pattern.clone());
        }
        part.com = point(rb.center_of_mass());
        let mut body = FreeBody {
            handle,
            v_free: [0.0; 6],
            block: NONE,
            axes: [0; 6],
            dim: 0,
            keeps_spin: false,
        };
        for (axis, free) in (0..).zip(axes) {
            if free {
                body.axes[body.dim()] = axis;
                body.dim += 1;
            }
        }
        if !body.fill_mass(&mut part.mass, mass, &inertia) {
            return false;
        }
        let inertia = &inertia;
        let of_mass = WorldInertia { mass, inertia };
        body.fill_velocity(&mut part.v, rb, of_mass, gravity, h);
        let velocities = part.v.iter().chain(&body.v_free).take(6 + body.dim());
        if !velocities.copied().all(f64::is_finite) {
            return false;
        }
        let index = handle.into_raw_parts().0 as usize;
        if self.touched.get(index) == Some(&self.step) {
            body.block = self.count as u32;
            self.count += 1;
        }
        self.free.push(body);
        true
    }
}
