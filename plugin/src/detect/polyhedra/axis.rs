//! The direction in which two convex polyhedra are farthest apart, or overlap least.
//!
//! The axes that can be it are the normals of the faces of either and the cross products of two edges that have a
//! supporting plane in common (the theorem of separating axes, with Gauss maps for the edges). Points known to
//! be in a solid bound how far it is beyond a face, so that most axes are dropped after one product.

use super::solid::{Bound, Edge, Face, Solid};
use crate::base::tolerances;
use nalgebra::Vector3;
use rapier::parry::shape::Shape;

/// What an axis is the normal of.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Source {
    FirstFace(usize),
    SecondFace(usize),
    Edges,
}

/// A direction from the first solid to the second.
#[derive(Clone, Copy, Debug)]
pub(super) struct Axis {
    pub(super) normal: Vector3<f64>,
    /// How far the solids are apart along it \[m\]; negative where they overlap.
    pub(super) separation: f64,
    pub(super) source: Source,
}

/// The best face of a solid.
struct BestFace {
    face: usize,
    separation: f64,
    /// The corner of the other solid that is nearest to it.
    corner: usize,
}

/// The axis of two solids, none if they are farther apart than `prediction`. Separations that differ by less than
/// `tolerance` are the same, and faces go before edges, where the solids overlap also those that overlap by `share` more.
/// O(faces + edges) dot products, and corners times faces
/// and squared edges for those that the bounds leave.
pub(super) fn find(
    [a, b]: [&mut Solid; 2],
    prediction: f64,
    tolerance: f64,
    share: f64,
    shapes: [&dyn Shape; 2],
) -> Option<Axis> {
    let between = (b.centre - a.centre).norm();
    if between > a.radius + b.radius + prediction {
        return None;
    }
    let first = best_face(a, b, prediction, tolerance)?;
    let second = best_face(b, a, prediction, tolerance)?;
    let (best, solid, number, other) = if second.separation > first.separation + tolerance {
        let axis = Axis {
            normal: -b.faces[second.face].normal,
            separation: second.separation,
            source: Source::SecondFace(second.face),
        };
        (axis, &*b, second.face, &*a)
    } else {
        let axis = Axis {
            normal: a.faces[first.face].normal,
            separation: first.separation,
            source: Source::FirstFace(first.face),
        };
        (axis, &*a, first.face, &*b)
    };
    if is_least(solid, number, other, best.separation, 0.5 * tolerance) {
        return Some(best);
    }
    let mut least = best.separation + tolerance;
    if best.separation < 0.0 {
        least = least.max(best.separation * (1.0 - share));
    }
    let winner = match [a.cuboid, b.cuboid] {
        [Some(one), Some(two)] => of_cuboids([(a, one), (b, two)], least),
        _ => of_edges([a, b], [&first, &second], best.separation, least, shapes),
    };
    let axis = winner.map_or(best, |(normal, separation)| Axis {
        normal,
        separation,
        source: Source::Edges,
    });
    (axis.separation <= prediction).then_some(axis)
}

/// The normal of two edges along which two solids are farthest apart, if by more than `least`, and by how much.
fn of_edges(
    [a, b]: [&mut Solid; 2],
    [first, second]: [&BestFace; 2],
    separation: f64,
    mut least: f64,
    shapes: [&dyn Shape; 2],
) -> Option<(Vector3<f64>, f64)> {
    let limit = separation.min(0.0);
    let beyond = |witnesses| Bound { witnesses, limit };
    let [on_a, on_b] = [a.points[second.corner], b.points[first.corner]];
    b.set_edges(shapes[1], &beyond([on_a, a.centre]));
    a.set_edges(shapes[0], &beyond([on_b, b.centre]));
    let mut winner = None;
    for one in &a.edges {
        for two in &b.edges {
            let Some(normal) = common_normal(one, two) else {
                continue;
            };
            if normal.dot(&(two.start - one.start)) <= least {
                continue;
            }
            // A bent face may have misled the Gauss map: the corners know.
            let separation = b.lowest(&normal).1 + a.lowest(&-normal).1;
            if separation > least {
                least = separation;
                winner = Some((normal, least));
            }
        }
    }
    winner
}

/// [`of_edges`] of two cuboids, with half the lengths of their edges. The plane across the cross product n of two edges
/// supports an edge of either solid on either side, so all nine count:
/// ```text
/// separation = |n . (c_b - c_a)| - sum_k h_a,k |n . a_k| - sum_k h_b,k |n . b_k|
/// ```
fn of_cuboids(
    [(a, a_half), (b, b_half)]: [(&Solid, Vector3<f64>); 2],
    mut least: f64,
) -> Option<(Vector3<f64>, f64)> {
    let between = b.centre - a.centre;
    let [a_axes, b_axes] = [a, b].map(Solid::cuboid_axes);
    let reach = |cross: &Vector3<f64>, axes: &[Vector3<f64>; 3], half: &Vector3<f64>| -> f64 {
        (0..3).map(|k| half[k] * cross.dot(&axes[k]).abs()).sum()
    };
    let mut winner = None;
    for (i, one) in a_axes.iter().enumerate() {
        for (j, two) in b_axes.iter().enumerate() {
            let cross = one.cross(two);
            let square = cross.norm_squared();
            // A plate has no edges across itself.
            if square < tolerances::SAME_DIRECTION.powi(2) || a_half[i] == 0.0 || b_half[j] == 0.0 {
                continue;
            }
            let along = cross.dot(&between);
            let room = reach(&cross, &a_axes, &a_half) + reach(&cross, &b_axes, &b_half);
            let length = square.sqrt();
            let separation = (along.abs() - room) / length;
            if separation > least {
                least = separation;
                winner = Some((cross * (along.signum() / length), least));
            }
        }
    }
    winner
}

/// Whether no axis of edges can be better than that of a face, because a corner of the other solid lies over the face
/// itself: the solids are no farther apart than the corner is. Where they overlap by s, the corner a margin m within
/// the sides, the plane of any other axis would have to leave out a disc of radius m at depth s: it turns by more
/// than `2 atan(m / s)`, which is the other side of the solid from [`tolerances::WITHIN`] on. O(corners + sides of the face) mostly.
pub(super) fn is_least(
    solid: &Solid,
    number: usize,
    other: &Solid,
    separation: f64,
    same: f64,
) -> bool {
    let face = &solid.faces[number];
    let corners = solid.around(number);
    let place = |k: usize| &solid.points[corners[k % corners.len()].vertex as usize];
    // A bent face is not where its plane is.
    if (0..corners.len()).any(|k| face.beyond(place(k)) < -same) {
        return false;
    }
    let margin = match separation < -same {
        true => -tolerances::WITHIN * separation,
        false => -same,
    };
    other.points.iter().any(|point| {
        face.beyond(point) <= separation + same
            && (0..corners.len()).all(|k| {
                let inward = face.normal.cross(&(place(k + 1) - place(k)));
                inward.dot(&(point - place(k))) >= margin * inward.norm()
            })
    })
}

/// The face of `a` that `b` is farthest beyond, none if one is farther than `prediction`.
fn best_face(a: &Solid, b: &Solid, prediction: f64, tolerance: f64) -> Option<BestFace> {
    let beyond = |face: &Face| {
        let (corner, height) = b.lowest(&face.normal);
        (corner, height - face.offset)
    };
    let mut start = (0, f64::NEG_INFINITY);
    for (k, face) in a.faces.iter().enumerate() {
        let height = face.beyond(&b.centre);
        if height > start.1 {
            start = (k, height);
        }
    }
    let (corner, separation) = beyond(a.faces.get(start.0)?);
    let mut best = BestFace {
        face: start.0,
        separation,
        corner,
    };
    for (k, face) in a.faces.iter().enumerate() {
        if best.separation > prediction {
            return None;
        }
        let least = best.separation + tolerance;
        if k == start.0
            || face.beyond(&b.centre) <= least
            || face.beyond(&b.points[best.corner]) <= least
        {
            continue;
        }
        let (corner, separation) = beyond(face);
        if separation > least {
            best = BestFace {
                face: k,
                separation,
                corner,
            };
        }
    }
    (best.separation <= prediction).then_some(best)
}

/// The unit normal of the plane that supports the first edge's solid from one side and the second's from the other.
fn common_normal(one: &Edge, two: &Edge) -> Option<Vector3<f64>> {
    let cross = one.way.cross(&two.way);
    let sign = side_of(&cross, one)?;
    if side_of(&cross, two)? == sign {
        return None;
    }
    let square = cross.norm_squared();
    let least =
        tolerances::SAME_DIRECTION.powi(2) * one.way.norm_squared() * two.way.norm_squared();
    (square >= least).then(|| cross * (sign / square.sqrt()))
}

/// 1 if a direction across an edge lies between the normals of its sides, -1 if the opposite does.
fn side_of(direction: &Vector3<f64>, edge: &Edge) -> Option<f64> {
    let [a, b] = edge.sides.map(|side| side.dot(direction));
    // Its parts along the two normals, up to a positive factor.
    let parts = [a - edge.cos * b, b - edge.cos * a];
    if parts[0] > 0.0 && parts[1] > 0.0 {
        Some(1.0)
    } else if parts[0] < 0.0 && parts[1] < 0.0 {
        Some(-1.0)
    } else {
        None
    }
}
