//! What is read of a batch: forces, poses and velocities of each world, and single worlds.

use super::{Batch, table};
use crate::error::{Error, Outcome};
use crate::py::contacts;
use crate::py::robot::Robot;
use crate::py::world::World;
use crate::scene::Scene;
use crate::scene::coords::quaternion;
use numpy::{PyArray1, PyArray2, PyArray3, PyArrayMethods};
use pyo3::prelude::*;
use pyo3::types::PyDict;

impl Batch {
    fn per_world<'py>(
        &self,
        py: Python<'py>,
        size: usize,
        what: impl Fn(&Scene, &mut Vec<f64>) -> Outcome<()> + Sync + Send,
    ) -> PyResult<Bound<'py, PyArray2<f64>>> {
        let n = self.n;
        let all = self.with(py, |cells| {
            let mut all = vec![0.0; n * size];
            cells.gather(size, &mut all, what);
            Ok(all)
        })?;
        table(py, all, [n, size])
    }

    /// `N` numbers of a body or link in each world.
    fn per_body<'py, const N: usize>(
        &self,
        py: Python<'py>,
        body: &Bound<'_, PyAny>,
        what: impl Fn(&Scene, usize) -> Outcome<[f64; N]> + Sync + Send,
    ) -> PyResult<Bound<'py, PyArray2<f64>>> {
        let part = World::part(self.origin.bind(py), body)?;
        self.per_world(py, N, move |scene, out| {
            out.extend(what(scene, part)?);
            Ok(())
        })
    }

    pub(super) fn cell_number(&self, k: i64) -> Outcome<usize> {
        let n = self.n;
        let place = if k < 0 { k + n as i64 } else { k };
        let place = usize::try_from(place).ok().filter(|place| *place < n);
        place.ok_or_else(|| Error::Input(format!("world {k} of a batch of {n}")))
    }
}

#[pymethods]
impl Batch {
    /// Sum of the contact forces on a in each world, from b or from everything else (n, 3) [N].
    #[pyo3(signature = (a, b=None))]
    fn net_force<'py>(
        &self,
        py: Python<'py>,
        a: &Bound<'_, PyAny>,
        b: Option<&Bound<'_, PyAny>>,
    ) -> PyResult<Bound<'py, PyArray2<f64>>> {
        let origin = self.origin.bind(py);
        let a = World::parts(origin, a)?;
        let b = b.map(|b| World::parts(origin, b)).transpose()?;
        self.per_world(py, 3, move |scene, out| {
            let is_b = |part: Option<usize>| match &b {
                Some(b) => part.is_some_and(|part| b.contains(&part)),
                None => true,
            };
            out.extend(contacts::net_force(scene, |part| a.contains(&part), is_b).to_array());
            Ok(())
        })
    }

    /// Sum of the contact forces on each link of a robot (n, links, 3) [N]; the only one unless given.
    #[pyo3(signature = (robot=None))]
    fn link_forces<'py>(
        &self,
        py: Python<'py>,
        robot: Option<&Bound<'_, PyAny>>,
    ) -> PyResult<Bound<'py, PyArray3<f64>>> {
        let number = match robot {
            None => self.with(py, |cells| match cells.robots[..] {
                [only] => Ok(only),
                _ => Err(Error::Input(format!(
                    "the batch has {} robots per world: say which",
                    cells.robots.len()
                ))),
            })?,
            Some(robot) => match robot.cast::<Robot>() {
                Ok(robot) => {
                    robot.get().check_world(self.origin.bind(py))?;
                    robot.get().number
                }
                Err(_) => {
                    let name: String = robot.extract()?;
                    self.with(py, |cells| cells.start().names.robot(&name))?
                }
            },
        };
        let links = self.with(py, |cells| {
            Ok(cells.start().names.robot_alive(number)?.links.clone())
        })?;
        let count = links.len();
        let all = self.per_world(py, 3 * count, move |scene, out| {
            out.resize(3 * count, 0.0);
            let h = scene.dt();
            for contact in scene.pipeline.contacts() {
                let parts = contact.point.colliders.map(|c| scene.part_of(c));
                let force = contact.force(h).to_array();
                for (part, sign) in parts.into_iter().zip([-1.0, 1.0]) {
                    let link = part.and_then(|p| links.iter().position(|link| *link == p));
                    let Some(link) = link else { continue };
                    for (slot, x) in out[3 * link..].iter_mut().zip(force) {
                        *slot += sign * x;
                    }
                }
            }
            Ok(())
        })?;
        all.reshape([self.n, count, 3])
    }

    /// Positions of a body or link (n, 3) [m].
    fn position<'py>(
        &self,
        py: Python<'py>,
        body: &Bound<'_, PyAny>,
    ) -> PyResult<Bound<'py, PyArray2<f64>>> {
        self.per_body(py, body, |scene, part| {
            Ok(scene.pose(part)?.translation.to_array())
        })
    }

    /// Orientations of a body or link (n, 4), (w, x, y, z).
    fn orientation<'py>(
        &self,
        py: Python<'py>,
        body: &Bound<'_, PyAny>,
    ) -> PyResult<Bound<'py, PyArray2<f64>>> {
        self.per_body(py, body, |scene, part| {
            Ok(quaternion(scene.pose(part)?.rotation))
        })
    }

    /// Velocities of a body or link (n, 6): of its origin [m/s], then angular [rad/s].
    fn velocity<'py>(
        &self,
        py: Python<'py>,
        body: &Bound<'_, PyAny>,
    ) -> PyResult<Bound<'py, PyArray2<f64>>> {
        self.per_body(py, body, |scene, part| {
            let [[x, y, z], [u, v, w]] = scene.velocity(part)?.map(|v| v.to_array());
            Ok([x, y, z, u, v, w])
        })
    }

    /// Why worlds rest, by their numbers: those whose step failed.
    #[getter]
    fn errors<'py>(&self, py: Python<'py>) -> PyResult<Bound<'py, PyDict>> {
        let out = PyDict::new(py);
        for (k, cell) in self.lock()?.cells.iter().enumerate() {
            if let Some(error) = &cell.error {
                out.set_item(k, error.text())?;
            }
        }
        Ok(out)
    }

    /// Simulated times (n) [s].
    #[getter]
    fn time<'py>(&self, py: Python<'py>) -> PyResult<Bound<'py, PyArray1<f64>>> {
        let cells = self.lock()?;
        let times = cells.cells.iter().map(|cell| cell.scene.time);
        Ok(PyArray1::from_iter(py, times))
    }

    /// The contacts of the last step of world k.
    fn contacts<'py>(&self, py: Python<'py>, k: i64) -> PyResult<Bound<'py, PyAny>> {
        let k = self.cell_number(k)?;
        let bytes = self.with(py, |cells| Ok(contacts::bytes(&cells.cells[k].scene)))?;
        contacts::array(py, &bytes)
    }

    /// A copy of world k.
    fn world(&self, py: Python<'_>, k: i64) -> PyResult<World> {
        let k = self.cell_number(k)?;
        Ok(World::of(
            self.with(py, |cells| cells.cells[k].scene.copied())?,
        ))
    }
}
