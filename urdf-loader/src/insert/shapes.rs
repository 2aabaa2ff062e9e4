//! Collision shapes of the file as the engine's shapes.

use nalgebra::{Isometry3, Translation3, UnitQuaternion, Vector3};
use rapier::geometry::{ColliderBuilder, SharedShape};

use super::{
    convert::{point, pose, real, vector},
    decompose,
    error::InsertError,
    options::{InsertOptions, MeshCollision},
};
use crate::{
    assembly::{Assembly, Member},
    model::{Geometry, MeshRef, RobotModel, Shape},
};

/// A collider to be attached, with the link it comes from.
pub(super) struct Part {
    pub link: usize,
    pub collider: ColliderBuilder,
}

/// Colliders of every body (same order as `assembly.bodies`), density 0: the mass properties are
/// the file's. A mesh that collides otherwise than asked is said in the warnings.
pub(super) fn parts(
    model: &RobotModel,
    assembly: &Assembly,
    options: &InsertOptions,
    warnings: &mut Vec<String>,
) -> Result<Vec<Vec<Part>>, InsertError> {
    let mut all: Vec<Vec<Part>> = Vec::with_capacity(assembly.bodies.len());
    for body in &assembly.bodies {
        let mut parts = Vec::new();
        for member in &body.members {
            for shape in model.links[member.link].collisions.iter().enumerate() {
                parts.push(part(model, member, shape, options, warnings)?);
            }
        }
        all.push(parts);
    }
    let (declared, loaded) = (model.collision_count(), all.iter().map(Vec::len).sum());
    if declared != loaded {
        let robot = model.name.clone();
        return Err(InsertError::ColliderCount {
            robot,
            declared,
            loaded,
        });
    }
    Ok(all)
}

fn part(
    model: &RobotModel,
    member: &Member,
    (index, shape): (usize, &Shape),
    options: &InsertOptions,
    warnings: &mut Vec<String>,
) -> Result<Part, InsertError> {
    let mut warn = |text| {
        let link = &model.links[member.link].name;
        warnings.push(format!("link `{link}`: {text}"));
    };
    let (engine_shape, turn) =
        engine_shape(&shape.geometry, options, &mut warn).map_err(|reason| InsertError::Shape {
            robot: model.name.clone(),
            link: model.links[member.link].name.clone(),
            index: index + 1,
            reason,
        })?;
    let at = member.offset * shape.origin * turn;
    let collider = ColliderBuilder::new(engine_shape)
        .position(pose(&at))
        .density(0.0)
        .friction(real(options.surface.friction))
        .restitution(real(options.surface.restitution));
    Ok(Part {
        link: member.link,
        collider,
    })
}

/// The shape and the turn from its engine axes to its URDF axes.
fn engine_shape(
    geometry: &Geometry,
    options: &InsertOptions,
    warn: &mut dyn FnMut(String),
) -> Result<(SharedShape, Isometry3<f64>), String> {
    let straight = Isometry3::identity();
    Ok(match geometry {
        Geometry::Box { size } => {
            let h = size / 2.0;
            (
                SharedShape::cuboid(real(h.x), real(h.y), real(h.z)),
                straight,
            )
        }
        &Geometry::Sphere { radius } => (SharedShape::ball(real(radius)), straight),
        // The engine's cylinders stand on y.
        &Geometry::Cylinder { radius, length } => {
            let y_to_z =
                UnitQuaternion::from_axis_angle(&Vector3::x_axis(), std::f64::consts::FRAC_PI_2);
            let shape = SharedShape::cylinder(real(length / 2.0), real(radius));
            (
                shape,
                Isometry3::from_parts(Translation3::identity(), y_to_z),
            )
        }
        &Geometry::Capsule { radius, length } => (
            SharedShape::capsule_z(real(length / 2.0), real(radius)),
            straight,
        ),
        Geometry::Plane { normal } => (SharedShape::halfspace(vector(normal)), straight),
        Geometry::Mesh(reference) => mesh(reference, options, warn)
            .map_err(|reason| format!("mesh `{}` {reason}", reference.uri))?,
    })
}

/// A mesh as the options ask for it, and the pose of the shape in the mesh's axes.
fn mesh(
    reference: &MeshRef,
    options: &InsertOptions,
    warn: &mut dyn FnMut(String),
) -> Result<(SharedShape, Isometry3<f64>), String> {
    let mesh = reference.scaled().ok_or("was not read")?;
    let vertices = || mesh.vertices.iter().map(point).collect::<Vec<_>>();
    let exact = |triangles| SharedShape::trimesh(vertices(), triangles).map_err(|e| e.to_string());
    let shape = match options.mesh_collision {
        MeshCollision::ConvexHull => match SharedShape::convex_hull(&vertices()) {
            Some(hull) => hull,
            None => {
                let uri = &reference.uri;
                warn(format!(
                    "mesh `{uri}` is flat and collides as its triangles"
                ));
                exact(mesh.triangles)?
            }
        },
        MeshCollision::Exact => exact(mesh.triangles)?,
        MeshCollision::ConvexParts { resolution } => {
            let cache = options.mesh_cache.as_deref();
            decompose::convex_parts(&mesh, resolution.clamp(8, 512), cache)?
        }
        MeshCollision::BoundingBox => {
            let (low, high) = mesh.bounds();
            let half = (high - low) / 2.0;
            if half.min() <= 0.0 {
                return Err("is flat; insert it as exact triangles".into());
            }
            let centre = Translation3::from(nalgebra::center(&low, &high).coords);
            let shape = SharedShape::cuboid(real(half.x), real(half.y), real(half.z));
            return Ok((shape, centre.into()));
        }
    };
    Ok((shape, Isometry3::identity()))
}
