//! Contact points of two convex polyhedra, or of one and a half space: a function of shapes and pose alone.
//!
//! parry keeps points while a body turns by up to a degree, decides by the signs of products that are zero where
//! edges coincide, describes a face by four corners at most, and takes two hulls that share a face for deeply overlapping. Here
//! the axis is found among all that can be it ([`axis`]), the near faces are clipped with a tolerance ([`clip`]), and all points
//! within the prediction distance are kept, in an order and by names that the shapes alone decide.

mod apart;
mod axis;
mod clip;
mod facing;
mod over;
mod solid;
#[cfg(test)]
mod tests;

use crate::base::convert::{isometry, real, to_real, to_vector, vector};
use crate::base::tolerances;
use axis::{Axis, Source};
use clip::{Facets, Frame, Spot};
use nalgebra::{Isometry3, Point3};
pub(crate) use over::face_under;
use rapier::geometry::{ContactData, ContactManifold, TrackedContact};
use rapier::math::{Pose, Real};
use rapier::parry::query::details::{NormalConstraints, NormalConstraintsPair};
use rapier::parry::shape::{HalfSpace, Shape, ShapeType};
use solid::Solid;
use std::cell::RefCell;

/// Memory of a query, one for each thread.
#[derive(Default)]
struct Scratch {
    solids: [Solid; 2],
    facets: [Facets; 2],
    spots: Vec<Spot>,
    old: Vec<TrackedContact<ContactData>>,
}

thread_local! {
    static SCRATCH: RefCell<Scratch> = RefCell::default();
}

/// Constraints of parry's meshes on the normal, in the axes of the first and the second shape.
pub(crate) type Constraints<'a> = [Option<&'a dyn NormalConstraints>; 2];

/// Two shapes, the second at a pose in the axes of the first.
#[derive(Clone, Copy)]
pub(crate) struct Pair<'a> {
    pub(crate) pos12: &'a Pose,
    pub(crate) shapes: [&'a dyn Shape; 2],
    pub(crate) constraints: Constraints<'a>,
}

impl Pair<'_> {
    /// Finds the points of the manifold of two polyhedra, or of one and a half space. False if the shapes are
    /// none, and the manifold is as it was. O(corners x faces) at most, mostly O(corners + faces).
    pub(crate) fn find(self, prediction: Real, manifold: &mut ContactManifold) -> bool {
        let kinds = self.shapes.map(|shape| shape.shape_type());
        let solids = kinds.map(is_polyhedron);
        let is_flat = |kind| matches!(kind, ShapeType::HalfSpace);
        if !kinds
            .iter()
            .all(|&kind| is_polyhedron(kind) || is_flat(kind))
        {
            return false;
        }
        let [a, b] = self.shapes;
        let spaces = self.shapes.map(|shape| shape.as_halfspace());
        let pose = isometry(self.pos12);
        SCRATCH.with_borrow_mut(|scratch| match (spaces, solids) {
            (_, [true, true]) => scratch.two(self, &pose, real(prediction), manifold),
            ([Some(space), _], [_, true]) => {
                let frame = scratch.on_space(space, b, &pose, real(prediction));
                let written = frame.map(|frame| scratch.write(&frame, &pose, false, manifold));
                written.is_some()
            }
            ([_, Some(space)], [true, _]) => {
                let pose = pose.inverse();
                let frame = scratch.on_space(space, a, &pose, real(prediction));
                let written = frame.map(|frame| scratch.write(&frame, &pose, true, manifold));
                written.is_some()
            }
            _ => false,
        })
    }
}

fn is_polyhedron(kind: ShapeType) -> bool {
    matches!(
        kind,
        ShapeType::Cuboid | ShapeType::Triangle | ShapeType::ConvexPolyhedron
    )
}

impl Scratch {
    fn two(
        &mut self,
        pair: Pair<'_>,
        pose: &Isometry3<f64>,
        prediction: f64,
        manifold: &mut ContactManifold,
    ) -> bool {
        if apart::are_apart(pair.shapes, pose, prediction) {
            manifold.points.clear();
            return true;
        }
        let [a, b] = &mut self.solids;
        if !a.set(pair.shapes[0], &Isometry3::identity()) || !b.set(pair.shapes[1], pose) {
            return false;
        }
        self.spots.clear();
        let tolerance =
            tolerances::SAME_PLACE.min(tolerances::SAME_DIRECTION * a.radius.min(b.radius));
        // Where faces go before edges that overlap less, the near faces may lie beside each other: what touches are the edges.
        for share in [tolerances::SAME_DEPTH, 0.0] {
            let [a, b] = &mut self.solids;
            let axis = axis::find([a, b], prediction, tolerance, share, pair.shapes);
            let Some(axis) = axis.and_then(|axis| pair.constrain(axis)) else {
                manifold.points.clear();
                return true;
            };
            let frame = Frame::along(&axis.normal);
            let [on_a, on_b] = match axis.source {
                Source::FirstFace(face) => [Some(face), None],
                Source::SecondFace(face) => [None, Some(face)],
                Source::Edges => [None; 2],
            };
            let [facets_a, facets_b] = &mut self.facets;
            facets_a.set(a, &frame, 1.0, on_a, tolerance);
            facets_b.set(b, &frame, -1.0, on_b, tolerance);
            clip::overlap([facets_a, facets_b], tolerance, &mut self.spots);
            if self.spots.is_empty() && axis.separation < -tolerance && share > 0.0 {
                continue;
            }
            let floor = if pair.is_constrained() {
                (tolerances::DEEPER * axis.separation).min(0.0)
            } else {
                f64::NEG_INFINITY
            };
            self.spots
                .retain(|spot| spot.gap() <= prediction && spot.gap() >= floor);
            self.write(&frame, pose, false, manifold);
            break;
        }
        true
    }

    /// Finds the points of a polyhedron over a half space, and in which frame; none if it is no polyhedron.
    fn on_space(
        &mut self,
        space: &HalfSpace,
        shape: &dyn Shape,
        pose: &Isometry3<f64>,
        prediction: f64,
    ) -> Option<Frame> {
        let solid = &mut self.solids[1];
        if !solid.set(shape, pose) {
            return None;
        }
        let frame = Frame::along(&vector(space.normal).normalize());
        let tolerance = tolerances::SAME_PLACE.min(tolerances::SAME_DIRECTION * solid.radius);
        let facets = &mut self.facets[1];
        facets.set(solid, &frame, -1.0, None, tolerance);
        facets.over_plane(&mut self.spots);
        self.spots.retain(|spot| spot.gap() <= prediction);
        Some(frame)
    }

    /// Puts the points into the manifold, with the data of those known by the same features.
    fn write(
        &mut self,
        frame: &Frame,
        pose: &Isometry3<f64>,
        flipped: bool,
        manifold: &mut ContactManifold,
    ) {
        std::mem::swap(&mut self.old, &mut manifold.points);
        manifold.points.clear();
        for spot in &self.spots {
            let [a, b] = spot.heights.map(|height| frame.point(&spot.at, height));
            let b = pose.inverse_transform_point(&Point3::from(b)).coords;
            manifold.points.push(TrackedContact::flipped(
                to_vector(&a),
                to_vector(&b),
                spot.features[0],
                spot.features[1],
                to_real(spot.gap()),
                flipped,
            ));
        }
        let normals = [
            to_vector(&frame.normal),
            to_vector(&-pose.inverse_transform_vector(&frame.normal)),
        ];
        [manifold.local_n1, manifold.local_n2] = if flipped {
            [normals[1], normals[0]]
        } else {
            normals
        };
        manifold.match_contacts(&self.old);
    }
}

impl Pair<'_> {
    fn is_constrained(&self) -> bool {
        self.constraints.iter().any(Option::is_some)
    }

    /// The axis as a mesh allows it, none if it allows none.
    fn constrain(&self, axis: Axis) -> Option<Axis> {
        if !self.is_constrained() {
            return Some(axis);
        }
        let before = to_vector(&axis.normal);
        let mut normals = [before, self.pos12.rotation.inverse() * -before];
        let [one, two] = &mut normals;
        let [a, b] = self.constraints;
        if !(a, b).project_local_normals(self.pos12, one, two) {
            return None;
        }
        if normals[0] == before {
            return Some(axis);
        }
        Some(Axis {
            normal: vector(normals[0]).try_normalize(0.0)?,
            source: Source::Edges,
            ..axis
        })
    }
}
