//! Links: mass properties and shapes.

use std::{path::PathBuf, sync::Arc};

use nalgebra::{Isometry3, Matrix3, Point3, Unit, Vector3};

use crate::mesh::TriMesh;

/// A rigid part in its own axes (the URDF link frame).
#[derive(Debug, Clone, PartialEq)]
pub struct Link {
    /// Unique name.
    pub name: String,
    /// Mass properties; `None` when the file gives none or all zeros.
    pub inertial: Option<Inertial>,
    /// Shapes to draw.
    pub visuals: Vec<Shape>,
    /// Shapes that collide.
    pub collisions: Vec<Shape>,
}

/// Mass properties in link axes.
#[derive(Debug, Clone, Copy, PartialEq)]
pub struct Inertial {
    /// Mass (kg).
    pub mass: f64,
    /// Centre of mass in the link frame (m).
    pub com: Vector3<f64>,
    /// Inertia about the centre of mass, link axes (kg m^2).
    pub inertia: Matrix3<f64>,
}

/// A shape placed on a link.
#[derive(Debug, Clone, PartialEq)]
pub struct Shape {
    /// Optional name of the element.
    pub name: Option<String>,
    /// Pose of the shape in the link frame.
    pub origin: Isometry3<f64>,
    /// What it is.
    pub geometry: Geometry,
    /// Colour of a visual (r, g, b, a in 0..1), its material's if that is named.
    pub color: Option<[f64; 4]>,
}

/// Shapes a robot file may use. Axes of cylinder and capsule: z.
#[derive(Debug, Clone, PartialEq)]
pub enum Geometry {
    /// A box, centred.
    Box {
        /// Edge lengths (m).
        size: Vector3<f64>,
    },
    /// A sphere, centred.
    Sphere {
        /// Radius (m).
        radius: f64,
    },
    /// A cylinder, centred.
    Cylinder {
        /// Radius (m).
        radius: f64,
        /// Length (m).
        length: f64,
    },
    /// A capsule, centred (an extension of URDF).
    Capsule {
        /// Radius (m).
        radius: f64,
        /// Length of the cylindrical part, without the caps (m).
        length: f64,
    },
    /// Everything below a plane through the origin: a ground or a wall (an extension of URDF).
    Plane {
        /// Outward normal.
        normal: Unit<Vector3<f64>>,
    },
    /// A triangle mesh.
    Mesh(MeshRef),
}

/// A mesh file and, if read, its triangles.
#[derive(Debug, Clone, PartialEq)]
pub struct MeshRef {
    /// The reference as written.
    pub uri: String,
    /// The file; `None` only for a visual mesh that wasn't found.
    pub path: Option<PathBuf>,
    /// Scale per axis, applied to `mesh` by [`MeshRef::scaled`].
    pub scale: Vector3<f64>,
    /// Triangles before scaling, shared between links that use the same file.
    pub mesh: Option<Arc<TriMesh>>,
}

impl Geometry {
    /// Corners of the box around it in its own axes (m). `None` for planes and for meshes that weren't read.
    pub fn bounds(&self) -> Option<(Point3<f64>, Point3<f64>)> {
        let around = |x: f64, y: f64, z: f64| {
            let corner = Point3::new(x, y, z);
            Some((-corner, corner))
        };
        match self {
            Self::Box { size } => around(size.x / 2.0, size.y / 2.0, size.z / 2.0),
            &Self::Sphere { radius } => around(radius, radius, radius),
            &Self::Cylinder { radius, length } => around(radius, radius, length / 2.0),
            &Self::Capsule { radius, length } => around(radius, radius, length / 2.0 + radius),
            Self::Plane { .. } => None,
            Self::Mesh(reference) => {
                let (low, high) = reference.mesh.as_ref()?.bounds();
                let scaled = |p: Point3<f64>| -> Point3<f64> {
                    p.coords.component_mul(&reference.scale).into()
                };
                let (a, b) = (scaled(low), scaled(high));
                Some((a.inf(&b), a.sup(&b)))
            }
        }
    }

    /// Makes negative extents positive, and those of zero as thin as this share of the largest.
    pub(crate) fn mend_extents(&mut self, thinnest: f64) {
        let mut extents: Vec<&mut f64> = match self {
            Self::Box { size } => size.iter_mut().collect(),
            Self::Sphere { radius } => vec![radius],
            Self::Cylinder { radius, length } | Self::Capsule { radius, length } => {
                vec![radius, length]
            }
            Self::Plane { .. } | Self::Mesh(_) => Vec::new(),
        };
        let largest = extents.iter().fold(0.0, |most: f64, x| most.max(x.abs()));
        for x in &mut extents {
            **x = x.abs();
            if **x == 0.0 {
                **x = thinnest * largest;
            }
        }
    }
}

impl MeshRef {
    /// Triangles in metres with the scale applied; `None` if the file wasn't read.
    pub fn scaled(&self) -> Option<TriMesh> {
        self.mesh.as_ref().map(|m| m.scaled(&self.scale))
    }
}

impl Inertial {
    /// The same properties seen from a frame in which this one has pose `x`:
    /// com' = x com, I' = R I R^T.
    pub fn moved(&self, x: &Isometry3<f64>) -> Self {
        let r = x.rotation.to_rotation_matrix();
        Self {
            mass: self.mass,
            com: (x * Point3::from(self.com)).coords,
            inertia: r * self.inertia * r.transpose(),
        }
    }

    /// Two rigidly joined parts as one, by the parallel axis theorem
    /// I = sum I_i + m_i (|d_i|^2 1 - d_i d_i^T), d_i from the common centre of mass.
    pub fn joined(&self, other: &Self) -> Self {
        let mass = self.mass + other.mass;
        if mass == 0.0 {
            return Self {
                inertia: self.inertia + other.inertia,
                ..*self
            };
        }
        let com = (self.com * self.mass + other.com * other.mass) / mass;
        let about = |p: &Self| {
            let d = p.com - com;
            p.inertia + (Matrix3::identity() * d.norm_squared() - d * d.transpose()) * p.mass
        };
        Self {
            mass,
            com,
            inertia: about(self) + about(other),
        }
    }
}
