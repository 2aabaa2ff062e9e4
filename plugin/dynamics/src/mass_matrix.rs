//! The mass matrix by composite rigid bodies [Featherstone 2008, sec. 6.2].

use crate::spatial::{SpatialInertia, Twist, point_inertia};
use crate::state::TreeState;
use crate::tree::{Shape, Tree};
use nalgebra::{Matrix3, Vector3};
use stickslip_core::mass::MassFactor;

impl Tree {
    /// Writes `M + diag(diagonal)` into `factor`, whose pattern must be [`Tree::pattern`]; not
    /// factored yet; the state keeps what [`Tree::velocity_change`] needs of it. `diagonal` (m) holds
    /// armatures and the implicit terms `h d + h^2 k` of dampers and springs. Needs
    /// [`Tree::forward_kinematics`]. O(sum of path lengths).
    ///
    /// `M_ij = S_i . (I^c_j S_j)` for i on the path of j, I^c_j the inertia of the subtree of j held
    /// rigid. Prescribed coordinates have the row of the identity matrix and appear in no other row.
    pub fn mass_matrix(&self, state: &mut TreeState, diagonal: &[f64], factor: &mut MassFactor) {
        self.composite_inertias(state);
        state.diagonal.copy_from_slice(diagonal);
        let (columns, pattern) = (&state.columns, &*self.pattern);
        let values = factor.values_mut();
        for (body, composite) in self.bodies.iter().zip(&state.composite).skip(1) {
            for j in body.first..body.first + body.dofs {
                let row = &mut values[pattern.row(j)];
                if body.kinematic {
                    row.fill(1.0);
                    continue;
                }
                let momentum = composite.momentum(&columns[j]);
                let mut known = 0;
                if self.floating && body.shape != Shape::Floating {
                    // The base's columns are unit vectors.
                    let (p, l) = (momentum.force, momentum.torque);
                    row[..6].copy_from_slice(&[p.x, p.y, p.z, l.x, l.y, l.z]);
                    known = 6;
                }
                let path = &pattern.path(j)[known..];
                for (entry, &i) in row[known..].iter_mut().zip(path) {
                    *entry = columns[i].power(&momentum);
                }
                if let Some(last) = row.last_mut() {
                    *last += diagonal[j];
                }
            }
        }
    }

    /// Inertia of every subtree, held rigid, about the reference point.
    pub(crate) fn composite_inertias(&self, state: &mut TreeState) {
        let composite = &mut state.composite;
        for ((body, at), out) in self
            .bodies
            .iter()
            .zip(&state.bodies)
            .zip(composite.iter_mut())
        {
            *out = SpatialInertia {
                mass: body.mass,
                moment: at.com * body.mass,
                inertia: at.inertia + point_inertia(body.mass, &at.com),
            };
        }
        for (index, body) in self.bodies.iter().enumerate().skip(2).rev() {
            if body.parent != 0 {
                let child = composite[index];
                composite[body.parent] += child;
            }
        }
    }

    /// `out <- M x` without forming M (armature not included), over all coordinates, prescribed ones
    /// too. Needs [`Tree::forward_kinematics`]. O(links).
    pub fn mul_mass(&self, state: &mut TreeState, x: &[f64], out: &mut [f64]) {
        state.bodies[0].work_velocity = Twist::default();
        for (index, body) in self.bodies.iter().enumerate().skip(1) {
            let (relative, _) = crate::kinematics::joint_twist(body, &state.columns, x);
            let (done, rest) = state.bodies.split_at_mut(index);
            let me = &mut rest[0];
            let twist = done[body.parent].work_velocity + relative;
            me.work_velocity = twist;
            me.wrench.force = twist.at(&me.com) * body.mass;
            me.wrench.torque = me.inertia * twist.angular + me.com.cross(&me.wrench.force);
        }
        self.gather(state, out);
    }

    /// Composite inertia of everything that moves: mass, centre of mass from the reference point,
    /// rotational inertia about it.
    pub(crate) fn total_inertia(&self, state: &TreeState) -> (f64, Vector3<f64>, Matrix3<f64>) {
        let (mut mass, mut moment) = (0.0, Vector3::zeros());
        for (body, at) in self.bodies.iter().zip(&state.bodies).skip(1) {
            mass += body.mass;
            moment += at.com * body.mass;
        }
        let com = if mass > 0.0 { moment / mass } else { moment };
        let mut inertia = Matrix3::zeros();
        for (body, at) in self.bodies.iter().zip(&state.bodies).skip(1) {
            inertia += at.inertia + point_inertia(body.mass, &(at.com - com));
        }
        (mass, com, inertia)
    }
}
