//! Where the near faces of two solids overlap, seen along the normal between them.
//!
//! Contact points are the extreme points of the overlap: corners of either that lie over a face of the other, and crossings
//! of edges. A corner counts up to a tolerance outside, so that corners right on an edge are there whatever round-off
//! says, and what coincides is named once.

use super::solid::Solid;
use crate::base::contact::tangents;
use crate::base::tolerances;
use nalgebra::{Vector2, Vector3};
use rapier::parry::shape::PackedFeatureId;
use stickslip_core::kit::FINE;

/// Axes of a contact: two tangents and the normal from the first to the second solid.
#[derive(Clone, Copy, Debug)]
pub(super) struct Frame {
    pub(super) tangents: [Vector3<f64>; 2],
    pub(super) normal: Vector3<f64>,
}

impl Frame {
    pub(super) fn along(normal: &Vector3<f64>) -> Self {
        Self {
            tangents: tangents(normal),
            normal: *normal,
        }
    }

    fn flat(&self, point: &Vector3<f64>) -> Vector2<f64> {
        Vector2::new(self.tangents[0].dot(point), self.tangents[1].dot(point))
    }

    /// The point that is seen at `at` and lies at a height along the normal.
    pub(super) fn point(&self, at: &Vector2<f64>, height: f64) -> Vector3<f64> {
        self.tangents[0] * at.x + self.tangents[1] * at.y + self.normal * height
    }
}

/// A side of a face as seen along the normal, from its corner on.
#[derive(Clone, Copy, Debug)]
struct Side {
    at: Vector2<f64>,
    height: f64,
    vertex: u32,
    edge: u32,
    /// To the next corner.
    way: Vector2<f64>,
    rise: f64,
    /// Unit normal into the face, zero for a side without length.
    inward: Vector2<f64>,
    /// Whether another face has shown the corner, the edge.
    shown: [bool; 2],
}

#[derive(Clone, Copy, Debug)]
struct Shown {
    face: u32,
    first: usize,
    count: usize,
    /// How the face rises along the tangents; none if it is seen from the side.
    slope: Option<Vector2<f64>>,
}

/// The faces of a solid that are seen from the other; buffers are kept.
#[derive(Debug, Default)]
pub(super) struct Facets {
    faces: Vec<Shown>,
    sides: Vec<Side>,
    flat: bool,
}

impl Facets {
    /// Takes the faces of `solid` that look along the frame's normal (`sign` 1) or against it (-1). `known` is the
    /// face that the normal belongs to, if one.
    pub(super) fn set(
        &mut self,
        solid: &Solid,
        frame: &Frame,
        sign: f64,
        known: Option<usize>,
        tolerance: f64,
    ) {
        self.faces.clear();
        self.sides.clear();
        let direction = frame.normal * sign;
        let nearest = known.unwrap_or_else(|| nearest(solid, &direction, tolerance));
        self.add(solid, frame, sign, nearest);
        self.flat = solid.faces[nearest].normal.dot(&direction) > tolerances::FLAT;
        // A sole of two faces rocks from one to the other.
        let beside = tolerances::SMALL_TURN.cos();
        for (k, face) in solid.faces.iter().enumerate() {
            if k != nearest && face.normal.dot(&direction) > beside {
                self.add(solid, frame, sign, k);
            }
        }
    }

    fn add(&mut self, solid: &Solid, frame: &Frame, sign: f64, number: usize) {
        let first = self.sides.len();
        for step in solid.around(number) {
            let point = &solid.points[step.vertex as usize];
            let known = |is: fn(&Side, u32) -> bool, name| {
                self.sides[..first].iter().any(|side| is(side, name))
            };
            self.sides.push(Side {
                at: frame.flat(point),
                height: frame.normal.dot(point),
                vertex: step.vertex,
                edge: step.edge,
                way: Vector2::zeros(),
                rise: 0.0,
                inward: Vector2::zeros(),
                shown: [
                    known(|side, name| side.vertex == name, step.vertex),
                    known(|side, name| side.edge == name, step.edge),
                ],
            });
        }
        let count = self.sides.len() - first;
        for k in 0..count {
            let next = self.sides[first + (k + 1) % count];
            let side = &mut self.sides[first + k];
            side.way = next.at - side.at;
            side.rise = next.height - side.height;
            // Seen against its normal a face runs clockwise.
            let inward = Vector2::new(-side.way.y, side.way.x) * sign;
            side.inward = inward.try_normalize(0.0).unwrap_or_default();
        }
        let normal = &solid.faces[number].normal;
        let along = frame.normal.dot(normal);
        self.faces.push(Shown {
            face: number as u32,
            first,
            count,
            // What is seen from the side has no heights of its own, its edges have.
            slope: (along * sign > tolerances::SMALL_TURN.sin())
                .then(|| -frame.flat(normal) / along),
        });
    }

    /// The height of the first face that a point lies over, and its name.
    fn under(&self, at: &Vector2<f64>, tolerance: f64) -> Option<(f64, u32)> {
        self.faces.iter().find_map(|shown| {
            let slope = shown.slope?;
            let sides = &self.sides[shown.first..shown.first + shown.count];
            // One branch for all sides.
            let is_in = sides.iter().fold(true, |is_in, side| {
                is_in & (side.inward.dot(&(at - side.at)) >= -tolerance)
            });
            let corner = sides.first()?;
            let height = corner.height + slope.dot(&(at - corner.at));
            is_in.then_some((height, shown.face))
        })
    }

    /// The corners of the faces over a plane through the origin, the first of the two solids.
    pub(super) fn over_plane(&self, spots: &mut Vec<Spot>) {
        spots.clear();
        spots.extend(self.corners().map(|corner| Spot {
            at: corner.at,
            heights: [0.0, corner.height],
            features: [
                PackedFeatureId::face(0),
                PackedFeatureId::vertex(corner.vertex),
            ],
        }));
    }

    fn corners(&self) -> impl Iterator<Item = &Side> {
        self.sides.iter().filter(|side| !side.shown[0])
    }

    /// The corner nearest to a point, no farther than `near`.
    fn corner_near(&self, at: &Vector2<f64>, near: f64) -> Option<&Side> {
        let apart = |corner: &Side| (corner.at - at).norm_squared();
        let close = self.corners().filter(|corner| apart(corner) <= near * near);
        close.min_by(|a, b| apart(a).total_cmp(&apart(b)))
    }

    fn edges(&self) -> impl Iterator<Item = &Side> {
        self.sides.iter().filter(|side| !side.shown[1])
    }
}

/// The face that looks along `direction` best, of those with most of the corners that are farthest out along it, up to an
/// edge's two: a face of that corner alone may look along it better than both faces of the edge.
fn nearest(solid: &Solid, direction: &Vector3<f64>, tolerance: f64) -> usize {
    let farthest = -solid.lowest(&-direction).1;
    let mut best = (0, (0, 0.0));
    for (k, face) in solid.faces.iter().enumerate() {
        let along = face.normal.dot(direction);
        if along <= 0.0 || best.1 >= (2, along) {
            continue;
        }
        let points = solid.around(k).iter();
        let points = points.map(|step| &solid.points[step.vertex as usize]);
        let out = points.filter(|point| direction.dot(point) >= farthest - tolerance);
        let merit = (out.take(2).count(), along);
        if merit > best.1 {
            best = (k, merit);
        }
    }
    best.0
}

/// A contact point as seen along the normal: the heights of the two surfaces there, and what they are.
#[derive(Clone, Copy, Debug)]
pub(super) struct Spot {
    pub(super) at: Vector2<f64>,
    pub(super) heights: [f64; 2],
    pub(super) features: [PackedFeatureId; 2],
}

impl Spot {
    pub(super) fn gap(&self) -> f64 {
        self.heights[1] - self.heights[0]
    }
}

/// The extreme points of the overlap of two solids' faces. O(sides of the one x sides of the other).
pub(super) fn overlap([a, b]: [&Facets; 2], tolerance: f64, spots: &mut Vec<Spot>) {
    spots.clear();
    let add = |spots: &mut Vec<Spot>, spot: Spot| {
        let near = |known: &Spot| (known.at - spot.at).norm_squared() < 4.0 * tolerance * tolerance;
        if !spots.iter().any(near) {
            spots.push(spot);
        }
    };
    // A face all of whose corners lie over the other solid is the overlap.
    let mut holds_all = false;
    for (solid, other, is_second) in [(a, b, false), (b, a, true)] {
        let mut is_inside = solid.faces.len() == 1;
        for corner in solid.corners() {
            let Some((height, face)) = other.under(&corner.at, tolerance) else {
                is_inside = false;
                continue;
            };
            let mut spot = Spot {
                at: corner.at,
                heights: [corner.height, height],
                features: [
                    PackedFeatureId::vertex(corner.vertex),
                    PackedFeatureId::face(face),
                ],
            };
            if is_second {
                spot.heights.reverse();
                spot.features.reverse();
            }
            add(spots, spot);
        }
        holds_all |= is_inside;
    }
    if !holds_all {
        for one in a.edges() {
            for two in b.edges() {
                if let Some(spot) = crossing(one, two, tolerance) {
                    add(spots, spot);
                }
            }
        }
    }
    name_by_corners([a, b], tolerance / FINE, spots);
    if a.flat && b.flat && is_line(spots, tolerance) {
        // Two faces that slide past each other flush have nothing to carry between them.
        spots.clear();
    }
}

/// Names points by the corner of the first solid they are near, else of the second: where corners lie on corners, which of them
/// are inside the other face within the tolerance changes from step to step, and which edges cross.
fn name_by_corners(solids: [&Facets; 2], near: f64, spots: &mut [Spot]) {
    for k in 0..spots.len() {
        for (own, other) in [(0, 1), (1, 0)] {
            let spot = spots[k];
            if spot.features[own].is_vertex() {
                break;
            }
            let Some(corner) = solids[own].corner_near(&spot.at, near) else {
                continue;
            };
            let over = solids[other].under(&corner.at, near);
            let face = over.map_or(solids[other].faces[0].face, |(_, face)| face);
            let mut features = [PackedFeatureId::face(face); 2];
            features[own] = PackedFeatureId::vertex(corner.vertex);
            if !spots.iter().any(|spot| spot.features == features) {
                spots[k].features = features;
                break;
            }
        }
    }
}

/// Where two edges cross, unless one lies along the other.
fn crossing(one: &Side, two: &Side, tolerance: f64) -> Option<Spot> {
    let apart = two.at - one.at;
    // How far the ends of each are to the side of the other.
    let of_two = [two.inward.dot(&-apart), two.inward.dot(&(one.way - apart))];
    let of_one = [one.inward.dot(&apart), one.inward.dot(&(apart + two.way))];
    // One branch for all: each alone is taken at random.
    let crosses = |[from, to]: [f64; 2]| {
        ((from < 0.0) != (to < 0.0)) & (from.abs().max(to.abs()) > tolerance)
    };
    if !(crosses(of_two) & crosses(of_one)) {
        return None;
    }
    let share = of_two[0] / (of_two[0] - of_two[1]);
    let other = of_one[0] / (of_one[0] - of_one[1]);
    Some(Spot {
        at: one.at + one.way * share,
        heights: [one.height + one.rise * share, two.height + two.rise * other],
        features: [
            PackedFeatureId::edge(one.edge),
            PackedFeatureId::edge(two.edge),
        ],
    })
}

/// Whether points are no farther off a line than the tolerance on either side.
fn is_line(spots: &[Spot], tolerance: f64) -> bool {
    let Some(first) = spots.first() else {
        return true;
    };
    let arms = spots.iter().map(|spot| spot.at - first.at);
    let longest = arms.clone().fold(Vector2::zeros(), |a: Vector2<f64>, b| {
        if b.norm_squared() > a.norm_squared() {
            b
        } else {
            a
        }
    });
    let length = longest.norm();
    let width = arms.map(|arm| longest.perp(&arm).abs()).fold(0.0, f64::max);
    width <= 2.0 * tolerance * length
}
