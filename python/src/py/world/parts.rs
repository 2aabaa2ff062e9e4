//! Robots and joints into a world, its parts by name, and out of it.

use super::World;
use crate::error::{Error, RobotFileWarning};
use crate::py::body::Body;
use crate::py::convert;
use crate::py::joint::{Joint, generic_joint};
use crate::py::options::{Keywords, RobotKeywords};
use crate::py::robot::Robot;
use crate::scene::Scene;
use crate::scene::foreign::mjcf::NewModel;
use crate::scene::robots::NewRobot;
use pyo3::prelude::*;
use pyo3::types::PyDict;
use std::ffi::CString;
use std::path::PathBuf;

impl World {
    /// The number of a part that is given as a body, a link or a name.
    pub fn part(slf: &Bound<'_, Self>, given: &Bound<'_, PyAny>) -> PyResult<usize> {
        if let Ok(body) = given.cast::<Body>() {
            let body = body.get();
            body.check_world(slf)?;
            return Ok(body.part);
        }
        if let Ok(name) = given.extract::<String>() {
            return slf.get().with(|scene| scene.names.part(&name));
        }
        Err(Error::Input(format!(
            "{given} is no body: a Body, a link or the name of one is wanted"
        ))
        .into())
    }

    /// The numbers of the parts that are given as a body, a link, a robot or a name.
    pub fn parts(slf: &Bound<'_, Self>, given: &Bound<'_, PyAny>) -> PyResult<Vec<usize>> {
        if let Ok(robot) = given.cast::<Robot>() {
            let robot = robot.get();
            robot.check_world(slf)?;
            let number = robot.number;
            let links = |scene: &mut Scene| Ok(scene.names.robot_alive(number)?.links.clone());
            return slf.get().with(links);
        }
        if let Ok(name) = given.extract::<String>() {
            let links = slf.get().with(|scene| {
                let robot = scene.names.robot(&name)?;
                Ok(scene.names.robots[robot].links.clone())
            });
            if let Ok(links) = links {
                return Ok(links);
            }
        }
        let part = Self::part(slf, given)?;
        slf.get()
            .with(|scene| scene.names.alive(part).map(|_| ()))?;
        Ok(vec![part])
    }
}

/// Warns of what the loader repaired, assumed or left out.
pub fn warn(py: Python<'_>, name: &str, notes: &[String]) -> PyResult<()> {
    let category = py.get_type::<RobotFileWarning>();
    for note in notes {
        let text = CString::new(format!("{name}: {note}").replace('\0', " "));
        PyErr::warn(py, &category, &text.unwrap_or_default(), 1)?;
    }
    Ok(())
}

#[pymethods]
impl World {
    #[pyo3(signature = (path, **options))]
    fn add_robot(
        slf: &Bound<'_, Self>,
        path: PathBuf,
        options: Option<&Bound<'_, PyDict>>,
    ) -> PyResult<Robot> {
        let keys = RobotKeywords::read(options)?;
        let (number, notes) = slf.get().with(|scene| {
            scene.add_robot(NewRobot {
                path: &path,
                name: keys.name.as_deref(),
                load: keys.load,
                insert: keys.insert,
                lowest: keys.lowest,
            })
        })?;
        let robot = Robot::new(slf, number);
        let warned = warn(slf.py(), &path.display().to_string(), &notes);
        if let Err(error) = warned {
            // Warnings are errors: the call did nothing.
            slf.get().with(|scene| scene.remove_robot(number))?;
            return Err(error);
        }
        Ok(robot)
    }

    #[pyo3(signature = (path, **options))]
    fn add_mjcf(
        slf: &Bound<'_, Self>,
        path: PathBuf,
        options: Option<&Bound<'_, PyDict>>,
    ) -> PyResult<Vec<Robot>> {
        let mut keys = Keywords::new("add_mjcf", options)?;
        let (position, turn) = (keys.take("position"), keys.take("orientation"));
        let new = NewModel {
            name: keys.get("name", "a text")?,
            pose: convert::pose(position.as_ref(), turn.as_ref())?,
            self_contacts: keys
                .get("self_collision", "True or False")?
                .unwrap_or(false),
            path,
        };
        keys.end()?;
        let (numbers, notes) = slf.get().with(|scene| scene.add_mjcf(&new))?;
        warn(slf.py(), &new.path.display().to_string(), &notes)?;
        let robots = numbers.into_iter();
        Ok(robots.map(|number| Robot::new(slf, number)).collect())
    }

    #[pyo3(signature = (kind, a, b, **options))]
    fn add_joint(
        slf: &Bound<'_, Self>,
        kind: &str,
        a: &Bound<'_, PyAny>,
        b: &Bound<'_, PyAny>,
        options: Option<&Bound<'_, PyDict>>,
    ) -> PyResult<Joint> {
        let pair = [Self::part(slf, a)?, Self::part(slf, b)?];
        let (name, joint) = generic_joint(slf.get(), kind, pair, options)?;
        let number = slf
            .get()
            .with(|scene| scene.add_joint(name.as_deref(), pair, joint))?;
        Ok(Joint::new(slf, number))
    }

    /// Removes a body, a robot (with a link: its robot) or a joint.
    fn remove(slf: &Bound<'_, Self>, what: &Bound<'_, PyAny>) -> PyResult<()> {
        let world = slf.get();
        if let Ok(robot) = what.cast::<Robot>() {
            robot.get().check_world(slf)?;
            let number = robot.get().number;
            return world.with(|scene| scene.remove_robot(number));
        }
        if let Ok(joint) = what.cast::<Joint>() {
            joint.get().check_world(slf)?;
            let number = joint.get().number;
            return world.with(|scene| scene.remove_joint(number));
        }
        if let Ok(name) = what.extract::<String>() {
            let robot = world.with(|scene| scene.names.robot(&name));
            if let Ok(robot) = robot {
                return world.with(|scene| scene.remove_robot(robot));
            }
        }
        let part = Self::part(slf, what)?;
        world.with(|scene| scene.remove_part(part))
    }

    /// Bodies that are no links of robots.
    #[getter]
    fn bodies(slf: &Bound<'_, Self>) -> PyResult<Vec<Body>> {
        let all = slf.get().with(|scene| {
            let parts = scene.names.parts.iter().enumerate();
            let free = parts.filter(|(_, p)| !p.removed && p.link.is_none());
            Ok(free.map(|(number, _)| number).collect::<Vec<_>>())
        })?;
        Ok(all.into_iter().map(|part| Body::new(slf, part)).collect())
    }

    /// Robots.
    #[getter]
    fn robots(slf: &Bound<'_, Self>) -> PyResult<Vec<Robot>> {
        let all = slf.get().with(|scene| {
            let robots = scene.names.robots.iter().enumerate();
            let there = robots.filter(|(_, r)| !r.removed);
            Ok(there.map(|(number, _)| number).collect::<Vec<_>>())
        })?;
        Ok(all
            .into_iter()
            .map(|robot| Robot::new(slf, robot))
            .collect())
    }

    /// A body, or a link as `robot/link`, by name.
    fn body(slf: &Bound<'_, Self>, name: &str) -> PyResult<Body> {
        let part = slf.get().with(|scene| scene.names.part(name))?;
        Ok(Body::new(slf, part))
    }

    /// A robot by name.
    fn robot(slf: &Bound<'_, Self>, name: &str) -> PyResult<Robot> {
        let robot = slf.get().with(|scene| scene.names.robot(name))?;
        Ok(Robot::new(slf, robot))
    }

    /// The name behind a number in `contacts()["bodies"]`.
    fn name_of(&self, number: i64) -> PyResult<String> {
        self.with(|scene| {
            let part = usize::try_from(number).ok();
            let part = part.and_then(|part| scene.names.parts.get(part));
            part.map(|part| part.name.clone())
                .ok_or_else(|| Error::Unknown(format!("there is no body of number {number}")))
        })
    }
}
