//! Links: mass properties, shapes and the meshes they refer to.

use std::{
    collections::HashMap,
    path::{Path, PathBuf},
    sync::Arc,
};

use nalgebra::{Matrix3, Unit, Vector3};

use super::{Findings, pose, topology::Order};
use crate::{
    error::UrdfError,
    findings::Place,
    inertia,
    mesh::TriMesh,
    model::{
        Geometry, Inertial, Link, LoadOptions, MeshRef, NoteKind, Shape, Strictness, VisualMeshes,
    },
    resolve::Resolver,
    scan,
};

struct Reader<'a, 'f> {
    found: &'a mut Findings<'f>,
    resolver: Resolver,
    colors: HashMap<&'a str, [f64; 4]>,
    meshes: HashMap<PathBuf, Result<Arc<TriMesh>, String>>,
    visual_meshes: VisualMeshes,
    /// Triangles of all shapes so far, each as often as it is used.
    triangles: usize,
}

/// Triangles of a robot's shapes together, each mesh counted as often as it is used.
const MAX_TRIANGLES: usize = 50_000_000;

/// What a shape is for: a missing mesh is an error to one and a warning to the other.
#[derive(Clone, Copy, PartialEq, Eq)]
enum Purpose {
    Collision,
    Visual,
}

pub(super) fn convert(
    robot: &urdf_rs::Robot,
    order: &Order,
    options: &LoadOptions,
    found: &mut Findings,
) -> Vec<Link> {
    let shapes = robot
        .links
        .iter()
        .flat_map(|l| &l.visual)
        .filter_map(|v| v.material.as_ref());
    let colors = robot
        .materials
        .iter()
        .chain(shapes)
        .filter_map(|m| m.color.as_ref().map(|c| (m.name.as_str(), *c.rgba)))
        .collect();
    let resolver = Resolver::new(found.path(), &options.package_paths);
    let mut reader = Reader {
        found,
        resolver,
        colors,
        meshes: HashMap::new(),
        visual_meshes: options.visual_meshes,
        triangles: 0,
    };
    order
        .links
        .iter()
        .map(|&i| reader.link(&robot.links[i]))
        .collect()
}

impl Reader<'_, '_> {
    fn link(&mut self, link: &urdf_rs::Link) -> Link {
        let mut visuals = Vec::new();
        for (i, v) in link.visual.iter().enumerate() {
            let part = label("visual", i, v.name.as_deref());
            if let Some(geometry) = self.geometry(link, &part, &v.geometry, Purpose::Visual) {
                let color = v.material.as_ref().and_then(|m| {
                    m.color
                        .as_ref()
                        .map(|c| *c.rgba)
                        .or_else(|| self.colors.get(&*m.name).copied())
                });
                let (name, origin) = (v.name.clone(), pose(&v.origin));
                visuals.push(Shape {
                    name,
                    origin,
                    geometry,
                    color,
                });
            }
        }
        let mut collisions = Vec::new();
        for (i, c) in link.collision.iter().enumerate() {
            let part = label("collision", i, c.name.as_deref());
            if let Some(geometry) = self.geometry(link, &part, &c.geometry, Purpose::Collision) {
                let (name, origin) = (c.name.clone(), pose(&c.origin));
                collisions.push(Shape {
                    name,
                    origin,
                    geometry,
                    color: None,
                });
            }
        }
        let mass = link.inertial.mass.value;
        if mass < 0.0 {
            self.found.errors.push(UrdfError::NegativeMass {
                file: self.file(),
                link: link.name.clone(),
                mass,
            });
        }
        Link {
            name: link.name.clone(),
            inertial: inertial(&link.inertial),
            visuals,
            collisions,
        }
    }

    /// `None` after an error (or, for a visual shape, a warning).
    fn geometry(
        &mut self,
        link: &urdf_rs::Link,
        part: &str,
        geometry: &urdf_rs::Geometry,
        purpose: Purpose,
    ) -> Option<Geometry> {
        let mut dimensions: Vec<(&'static str, f64)> = Vec::new();
        let out = match geometry {
            urdf_rs::Geometry::Box { size } => {
                let [x, y, z] = **size;
                dimensions.extend([("size x", x), ("size y", y), ("size z", z)]);
                Geometry::Box {
                    size: Vector3::new(x, y, z),
                }
            }
            &urdf_rs::Geometry::Sphere { radius } => {
                dimensions.push(("radius", radius));
                Geometry::Sphere { radius }
            }
            &urdf_rs::Geometry::Cylinder { radius, length } => {
                dimensions.extend([("radius", radius), ("length", length)]);
                Geometry::Cylinder { radius, length }
            }
            &urdf_rs::Geometry::Capsule { radius, length } => {
                dimensions.extend([("radius", radius), ("length", length)]);
                Geometry::Capsule { radius, length }
            }
            urdf_rs::Geometry::Mesh { filename, .. } if filename.starts_with(scan::PLANE) => {
                let normal = plane(filename);
                dimensions.push(("normal", normal.norm()));
                Geometry::Plane {
                    normal: Unit::try_new(normal, 0.0).unwrap_or_else(Vector3::z_axis),
                }
            }
            urdf_rs::Geometry::Mesh { filename, scale } => {
                let [x, y, z] = scale.map_or([1.0; 3], |s| *s);
                // Negative factors mirror and are fine; zero flattens.
                dimensions.extend([
                    ("scale x", x.abs()),
                    ("scale y", y.abs()),
                    ("scale z", z.abs()),
                ]);
                self.mesh(link, filename, Vector3::new(x, y, z), purpose)?
            }
        };
        let is_point = !dimensions.is_empty() && dimensions.iter().all(|(_, value)| *value == 0.0);
        let is_shape = !matches!(out, Geometry::Mesh(_) | Geometry::Plane { .. });
        let mend = self.found.strictness() == Strictness::Tolerant;
        if is_point && is_shape && mend && purpose == Purpose::Collision {
            let place = Place::link(&link.name).part(part);
            let slip = "has no extent, so that nothing can touch it; left out";
            self.found.repaired(&place, slip);
            return None;
        }
        match dimensions
            .into_iter()
            .find(|(_, value)| value.is_nan() || *value <= 0.0)
        {
            None => Some(out),
            Some((what, value)) => {
                let (file, link, part) = (self.file(), link.name.clone(), part.to_string());
                let error = UrdfError::EmptyGeometry {
                    file,
                    link,
                    part,
                    what,
                    value,
                };
                self.report(error, purpose);
                None
            }
        }
    }

    fn mesh(
        &mut self,
        link: &urdf_rs::Link,
        uri: &str,
        scale: Vector3<f64>,
        purpose: Purpose,
    ) -> Option<Geometry> {
        let mut out = MeshRef {
            uri: uri.into(),
            path: None,
            scale,
            mesh: None,
        };
        let path = match self.resolver.resolve(uri) {
            Ok(path) => path,
            Err(tried) => {
                let (file, link, uri) = (self.file(), link.name.clone(), uri.to_string());
                self.report(
                    UrdfError::MeshNotFound {
                        file,
                        link,
                        uri,
                        tried,
                    },
                    purpose,
                );
                // Which file it should have been is still worth showing.
                return (purpose == Purpose::Visual).then_some(Geometry::Mesh(out));
            }
        };
        out.path = Some(path.clone());
        if purpose == Purpose::Collision || self.visual_meshes == VisualMeshes::Load {
            match self.load(&path) {
                Ok(mesh) => {
                    let before = self.triangles;
                    self.triangles = before.saturating_add(mesh.triangles.len());
                    if (before..self.triangles).contains(&MAX_TRIANGLES) {
                        self.found.errors.push(UrdfError::TooLarge {
                            file: self.file(),
                            what: "triangles in its meshes",
                            limit: MAX_TRIANGLES,
                        });
                    }
                    out.mesh = Some(mesh);
                }
                Err(reason) => {
                    let (file, link) = (self.file(), link.name.clone());
                    self.report(
                        UrdfError::BadMesh {
                            file,
                            link,
                            mesh: path,
                            reason,
                        },
                        purpose,
                    );
                    return (purpose == Purpose::Visual).then_some(Geometry::Mesh(out));
                }
            }
        }
        Some(Geometry::Mesh(out))
    }

    fn load(&mut self, path: &Path) -> Result<Arc<TriMesh>, String> {
        self.meshes
            .entry(path.to_path_buf())
            .or_insert_with(|| TriMesh::read(path).map(Arc::new))
            .clone()
    }

    fn report(&mut self, error: UrdfError, purpose: Purpose) {
        match purpose {
            Purpose::Collision => self.found.errors.push(error),
            Purpose::Visual => {
                let place = Place::of(error.element());
                let text = format!("not shown: {error}");
                self.found.note(NoteKind::Ignored, &place, text);
            }
        }
    }

    fn file(&self) -> PathBuf {
        self.found.file()
    }
}

fn label(kind: &str, index: usize, name: Option<&str>) -> String {
    match name {
        Some(name) => format!("{kind} `{name}`"),
        None => format!("{kind} {}", index + 1),
    }
}

/// The normal of a plane, which passes through the parser as a mesh.
fn plane(filename: &str) -> Vector3<f64> {
    let numbers = filename.trim_start_matches(scan::PLANE).split(' ');
    let mut numbers = numbers.map(|w| w.parse().unwrap_or(0.0));
    Vector3::from_fn(|_, _| numbers.next().unwrap_or(0.0))
}

/// Turned into link axes; `None` when all zero, which is how the parser reports absence.
fn inertial(parsed: &urdf_rs::Inertial) -> Option<Inertial> {
    let i = &parsed.inertia;
    #[rustfmt::skip]
    let tensor = Matrix3::new(
        i.ixx, i.ixy, i.ixz,
        i.ixy, i.iyy, i.iyz,
        i.ixz, i.iyz, i.izz,
    );
    let mass = parsed.mass.value;
    (mass != 0.0 || tensor != Matrix3::zeros())
        .then(|| inertia::in_link_axes(mass, &pose(&parsed.origin), tensor))
}
