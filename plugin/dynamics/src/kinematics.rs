//! Forward kinematics, velocities and the position update.

#![allow(non_snake_case)]

use crate::spatial::{Twist, Wrench, product, turned};
use crate::state::{BodyState, JointPosition, TreeState};
use crate::tree::{Angular, Body, Shape, Tree};
use nalgebra::{Isometry3, Rotation3, Translation3, UnitQuaternion, Vector3};
use std::iter::successors;

impl Tree {
    /// Poses, centres of mass, world inertias and motion-subspace columns from the joint positions.
    /// O(links).
    pub fn forward_kinematics(&self, state: &mut TreeState) {
        let reference = self.reference_point(state);
        state.reference = reference;
        let TreeState {
            positions,
            bodies,
            columns,
            ..
        } = state;
        bodies[0].rot = *self.ground.rotation.matrix();
        bodies[0].origin = self.ground.translation.vector - reference;
        let free_root = self.link_body[0] == 1;
        for (index, body) in self.bodies.iter().enumerate().skip(1) {
            let (done, rest) = bodies.split_at_mut(index);
            let (parent, me) = (&done[body.parent], &mut rest[0]);
            let position = &positions[body.link];
            let columns = &mut columns[body.first..body.first + body.dofs];
            match body.shape {
                Shape::Revolute(axis) => revolute(body, axis, parent, me, position, columns),
                _ => general(body, parent, me, position, columns),
            }
            if free_root && index == 1 {
                // The reference point is this very origin: round-off of the subtraction goes.
                me.origin = Vector3::zeros();
                for column in columns.iter_mut() {
                    if column.angular != Vector3::zeros() {
                        column.linear = Vector3::zeros();
                    }
                }
            }
            me.com = me.origin + me.rot * body.com;
            me.inertia = product(&product(&me.rot, &body.inertia), &me.rot.transpose());
        }
    }

    fn reference_point(&self, state: &TreeState) -> Vector3<f64> {
        if self.link_body[0] == 0 {
            return self.ground.translation.vector;
        }
        let Body {
            placement, linear, ..
        } = &self.bodies[1];
        let slide = state.positions()[0].linear;
        let slide = Vector3::from_fn(|i, _| if linear[i] { slide[i] } else { 0.0 });
        placement.translation.vector + placement.rotation * slide
    }

    /// Twists and convective accelerations from the velocities; needs
    /// [`Tree::forward_kinematics`]. O(links).
    ///
    /// With parent twist V, relative twist s = S v made of a translation l and a rotation r, the
    /// acceleration at zero coordinate acceleration is `A = A_parent + V x s + [l x r; 0]`: the
    /// columns are carried by the parent, and the pivot of the rotation moves with l.
    pub fn update_velocities(&self, state: &mut TreeState) {
        let root = if self.link_body[0] == 0 {
            state.root_velocity
        } else {
            Twist::default()
        };
        let ends = root.linear.iter().chain(root.angular.iter());
        state.speed = ends.chain(state.velocity()).map(|v| v.abs()).sum();
        let (velocity, bodies, columns) = (&state.velocity, &mut state.bodies, &state.columns);
        bodies[0].velocity = root;
        bodies[0].convective = Twist::new(root.linear.cross(&root.angular), Vector3::zeros());
        for (index, body) in self.bodies.iter().enumerate().skip(1) {
            let (done, rest) = bodies.split_at_mut(index);
            let (parent, me) = (&done[body.parent], &mut rest[0]);
            let (relative, sliding) = joint_twist(body, columns, velocity);
            let mut convective = parent.convective + parent.velocity.cross(&relative);
            if body.mixed {
                convective.linear += sliding.cross(&relative.angular);
            }
            me.velocity = parent.velocity + relative;
            me.relative = relative;
            me.sliding = sliding;
            me.convective = convective;
            me.com_velocity = me.velocity.at(&me.com);
            me.spin = me.inertia * me.velocity.angular;
        }
    }

    /// Moves every joint with its velocity for a time `h`: translations and angles add, ball joints
    /// and floating bases turn by the exponential map multiplied from the left. Needs
    /// [`Tree::forward_kinematics`] afterwards. O(m).
    pub fn integrate(&self, state: &mut TreeState, h: f64) {
        let (positions, velocity) = (&mut state.positions, &state.velocity);
        for body in &self.bodies[1..] {
            let position = &mut positions[body.link];
            let mut rates = velocity[body.first..body.first + body.dofs].iter();
            let mut next = || rates.next().copied().unwrap_or(0.0);
            for (x, &free) in position.linear.iter_mut().zip(&body.linear) {
                if free {
                    *x += h * next();
                }
            }
            match body.angular {
                Angular::Locked => {}
                Angular::Axis(_) => position.angle += h * next(),
                Angular::Ball => {
                    let turn = Vector3::new(next(), next(), next()) * h;
                    position.rotation = UnitQuaternion::from_scaled_axis(turn) * position.rotation;
                    position.rotation.renormalize();
                }
            }
        }
    }

    /// Pose of a link in the world, X_WL.
    pub fn link_pose(&self, state: &TreeState, link: usize) -> Isometry3<f64> {
        let body = &state.bodies[self.link_body[link]];
        let translation = Translation3::from(state.reference + body.origin);
        let rotation = Rotation3::from_matrix_unchecked(body.rot);
        Isometry3::from_parts(translation, rotation.into()) * self.in_body[link]
    }

    /// Centre of mass of a link in the world \[m\].
    pub fn link_com(&self, state: &TreeState, link: usize) -> Vector3<f64> {
        state.reference + self.link_com_from_reference(state, link)
    }

    fn link_com_from_reference(&self, state: &TreeState, link: usize) -> Vector3<f64> {
        let com = nalgebra::Point3::from(self.links[link].inertia.com);
        let body = &state.bodies[self.link_body[link]];
        body.origin + body.rot * (self.in_body[link] * com).coords
    }

    /// Velocity of a link at its origin; world axes. Needs [`Tree::update_velocities`].
    pub fn link_velocity(&self, state: &TreeState, link: usize) -> Twist {
        let body = &state.bodies[self.link_body[link]];
        let r = body.origin + body.rot * self.in_body[link].translation.vector;
        Twist::new(body.velocity.at(&r), body.velocity.angular)
    }

    /// Velocity of the point of a link that is at `p_W` now [m/s]. Needs
    /// [`Tree::update_velocities`].
    pub fn point_velocity(
        &self,
        state: &TreeState,
        link: usize,
        p_W: &Vector3<f64>,
    ) -> Vector3<f64> {
        let body = &state.bodies[self.link_body[link]];
        body.velocity.at(&(p_W - state.reference))
    }

    /// Acceleration of the point of a link that is at `p_W` now while all coordinates keep their
    /// velocities, `Jdot v` of that point [m/s^2]; what moves as prescribed keeps its twist. Needs
    /// [`Tree::update_velocities`].
    pub fn point_bias_acceleration(
        &self,
        state: &TreeState,
        link: usize,
        p_W: &Vector3<f64>,
    ) -> Vector3<f64> {
        let body = &state.bodies[self.link_body[link]];
        let r = p_W - state.reference;
        body.convective.at(&r) + body.velocity.angular.cross(&body.velocity.at(&r))
    }

    /// Adds a force at a link's centre of mass and a torque about it, world axes, until
    /// [`TreeState::clear_forces`]. Needs [`Tree::forward_kinematics`] of the same positions.
    pub fn add_force(
        &self,
        state: &mut TreeState,
        link: usize,
        force: &Vector3<f64>,
        torque: &Vector3<f64>,
    ) {
        let arm = self.link_com_from_reference(state, link);
        state.external[self.link_body[link]] += Wrench {
            force: *force,
            torque: torque + arm.cross(force),
        };
        state.has_external = true;
    }

    /// Moves the external force of every body of negligible mass ([`Tree::set_negligible_mass`]) to the nearest body that has mass, as
    /// if the two were welded: to one below it in the tree, else to one above it. A force is dropped if there is no such body, because a
    /// force on a massless body has no finite acceleration. O(links) for each such force.
    pub fn carry_forces(&self, state: &mut TreeState) {
        if !state.has_external {
            return;
        }
        let is_light = |body: usize| self.bodies[body].is_light;
        // A body, its parent and so on to the ground, which takes what nothing else does.
        let path =
            |body: usize| successors(Some(body), |&b| (b > 0).then(|| self.bodies[b].parent));
        let count = self.bodies.len();
        for body in 1..count {
            if state.external[body] != Wrench::default() && is_light(body) {
                let mut below = (body + 1..count).filter(|&b| path(b).any(|above| above == body));
                let carrier = below
                    .find(|&b| !is_light(b))
                    .or_else(|| path(body).find(|&b| b > 0 && !is_light(b)));
                let wrench = std::mem::take(&mut state.external[body]);
                state.external[carrier.unwrap_or(0)] += wrench;
            }
        }
    }
}

/// Relative twist of a joint at the coordinate velocities `x`, and its translational part.
#[inline(always)]
pub(crate) fn joint_twist(body: &Body, columns: &[Twist], x: &[f64]) -> (Twist, Vector3<f64>) {
    let range = body.first..body.first + body.dofs;
    let (columns, x) = (&columns[range.clone()], &x[range]);
    match (body.shape, columns, x) {
        (Shape::Revolute(_), [column], [x]) => (*column * *x, Vector3::zeros()),
        (Shape::Floating, _, &[a, b, c, d, e, f]) => {
            let linear = Vector3::new(a, b, c);
            (Twist::new(linear, Vector3::new(d, e, f)), linear)
        }
        _ => {
            let mut twist = Twist::default();
            let mut sliding = Vector3::zeros();
            for (column, &x) in columns.iter().zip(x) {
                twist += *column * x;
                if column.angular == Vector3::zeros() {
                    sliding += column.linear * x;
                }
            }
            (twist, sliding)
        }
    }
}

#[inline]
fn revolute(
    body: &Body,
    axis: usize,
    parent: &BodyState,
    me: &mut BodyState,
    position: &JointPosition,
    columns: &mut [Twist],
) {
    let frame = product(&parent.rot, body.placement.rotation.matrix());
    me.origin = parent.origin + parent.rot * body.placement.translation.vector;
    me.rot = turned(&frame, axis, position.angle);
    let axis = frame.column(axis).into_owned();
    for column in columns {
        *column = Twist::new(me.origin.cross(&axis), axis);
    }
}

fn general(
    body: &Body,
    parent: &BodyState,
    me: &mut BodyState,
    position: &JointPosition,
    columns: &mut [Twist],
) {
    let frame = product(&parent.rot, body.placement.rotation.matrix());
    let mut origin = parent.origin + parent.rot * body.placement.translation.vector;
    let mut columns = columns.iter_mut();
    for k in 0..3 {
        if body.linear[k] {
            let axis = frame.column(k).into_owned();
            origin += axis * position.linear[k];
            if let Some(column) = columns.next() {
                *column = Twist::new(axis, Vector3::zeros());
            }
        }
    }
    me.origin = origin;
    me.rot = match body.angular {
        Angular::Locked => frame,
        Angular::Axis(k) => turned(&frame, k, position.angle),
        Angular::Ball => product(&frame, position.rotation.to_rotation_matrix().matrix()),
    };
    let first = match body.angular {
        Angular::Axis(k) => k,
        _ => 0,
    };
    for (k, column) in columns.enumerate() {
        let axis = frame.column(first + k).into_owned();
        *column = Twist::new(origin.cross(&axis), axis);
    }
}
