//! Cuboids that are too far apart for contacts, told without their corners: most pairs whose bounding boxes meet.

use crate::base::convert::vector;
use nalgebra::{Isometry3, Vector3};
use rapier::parry::shape::Shape;

/// Whether two shapes are cuboids farther apart than `prediction` along the normal of a face of either, the second at a
/// pose in the axes of the first.
pub(super) fn are_apart(shapes: [&dyn Shape; 2], pose: &Isometry3<f64>, prediction: f64) -> bool {
    let [Some(a), Some(b)] = shapes.map(|shape| shape.as_cuboid()) else {
        return false;
    };
    let [a, b] = [a, b].map(|cuboid| vector(cuboid.half_extents));
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

#[cfg(test)]
mod tests {
    use super::*;
    use crate::base::convert::to_real;
    use crate::base::tolerances;
    use crate::detect::polyhedra::axis;
    use crate::detect::polyhedra::solid::Solid;
    use nalgebra::{Translation3, UnitQuaternion};
    use rapier::math::Vector;
    use rapier::parry::shape::{Ball, Cuboid};

    fn cuboid(half: [f64; 3]) -> Cuboid {
        let [x, y, z] = half.map(to_real);
        Cuboid::new(Vector::new(x, y, z))
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
        assert!(!are_apart([&flat, &ball], &at, 0.0), "no cuboid");
    }

    /// On a grid of poses: no pair that has an axis is dropped, and all that are apart by a face are.
    #[test]
    fn only_pairs_without_an_axis_are_dropped() {
        let shapes: [&dyn Shape; 2] = [&cuboid([0.3, 0.5, 0.2]), &cuboid([0.4, 0.1, 0.6])];
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
                (1e-5, tolerances::SAME_DEPTH),
                shapes,
            );
            let dropped = are_apart(shapes, &at, prediction);
            assert!(!dropped || axis.is_none(), "{at}");
            seen[usize::from(dropped)] += 1;
        }
        assert!(seen[0] > 500 && seen[1] > 500, "{seen:?}");
    }
}
