//! Steps, and what they leave: contacts, forces, the report, recordings.

use super::World;
use crate::error::Error;
use crate::py::record::{self, Recording};
use crate::py::report::Report;
use crate::py::{contacts, convert};
use crate::scene::{Scene, positive};
use numpy::PyArray1;
use pyo3::prelude::*;
use pyo3::types::PyDict;
use std::path::PathBuf;
use std::sync::Mutex;
use std::time::{Duration, Instant};

/// How long a call goes on before it looks whether Ctrl-C was pressed.
const PATIENCE: Duration = Duration::from_millis(50);

#[pymethods]
impl World {
    /// Advances by n steps, without the GIL. Ctrl-C ends it after a whole step.
    #[pyo3(signature = (n=1))]
    fn step(&self, py: Python<'_>, n: i64) -> PyResult<()> {
        if n < 1 {
            return Err(Error::Input(format!("step(n={n}): at least one step is wanted")).into());
        }
        let mut guard = self.lock()?;
        let scene = &mut *guard;
        self.read_arrays(py, scene)?;
        let mut left = n;
        let mut outcome = Ok(());
        while left > 0 && outcome.is_ok() {
            let stepped = py.detach(|| {
                let start = Instant::now();
                loop {
                    scene.guarded(Scene::step)?;
                    left -= 1;
                    if left == 0 || start.elapsed() > PATIENCE {
                        return Ok(());
                    }
                }
            });
            outcome = stepped.map_err(|error: Error| error.into());
            if left > 0 && outcome.is_ok() {
                outcome = py.check_signals();
            }
        }
        self.write_arrays(py, scene, false)?;
        outcome
    }

    /// The contacts of the last step.
    fn contacts<'py>(&self, py: Python<'py>) -> PyResult<Bound<'py, PyAny>> {
        let bytes = self.with(|scene| Ok(contacts::bytes(scene)))?;
        contacts::array(py, &bytes)
    }

    /// Sum of the contact forces on a, from b or from everything else [N].
    #[pyo3(signature = (a, b=None))]
    fn net_force<'py>(
        slf: &Bound<'py, Self>,
        a: &Bound<'_, PyAny>,
        b: Option<&Bound<'_, PyAny>>,
    ) -> PyResult<Bound<'py, PyArray1<f64>>> {
        let a = Self::parts(slf, a)?;
        let b = b.map(|b| Self::parts(slf, b)).transpose()?;
        let sum = slf.get().with(|scene| {
            Ok(contacts::net_force(
                scene,
                |part| a.contains(&part),
                |part| match (&b, part) {
                    (Some(b), part) => part.is_some_and(|part| b.contains(&part)),
                    // Forces among the parts of a add up to nothing.
                    (None, _) => true,
                },
            ))
        })?;
        Ok(convert::to_array(slf.py(), sum))
    }

    /// What the last step says of itself.
    #[getter]
    fn report(&self) -> PyResult<Report> {
        self.with(|scene| Ok(Report::of(scene.pipeline.report())))
    }

    /// Records every step from now on into a file for Rerun.
    #[pyo3(signature = (path, *, rate=100.0))]
    fn record(slf: &Bound<'_, Self>, path: PathBuf, rate: f64) -> PyResult<Recording> {
        positive("rate", rate)?;
        slf.get().with(|scene| {
            if scene.recording.is_some() {
                return Err(Error::input("a recording is under way: close it first"));
            }
            scene.recording = Some(Mutex::new(record::attach(scene, path, rate)?));
            Ok(())
        })?;
        let world = slf.clone().unbind();
        Ok(Recording { world })
    }

    /// The shapes of all bodies and links, a dictionary each.
    fn shapes<'py>(&self, py: Python<'py>) -> PyResult<Vec<Bound<'py, PyDict>>> {
        let mut scene = self.lock()?;
        scene.guarded(|_| Ok(()))?;
        record::shapes(py, &scene)
    }
}
