//! The normal of a round shape that faces a polyhedron.
//!
//! parry finds the axis of a capsule, a cylinder or a cone and a polyhedron by iteration; in single precision it misses the
//! normal of a face by up to a tenth of a radian where the shapes nearly touch. The signed distance of two convex shapes is
//! the largest of their separations over all directions,
//! ```text
//! s(n) = min of n . x over the round shape - max of n . x over the polyhedron
//! ```
//! so the face that separates the two farthest has the better normal if it does as far as the axis found. The face nearest to that
//! axis need not: where parry's iteration ends at a direction along a wide floor, that is the floor's side, tens of metres off.

use super::solid::Face;
use super::{Pair, SCRATCH, is_polyhedron};
use crate::base::convert::{isometry, point, real, to_real, to_vector, vector};
use crate::base::tolerances;
use nalgebra::{Isometry3, Point3, Vector3};
use rapier::geometry::{ContactManifold, TrackedContact};
use rapier::parry::shape::{PackedFeatureId, ShapeType};

/// A round shape over a face of a polyhedron, all in the axes of that.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Facing {
    /// Which of the two shapes is the polyhedron.
    pub(crate) flat: usize,
    /// The round shape.
    pub(crate) pose: Isometry3<f64>,
    face: Face,
    /// The point of the round shape that is nearest to the plane of the face.
    pub(crate) low: Point3<f64>,
}

impl Facing {
    /// Outward unit normal of the face.
    pub(crate) fn normal(&self) -> Vector3<f64> {
        self.face.normal
    }

    /// Height of a point over the face \[m\], and the point below it.
    pub(crate) fn below(&self, at: &Point3<f64>) -> (f64, Point3<f64>) {
        let height = self.face.beyond(&at.coords);
        (height, at - self.face.normal * height)
    }
}

impl Pair<'_> {
    /// The face that separates a polyhedron from a round shape at least as far as a unit normal does, from the first shape
    /// to the second in the axes of the first. O(corners + faces).
    pub(crate) fn facing(&self, found: &Vector3<f64>) -> Option<Facing> {
        let kinds = self.shapes.map(|shape| shape.shape_type());
        let is_round = |kind| {
            matches!(
                kind,
                ShapeType::Capsule | ShapeType::Cylinder | ShapeType::Cone
            )
        };
        let flat = match kinds {
            [a, b] if is_polyhedron(a) && is_round(b) => 0,
            [a, b] if is_round(a) && is_polyhedron(b) => 1,
            _ => return None,
        };
        let round = self.shapes[1 - flat].as_support_map()?;
        let pos12 = isometry(self.pos12);
        let (pose, found) = match flat {
            0 => (pos12, *found),
            _ => (pos12.inverse(), pos12.rotation.inverse() * -found),
        };
        let lowest = |direction: &Vector3<f64>| {
            let down = to_vector(&(pose.rotation.inverse() * -direction));
            pose * point(round.local_support_point(down))
        };
        SCRATCH.with_borrow_mut(|scratch| {
            let solid = &mut scratch.solids[0];
            if !solid.set(self.shapes[flat], &Isometry3::identity()) {
                return None;
            }
            let heights = solid.faces.iter().map(|face| {
                let low = lowest(&face.normal);
                (*face, low, face.beyond(&low.coords))
            });
            // A mesh says on which side of a triangle the normal lies.
            let merit = |(face, _, height): &(Face, _, f64)| match self.is_constrained() {
                true => face.normal.dot(&found),
                false => *height,
            };
            let (face, low, height) = heights.max_by(|a, b| merit(a).total_cmp(&merit(b)))?;
            let by_found = found.dot(&lowest(&found).coords) + solid.lowest(&-found).1;
            let size = solid.radius + solid.centre.norm() + pose.translation.vector.norm();
            let separates = height >= -tolerances::TOUCHING
                && height + tolerances::ROUND_OFF * size >= by_found;
            separates.then_some(Facing {
                flat,
                pose,
                face,
                low,
            })
        })
    }

    /// Gives the manifold of a polyhedron and a round shape the normal of a face, and its points their places along it,
    /// where that separates the two as far as the normal found. O(corners + faces).
    pub(crate) fn straighten(&self, manifold: &mut ContactManifold) {
        if manifold.points.is_empty() {
            return;
        }
        let Some(facing) = self.facing(&vector(manifold.local_n1)) else {
            return;
        };
        let Facing { flat, pose, .. } = facing;
        let ends =
            [facing.normal(), pose.rotation.inverse() * -facing.normal()].map(|n| to_vector(&n));
        (manifold.local_n1, manifold.local_n2) = (ends[flat], ends[1 - flat]);
        let place = |contact: &mut TrackedContact<_>, at: &Point3<f64>| {
            let (height, below) = facing.below(at);
            contact.dist = to_real(height);
            let on_face = match flat {
                0 => &mut contact.local_p1,
                _ => &mut contact.local_p2,
            };
            *on_face = to_vector(&below.coords);
        };
        let mut least = f64::INFINITY;
        for contact in &mut manifold.points {
            let own = [contact.local_p2, contact.local_p1][flat];
            place(contact, &(pose * point(own)));
            least = least.min(real(contact.dist));
        }
        if least > facing.below(&facing.low).0 + tolerances::SAME_PLACE {
            let own = to_vector(&pose.inverse_transform_point(&facing.low).coords);
            let unknown = PackedFeatureId::UNKNOWN;
            let mut contact = TrackedContact::new(own, own, unknown, unknown, 0.0);
            place(&mut contact, &facing.low);
            manifold.points.push(contact);
        }
    }
}
