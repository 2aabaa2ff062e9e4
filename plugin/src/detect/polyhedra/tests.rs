//! Closed forms.

use super::*;
use crate::base::convert::to_pose;
use nalgebra::{Translation3, UnitQuaternion, Vector3};
use rapier::math::Vector;
use rapier::parry::shape::{ConvexPolyhedron, Cuboid, Triangle};

mod axes;
mod edges;

const EPS: f64 = if size_of::<Real>() == 4 { 2e-6 } else { 1e-12 };

fn vec3(x: f64, y: f64, z: f64) -> Vector {
    Vector::new(to_real(x), to_real(y), to_real(z))
}

fn cube(half: f64) -> Cuboid {
    Cuboid::new(vec3(half, half, half))
}

fn pose(shift: [f64; 3], turn: [f64; 3]) -> Isometry3<f64> {
    let turn = UnitQuaternion::from_scaled_axis(Vector3::from(turn));
    Isometry3::from_parts(Translation3::from(Vector3::from(shift)), turn)
}

fn manifold(shapes: [&dyn Shape; 2], pose: &Isometry3<f64>, prediction: f64) -> ContactManifold {
    let mut manifold = ContactManifold::new();
    let pair = Pair {
        pos12: &to_pose(pose),
        shapes,
        constraints: [None; 2],
    };
    assert!(pair.find(to_real(prediction), &mut manifold));
    manifold
}

/// Points of the first shape, sorted, and the gaps in the same order.
fn points(manifold: &ContactManifold) -> Vec<([f64; 3], f64)> {
    let points = manifold.points.iter();
    let points = points.map(|p| (vector(p.local_p1).into(), real(p.dist)));
    let mut points: Vec<([f64; 3], f64)> = points.collect();
    points.sort_by(|a, b| a.partial_cmp(b).unwrap());
    points
}

fn assert_near(found: &[f64], expected: &[f64]) {
    let off = found.iter().zip(expected).map(|(a, b)| (a - b).abs());
    assert!(off.fold(0.0, f64::max) < EPS, "{found:?} {expected:?}");
}

/// A seeded generator (splitmix64) of numbers between -1 and 1.
struct Numbers(u64);

impl Numbers {
    fn next(&mut self) -> f64 {
        self.0 = self.0.wrapping_add(0x9e37_79b9_7f4a_7c15);
        let mut z = self.0;
        z = (z ^ z >> 30).wrapping_mul(0xbf58_476d_1ce4_e5b9);
        z = (z ^ z >> 27).wrapping_mul(0x94d0_49bb_1331_11eb);
        ((z ^ z >> 31) >> 11) as f64 / (1_u64 << 52) as f64 - 1.0
    }

    fn three(&mut self) -> [f64; 3] {
        [self.next(), self.next(), self.next()]
    }

    fn hull(&mut self, corners: usize) -> ConvexPolyhedron {
        let points: Vec<_> = (0..corners)
            .map(|_| {
                let at = Vector3::from(self.three()).normalize();
                vec3(at.x, at.y, at.z)
            })
            .collect();
        ConvexPolyhedron::from_convex_hull(&points).unwrap()
    }

    fn shape(&mut self) -> Box<dyn Shape> {
        match (self.next() * 2.0) as i32 {
            -1 => Box::new(cube(0.6)),
            0 => Box::new(self.hull(20)),
            _ => {
                let [a, b, c] = [(); 3]
                    .map(|()| self.three())
                    .map(|[x, y, z]| vec3(x, y, z));
                Box::new(Triangle::new(a, b, c))
            }
        }
    }
}

/// A cube right on an equal one, off by what round-off and a step of rest do: the four corners, by the same names.
#[test]
fn corners_right_on_edges_are_kept() {
    let solid = cube(0.5);
    let names =
        |m: &ContactManifold| -> Vec<_> { m.points.iter().map(|p| (p.fid1, p.fid2)).collect() };
    let first = names(&manifold(
        [&solid, &solid],
        &pose([0.0, 0.0, 1.0], [0.0; 3]),
        1e-3,
    ));
    assert_eq!(first.len(), 4);
    let mut numbers = Numbers(2);
    for exponent in [-16, -13, -10, -7, -6] {
        let scale = 10.0_f64.powi(exponent);
        for _ in 0..200 {
            let [x, y, z] = numbers.three().map(|x| scale * x);
            let turn = numbers.three().map(|x| scale * x);
            let found = manifold([&solid, &solid], &pose([x, y, 1.0 + z], turn), 1e-3);
            assert_eq!(names(&found), first, "{scale}");
            for (point, _) in points(&found) {
                assert!((point[0].abs() - 0.5).abs() < 2e-5 && (point[1].abs() - 0.5).abs() < 2e-5);
            }
        }
    }
}

/// The same off by about the tolerance and by ten of it, with corners inside and outside and crossings of edges in their place:
/// there are always four points with the names of the corners. A tenth of the side off there are others.
#[test]
fn corners_near_corners_keep_their_names() {
    let solid = cube(0.5);
    let names = |at: [f64; 2], turn: f64| -> Vec<_> {
        let placed = pose([at[0], at[1], 1.0], [0.0, 0.0, turn]);
        let found = manifold([&solid, &solid], &placed, 1e-3);
        found.points.iter().map(|p| (p.fid1, p.fid2)).collect()
    };
    let first = names([0.0; 2], 0.0);
    let mut numbers = Numbers(7);
    for scale in [5e-6, 1e-5, 2e-5, 1e-4] {
        for _ in 0..300 {
            let [x, y, turn] = numbers.three().map(|x| scale * x);
            let found = names([x, y], turn);
            assert!(
                first.iter().all(|name| found.contains(name)),
                "{x} {y} {turn}: {found:?}"
            );
        }
    }
    let found = names([0.1, 0.1], 0.0);
    assert!(!first.iter().all(|name| found.contains(name)));
}

/// Two squares of side 1, one turned by 45 degrees: their overlap is the octagon with corners
/// at (+-1/2, +-(1/sqrt 2 - 1/2)) and the same with x and y exchanged.
#[test]
fn turned_squares_overlap_in_an_octagon() {
    let solid = cube(0.5);
    let turned = pose([0.0, 0.0, 1.001], [0.0, 0.0, std::f64::consts::FRAC_PI_4]);
    let found = manifold([&solid, &solid], &turned, 2e-3);
    let short = 0.5_f64.sqrt() - 0.5;
    let mut expected = Vec::new();
    for x in [-1.0, 1.0] {
        for y in [-1.0, 1.0] {
            expected.push([0.5 * x, short * y, 0.5]);
            expected.push([short * x, 0.5 * y, 0.5]);
        }
    }
    let found = points(&found);
    assert_eq!(found.len(), 8);
    for corner in expected {
        let near = |(point, gap): &&([f64; 3], f64)| {
            let off = Vector3::from(*point) - Vector3::from(corner);
            off.norm() < EPS && (gap - 1e-3).abs() < EPS
        };
        assert_eq!(found.iter().filter(near).count(), 1, "{corner:?}");
    }
}

/// A stone of an arch: the part of a ring between two angles about z, its face at the first angle on the x axis.
fn stone(angle: f64) -> ConvexPolyhedron {
    let mut points = Vec::new();
    for (sin, cos) in [0.0_f64.sin_cos(), angle.sin_cos()] {
        for radius in [4.625, 5.375] {
            points.extend([-0.5, 0.5].map(|z| vec3(radius * cos, radius * sin, z)));
        }
    }
    ConvexPolyhedron::from_convex_hull(&points).unwrap()
}

/// Two stones of an arch that share a face: their four common corners, along its normal. Cause: parry calls them 1 m deep along z.
#[test]
fn hulls_that_share_a_face_touch_there() {
    for stones in [9, 25, 101] {
        let angle = std::f64::consts::PI / f64::from(stones);
        let solid = stone(angle);
        for gap in [-1e-6, 0.0, 1e-6, 1e-5, 1e-4] {
            let (sin, cos) = angle.sin_cos();
            let out = Vector3::new(-sin, cos, 0.0);
            let next = pose((out * gap).into(), [0.0, 0.0, angle]);
            let found = manifold([&solid, &solid], &next, 1e-3);
            assert_near(vector(found.local_n1).as_slice(), out.as_slice());
            let found = points(&found);
            assert_eq!(found.len(), 4, "{stones} {gap}");
            for (point, distance) in found {
                assert!(
                    (distance - gap).abs() < 5.0 * EPS,
                    "{stones} {gap}: {distance}"
                );
                let radius = point[0].hypot(point[1]);
                assert!((radius - 5.0).abs() - 0.375 < 1e-4 && point[2].abs() > 0.4999);
            }
        }
    }
}

/// Upright cubes whose edges cross at right angles: one turned about x, the other about y by 45 degrees, so that each
/// stands on an edge; their edges are `gap` apart along z.
#[test]
fn crossing_edges_meet_in_a_point() {
    let solid = cube(0.5);
    let high = 0.5_f64.sqrt();
    for gap in [-1e-3, 0.0, 1e-3] {
        let a = pose([0.0; 3], [std::f64::consts::FRAC_PI_4, 0.0, 0.0]);
        let b = pose(
            [0.1, -0.2, 2.0 * high + gap],
            [0.0, std::f64::consts::FRAC_PI_4, 0.0],
        );
        let found = manifold([&solid, &solid], &(a.inverse() * b), 2e-3);
        assert_eq!(found.points.len(), 1);
        let point = &found.points[0];
        assert!(point.fid1.is_edge() && point.fid2.is_edge());
        assert_near(&[real(point.dist)], &[gap]);
        let normal = a.rotation * vector(found.local_n1);
        assert_near(normal.as_slice(), &[0.0, 0.0, 1.0]);
        let place = a * Point3::from(vector(point.local_p1));
        assert_near(place.coords.as_slice(), &[0.1, 0.0, high]);
    }
}

/// A cube that slides flush from one tile to the next is not held up by it; one that is a millimetre lower is.
#[test]
fn flush_faces_let_each_other_pass() {
    let solid = cube(0.5);
    for (lower, count) in [
        (-1e-3, 0),
        (-1e-7, 0),
        (0.0, 0),
        (1e-7, 0),
        (1e-6, 0),
        (1e-3, 4),
    ] {
        let found = manifold(
            [&solid, &solid],
            &pose([1.002, 0.0, 1.0 - lower], [0.0; 3]),
            5e-3,
        );
        assert_eq!(found.points.len(), count, "{lower}");
    }
}

/// Two cards that lean against each other touch along an edge of each: both ends of it, with a normal that may be
/// anything between the two faces.
#[test]
fn leaning_cards_touch_along_an_edge() {
    let card = Cuboid::new(vec3(1.25, 0.02, 0.625));
    let angle = 65.0_f64.to_radians();
    let (sin, cos) = angle.sin_cos();
    let (wide, high) = (1.25 * cos + 0.02 * sin, 1.25 * sin - 0.02 * cos);
    for gap in [-1e-6, 0.0, 1e-6] {
        let a = pose([-wide, 0.0, 0.0], [0.0, 0.0, angle]);
        let b = pose([wide + gap, 0.0, 0.0], [0.0, 0.0, -angle]);
        let found = manifold([&card, &card], &(a.inverse() * b), 1e-3);
        let normal = a.rotation * vector(found.local_n1);
        assert!(normal.x > sin - EPS && normal.z.abs() < EPS, "{normal}");
        let mut ends = Vec::new();
        for point in &found.points {
            assert!((real(point.dist) - gap).abs() < 1e-6 + EPS);
            let at = a * Point3::from(vector(point.local_p1));
            assert!(at.x.abs() < 1e-4 && (at.y - high).abs() < 1e-4, "{at}");
            ends.push(at.z);
        }
        ends.sort_by(f64::total_cmp);
        assert_eq!(ends.len(), 2);
        assert_near(&ends, &[-0.625, 0.625]);
    }
}

/// A corner of a triangle under a cube, from either side: the cube's corners over it, its corners under the cube.
#[test]
fn triangles_are_flat_polyhedra() {
    let solid = cube(0.5);
    let triangle = Triangle::new(
        vec3(-0.25, -0.25, 0.0),
        vec3(4.0, -0.25, 0.0),
        vec3(-0.25, 4.0, 0.0),
    );
    for (triangle_first, above) in [(true, 1.0), (false, 1.0), (true, -1.0), (false, -1.0)] {
        let at = pose([0.0, 0.0, 0.501 * above], [0.0; 3]);
        let found = if triangle_first {
            manifold([&triangle, &solid], &at, 5e-3)
        } else {
            manifold([&solid, &triangle], &at.inverse(), 5e-3)
        };
        let flat = |p: &TrackedContact<ContactData>| {
            vector(if triangle_first {
                p.local_p1
            } else {
                p.local_p2
            })
        };
        let mut places: Vec<[f64; 3]> = found.points.iter().map(|p| flat(p).into()).collect();
        places.sort_by(|a, b| a.partial_cmp(b).unwrap());
        let expected = [
            [-0.25, -0.25, 0.0],
            [-0.25, 0.5, 0.0],
            [0.5, -0.25, 0.0],
            [0.5, 0.5, 0.0],
        ];
        assert_eq!(places.len(), 4);
        for (place, expected) in places.iter().zip(&expected) {
            assert_near(place, expected);
        }
        for point in &found.points {
            assert_near(&[real(point.dist)], &[1e-3]);
        }
    }
}

/// Points of a body near a half space, whichever comes first.
#[test]
fn corners_stand_on_a_half_space() {
    let solid = cube(0.5);
    let space = HalfSpace::new(vec3(0.0, 0.0, 1.0));
    let tilt = 1e-3;
    let at = pose([0.3, 0.2, 0.5], [0.0, tilt, 0.0]);
    let first = manifold([&space, &solid], &at, 1e-2);
    let second = manifold([&solid, &space], &at.inverse(), 1e-2);
    assert_eq!([first.points.len(), second.points.len()], [4; 2]);
    for (a, b) in first.points.iter().zip(&second.points) {
        assert_eq!((a.fid1, a.fid2), (b.fid2, b.fid1));
        assert_near(vector(a.local_p1).as_slice(), vector(b.local_p2).as_slice());
        assert_near(vector(a.local_p2).as_slice(), vector(b.local_p1).as_slice());
        let corner = vector(a.local_p2);
        let height = 0.5 + corner.z * tilt.cos() - corner.x * tilt.sin();
        assert_near(&[real(a.dist), real(b.dist)], &[height; 2]);
    }
    assert_near(vector(second.local_n2).as_slice(), &[0.0, 0.0, 1.0]);
}

/// Where the iteration ended at a direction along a wide floor, the normal is still that of the face that separates the two, not
/// that of the side tens of metres off.
#[test]
fn a_direction_along_the_floor_is_not_taken_for_its_side() {
    use rapier::parry::shape::Cylinder;
    let floor = Cuboid::new(vec3(50.0, 0.5, 50.0));
    let cylinder = Cylinder::new(to_real(0.2), to_real(0.1));
    let gap = -5e-4;
    let pair = Pair {
        pos12: &to_pose(&pose([3.0, 0.7 + gap, 1.0], [0.0, 0.4, 0.0])),
        shapes: [&floor, &cylinder],
        constraints: [None; 2],
    };
    for found in [[1.0, 0.0, 0.0], [0.1, 1.0, 0.0], [0.7, -0.1, 0.7]] {
        let facing = pair.facing(&Vector3::from(found).normalize()).unwrap();
        assert_near(facing.normal().as_slice(), &[0.0, 1.0, 0.0]);
        let (height, _) = facing.below(&facing.low);
        assert!((height - gap).abs() < 8.0 * EPS, "{height}");
    }
}

/// A lying cylinder, a capsule and a cone on its side just above a triangle, turned every way: the normal is that of the
/// triangle and the least gap the one that it has, though parry's iteration misses both in single precision.
#[test]
fn round_shapes_take_the_normal_of_the_face_that_they_face() {
    use crate::detect::fresh::FreshManifolds;
    use rapier::parry::query::{DefaultQueryDispatcher, PersistentQueryDispatcher};
    use rapier::parry::shape::{Capsule, Cone, Cylinder};
    let triangle = Triangle::new(
        vec3(-1.0, 0.0, -1.0),
        vec3(0.0, 0.0, 2.0),
        vec3(2.0, 0.0, -1.0),
    );
    let (half, radius) = (0.2, 0.1);
    let lying = Capsule::new_y(to_real(half), to_real(radius));
    let cylinder = Cylinder::new(to_real(half), to_real(radius));
    let cone = Cone::new(to_real(half), to_real(radius));
    // The side of a cone rises by its radius over its height.
    let lean = f64::atan2(radius, 2.0 * half);
    let sunk = (half * lean.sin()).abs();
    let shapes: [(&dyn Shape, f64, f64); 3] = [
        (&lying, 0.0, radius),
        (&cylinder, 0.0, radius),
        (&cone, lean, radius * lean.cos() - sunk),
    ];
    let mut numbers = Numbers(7);
    let dispatcher = FreshManifolds::before(DefaultQueryDispatcher);
    for k in 0..300 {
        let (shape, lean, height) = shapes[k % 3];
        let gap = 1e-4 * numbers.next();
        let about = UnitQuaternion::from_axis_angle(&Vector3::y_axis(), 3.0 * numbers.next());
        let down = std::f64::consts::FRAC_PI_2 + lean;
        let lies = UnitQuaternion::from_axis_angle(&Vector3::z_axis(), down);
        let shift = Vector3::new(0.2 * numbers.next(), height + gap, 0.2 * numbers.next());
        let pose = Isometry3::from_parts(Translation3::from(shift), about * lies);
        let mut manifold = ContactManifold::new();
        let prediction = to_real(0.01);
        let (one, back) = (to_pose(&pose), to_pose(&pose.inverse()));
        let flips = k % 2 == 1;
        let (shapes, pos12): ([&dyn Shape; 2], _) = match flips {
            false => ([&triangle, shape], &one),
            true => ([shape, &triangle], &back),
        };
        dispatcher
            .contact_manifold_convex_convex(
                pos12,
                shapes[0],
                shapes[1],
                None,
                None,
                prediction,
                &mut manifold,
            )
            .unwrap();
        let up = vector(if flips {
            manifold.local_n2
        } else {
            manifold.local_n1
        });
        let least = manifold.points.iter().map(|point| real(point.dist));
        let least = least.fold(f64::INFINITY, f64::min);
        let off = (up - Vector3::y()).norm();
        assert!(off < EPS, "{k}: {up}");
        assert!(
            (least - gap).abs() < tolerances::SAME_PLACE + EPS,
            "{k}: {least} {gap}"
        );
    }
}
