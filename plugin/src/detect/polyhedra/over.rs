//! Balls over a face of a polyhedron: what is in such a ball and meets the polyhedron meets it by that face.

use super::SCRATCH;
use crate::base::tolerances;
use nalgebra::{Isometry3, Vector3};
use rapier::parry::shape::Shape;

/// The outward unit normal of the face of a polyhedron at a pose that looks along `outward` best, if balls about `centres`
/// of a radius \[m\] are over it: seen along the normal they are within its sides, by as much more as it takes for no other
/// axis to overlap less where a body in such a ball overlaps by `depth` \[m\] ([`tolerances::WITHIN`]). A face is convex,
/// so they are over it on the straight way between the centres too. O(faces + sides).
pub(crate) fn face_under(
    shape: &dyn Shape,
    pose: &Isometry3<f64>,
    outward: &Vector3<f64>,
    centres: [Vector3<f64>; 2],
    radius: f64,
    depth: f64,
) -> Option<Vector3<f64>> {
    SCRATCH.with_borrow_mut(|scratch| {
        let solid = &mut scratch.solids[0];
        if !solid.set(shape, pose) {
            return None;
        }
        let along = |k: &usize| solid.faces[*k].normal.dot(outward);
        let number = (0..solid.faces.len()).max_by(|a, b| along(a).total_cmp(&along(b)))?;
        let normal = solid.faces[number].normal;
        let room = radius + tolerances::WITHIN * depth;
        let corners = solid.around(number);
        let place = |k: usize| &solid.points[corners[k % corners.len()].vertex as usize];
        let is_over = (0..corners.len()).all(|k| {
            let inward = normal.cross(&(place(k + 1) - place(k)));
            let least = room * inward.norm();
            (centres.iter()).all(|centre| inward.dot(&(centre - place(k))) >= least)
        });
        is_over.then_some(normal)
    })
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::base::convert::to_real;
    use nalgebra::{Translation3, UnitQuaternion};
    use rapier::math::Vector;
    use rapier::parry::shape::{Ball, Cuboid, Triangle};

    fn at(x: f64, y: f64, z: f64) -> Vector3<f64> {
        Vector3::new(x, y, z)
    }

    /// A plate of 4 by 2 m, turned; a ball of 0.5 m has 1.5 m and 0.5 m of room along it, less what the depth takes.
    #[test]
    fn a_ball_is_over_a_face_up_to_its_radius_from_the_sides() {
        let plate = Cuboid::new(Vector::new(2.0, 1.0, to_real(0.1)));
        let turn = UnitQuaternion::from_scaled_axis(at(0.3, -0.7, 0.5));
        let pose = Isometry3::from_parts(Translation3::new(5.0, 1.0, -2.0), turn);
        let ask = |ends: [Vector3<f64>; 2], depth| {
            let centres = ends.map(|end| pose.transform_point(&end.into()).coords);
            let outward = pose.rotation * at(0.1, 0.0, 1.0);
            face_under(&plate, &pose, &outward, centres, 0.5, depth)
        };
        let middle = at(0.0, 0.0, 0.6);
        let normal = ask([middle; 2], 0.0).expect("over the face");
        assert!((normal - pose.rotation * Vector3::z()).norm() < 1e-6);
        for (x, y, depth, is_over) in [
            (1.49, 0.49, 0.0, true),
            (-1.49, -0.49, 0.0, true),
            (1.51, 0.0, 0.0, false),
            (0.0, -0.51, 0.0, false),
            (1.39, 0.39, 0.01, true),
            (1.41, 0.0, 0.01, false),
        ] {
            for ends in [[middle, at(x, y, 0.6)], [at(x, y, 0.6), middle]] {
                assert_eq!(ask(ends, depth).is_some(), is_over, "{x} {y} {depth}");
            }
        }
    }

    /// Either side of a triangle is a face; a ball has none.
    #[test]
    fn polyhedra_alone_have_faces() {
        let corner = |x, y| Vector::new(x, y, 0.0);
        let triangle = Triangle::new(corner(0.0, 0.0), corner(4.0, 0.0), corner(0.0, 4.0));
        let identity = Isometry3::identity();
        let centres = [at(1.0, 1.0, 0.5); 2];
        for (radius, is_over) in [(0.9, true), (1.1, false)] {
            for outward in [Vector3::z(), -Vector3::z()] {
                let found = face_under(&triangle, &identity, &outward, centres, radius, 0.0);
                assert_eq!(found, is_over.then_some(outward));
            }
        }
        let ball = Ball::new(1.0);
        let found = face_under(&ball, &identity, &Vector3::z(), centres, 0.1, 0.0);
        assert_eq!(found, None);
    }
}
