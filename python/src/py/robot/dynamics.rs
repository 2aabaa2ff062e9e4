//! Mass, centre of mass, mass matrix, bias and Jacobians of a robot.

use super::Robot;
use crate::py::convert;
use nalgebra::DMatrix;
use numpy::{PyArray1, PyArray2, PyArrayMethods};
use pyo3::prelude::*;
use rapier3d_f64::prelude::*;

fn matrix<'py>(py: Python<'py>, m: &DMatrix<f64>) -> PyResult<Bound<'py, PyArray2<f64>>> {
    let rows: Vec<f64> = m.transpose().as_slice().to_vec();
    PyArray1::from_vec(py, rows).reshape([m.nrows(), m.ncols()])
}

#[pymethods]
impl Robot {
    /// Mass of all that moves [kg].
    #[getter]
    fn mass(&self) -> PyResult<f64> {
        self.with(|scene| {
            let robot = &scene.names.robots[self.number];
            let bodies = robot
                .bodies
                .iter()
                .filter_map(|b| scene.world.bodies.get(*b));
            Ok(bodies.filter(|b| b.is_dynamic()).map(RigidBody::mass).sum())
        })
    }

    /// Centre of mass of all that moves, in the world [m].
    #[getter]
    fn com<'py>(&self, py: Python<'py>) -> PyResult<Bound<'py, PyArray1<f64>>> {
        let com = self.with(|scene| {
            let robot = &scene.names.robots[self.number];
            if !robot.articulated {
                let root = scene.world.bodies.get(robot.root);
                return Ok(root.map_or(Vector::ZERO, RigidBody::center_of_mass));
            }
            let com = scene.dynamics(self.number)?.center_of_mass();
            Ok(Vector::new(com.x, com.y, com.z))
        })?;
        Ok(convert::to_array(py, com))
    }

    /// Mass matrix M (nv, nv).
    fn mass_matrix<'py>(&self, py: Python<'py>) -> PyResult<Bound<'py, PyArray2<f64>>> {
        let m = self.with(|scene| Ok(scene.dynamics(self.number)?.mass_matrix()))?;
        matrix(py, &m)
    }

    /// Bias c (nv) of M a + c = tau: gravity, Coriolis and centrifugal forces.
    fn bias<'py>(&self, py: Python<'py>) -> PyResult<Bound<'py, PyArray1<f64>>> {
        let c = self.with(|scene| {
            let gravity = scene.world.gravity;
            Ok(scene.dynamics(self.number)?.bias(gravity))
        })?;
        Ok(PyArray1::from_slice(py, c.as_slice()))
    }

    /// Jacobian (6, nv) of a point of a link, given in the link's axes: rows of its velocity, then of the angular velocity.
    #[pyo3(signature = (link, point=None))]
    fn jacobian<'py>(
        &self,
        py: Python<'py>,
        link: &Bound<'_, PyAny>,
        point: Option<&Bound<'_, PyAny>>,
    ) -> PyResult<Bound<'py, PyArray2<f64>>> {
        let point = point.map_or(Ok(Vector::ZERO), |p| convert::vector("point", p))?;
        let part = self.link_part(py, link)?;
        let j = self.with(|scene| {
            let dynamics = scene.dynamics(self.number)?;
            let own = &scene.names.parts[part];
            let body = scene.world.bodies.get(own.body);
            let pose = body.map_or(Pose::IDENTITY, |b| b.position() * own.offset);
            let link = scene.link_id(part);
            let j = link.and_then(|link| dynamics.jacobian(link, pose * point));
            // Links of an empty root stand still.
            Ok(j.unwrap_or_else(|| DMatrix::zeros(6, dynamics.dim())))
        })?;
        matrix(py, &j)
    }
}
