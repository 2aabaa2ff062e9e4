//! Polyhedra that are too far apart for contacts, told without their faces: most pairs whose bounding boxes meet.

use crate::base::convert::vector;
use nalgebra::{Isometry3, Vector3};
use rapier::parry::shape::{Cuboid, Shape, TypedShape};

/// Whether two polyhedra, the second at a pose in the axes of the first, are farther apart than `prediction` \[m\]: cuboids
/// along the normal of a face of either, others along the line through their centres. O(corners).
pub(super) fn are_apart(shapes: [&dyn Shape; 2], pose: &Isometry3<f64>, prediction: f64) -> bool {
    match shapes.map(|shape| shape.as_cuboid()) {
        [Some(a), Some(b)] => are_cuboids_apart([a, b], pose, prediction),
        _ => are_apart_along_centres(shapes, pose, prediction),
    }
}

fn are_cuboids_apart(cuboids: [&Cuboid; 2], pose: &Isometry3<f64>, prediction: f64) -> bool {
    let [a, b] = cuboids.map(|cuboid| vector(cuboid.half_extents));
    let between = pose.translation.vector;
    let balls = a.norm() + b.norm() + prediction;
    if between.norm_squared() > balls * balls {
        return true;
    }
    let turn = *pose.rotation.to_rotation_matrix().matrix();
    let seen = turn.abs();
    let beyond = |between: Vector3<f64>, own: Vector3<f64>, other: Vector3<f64>| {
        (between.abs() - own - other).max() > prediction
    };
    beyond(between, a, seen * b) || beyond(turn.tr_mul(&between), b, seen.tr_mul(&a))
}

/// The separation along a direction d is `min of d . x over the second - max of d . x over the first`, by the length of d:
/// the distance of the two is no less, so no point of either is nearer to the other.
fn are_apart_along_centres(
    shapes: [&dyn Shape; 2],
    pose: &Isometry3<f64>,
    prediction: f64,
) -> bool {
    let [Some(a), Some(b)] = shapes.map(corner_mean) else {
        return false;
    };
    let way = pose.transform_vector(&b) + pose.translation.vector - a;
    let back = pose.inverse_transform_vector(&-way);
    let gap = way.dot(&pose.translation.vector) - reach(shapes[1], &back) - reach(shapes[0], &way);
    gap > prediction * way.norm()
}

/// The mean of the corners, `None` if the shape is no polyhedron.
fn corner_mean(shape: &dyn Shape) -> Option<Vector3<f64>> {
    match shape.as_typed_shape() {
        TypedShape::Cuboid(_) => Some(Vector3::zeros()),
        TypedShape::Triangle(triangle) => Some(vector(triangle.a + triangle.b + triangle.c) / 3.0),
        TypedShape::ConvexPolyhedron(hull) => {
            let sum: Vector3<f64> = hull.points().iter().map(|p| vector(*p)).sum();
            Some(sum / hull.points().len().max(1) as f64)
        }
        _ => None,
    }
}

/// How far a polyhedron goes along a direction, times its length.
fn reach(shape: &dyn Shape, direction: &Vector3<f64>) -> f64 {
    let along = |point| vector(point).dot(direction);
    match shape.as_typed_shape() {
        TypedShape::Cuboid(cuboid) => vector(cuboid.half_extents).dot(&direction.abs()),
        TypedShape::Triangle(triangle) => {
            (along(triangle.a).max(along(triangle.b))).max(along(triangle.c))
        }
        TypedShape::ConvexPolyhedron(hull) => {
            (hull.points().iter()).fold(f64::NEG_INFINITY, |most, p| most.max(along(*p)))
        }
        _ => f64::INFINITY,
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::base::convert::to_real;
    use crate::base::tolerances;
    use crate::detect::polyhedra::axis;
    use crate::detect::polyhedra::solid::Solid;
    use nalgebra::{Translation3, UnitQuaternion};
    use rapier::math::Vector;
    use rapier::parry::shape::{Ball, ConvexPolyhedron, Cuboid, Triangle};

    fn cuboid(half: [f64; 3]) -> Cuboid {
        let [x, y, z] = half.map(to_real);
        Cuboid::new(Vector::new(x, y, z))
    }

    fn octahedron() -> ConvexPolyhedron {
        let tips = [Vector::X, Vector::Y, Vector::Z].map(|tip| [tip, -tip]);
        ConvexPolyhedron::from_convex_hull(tips.as_flattened()).expect("six corners")
    }

    fn pose(shift: [f64; 3], turn: [f64; 3]) -> Isometry3<f64> {
        let turn = UnitQuaternion::from_scaled_axis(Vector3::from(turn));
        Isometry3::from_parts(Translation3::from(Vector3::from(shift)), turn)
    }

    /// The second cuboid stands on its edge: half its diagonal reaches down.
    #[test]
    fn the_gap_is_measured_along_the_faces_of_either() {
        let flat = cuboid([1.0, 2.0, 0.5]);
        let cube = cuboid([1.0; 3]);
        let eighth = std::f64::consts::FRAC_PI_4;
        let gap = 0.01;
        let at = pose([0.0, 0.0, 0.5 + 2.0_f64.sqrt() + gap], [eighth, 0.0, 0.0]);
        let back = at.inverse();
        for prediction in [0.9 * gap, 1.1 * gap] {
            let is_far = prediction < gap;
            assert_eq!(are_apart([&flat, &cube], &at, prediction), is_far);
            assert_eq!(are_apart([&cube, &flat], &back, prediction), is_far);
        }
        let ball = Ball::new(to_real(1.0));
        assert!(!are_apart([&flat, &ball], &at, 0.0), "no polyhedron");
    }

    /// Octahedra tip to tip, and one over a triangle that it looks down on.
    #[test]
    fn the_gap_of_others_is_measured_between_their_centres() {
        let octahedron = octahedron();
        let corner = |x: f64, y: f64| Vector::new(to_real(x), to_real(y), 0.0);
        let triangle = Triangle::new(corner(3.0, 0.0), corner(-2.0, 3.0), corner(-1.0, -3.0));
        let gap = 0.01;
        for prediction in [0.9 * gap, 1.1 * gap] {
            let is_far = prediction < gap;
            let own = pose([2.0 + gap, 0.0, 0.0], [0.3, 0.0, 0.0]);
            for at in [own, own.inverse()] {
                assert_eq!(
                    are_apart([&octahedron, &octahedron], &at, prediction),
                    is_far
                );
            }
            let above = pose([0.0, 0.0, 1.0 + gap], [0.0; 3]);
            assert_eq!(
                are_apart([&triangle, &octahedron], &above, prediction),
                is_far
            );
            let below = above.inverse();
            assert_eq!(
                are_apart([&octahedron, &triangle], &below, prediction),
                is_far
            );
        }
    }

    /// On a grid of poses: no pair that has an axis is dropped, and all that are apart by a face are.
    #[test]
    fn only_pairs_without_an_axis_are_dropped() {
        let cuboids: [&dyn Shape; 2] = [&cuboid([0.3, 0.5, 0.2]), &cuboid([0.4, 0.1, 0.6])];
        let hull = octahedron();
        for shapes in [cuboids, [cuboids[0], &hull], [&hull, &hull]] {
            drops_no_axis(shapes);
        }
    }

    fn drops_no_axis(shapes: [&dyn Shape; 2]) {
        let mut seen = [0, 0];
        for k in 0..4000_u32 {
            let part = |by: u32| f64::from(k / by % 10) - 4.5;
            let shift = [part(1), part(10), part(100)].map(|x| 0.3 * x);
            let at = pose(shift, [part(7), 0.4 * part(13), 0.9 * part(3)]);
            let prediction = 0.05;
            let [mut a, mut b] = [Solid::default(), Solid::default()];
            assert!(a.set(shapes[0], &Isometry3::identity()) && b.set(shapes[1], &at));
            let axis = axis::find(
                [&mut a, &mut b],
                prediction,
                1e-5,
                tolerances::SAME_DEPTH,
                shapes,
            );
            let dropped = are_apart(shapes, &at, prediction);
            assert!(!dropped || axis.is_none(), "{at}");
            seen[usize::from(dropped)] += 1;
        }
        assert!(seen[0] > 500 && seen[1] > 500, "{seen:?}");
    }
}
