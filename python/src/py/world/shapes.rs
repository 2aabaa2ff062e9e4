//! Bodies of one shape into a world.

use super::World;
use crate::error::{Error, Outcome};
use crate::py::body::Body;
use crate::py::convert;
use crate::py::options::BodyKeywords;
use crate::scene::add::{NewBody, heightfield, upright};
use crate::scene::{finite3, positive};
use pyo3::prelude::*;
use pyo3::types::PyDict;
use rapier3d_f64::prelude::*;

impl World {
    fn add(
        slf: &Bound<'_, Self>,
        new: &NewBody<'_>,
        shape: impl FnOnce() -> Outcome<ColliderBuilder>,
    ) -> PyResult<Body> {
        let part = slf
            .get()
            .with(|scene| shape().and_then(|shape| scene.add_body(new, shape)))?;
        Ok(Body::new(slf, part))
    }
}

/// Points of shape (n, 3).
fn points(what: &str, value: &Bound<'_, PyAny>) -> PyResult<Vec<Vector>> {
    let (all, shape) = convert::array(what, value)?;
    let [n, 3] = shape[..] else {
        return Err(Error::Input(format!(
            "{what} has shape {}, but (n, 3) is wanted",
            convert::shape_text(&shape)
        ))
        .into());
    };
    convert::finite(what, &all, &[n, 3])?;
    let each = all.chunks_exact(3);
    Ok(each.map(|p| Vector::new(p[0], p[1], p[2])).collect())
}

fn triangles(value: &Bound<'_, PyAny>, corners: usize) -> PyResult<Vec<[u32; 3]>> {
    let (all, shape) = convert::array("triangles", value)?;
    let bad = |why: String| Error::Input(format!("triangles: {why}"));
    if shape.len() != 2 || shape[1] != 3 || shape[0] == 0 {
        let shape = convert::shape_text(&shape);
        return Err(bad(format!("shape {shape}, but (n, 3) is wanted")).into());
    }
    let most = corners as f64;
    if let Some(x) = all
        .iter()
        .find(|x| !(0.0..most).contains(*x) || x.fract() != 0.0)
    {
        return Err(bad(format!("{x} is no index of the {corners} vertices")).into());
    }
    let each = all.chunks_exact(3);
    Ok(each
        .map(|t| [t[0] as u32, t[1] as u32, t[2] as u32])
        .collect())
}

#[pymethods]
impl World {
    #[pyo3(signature = (height=0.0, *, size=200.0, **options))]
    fn add_ground(
        slf: &Bound<'_, Self>,
        height: f64,
        size: f64,
        options: Option<&Bound<'_, PyDict>>,
    ) -> PyResult<Body> {
        let keys = BodyKeywords::read("add_ground", options)?.fixed();
        let mut new = keys.body("ground");
        let [thick, height] = [1.0, finite3("height", [0.0, 0.0, height])?.z];
        new.pose.translation += Vector::new(0.0, 0.0, height);
        Self::add(slf, &new, || {
            let half = 0.5 * positive("size", size)?;
            let slab = ColliderBuilder::cuboid(half, half, 0.5 * thick);
            Ok(slab.translation(Vector::new(0.0, 0.0, -0.5 * thick)))
        })
    }

    #[pyo3(signature = (size, **options))]
    fn add_box(
        slf: &Bound<'_, Self>,
        size: &Bound<'_, PyAny>,
        options: Option<&Bound<'_, PyDict>>,
    ) -> PyResult<Body> {
        let keys = BodyKeywords::read("add_box", options)?;
        let size = convert::three("size", size)?;
        Self::add(slf, &keys.body("box"), || {
            for side in size {
                positive("size", side)?;
            }
            let [x, y, z] = size.map(|side| 0.5 * side);
            Ok(ColliderBuilder::cuboid(x, y, z))
        })
    }

    #[pyo3(signature = (radius, **options))]
    fn add_sphere(
        slf: &Bound<'_, Self>,
        radius: f64,
        options: Option<&Bound<'_, PyDict>>,
    ) -> PyResult<Body> {
        let keys = BodyKeywords::read("add_sphere", options)?;
        Self::add(slf, &keys.body("sphere"), || {
            Ok(ColliderBuilder::ball(positive("radius", radius)?))
        })
    }

    #[pyo3(signature = (radius, length, **options))]
    fn add_capsule(
        slf: &Bound<'_, Self>,
        radius: f64,
        length: f64,
        options: Option<&Bound<'_, PyDict>>,
    ) -> PyResult<Body> {
        let keys = BodyKeywords::read("add_capsule", options)?;
        Self::add(slf, &keys.body("capsule"), || {
            let half = 0.5 * positive("length", length)?;
            Ok(ColliderBuilder::capsule_z(
                half,
                positive("radius", radius)?,
            ))
        })
    }

    #[pyo3(signature = (radius, length, **options))]
    fn add_cylinder(
        slf: &Bound<'_, Self>,
        radius: f64,
        length: f64,
        options: Option<&Bound<'_, PyDict>>,
    ) -> PyResult<Body> {
        let keys = BodyKeywords::read("add_cylinder", options)?;
        Self::add(slf, &keys.body("cylinder"), || {
            let half = 0.5 * positive("length", length)?;
            let radius = positive("radius", radius)?;
            Ok(upright(ColliderBuilder::cylinder(half, radius)))
        })
    }

    #[pyo3(signature = (vertices, **options))]
    fn add_hull(
        slf: &Bound<'_, Self>,
        vertices: &Bound<'_, PyAny>,
        options: Option<&Bound<'_, PyDict>>,
    ) -> PyResult<Body> {
        let keys = BodyKeywords::read("add_hull", options)?;
        let vertices = points("vertices", vertices)?;
        Self::add(slf, &keys.body("hull"), || {
            let hull = ColliderBuilder::convex_hull(&vertices);
            hull.ok_or_else(|| {
                Error::input("the vertices have no convex hull: at least four that lie in no plane are wanted")
            })
        })
    }

    #[pyo3(signature = (vertices, triangles, **options))]
    fn add_mesh(
        slf: &Bound<'_, Self>,
        vertices: &Bound<'_, PyAny>,
        triangles: &Bound<'_, PyAny>,
        options: Option<&Bound<'_, PyDict>>,
    ) -> PyResult<Body> {
        let keys = BodyKeywords::read("add_mesh", options)?;
        let vertices = points("vertices", vertices)?;
        let triangles = self::triangles(triangles, vertices.len())?;
        Self::add(slf, &keys.body("mesh"), || {
            let flags = TriMeshFlags::FIX_INTERNAL_EDGES;
            let mesh = ColliderBuilder::trimesh_with_flags(vertices, triangles, flags);
            mesh.map_err(|error| Error::Input(format!("the mesh: {error}")))
        })
    }

    #[pyo3(signature = (heights, spacing, **options))]
    fn add_heightfield(
        slf: &Bound<'_, Self>,
        heights: &Bound<'_, PyAny>,
        spacing: f64,
        options: Option<&Bound<'_, PyDict>>,
    ) -> PyResult<Body> {
        let keys = BodyKeywords::read("add_heightfield", options)?.fixed();
        let (heights, shape) = convert::array("heights", heights)?;
        let [rows, columns] = shape[..] else {
            return Err(Error::Input(format!(
                "heights has shape {}, but (rows, columns) is wanted",
                convert::shape_text(&shape)
            ))
            .into());
        };
        Self::add(slf, &keys.body("terrain"), || {
            heightfield(&heights, [rows, columns], spacing)
        })
    }
}
