//! `World`: what it is, and what is read of it; the other methods are in the modules.

mod parts;
mod run;
mod saving;
mod shapes;

use super::live::Live;
use super::{convert, settings};
use crate::error::{Error, Outcome};
use crate::scene::Scene;
use numpy::PyArray1;
use pyo3::prelude::*;
use pyo3::types::PyDict;
use std::sync::{Mutex, MutexGuard, TryLockError};
use stickslip_f64::Sleeping;

/// A world of bodies and robots. See the type stubs for what its methods take.
#[pyclass(frozen, module = "stickslip")]
pub struct World {
    scene: Mutex<Scene>,
    live: Mutex<Vec<Live>>,
}

impl World {
    /// Around a scene.
    pub fn of(scene: Scene) -> Self {
        Self {
            scene: Mutex::new(scene),
            live: Mutex::new(Vec::new()),
        }
    }

    /// The scene, unless another thread has it.
    pub fn lock(&self) -> Outcome<MutexGuard<'_, Scene>> {
        match self.scene.try_lock() {
            Ok(scene) => Ok(scene),
            // Panics are caught while it is locked, and remembered in the scene.
            Err(TryLockError::Poisoned(scene)) => Ok(scene.into_inner()),
            Err(TryLockError::WouldBlock) => Err(Error::Busy),
        }
    }

    /// Does something with the scene.
    pub fn with<T>(&self, what: impl FnOnce(&mut Scene) -> Outcome<T>) -> PyResult<T> {
        Ok(self.lock()?.guarded(what)?)
    }

    fn arrays(&self) -> MutexGuard<'_, Vec<Live>> {
        self.live
            .lock()
            .unwrap_or_else(std::sync::PoisonError::into_inner)
    }

    /// The arrays of a robot.
    pub fn live<T>(&self, robot: usize, what: impl FnOnce(&mut Live) -> T) -> T {
        let mut all = self.arrays();
        if all.len() <= robot {
            all.resize_with(robot + 1, Live::default);
        }
        what(&mut all[robot])
    }

    /// Hands what the user wrote into arrays to the scene.
    pub fn read_arrays(&self, py: Python<'_>, scene: &mut Scene) -> Outcome<()> {
        for (robot, live) in self.arrays().iter().enumerate() {
            if scene.names.robot_alive(robot).is_ok() {
                live.read(py, scene, robot)?;
            }
        }
        Ok(())
    }

    /// Shows the state of the scene in the arrays.
    pub fn write_arrays(&self, py: Python<'_>, scene: &Scene, inputs: bool) -> Outcome<()> {
        for (robot, live) in self.arrays().iter().enumerate() {
            if scene.names.robot_alive(robot).is_ok() {
                live.write(py, (scene, robot), inputs)?;
            }
        }
        Ok(())
    }
}

#[pymethods]
impl World {
    #[new]
    #[pyo3(signature = (dt=0.005, gravity=None, model="cone", *, sleeping=false, **settings))]
    fn new(
        dt: f64,
        gravity: Option<&Bound<'_, PyAny>>,
        model: &str,
        sleeping: bool,
        settings: Option<&Bound<'_, PyDict>>,
    ) -> PyResult<Self> {
        let gravity = gravity.map_or(Ok([0.0, 0.0, -9.81]), |g| convert::three("gravity", g))?;
        let model = settings::model(model)?;
        let settings = settings::settings(settings)?;
        let sleeping = match sleeping {
            true => Sleeping::Allowed,
            false => Sleeping::Never,
        };
        Ok(Self::of(Scene::new(
            dt,
            gravity,
            (model, settings),
            sleeping,
        )?))
    }

    /// Time step [s].
    #[getter]
    fn dt(&self) -> PyResult<f64> {
        self.with(|scene| Ok(scene.dt()))
    }

    #[setter]
    fn set_dt(&self, dt: f64) -> PyResult<()> {
        self.with(|scene| scene.set_dt(dt))
    }

    /// Gravity [m/s^2].
    #[getter]
    fn gravity<'py>(&self, py: Python<'py>) -> PyResult<Bound<'py, PyArray1<f64>>> {
        let gravity = self.with(|scene| Ok(scene.world.gravity))?;
        Ok(convert::to_array(py, gravity))
    }

    #[setter]
    fn set_gravity(&self, gravity: &Bound<'_, PyAny>) -> PyResult<()> {
        let gravity = convert::vector("gravity", gravity)?;
        self.with(|scene| {
            scene.world.gravity = gravity;
            Ok(())
        })
    }

    /// Simulated time [s].
    #[getter]
    fn time(&self) -> PyResult<f64> {
        self.with(|scene| Ok(scene.time))
    }

    /// Steps done.
    #[getter]
    fn steps(&self) -> PyResult<u64> {
        self.with(|scene| Ok(scene.steps))
    }

    /// Name of the contact model.
    #[getter]
    fn model(&self) -> PyResult<&'static str> {
        self.with(|scene| Ok(scene.pipeline.model().name().as_str()))
    }

    /// Panics, for tests.
    fn _panic(&self) -> PyResult<()> {
        self.with(|_| panic!("asked for by a test"))
    }

    fn __repr__(&self) -> PyResult<String> {
        self.with(|scene| {
            let bodies = scene.names.parts.iter();
            let bodies = bodies.filter(|p| !p.removed && p.link.is_none()).count();
            let robots = scene.names.robots.iter().filter(|r| !r.removed).count();
            Ok(format!(
                "World({bodies} bodies, {robots} robots, t={:.6} s, dt={} s, model='{}')",
                scene.time,
                scene.dt(),
                scene.pipeline.model().name()
            ))
        })
    }
}
