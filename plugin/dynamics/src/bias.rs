//! Bias forces and inverse dynamics by recursive Newton-Euler [Featherstone 2008, sec. 5.3], and the
//! derivative of the bias along a velocity.
//!
//! Per body, with c the centre of mass from the reference point, V = [v; w] its twist and A = [a; z]
//! its acceleration:
//! ```text
//! force  = m (a + z x c + w x v_c)            v_c = v + w x c
//! torque = I z + w x (I w) + c x force        (about the reference point)
//! ```

use crate::kinematics::joint_twist;
use crate::spatial::{Twist, Wrench};
use crate::state::TreeState;
use crate::tree::{Shape, Tree};
use nalgebra::Vector3;

impl Tree {
    /// `out <- C(q, v) v - gravity - external forces`, so that `M a + bias = tau`. Contains the
    /// effect of prescribed motion, and holds the effort needed at prescribed coordinates. Bodies of negligible mass
    /// ([`Tree::set_negligible_mass`]) take part by their weight alone. Needs [`Tree::update_velocities`]. O(links).
    pub fn bias(&self, state: &mut TreeState, gravity: &Vector3<f64>, out: &mut [f64]) {
        for (body, at) in self.bodies.iter().zip(&mut state.bodies).skip(1) {
            let (accel, w) = (&at.convective, &at.velocity.angular);
            let mut force = -gravity * body.weight;
            let mut torque = Vector3::zeros();
            if !body.is_light {
                force += (accel.at(&at.com) + w.cross(&at.com_velocity)) * body.mass;
                torque = at.inertia * accel.angular + w.cross(&at.spin);
            }
            at.wrench.force = force;
            at.wrench.torque = torque + at.com.cross(&force);
            if let Some(offset) = &body.weight_offset {
                at.wrench.torque -= (at.rot * offset).cross(gravity);
            }
        }
        if state.has_external {
            for (at, external) in state.bodies.iter_mut().zip(&state.external) {
                at.wrench = at.wrench - *external;
            }
        }
        self.gather(state, out);
    }

    /// `out <- (d bias / d v) dv`, prescribed coordinates held: their entries of `dv` must be zero
    /// and those of `out` are. Needs [`Tree::update_velocities`]. O(links).
    ///
    /// The bias is quadratic in all velocities, given ones included, so its derivative along `dv` is
    /// twice the symmetric bilinear form of v and dv. Every product x(v) y(v) of the recursion
    /// becomes x(v) y(dv) + x(dv) y(v):
    /// ```text
    /// A'     = A'_parent + V x ds + dV x s + [l x dr + dl x r; 0]
    /// force  = m (a' + z' x c + w x dv_c + dw x v_c)
    /// torque = I z' + w x (I dw) + dw x (I w) + c x force
    /// ```
    pub fn bias_derivative(&self, state: &mut TreeState, dv: &[f64], out: &mut [f64]) {
        let columns = &state.columns;
        let bodies = &mut state.bodies;
        bodies[0].work_velocity = Twist::default();
        bodies[0].work_acceleration = Twist::default();
        for (index, body) in self.bodies.iter().enumerate().skip(1) {
            let (done, rest) = bodies.split_at_mut(index);
            let (parent, at) = (&done[body.parent], &mut rest[0]);
            let (relative, sliding) = joint_twist(body, columns, dv);
            let twist = parent.work_velocity + relative;
            let mut accel = parent.work_acceleration
                + parent.velocity.cross(&relative)
                + parent.work_velocity.cross(&at.relative);
            if body.mixed {
                accel.linear +=
                    at.sliding.cross(&relative.angular) + sliding.cross(&at.relative.angular);
            }
            at.work_velocity = twist;
            at.work_acceleration = accel;
            let (w, dw) = (&at.velocity.angular, &twist.angular);
            let com_velocity = twist.at(&at.com);
            let com_accel = accel.at(&at.com) + w.cross(&com_velocity) + dw.cross(&at.com_velocity);
            let force = com_accel * body.mass;
            let torque =
                at.inertia * accel.angular + w.cross(&(at.inertia * dw)) + dw.cross(&at.spin);
            at.wrench = Wrench {
                force,
                torque: torque + at.com.cross(&force),
            };
        }
        self.gather(state, out);
        if self.has_prescribed {
            self.clear_prescribed(out);
        }
    }

    /// Zeroes the entries of prescribed coordinates.
    pub(crate) fn clear_prescribed(&self, x: &mut [f64]) {
        for (x, &prescribed) in x.iter_mut().zip(&self.prescribed) {
            if prescribed {
                *x = 0.0;
            }
        }
    }

    /// Sums the wrenches of each subtree and projects them on the columns.
    pub(crate) fn gather(&self, state: &mut TreeState, out: &mut [f64]) {
        for (index, body) in self.bodies.iter().enumerate().skip(1).rev() {
            let wrench = state.bodies[index].wrench;
            let range = body.first..body.first + body.dofs;
            let target = &mut out[range.clone()];
            if let (Shape::Floating, [a, b, c, d, e, f]) = (body.shape, &mut *target) {
                (*a, *b, *c) = (wrench.force.x, wrench.force.y, wrench.force.z);
                (*d, *e, *f) = (wrench.torque.x, wrench.torque.y, wrench.torque.z);
            } else {
                for (o, column) in target.iter_mut().zip(&state.columns[range]) {
                    *o = column.power(&wrench);
                }
            }
            if body.parent != 0 {
                state.bodies[body.parent].wrench += wrench;
            }
        }
    }
}
