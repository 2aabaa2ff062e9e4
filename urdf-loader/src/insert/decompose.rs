//! Concave meshes as convex parts, kept on disk where a folder is given: decomposing takes seconds.

use std::{
    fmt::Write as _,
    hash::{DefaultHasher, Hash, Hasher},
    path::Path,
};

use nalgebra::Point3;
use rapier::{
    geometry::SharedShape,
    math::{Pose, Vector},
    parry::transformation::vhacd::{VHACD, VHACDParameters},
};

use super::convert::point;
use crate::mesh::TriMesh;

/// First line of a file of parts.
const HEADER: &str = "stickslip convex parts 1";

/// The mesh as a compound of convex parts (V-HACD at `resolution` voxels along the longest side).
///
/// A file in `cache` that holds the parts of this very mesh is used; else one is written. A folder
/// that can't be written to only costs the time of the next decomposition.
pub(super) fn convex_parts(
    mesh: &TriMesh,
    resolution: u32,
    cache: Option<&Path>,
) -> Result<SharedShape, String> {
    let key = key(mesh, resolution);
    let file = cache.map(|folder| folder.join(format!("{key}.parts")));
    let kept = file.as_deref().and_then(|f| read(f, &key));
    let parts = kept.unwrap_or_else(|| {
        let parts = decompose(mesh, resolution);
        if let Some(file) = &file {
            // Best effort: nothing depends on it.
            let _ = write(file, &key, &parts);
        }
        parts
    });
    let shapes: Vec<_> = parts
        .iter()
        .filter_map(|points| {
            let points: Vec<Vector> = points.iter().map(point).collect();
            Some((Pose::IDENTITY, SharedShape::convex_hull(&points)?))
        })
        .collect();
    if shapes.is_empty() {
        return Err("has no convex part with volume".into());
    }
    Ok(SharedShape::compound(shapes))
}

#[allow(clippy::useless_conversion)] // f64::from(Real) says something in one of the two crates.
fn decompose(mesh: &TriMesh, resolution: u32) -> Vec<Vec<Point3<f64>>> {
    let parameters = VHACDParameters {
        resolution,
        ..VHACDParameters::default()
    };
    let vertices: Vec<Vector> = mesh.vertices.iter().map(point).collect();
    let parts = VHACD::decompose(&parameters, &vertices, &mesh.triangles, true);
    let wide = |v: &Vector| Point3::new(f64::from(v.x), f64::from(v.y), f64::from(v.z));
    let hulls = parts.compute_exact_convex_hulls(&vertices, &mesh.triangles);
    hulls
        .iter()
        .map(|(points, _)| points.iter().map(wide).collect())
        .collect()
}

/// A name for the parts of a mesh: two hashes of all its numbers and the resolution, and its size.
fn key(mesh: &TriMesh, resolution: u32) -> String {
    let hash = |salt: u8| {
        let mut h = DefaultHasher::new();
        (salt, resolution, &mesh.triangles).hash(&mut h);
        for v in &mesh.vertices {
            v.coords.map(f64::to_bits).as_slice().hash(&mut h);
        }
        h.finish()
    };
    let (a, b) = (hash(1), hash(2));
    let (vertices, triangles) = (mesh.vertices.len(), mesh.triangles.len());
    format!("{a:016x}{b:016x}-{vertices}-{triangles}")
}

/// The parts in a file; `None` if it isn't there or isn't whole.
fn read(file: &Path, key: &str) -> Option<Vec<Vec<Point3<f64>>>> {
    let text = std::fs::read_to_string(file).ok()?;
    let mut lines = text.lines();
    if lines.next()? != HEADER || lines.next()? != key {
        return None;
    }
    let count: usize = lines.next()?.parse().ok()?;
    let mut out = Vec::new();
    for _ in 0..count {
        let points: usize = lines.next()?.parse().ok()?;
        let mut part = Vec::new();
        for _ in 0..points {
            let mut numbers = lines.next()?.split(' ').map(str::parse);
            let mut next = || numbers.next()?.ok().filter(|x: &f64| x.is_finite());
            part.push(Point3::new(next()?, next()?, next()?));
        }
        out.push(part);
    }
    (lines.next()? == "end").then_some(out)
}

/// Writes the parts, and the folder if it isn't there.
fn write(file: &Path, key: &str, parts: &[Vec<Point3<f64>>]) -> std::io::Result<()> {
    let mut text = format!("{HEADER}\n{key}\n{}\n", parts.len());
    for part in parts {
        let _ = writeln!(text, "{}", part.len());
        for p in part {
            let _ = writeln!(text, "{} {} {}", p.x, p.y, p.z);
        }
    }
    text.push_str("end\n");
    std::fs::create_dir_all(stickslip_files::folder_of(file))?;
    stickslip_files::write(file, text)
}
