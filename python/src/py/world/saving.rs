//! Worlds as bytes, and copies of them.

use super::World;
use crate::error::Error;
use crate::py::settings;
use crate::scene::Scene;
use crate::scene::foreign::snapshot;
use pyo3::prelude::*;
use pyo3::types::{PyBytes, PyDict, PyTuple};
use std::panic::{AssertUnwindSafe, catch_unwind};
use stickslip_f64::Sleeping;

#[pymethods]
impl World {
    /// Everything that the next steps depend on, as bytes.
    fn save<'py>(&self, py: Python<'py>) -> PyResult<Bound<'py, PyBytes>> {
        let mut scene = self.lock()?;
        self.read_arrays(py, &mut scene)?;
        Ok(PyBytes::new(py, &scene.guarded(|scene| scene.save())?))
    }

    /// Goes back (or on) to a saved state; bodies and robots of the world then mean those of that state.
    fn restore(&self, py: Python<'_>, saved: &[u8]) -> PyResult<()> {
        let mut scene = self.lock()?;
        let mut restored = Scene::restored(saved)?;
        restored.take_models(&mut scene);
        restored.recording = scene.recording.take();
        *scene = restored;
        self.write_arrays(py, &scene, true)?;
        Ok(())
    }

    /// A second world in the same state.
    fn copy(&self, py: Python<'_>) -> PyResult<Self> {
        let mut scene = self.lock()?;
        self.read_arrays(py, &mut scene)?;
        Ok(Self::of(scene.guarded(|scene| scene.copied())?))
    }

    fn __copy__(&self, py: Python<'_>) -> PyResult<Self> {
        self.copy(py)
    }

    fn __deepcopy__(&self, py: Python<'_>, _memo: &Bound<'_, PyAny>) -> PyResult<Self> {
        self.copy(py)
    }

    fn __reduce__<'py>(slf: &Bound<'py, Self>) -> PyResult<Bound<'py, PyTuple>> {
        let py = slf.py();
        let make = slf.get_type().getattr("from_bytes")?;
        (make, (slf.get().save(py)?,)).into_pyobject(py)
    }

    /// A world from the bytes of `save`.
    #[staticmethod]
    fn from_bytes(saved: &[u8]) -> PyResult<Self> {
        Ok(Self::of(Scene::restored(saved)?))
    }

    /// A world from the JSON snapshot of a world of the package `rapier3d`, or from that world.
    #[staticmethod]
    #[pyo3(signature = (world, model="cone", *, sleeping=false, **settings))]
    fn from_rapier(
        world: &Bound<'_, PyAny>,
        model: &str,
        sleeping: bool,
        settings: Option<&Bound<'_, PyDict>>,
    ) -> PyResult<Self> {
        let text = match world.extract::<String>() {
            Ok(text) => text,
            Err(_) => match world
                .call_method0("snapshot_json")
                .map(|json| json.extract())
            {
                Ok(Ok(text)) => text,
                _ => {
                    return Err(Error::Input(format!(
                        "{world} is no world of the package rapier3d: a PhysicsWorld or the text of its snapshot_json() is wanted"
                    ))
                    .into());
                }
            },
        };
        let model = (settings::model(model)?, settings::settings(settings)?);
        let sleeping = match sleeping {
            true => Sleeping::Allowed,
            false => Sleeping::Never,
        };
        let read = catch_unwind(AssertUnwindSafe(|| snapshot::scene(&text, model, sleeping)));
        let read = read.map_err(|panic| {
            Error::Input(format!(
                "the snapshot can't be read: {}",
                Error::panic_text(&*panic)
            ))
        })?;
        Ok(Self::of(read?))
    }
}
