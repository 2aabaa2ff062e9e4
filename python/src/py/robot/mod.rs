//! `Robot`: names and numbers; its arrays and its dynamics are in the modules.

mod arrays;
mod dynamics;
mod kinematics;

use super::body::{Body, check_world};
use super::world::World;
use crate::error::{Error, Outcome, nearest};
use crate::scene::Scene;
use crate::scene::parts::Robot as Parts;
use pyo3::prelude::*;

/// A robot of a world.
#[pyclass(frozen, module = "stickslip")]
pub struct Robot {
    /// Its world.
    pub world: Py<World>,
    /// Its number.
    pub number: usize,
}

impl Robot {
    /// The robot of this number.
    pub fn new(world: &Bound<'_, World>, number: usize) -> Self {
        let world = world.clone().unbind();
        Self { world, number }
    }

    /// Refuses another world.
    pub fn check_world(&self, world: &Bound<'_, World>) -> Outcome<()> {
        check_world(&self.world, world, "the robot")
    }

    /// Does something with the scene while the robot is there.
    pub fn with<T>(&self, what: impl FnOnce(&mut Scene) -> Outcome<T>) -> PyResult<T> {
        self.world.get().with(|scene| {
            scene.names.robot_alive(self.number)?;
            what(scene)
        })
    }

    fn parts<T>(&self, what: impl FnOnce(&Parts) -> T) -> PyResult<T> {
        self.with(|scene| Ok(what(&scene.names.robots[self.number])))
    }

    /// The part of a link that is given as such or by name.
    pub fn link_part(&self, py: Python<'_>, link: &Bound<'_, PyAny>) -> PyResult<usize> {
        if let Ok(body) = link.cast::<Body>() {
            let body = body.get();
            body.check_world(self.world.bind(py))?;
            let part = body.part;
            return self.with(|scene| match scene.names.alive(part)?.link {
                Some((robot, _)) if robot == self.number => Ok(part),
                _ => Err(Error::Input(format!(
                    "`{}` is no link of robot `{}`",
                    scene.names.parts[part].name, scene.names.robots[self.number].name
                ))),
            });
        }
        let name: String = link
            .extract()
            .map_err(|_| Error::Input(format!("{link} is no link: a name or a Body is wanted")))?;
        self.with(|scene| scene.names.link(self.number, &name))
    }
}

#[pymethods]
impl Robot {
    /// Unique name.
    #[getter]
    fn name(&self) -> PyResult<String> {
        self.parts(|robot| robot.name.clone())
    }

    /// Names of the joint coordinates, in the order of `targets` (nu).
    #[getter]
    fn names(&self) -> PyResult<Vec<String>> {
        self.parts(|robot| {
            let joints = robot.joints.iter();
            let each = joints.flat_map(|joint| match joint.coordinates.len() {
                1 => vec![joint.name.clone()],
                n => (0..n).map(|k| format!("{}/{k}", joint.name)).collect(),
            });
            each.collect()
        })
    }

    /// Links, the root first.
    #[getter]
    fn links(&self, py: Python<'_>) -> PyResult<Vec<Body>> {
        let links = self.parts(|robot| robot.links.clone())?;
        let world = self.world.bind(py);
        Ok(links
            .into_iter()
            .map(|part| Body::new(world, part))
            .collect())
    }

    /// Names of the links.
    #[getter]
    fn link_names(&self) -> PyResult<Vec<String>> {
        self.with(|scene| {
            let robot = &scene.names.robots[self.number];
            let names = robot
                .links
                .iter()
                .map(|&part| &scene.names.parts[part].name);
            let short = |name: &String| name[robot.name.len() + 1..].to_owned();
            Ok(names.map(short).collect())
        })
    }

    /// A link by name.
    fn link(&self, py: Python<'_>, name: &str) -> PyResult<Body> {
        let part = self.with(|scene| scene.names.link(self.number, name))?;
        Ok(Body::new(self.world.bind(py), part))
    }

    /// Place of a joint's first coordinate in `targets`.
    fn index(&self, joint: &str) -> PyResult<usize> {
        self.with(|scene| {
            let robot = &scene.names.robots[self.number];
            let mut place = 0;
            for own in robot.joints.iter() {
                if own.name == joint {
                    return Ok(place);
                }
                place += own.coordinates.len();
            }
            let near = nearest(joint, robot.joints.iter().map(|j| &*j.name));
            Err(Error::Unknown(format!(
                "robot `{}` has no joint `{joint}` that moves{near}",
                robot.name
            )))
        })
    }

    /// Whether its base floats.
    #[getter]
    fn floating(&self) -> PyResult<bool> {
        self.parts(|robot| robot.floating)
    }

    /// Numbers in `q`.
    #[getter]
    fn nq(&self) -> PyResult<usize> {
        self.parts(Parts::nq)
    }

    /// Numbers in `v`.
    #[getter]
    fn nv(&self) -> PyResult<usize> {
        self.parts(Parts::nv)
    }

    /// Numbers in `targets`.
    #[getter]
    fn nu(&self) -> PyResult<usize> {
        self.parts(Parts::joint_dofs)
    }

    fn __repr__(&self) -> PyResult<String> {
        self.with(|scene| {
            let robot = &scene.names.robots[self.number];
            let base = if robot.floating { "floating" } else { "fixed" };
            Ok(format!(
                "Robot('{}', {base} base, {} links, nu={})",
                robot.name,
                robot.links.len(),
                robot.joint_dofs()
            ))
        })
    }

    fn __eq__(&self, other: &Bound<'_, PyAny>) -> bool {
        other.cast::<Self>().is_ok_and(|other| {
            let other = other.get();
            other.world.is(&self.world) && other.number == self.number
        })
    }

    fn __hash__(&self) -> u64 {
        !(self.world.as_ptr().addr() as u64) ^ self.number as u64
    }
}
