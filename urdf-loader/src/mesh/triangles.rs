//! Triangles with shared vertices.

use std::collections::HashMap;

use nalgebra::{Matrix3, Point3, Vector3};

/// Triangles of a mesh; as many as the largest binary STL within [`MAX_BYTES`](super::MAX_BYTES) holds.
pub const MAX_TRIANGLES: usize = 5_000_000;

/// A triangle soup with shared vertices, in the axes and metres of the link's mesh origin.
///
/// Equal vertices are merged when a file is read; degenerate triangles are kept.
#[derive(Debug, Clone, Default, PartialEq)]
pub struct TriMesh {
    /// Vertex positions (m).
    pub vertices: Vec<Point3<f64>>,
    /// Three vertex indices per triangle, counter-clockwise seen from outside.
    pub triangles: Vec<[u32; 3]>,
}

/// Volume integrals of a closed mesh at unit density.
#[derive(Debug, Clone, Copy, PartialEq)]
pub struct VolumeMoments {
    /// Volume (m^3).
    pub volume: f64,
    /// Centroid (m).
    pub centroid: Vector3<f64>,
    /// Inertia about the centroid at density 1 (m^5).
    pub inertia: Matrix3<f64>,
}

impl TriMesh {
    /// The mesh with `scale` applied per axis. A mirrored scale (odd number of negative factors)
    /// turns every triangle over, so that normals keep pointing outwards.
    pub fn scaled(&self, scale: &Vector3<f64>) -> Self {
        let mut out = self.clone();
        for v in &mut out.vertices {
            v.coords.component_mul_assign(scale);
        }
        if scale.product() < 0.0 {
            out.turn_over();
        }
        out
    }

    /// Corners of the axis-aligned bounding box (m).
    pub fn bounds(&self) -> (Point3<f64>, Point3<f64>) {
        let mut low = Point3::from(Vector3::repeat(f64::INFINITY));
        let mut high = Point3::from(Vector3::repeat(f64::NEG_INFINITY));
        for v in &self.vertices {
            low = low.inf(v);
            high = high.sup(v);
        }
        (low, high)
    }

    /// Volume, centroid and inertia by signed tetrahedra against the origin (divergence theorem).
    ///
    /// `None` when the signed volume is not positive: the mesh is open, flat or inside out.
    /// For a tetrahedron (0, a, b, c) with d = a . (b x c): volume d/6, and
    /// int x x^T = d/120 (s s^T + a a^T + b b^T + c c^T) with s = a + b + c.
    pub fn volume_moments(&self) -> Option<VolumeMoments> {
        let mut volume = 0.0;
        let mut first = Vector3::zeros();
        let mut second = Matrix3::zeros();
        for t in &self.triangles {
            let [a, b, c] = t.map(|i| self.vertices[i as usize].coords);
            let d = a.dot(&b.cross(&c));
            let s = a + b + c;
            volume += d / 6.0;
            first += s * (d / 24.0);
            second +=
                (s * s.transpose() + a * a.transpose() + b * b.transpose() + c * c.transpose())
                    * (d / 120.0);
        }
        if volume.is_nan() || volume <= 0.0 {
            return None;
        }
        let centroid = first / volume;
        second -= centroid * centroid.transpose() * volume;
        let inertia = Matrix3::identity() * second.trace() - second;
        Some(VolumeMoments {
            volume,
            centroid,
            inertia,
        })
    }

    pub(super) fn turn_over(&mut self) {
        for t in &mut self.triangles {
            t.swap(1, 2);
        }
    }

    pub(super) fn append(&mut self, other: &TriMesh) -> Result<(), String> {
        bounded(self.triangles.len() + other.triangles.len())?;
        let base = index(self.vertices.len())?;
        index(self.vertices.len() + other.vertices.len())?;
        self.vertices.extend(&other.vertices);
        self.triangles
            .extend(other.triangles.iter().map(|t| t.map(|i| i + base)));
        Ok(())
    }
}

/// Merges equal vertices while triangles are pushed.
#[derive(Default)]
pub(super) struct Welder {
    pub(super) mesh: TriMesh,
    seen: HashMap<[u64; 3], u32>,
}

impl Welder {
    fn vertex(&mut self, p: [f64; 3]) -> Result<u32, String> {
        // Adding zero makes -0 and 0 the same key.
        let key = p.map(|x| (x + 0.0).to_bits());
        if let Some(&i) = self.seen.get(&key) {
            return Ok(i);
        }
        let i = index(self.mesh.vertices.len())?;
        self.mesh.vertices.push(Point3::from(Vector3::from(p)));
        self.seen.insert(key, i);
        Ok(i)
    }

    pub(super) fn triangle(&mut self, corners: [[f64; 3]; 3]) -> Result<(), String> {
        let [a, b, c] = corners;
        let t = [self.vertex(a)?, self.vertex(b)?, self.vertex(c)?];
        bounded(self.mesh.triangles.len() + 1)?;
        self.mesh.triangles.push(t);
        Ok(())
    }
}

fn bounded(triangles: usize) -> Result<(), String> {
    if triangles > MAX_TRIANGLES {
        return Err(format!(
            "has more than {MAX_TRIANGLES} triangles; reduce it"
        ));
    }
    Ok(())
}

fn index(n: usize) -> Result<u32, String> {
    u32::try_from(n).map_err(|_| "has more than 2^32 vertices".to_string())
}
