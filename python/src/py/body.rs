//! `Body`: a body, or a link of a robot.

use super::convert;
use super::robot::Robot;
use super::world::World;
use crate::error::{Error, Outcome};
use crate::scene::Scene;
use crate::scene::parts::Part;
use numpy::PyArray1;
use pyo3::prelude::*;
use rapier3d_f64::prelude::*;

/// A body of a world, or a link of a robot in it.
#[pyclass(frozen, module = "stickslip")]
pub struct Body {
    /// Its world.
    pub world: Py<World>,
    /// Its number.
    pub part: usize,
}

/// Refuses a thing of another world.
pub fn check_world(own: &Py<World>, other: &Bound<'_, World>, what: &str) -> Outcome<()> {
    match own.is(other) {
        true => Ok(()),
        false => Err(Error::Input(format!(
            "{what} is part of another world: in a copy, ask for it by name"
        ))),
    }
}

impl Body {
    /// The part of this number.
    pub fn new(world: &Bound<'_, World>, part: usize) -> Self {
        let world = world.clone().unbind();
        Self { world, part }
    }

    /// Refuses another world.
    pub fn check_world(&self, world: &Bound<'_, World>) -> Outcome<()> {
        check_world(&self.world, world, "the body")
    }

    fn read<T>(&self, what: impl FnOnce(&Part, &RigidBody) -> T) -> PyResult<T> {
        self.world.get().with(|scene| {
            let body = scene.rigid_body(self.part)?;
            Ok(what(&scene.names.parts[self.part], body))
        })
    }

    /// A vector of the body.
    fn vector<'py>(
        &self,
        py: Python<'py>,
        what: impl FnOnce(&Scene, usize) -> Outcome<Vector>,
    ) -> PyResult<Bound<'py, PyArray1<f64>>> {
        let v = (self.world.get()).with(|scene| what(scene, self.part))?;
        Ok(convert::to_array(py, v))
    }

    fn change(
        &self,
        py: Python<'_>,
        what: impl FnOnce(&mut Scene, RigidBodyHandle) -> Outcome<()>,
    ) -> PyResult<()> {
        let world = self.world.bind(py).get();
        world.with(|scene| {
            let body = scene.names.alive(self.part)?.body;
            what(scene, body)
        })
    }

    /// Changes a body that is no link.
    fn change_free(&self, py: Python<'_>, what: impl FnOnce(&mut RigidBody)) -> PyResult<()> {
        self.change(py, |scene, _| scene.change_body(self.part, what))
    }
}

#[pymethods]
impl Body {
    /// Unique name: `box`, or `robot/link`.
    #[getter]
    fn name(&self) -> PyResult<String> {
        self.read(|part, _| part.name.clone())
    }

    /// The number that contacts name it by.
    #[getter]
    fn id(&self) -> usize {
        self.part
    }

    /// The robot that it is a link of.
    #[getter]
    fn robot(&self, py: Python<'_>) -> PyResult<Option<Robot>> {
        let link = self.read(|part, _| part.link)?;
        Ok(link.map(|(robot, _)| Robot::new(self.world.bind(py), robot)))
    }

    /// Position of its origin [m].
    #[getter]
    fn position<'py>(&self, py: Python<'py>) -> PyResult<Bound<'py, PyArray1<f64>>> {
        self.vector(py, |scene, part| Ok(scene.pose(part)?.translation))
    }

    #[setter]
    fn set_position(&self, py: Python<'_>, position: &Bound<'_, PyAny>) -> PyResult<()> {
        let at = convert::vector("position", position)?;
        self.change_free(py, |body| body.set_translation(at, true))
    }

    /// Orientation (w, x, y, z).
    #[getter]
    fn orientation<'py>(&self, py: Python<'py>) -> PyResult<Bound<'py, PyArray1<f64>>> {
        let pose = self.world.get().with(|scene| scene.pose(self.part))?;
        Ok(convert::to_quaternion(py, pose.rotation))
    }

    #[setter]
    fn set_orientation(&self, py: Python<'_>, orientation: &Bound<'_, PyAny>) -> PyResult<()> {
        let turn = convert::orientation("orientation", orientation)?;
        self.change_free(py, |body| body.set_rotation(turn, true))
    }

    /// Velocity of its origin [m/s].
    #[getter]
    fn velocity<'py>(&self, py: Python<'py>) -> PyResult<Bound<'py, PyArray1<f64>>> {
        self.vector(py, |scene, part| Ok(scene.velocity(part)?[0]))
    }

    #[setter]
    fn set_velocity(&self, py: Python<'_>, velocity: &Bound<'_, PyAny>) -> PyResult<()> {
        let v = convert::vector("velocity", velocity)?;
        self.change_free(py, |body| {
            let arm = body.center_of_mass() - body.translation();
            body.set_linvel(v + body.angvel().cross(arm), true);
        })
    }

    /// Angular velocity [rad/s].
    #[getter]
    fn angular_velocity<'py>(&self, py: Python<'py>) -> PyResult<Bound<'py, PyArray1<f64>>> {
        self.vector(py, |scene, part| Ok(scene.velocity(part)?[1]))
    }

    #[setter]
    fn set_angular_velocity(&self, py: Python<'_>, velocity: &Bound<'_, PyAny>) -> PyResult<()> {
        let w = convert::vector("angular_velocity", velocity)?;
        self.change_free(py, |body| {
            let arm = body.center_of_mass() - body.translation();
            let origin = body.linvel() - body.angvel().cross(arm);
            body.set_angvel(w, true);
            body.set_linvel(origin + w.cross(arm), true);
        })
    }

    /// Mass [kg].
    #[getter]
    fn mass(&self) -> PyResult<f64> {
        self.read(|_, body| body.mass())
    }

    #[setter]
    fn set_mass(&self, py: Python<'_>, mass: f64) -> PyResult<()> {
        self.change(py, |scene, _| scene.set_mass(self.part, mass))
    }

    /// Centre of mass in the world [m].
    #[getter]
    fn com<'py>(&self, py: Python<'py>) -> PyResult<Bound<'py, PyArray1<f64>>> {
        self.vector(py, |scene, part| {
            Ok(scene.rigid_body(part)?.center_of_mass())
        })
    }

    /// Coulomb coefficient of its surface; nan without a shape.
    #[getter]
    fn friction(&self) -> PyResult<f64> {
        self.world.get().with(|scene| {
            let part = scene.names.alive(self.part)?;
            let first = part.colliders.first();
            let first = first.and_then(|c| scene.world.colliders.get(*c));
            Ok(first.map_or(f64::NAN, Collider::friction))
        })
    }

    #[setter]
    fn set_friction(&self, py: Python<'_>, friction: f64) -> PyResult<()> {
        self.change(py, |scene, _| scene.set_friction(self.part, friction))
    }

    /// Force that is applied at its centre of mass until it is set again [N], world axes.
    #[getter]
    fn force<'py>(&self, py: Python<'py>) -> PyResult<Bound<'py, PyArray1<f64>>> {
        self.vector(py, |scene, part| Ok(scene.push(part)?[0]))
    }

    #[setter]
    fn set_force(&self, py: Python<'_>, force: &Bound<'_, PyAny>) -> PyResult<()> {
        let force = convert::vector("force", force)?;
        self.change(py, |scene, body| {
            let torque = scene.push(self.part)?[1];
            scene.set_push(body, [force, torque]);
            Ok(())
        })
    }

    /// Torque that is applied until it is set again [N m], world axes.
    #[getter]
    fn torque<'py>(&self, py: Python<'py>) -> PyResult<Bound<'py, PyArray1<f64>>> {
        self.vector(py, |scene, part| Ok(scene.push(part)?[1]))
    }

    #[setter]
    fn set_torque(&self, py: Python<'_>, torque: &Bound<'_, PyAny>) -> PyResult<()> {
        let torque = convert::vector("torque", torque)?;
        self.change(py, |scene, body| {
            let force = scene.push(self.part)?[0];
            scene.set_push(body, [force, torque]);
            Ok(())
        })
    }

    fn __repr__(&self) -> PyResult<String> {
        self.read(|part, body| {
            let at = (body.position() * part.offset).translation;
            format!(
                "Body('{}', position=[{:.4}, {:.4}, {:.4}])",
                part.name, at.x, at.y, at.z
            )
        })
    }

    fn __eq__(&self, other: &Bound<'_, PyAny>) -> bool {
        other.cast::<Self>().is_ok_and(|other| {
            let other = other.get();
            other.world.is(&self.world) && other.part == self.part
        })
    }

    fn __hash__(&self) -> u64 {
        self.world.as_ptr().addr() as u64 ^ self.part as u64
    }
}
