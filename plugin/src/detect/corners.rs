//! Corners of convex polyhedra on flat faces.
//!
//! parry describes a face by four corners at most, and only the face that lies best. A sole of many corners
//! then rests on four of them and tips over the others before they are noticed. Where the other shape
//! is a half space or a face of a cuboid, every corner near it is a contact point.

use rapier::geometry::{ContactManifold, TrackedContact};
use rapier::math::{Pose, Real, Vector};
use rapier::parry::shape::{ConvexPolyhedron, PackedFeatureId, Shape};

/// A manifold's normal belongs to a face when it is this near to the face's own (cosine of the angle).
const ALONG: Real = 0.9999;

/// Points nearer than this are the same \[m\].
const SAME: Real = 1e-5;

/// A flat face in the axes of its shape.
struct Face {
    /// Outward unit normal, and how far out the face is along it \[m\].
    normal: Vector,
    offset: Real,
    /// Half extents of the cuboid \[m\]; `None` for a half space.
    half: Option<Vector>,
}

/// A corner of the second shape may touch a flat face of the first, or the other way round.
enum Pairing<'a> {
    FaceFirst(Face, &'a ConvexPolyhedron),
    FaceSecond(&'a ConvexPolyhedron, Face),
}

fn pairing<'a>(shapes: [&'a dyn Shape; 2], manifold: &ContactManifold) -> Option<Pairing<'a>> {
    let a = part(shapes[0], manifold.subshape1)?;
    let b = part(shapes[1], manifold.subshape2)?;
    if let (Some(face), Some(solid)) = (face(a, manifold.local_n1), b.as_convex_polyhedron()) {
        return Some(Pairing::FaceFirst(face, solid));
    }
    Some(Pairing::FaceSecond(
        a.as_convex_polyhedron()?,
        face(b, manifold.local_n2)?,
    ))
}

/// Whether [`complete`] sees to the points of a manifold.
pub(crate) fn concerns(shapes: [&dyn Shape; 2], manifold: &ContactManifold) -> bool {
    pairing(shapes, manifold).is_some()
}

/// Adds to a manifold between two shapes, or two parts of compounds, the corners it lacks. O(corners).
pub(crate) fn complete(
    pos12: &Pose,
    shapes: [&dyn Shape; 2],
    prediction: Real,
    manifold: &mut ContactManifold,
) {
    if manifold.points.is_empty() {
        return;
    }
    let [a, b] = [manifold.subshape_pos1(), manifold.subshape_pos2()]
        .map(|pose| pose.copied().unwrap_or_default());
    let pos12 = a.inverse() * *pos12 * b;
    match pairing(shapes, manifold) {
        Some(Pairing::FaceFirst(face, solid)) => {
            add(&face, solid, &pos12, prediction, (manifold, false));
        }
        Some(Pairing::FaceSecond(solid, face)) => {
            add(&face, solid, &pos12.inverse(), prediction, (manifold, true));
        }
        None => {}
    }
}

/// A part of a compound, or the shape itself.
fn part(shape: &dyn Shape, index: u32) -> Option<&dyn Shape> {
    match shape.as_compound() {
        Some(compound) => {
            let (_, part) = compound.shapes().get(usize::try_from(index).ok()?)?;
            Some(&**part)
        }
        None => Some(shape),
    }
}

/// The flat face of a shape that `normal` is the normal of.
fn face(shape: &dyn Shape, normal: Vector) -> Option<Face> {
    if let Some(space) = shape.as_halfspace() {
        return Some(Face {
            normal: space.normal,
            offset: 0.0,
            half: None,
        });
    }
    let half = shape.as_cuboid()?.half_extents;
    let axes = [Vector::X, Vector::Y, Vector::Z];
    let axis = axes
        .into_iter()
        .find(|axis| axis.dot(normal).abs() > ALONG)?;
    Some(Face {
        normal: axis * axis.dot(normal).signum(),
        offset: axis.dot(half),
        half: Some(half),
    })
}

impl Face {
    /// The point of the face below `point` along `normal`, and the gap between them.
    fn below(&self, point: Vector, normal: Vector) -> Option<(Vector, Real)> {
        let gap = (point.dot(self.normal) - self.offset) / normal.dot(self.normal);
        let foot = point - normal * gap;
        let Some(half) = self.half else {
            return Some((foot, gap));
        };
        let across = foot - self.normal * self.offset;
        // A corner right above an edge is one of the face's for all that round-off tells.
        let within = |x: Real, half: Real| x.abs() <= half + SAME;
        let inside =
            within(across.x, half.x) && within(across.y, half.y) && within(across.z, half.z);
        (inside && gap > -2.0 * self.offset).then_some((foot, gap))
    }
}

/// Adds the corners of `solid` that are near `face`; `pose` is the solid's in the face's axes.
fn add(
    face: &Face,
    solid: &ConvexPolyhedron,
    pose: &Pose,
    prediction: Real,
    (manifold, flipped): (&mut ContactManifold, bool),
) {
    let normal = if flipped {
        manifold.local_n2
    } else {
        manifold.local_n1
    };
    for (index, corner) in (0..).zip(solid.points()) {
        let Some((foot, gap)) = face.below(*pose * *corner, normal) else {
            continue;
        };
        let there = |point: &TrackedContact<_>| {
            let own = if flipped {
                point.local_p1
            } else {
                point.local_p2
            };
            (own - *corner).length_squared() < SAME * SAME
        };
        if gap <= prediction && !manifold.points.iter().any(there) {
            manifold.points.push(TrackedContact::flipped(
                foot,
                *corner,
                PackedFeatureId::face(0),
                PackedFeatureId::vertex(index),
                gap,
                flipped,
            ));
        }
    }
}
