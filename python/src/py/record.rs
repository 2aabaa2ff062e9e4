//! Recordings for Rerun, and what a scene looks like for a recording of the user's.

use super::world::World;
use crate::error::{Error, Outcome};
use crate::scene::Scene;
use pyo3::prelude::*;
use pyo3::types::PyDict;
use std::path::PathBuf;
use stickslip_f64::record::Geometry;
use stickslip_f64::record::{Attached, collider_shape};
use stickslip_rerun::{Frames, RecorderOptions, RerunRecorder, Sink};

/// A recording under way.
pub type Attachment = Attached<RerunRecorder>;

/// A recording to a file, with bodies by their names.
///
/// # Errors
/// When the file can't be made.
pub fn attach(scene: &Scene, path: PathBuf, rate: f64) -> Outcome<Attachment> {
    let failed = |error: stickslip_rerun::RerunError| Error::Recording(error.to_string());
    let options = RecorderOptions {
        frames: Frames::PerSecond(rate),
        ..RecorderOptions::default()
    };
    let recorder = RerunRecorder::new(Sink::File(path), options).map_err(failed)?;
    let mut attached = Attached::new("world", recorder);
    // The first link gives its name to a body that several are merged in.
    for part in scene.names.parts.iter().rev().filter(|p| !p.removed) {
        attached = attached.named(part.body, &part.name);
    }
    Ok(attached)
}

/// A recording of a world to a file, made by `World.record`.
#[pyclass(frozen, module = "stickslip")]
pub struct Recording {
    /// Its world.
    pub world: Py<World>,
}

#[pymethods]
impl Recording {
    /// Completes the file.
    fn close(&self) -> PyResult<()> {
        self.world.get().with(Scene::end_recording)
    }

    fn __enter__(slf: Py<Self>) -> Py<Self> {
        slf
    }

    fn __exit__(
        &self,
        _kind: &Bound<'_, PyAny>,
        _error: &Bound<'_, PyAny>,
        _trace: &Bound<'_, PyAny>,
    ) -> PyResult<bool> {
        self.close()?;
        Ok(false)
    }
}

/// The shapes of a scene, a dictionary each: body, kind, pose in the body, sizes.
pub fn shapes<'py>(py: Python<'py>, scene: &Scene) -> PyResult<Vec<Bound<'py, PyDict>>> {
    let mut out = Vec::new();
    for (number, part) in scene.names.parts.iter().enumerate() {
        let colliders = part.colliders.iter().filter(|_| !part.removed);
        for collider in colliders.filter_map(|c| scene.world.colliders.get(*c)) {
            let shape = collider_shape(collider, [0; 4]);
            // Shapes are placed in rapier's body, parts may be fixed to it.
            let pose = super::options::isometry(&part.offset).inverse() * shape.pose;
            let q = pose.rotation;
            let entry = PyDict::new(py);
            entry.set_item("body", number)?;
            entry.set_item("name", &part.name)?;
            let at = pose.translation.vector;
            entry.set_item("position", [at.x, at.y, at.z])?;
            entry.set_item("orientation", [q.w, q.i, q.j, q.k])?;
            let kind = match shape.geometry {
                Geometry::Sphere { radius } => {
                    entry.set_item("radius", radius)?;
                    "sphere"
                }
                Geometry::Cuboid { half_extents: h } => {
                    entry.set_item("half_size", [h.x, h.y, h.z])?;
                    "box"
                }
                Geometry::Capsule {
                    half_height,
                    radius,
                } => {
                    entry.set_item("radius", radius)?;
                    entry.set_item("half_length", half_height)?;
                    "capsule"
                }
                Geometry::Cylinder {
                    half_height,
                    radius,
                } => {
                    entry.set_item("radius", radius)?;
                    entry.set_item("half_length", half_height)?;
                    "cylinder"
                }
                Geometry::Mesh {
                    vertices,
                    triangles,
                } => {
                    let vertices: Vec<[f64; 3]> =
                        vertices.iter().map(|v| [v.x, v.y, v.z]).collect();
                    entry.set_item("vertices", vertices)?;
                    entry.set_item("triangles", triangles)?;
                    "mesh"
                }
                Geometry::HalfSpace { normal } => {
                    entry.set_item("normal", [normal.x, normal.y, normal.z])?;
                    "half_space"
                }
            };
            entry.set_item("kind", kind)?;
            out.push(entry);
        }
    }
    Ok(out)
}
