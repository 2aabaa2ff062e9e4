//! Links: mass properties and shapes.

use std::collections::HashMap;

use nalgebra::{Matrix3, Unit, Vector3};

use super::{
    meshes::{Meshes, Purpose},
    pose::pose,
    topology::Order,
};
use crate::{
    error::UrdfError,
    findings::{Findings, Place},
    inertia,
    model::{Geometry, Inertial, Link, LoadOptions, Shape, Strictness},
    scan,
};

struct Reader<'a, 'f> {
    colors: HashMap<&'a str, [f64; 4]>,
    meshes: Meshes<'a, 'f>,
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
    let meshes = Meshes::new(options, found);
    let mut reader = Reader { colors, meshes };
    let links = order.links.iter().map(|&i| reader.link(&robot.links[i]));
    let links = links.collect();
    reader.meshes.tell_tails();
    links
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
        let own = inertial(&link.inertial);
        collisions.extend(self.meshes.stand_in(&link.name, &visuals, own.as_ref()));
        let mass = link.inertial.mass.value;
        if mass < 0.0 {
            self.meshes.found.errors.push(UrdfError::NegativeMass {
                file: self.meshes.found.file(),
                link: link.name.clone(),
                mass,
            });
        }
        Link {
            name: link.name.clone(),
            inertial: own,
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
        let mut out = match geometry {
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
                self.meshes
                    .mesh(&link.name, filename, Vector3::new(x, y, z), purpose)?
            }
        };
        let is_point = !dimensions.is_empty() && dimensions.iter().all(|(_, value)| *value == 0.0);
        let is_shape = !matches!(out, Geometry::Mesh(_) | Geometry::Plane { .. });
        let mend = self.meshes.found.strictness() == Strictness::Tolerant;
        if is_shape && mend && purpose == Purpose::Collision {
            let place = Place::link(&link.name).part(part);
            if is_point {
                let slip = "has no extent, so that nothing can touch it; left out";
                self.meshes.found.repaired(&place, slip);
                return None;
            }
            if let Some((what, value)) = dimensions.iter().find(|(_, value)| *value <= 0.0) {
                let made = if *value < 0.0 {
                    "taken as positive"
                } else {
                    "taken as thin"
                };
                self.meshes
                    .found
                    .repaired(&place, format!("{what} = {value}; {made}"));
                out.mend_extents(inertia::FLATTEST);
                return Some(out);
            }
        }
        match dimensions
            .into_iter()
            .find(|(_, value)| value.is_nan() || *value <= 0.0)
        {
            None => Some(out),
            Some((what, value)) => {
                let (file, link, part) = (
                    self.meshes.found.file(),
                    link.name.clone(),
                    part.to_string(),
                );
                let error = UrdfError::EmptyGeometry {
                    file,
                    link,
                    part,
                    what,
                    value,
                };
                self.meshes.report(error, purpose);
                None
            }
        }
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
