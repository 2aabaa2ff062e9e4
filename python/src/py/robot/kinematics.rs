//! Poses of a robot's links, and what joint positions give them.

use super::Robot;
use crate::error::Error;
use crate::py::convert;
use numpy::PyArray1;
use pyo3::prelude::*;

#[pymethods]
impl Robot {
    /// Position [m] and orientation (w, x, y, z) of a link.
    fn link_pose<'py>(
        &self,
        py: Python<'py>,
        link: &Bound<'_, PyAny>,
    ) -> PyResult<[Bound<'py, PyArray1<f64>>; 2]> {
        let part = self.link_part(py, link)?;
        let pose = self.with(|scene| scene.pose(part))?;
        Ok([
            convert::to_array(py, pose.translation),
            convert::to_quaternion(py, pose.rotation),
        ])
    }

    /// Positions of the joints (nu) that put a link where it should be in the world, its base as it is.
    #[pyo3(signature = (link, position=None, orientation=None, *, start=None, tolerance=1e-6, restarts=20))]
    #[allow(clippy::too_many_arguments, reason = "Python's keyword arguments")]
    fn inverse_kinematics<'py>(
        &self,
        py: Python<'py>,
        link: &Bound<'_, PyAny>,
        position: Option<&Bound<'_, PyAny>>,
        orientation: Option<&Bound<'_, PyAny>>,
        start: Option<&Bound<'_, PyAny>>,
        tolerance: f64,
        restarts: usize,
    ) -> PyResult<Bound<'py, PyArray1<f64>>> {
        use stickslip_urdf_f64::{IkOptions, IkTarget};
        let held = [position.is_some(), orientation.is_some()];
        if held == [false; 2] {
            return Err(Error::input(
                "inverse_kinematics: a position, an orientation or both are wanted",
            )
            .into());
        }
        let target = convert::pose(position, orientation)?;
        let part = self.link_part(py, link)?;
        let nu = self.nu()?;
        let start = start
            .map(|q| convert::numbers("start", q, &[nu]))
            .transpose()?;
        let solved = self.with(|scene| {
            let model = scene.model(self.number)?;
            let robot = &scene.names.robots[self.number];
            let root = scene.pose(robot.links[0])?;
            let pose = crate::py::options::isometry(&(root.inverse() * target));
            let mut now = Vec::new();
            scene.q(self.number, &mut now);
            let [linear, angular] = held;
            let target = IkTarget {
                pose,
                held: [linear, linear, linear, angular, angular, angular],
            };
            let mut options = IkOptions {
                tolerance,
                angle_tolerance: tolerance,
                restarts,
                ..IkOptions::default()
            };
            let known = match &start {
                Some(start) => Some(&start[..]),
                // Rotations have no number per coordinate.
                None if robot.joints.iter().any(|j| j.is_ball) => None,
                None => Some(&now[robot.nq() - robot.joint_dofs()..]),
            };
            let mut place = 0;
            for joint in robot.joints.iter() {
                if let (1, Some(known)) = (joint.coordinates.len(), known) {
                    options.start.insert(joint.name.clone(), known[place]);
                }
                place += joint.coordinates.len();
            }
            let name = scene.names.parts[part].name[robot.name.len() + 1..].to_owned();
            let solution = model.ik(&name, &target, &options);
            let solution = solution.map_err(|error| Error::Input(error.to_string()))?;
            let each = robot.joints.iter().flat_map(|joint| {
                let place = model.joint_index(&joint.name);
                let q = place.and_then(|place| solution.positions.get(place));
                vec![q.copied().unwrap_or(0.0); joint.coordinates.len()]
            });
            Ok(each.collect::<Vec<_>>())
        })?;
        Ok(PyArray1::from_vec(py, solved))
    }
}
