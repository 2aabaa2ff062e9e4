//! One free body above level ground, touching it with points of its own.

#![allow(non_snake_case)]

use super::bench::Bench;
use crate::catalog::Scenario;
use crate::model_keys::Material;
use nalgebra::{Isometry3, Matrix3, Point3, Translation3, UnitQuaternion, Vector3};
use stickslip_core::mass::MassFactor;
use stickslip_core::problem::{ContactData, RowHalf};
use stickslip_record::{BodyRecord, Geometry, SceneRecord, ShapeRecord};

/// Gravity of the experiments [m/s^2], downwards.
pub(super) const GRAVITY: f64 = 9.81;

/// Axes of a contact with level ground: normal z, tangents x and y.
pub(super) fn axes() -> [Vector3<f64>; 3] {
    [Vector3::z(), Vector3::x(), Vector3::y()]
}

/// Velocity rows of a point `r` from the centre of mass: linear and angular part, along each axis.
pub(super) fn point_rows(axes: &[Vector3<f64>; 3], r: &Vector3<f64>) -> [[f64; 6]; 3] {
    axes.map(|a| {
        let m = r.cross(&a);
        [a.x, a.y, a.z, m.x, m.y, m.z]
    })
}

/// Columns of a free body's rows.
pub(super) const ALL: [usize; 6] = [0, 1, 2, 3, 4, 5];

/// A free body with its state.
#[derive(Clone, Debug)]
pub(super) struct Body {
    /// Mass [kg].
    pub(super) mass: f64,
    /// Principal inertia, in the body's axes [kg m^2].
    pub(super) inertia: Vector3<f64>,
    /// Pose of the centre of mass (`X_WB`).
    pub(super) pose: Isometry3<f64>,
    /// Velocity of the centre of mass [m/s].
    pub(super) linear: Vector3<f64>,
    /// Angular velocity, world axes [rad/s].
    pub(super) angular: Vector3<f64>,
    /// Points that touch, in the body's axes \[m\].
    pub(super) points: Vec<Point3<f64>>,
}

impl Body {
    /// Adds the body and its contacts to the problem: `v_free` by gravity and the gyroscopic torque
    /// `-w x I w`, `Ndot v` the centripetal acceleration of each point.
    ///
    /// # Errors
    /// When the mass matrix is not positive definite.
    pub(super) fn add_to(
        &self,
        bench: &mut Bench,
        h: f64,
        mu: f64,
        material: &Material,
    ) -> Result<(), String> {
        let R = self.pose.rotation.to_rotation_matrix();
        let I = R.matrix() * Matrix3::from_diagonal(&self.inertia) * R.matrix().transpose();
        let mass = MassFactor::free_body(self.mass, &I).map_err(|e| e.to_string())?;
        let w = self.angular;
        let torque = -w.cross(&(I * w));
        let turn = I.try_inverse().ok_or("the inertia is singular")? * torque;
        let fall = Vector3::new(0.0, 0.0, -GRAVITY);
        let state = |linear: Vector3<f64>, angular: Vector3<f64>| {
            [
                linear.x, linear.y, linear.z, angular.x, angular.y, angular.z,
            ]
        };
        let v = state(self.linear, w);
        let v_free = state(self.linear + fall * h, w + turn * h);
        let block = bench.builder.add_block(&mass, &v, &v_free);
        for (key, point) in self.points.iter().enumerate() {
            let at = self.pose * point;
            let r = at - Point3::from(self.pose.translation.vector);
            let centripetal = w.cross(&w.cross(&r));
            let rows = point_rows(&axes(), &r);
            let data = ContactData {
                key: key as u64,
                phi: at.z,
                mu,
                mu_across: material.mu_across,
                mu_viscous: material.mu_viscous,
                mu_torsional: material.mu_torsional,
                mu_rolling: material.mu_rolling,
                compliance: material.compliance,
                acceleration_bias: axes().map(|a| a.dot(&centripetal)),
                ..ContactData::default()
            };
            let half = |rows: &[[f64; 6]; 3]| -> [Vec<f64>; 3] { (*rows).map(|r| r.to_vec()) };
            let rows = half(&rows);
            let id = bench.builder.add_contact(
                data,
                &[RowHalf {
                    block,
                    cols: &ALL,
                    rows: [&rows[0], &rows[1], &rows[2]],
                }],
            );
            if material.mu_torsional > 0.0 || material.mu_rolling > 0.0 {
                let spins = axes().map(|a| [0.0, 0.0, 0.0, a.x, a.y, a.z]);
                bench.builder.add_spin(
                    id,
                    &[RowHalf {
                        block,
                        cols: &ALL,
                        rows: [&spins[0], &spins[1], &spins[2]],
                    }],
                );
            }
        }
        Ok(())
    }

    /// Reads the contacts of the last solve.
    pub(super) fn read(&self, bench: &mut Bench) {
        for (c, point) in self.points.iter().enumerate() {
            bench.read(c, self.pose * point, axes());
        }
    }

    /// Moves with the velocity of the last solve (symplectic Euler, exponential map).
    pub(super) fn advance(&mut self, bench: &Bench, h: f64) {
        let v = &bench.solution().v_plus;
        self.linear = Vector3::new(v[0], v[1], v[2]);
        self.angular = Vector3::new(v[3], v[4], v[5]);
        let turn = UnitQuaternion::from_scaled_axis(self.angular * h);
        self.pose = Isometry3::from_parts(
            Translation3::from(self.pose.translation.vector + self.linear * h),
            turn * self.pose.rotation,
        );
    }
}

/// The ground and one body of the given shape.
pub(super) fn scene(
    scenario: &Scenario,
    body: &str,
    geometry: Geometry,
    weight: f64,
) -> SceneRecord {
    let record = |name: &str, moves: bool, geometry: Geometry, color: [u8; 4]| BodyRecord {
        name: name.to_owned(),
        moves,
        shapes: vec![ShapeRecord {
            pose: Isometry3::identity(),
            geometry,
            color,
        }],
        ..BodyRecord::default()
    };
    let ground = Geometry::HalfSpace {
        normal: Vector3::z(),
    };
    SceneRecord {
        name: scenario.name.to_owned(),
        view: scenario.view(),
        bodies: vec![
            record("ground", false, ground, [150, 150, 155, 255]),
            record(body, true, geometry, [86, 140, 200, 255]),
        ],
        weight,
        ..SceneRecord::default()
    }
}
