//! Shapes to Rerun's archetypes.

#![allow(non_snake_case)] // X_WB is the pose of B in W

use crate::bounds::Extent;
use crate::chunks::Writer;
use crate::error::RerunError;
use nalgebra::{Isometry3, Point3, Translation3, UnitQuaternion, Vector3};
use re_log_types::EntityPath;
use re_sdk_types::AsComponents;
use re_sdk_types::archetypes::{
    Boxes3D, Capsules3D, Cylinders3D, Ellipsoids3D, Mesh3D, Transform3D,
};
use re_sdk_types::components::{Color, FillMode};
use re_sdk_types::datatypes::{Quaternion, Rgba32, Vec3D};
use stickslip_record::{Geometry, ShapeRecord};

/// Ground tiles on each side of the middle.
const TILES: i32 = 16;

/// Logs one shape below its body, once: a transform `X_BS` and an archetype.
///
/// Rerun's capsules start at the origin and run along +z, its cylinders are centred on the origin and
/// run along z; ours are centred and run along y. The transform makes up for it.
pub(crate) fn put_shape(
    out: &mut Writer<'_>,
    path: &EntityPath,
    shape: &ShapeRecord,
    ground: &Ground,
) -> Result<(), RerunError> {
    let X_BS = shape.pose;
    let [r, g, b, a] = shape.color;
    let color = Color::from_unmultiplied_rgba(r, g, b, a);
    let (X_BR, archetype): (Isometry3<f64>, Box<dyn AsComponents>) = match &shape.geometry {
        Geometry::Sphere { radius } => (
            X_BS,
            Box::new(
                Ellipsoids3D::from_radii([*radius as f32])
                    .with_colors([color])
                    .with_fill_mode(FillMode::Solid),
            ),
        ),
        Geometry::Cuboid { half_extents } => (
            X_BS,
            Box::new(
                Boxes3D::from_half_sizes([vec3(half_extents)])
                    .with_colors([color])
                    .with_fill_mode(FillMode::Solid),
            ),
        ),
        Geometry::Capsule {
            half_height,
            radius,
        } => (
            X_BS * Translation3::new(0.0, -half_height, 0.0) * z_to_y(),
            Box::new(
                Capsules3D::from_lengths_and_radii([2.0 * *half_height as f32], [*radius as f32])
                    .with_colors([color])
                    .with_fill_mode(FillMode::Solid),
            ),
        ),
        Geometry::Cylinder {
            half_height,
            radius,
        } => (
            X_BS * z_to_y(),
            Box::new(
                Cylinders3D::from_lengths_and_radii([2.0 * *half_height as f32], [*radius as f32])
                    .with_colors([color])
                    .with_fill_mode(FillMode::Solid),
            ),
        ),
        Geometry::Mesh {
            vertices,
            triangles,
        } => (X_BS, Box::new(mesh(vertices, triangles, shape.color))),
        Geometry::HalfSpace { normal } => {
            // Tiles around the point of the plane below the scene, on a grid fixed in the plane.
            let R_SR =
                UnitQuaternion::rotation_between(&Vector3::z(), normal).unwrap_or_else(|| {
                    UnitQuaternion::from_axis_angle(&Vector3::x_axis(), std::f64::consts::PI)
                });
            let X_BR = X_BS * R_SR;
            let below = ground.X_WB * X_BR;
            let middle = below.inverse_transform_point(&ground.center);
            (X_BR, Box::new(tiles(&middle, ground.tile, shape.color)))
        }
    };
    out.put_static(path, &transform(&X_BR))?;
    out.put_static(path, archetype.as_ref())
}

/// What a half space needs to know of the scene to be drawn as a piece of tiled ground.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Ground {
    /// Pose of the body in the world.
    pub X_WB: Isometry3<f64>,
    /// What the ground is centred below, in the world \[m\].
    pub center: Point3<f64>,
    /// Side of a tile \[m\].
    pub tile: f64,
}

/// Side of the ground tiles \[m\]: 1, 2 or 5 times a power of ten, between 0.4 and 1 of the scene's size.
pub fn tile_side(extent: &Extent) -> f64 {
    let decade = 10f64.powf(extent.size.log10().floor());
    [5.0, 2.0, 1.0]
        .into_iter()
        .map(|k| k * decade)
        .find(|side| *side <= extent.size)
        .unwrap_or(decade)
}

/// A pose as an archetype.
pub fn transform(X: &Isometry3<f64>) -> Transform3D {
    Transform3D::from_translation_rotation(translation(X), Quaternion::from_xyzw(rotation(X)))
}

/// The translation of a pose.
pub fn translation(X: &Isometry3<f64>) -> [f32; 3] {
    X.translation.vector.cast::<f32>().into()
}

/// The rotation of a pose as x, y, z, w.
pub fn rotation(X: &Isometry3<f64>) -> [f32; 4] {
    X.rotation.coords.cast::<f32>().into()
}

/// A vector in Rerun's type.
pub fn vec3(v: &Vector3<f64>) -> [f32; 3] {
    v.cast::<f32>().into()
}

/// Turns z to y: the quarter turn back about x.
fn z_to_y() -> UnitQuaternion<f64> {
    UnitQuaternion::from_axis_angle(&Vector3::x_axis(), -std::f64::consts::FRAC_PI_2)
}

/// A mesh with flat shading: every triangle gets corners of its own with its normal. Triangles with a
/// corner that doesn't exist are left out.
fn mesh(vertices: &[Point3<f64>], triangles: &[[u32; 3]], color: [u8; 4]) -> Mesh3D {
    let mut positions: Vec<[f32; 3]> = Vec::with_capacity(3 * triangles.len());
    let mut normals: Vec<[f32; 3]> = Vec::with_capacity(3 * triangles.len());
    for corners in triangles {
        let [Some(a), Some(b), Some(c)] = corners.map(|i| vertices.get(i as usize)) else {
            continue;
        };
        let normal = (b - a).cross(&(c - a));
        let normal = normal.try_normalize(0.0).unwrap_or_else(Vector3::z);
        for p in [a, b, c] {
            positions.push(vec3(&p.coords));
            normals.push(vec3(&normal));
        }
    }
    Mesh3D::new(positions.into_iter().map(Vec3D))
        .with_vertex_normals(normals.into_iter().map(Vec3D))
        .with_albedo_factor(Rgba32::from(color))
}

/// Tiles in the plane z = 0, in two tones of `color`, around `middle`.
fn tiles(middle: &Point3<f64>, side: f64, color: [u8; 4]) -> Mesh3D {
    let darker = |c: u8| (f64::from(c) * 0.86) as u8;
    let [r, g, b, a] = color;
    let tones = [color, [darker(r), darker(g), darker(b), a]];
    let (i0, j0) = (
        (middle.x / side).round() as i32,
        (middle.y / side).round() as i32,
    );
    let mut positions = Vec::new();
    let mut colors = Vec::new();
    let mut triangles = Vec::new();
    for i in i0 - TILES..i0 + TILES {
        for j in j0 - TILES..j0 + TILES {
            let first = positions.len() as u32;
            for (di, dj) in [(0, 0), (1, 0), (1, 1), (0, 1)] {
                let x = f64::from(i + di) * side;
                let y = f64::from(j + dj) * side;
                positions.push([x as f32, y as f32, 0.0]);
                colors.push(Rgba32::from(tones[(i + j).rem_euclid(2) as usize]));
            }
            triangles.push([first, first + 1, first + 2]);
            triangles.push([first, first + 2, first + 3]);
        }
    }
    let normals = vec![[0.0f32, 0.0, 1.0]; positions.len()];
    Mesh3D::new(positions.into_iter().map(Vec3D))
        .with_triangle_indices(triangles)
        .with_vertex_normals(normals.into_iter().map(Vec3D))
        .with_vertex_colors(colors)
}
