//! Colliders as shapes a recorder can draw.

use crate::base::convert::{isometry, point, real, vector};
use nalgebra::{Isometry3, Point3, UnitQuaternion, Vector3};
use rapier::parry::shape::{Capsule, TypedShape};
use rapier::prelude::{Collider, SharedShape, Vector};
use stickslip_record::{Geometry, ShapeRecord};

/// A collider's shape in its body's axes, or in the world's if it has no body. What has no counterpart among
/// the recorder's shapes becomes its bounding box.
pub fn collider_shape(collider: &Collider, color: [u8; 4]) -> ShapeRecord {
    let at = collider
        .position_wrt_parent()
        .unwrap_or(collider.position());
    let (offset, geometry) = geometry(collider.shared_shape());
    ShapeRecord {
        pose: isometry(at) * offset,
        geometry,
        color,
    }
}

/// A shape as the recorder knows it, with the pose of the recorder's axes in the shape's.
fn geometry(shape: &SharedShape) -> (Isometry3<f64>, Geometry) {
    let here = Isometry3::identity();
    match shape.as_typed_shape() {
        TypedShape::Ball(ball) => (
            here,
            Geometry::Sphere {
                radius: real(ball.radius),
            },
        ),
        TypedShape::Cuboid(cuboid) => {
            let half_extents = vector(cuboid.half_extents);
            (here, Geometry::Cuboid { half_extents })
        }
        TypedShape::Capsule(capsule) => along_y(capsule),
        TypedShape::Cylinder(cylinder) => {
            let (half_height, radius) = (real(cylinder.half_height), real(cylinder.radius));
            (
                here,
                Geometry::Cylinder {
                    half_height,
                    radius,
                },
            )
        }
        TypedShape::HalfSpace(half_space) => {
            let normal = vector(half_space.normal);
            (here, Geometry::HalfSpace { normal })
        }
        TypedShape::TriMesh(shape) => {
            let (vertices, triangles) = (shape.vertices().to_vec(), shape.indices().to_vec());
            (here, mesh((vertices, triangles)))
        }
        TypedShape::ConvexPolyhedron(hull) => (here, mesh(hull.to_trimesh())),
        TypedShape::HeightField(field) => (here, mesh(field.to_trimesh())),
        _ => bounds(shape),
    }
}

fn mesh((vertices, triangles): (Vec<Vector>, Vec<[u32; 3]>)) -> Geometry {
    Geometry::Mesh {
        vertices: vertices.into_iter().map(point).collect(),
        triangles,
    }
}

/// The recorder's capsules lie along y, centred; rapier's between any two points.
fn along_y(capsule: &Capsule) -> (Isometry3<f64>, Geometry) {
    let (a, b) = (point(capsule.segment.a), point(capsule.segment.b));
    let along = b - a;
    let turn = UnitQuaternion::rotation_between(&Vector3::y(), &along).unwrap_or_else(|| {
        UnitQuaternion::from_axis_angle(&Vector3::x_axis(), std::f64::consts::PI)
    });
    let middle: Point3<f64> = nalgebra::center(&a, &b);
    let geometry = Geometry::Capsule {
        half_height: 0.5 * along.norm(),
        radius: real(capsule.radius),
    };
    (Isometry3::from_parts(middle.into(), turn), geometry)
}

/// What the recorder has no shape for is drawn as its bounding box.
fn bounds(shape: &SharedShape) -> (Isometry3<f64>, Geometry) {
    let aabb = shape.compute_local_aabb();
    let middle = point(aabb.center());
    let geometry = Geometry::Cuboid {
        half_extents: vector(aabb.half_extents()),
    };
    (
        Isometry3::from_parts(middle.into(), UnitQuaternion::identity()),
        geometry,
    )
}
