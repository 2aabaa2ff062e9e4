//! The axis of least overlap beside the theorem of separating axes by brute force.

use super::super::axis::{self, Axis, Source};
use super::super::solid::{Bound, Face, Solid};
use super::*;

/// The largest separation along any axis, by all faces and all pairs of edges.
fn brute_force(a: &Solid, b: &Solid) -> f64 {
    let along = |normal: &Vector3<f64>| b.lowest(normal).1 + a.lowest(&-normal).1;
    let faces = a.faces.iter().map(|face| along(&face.normal));
    let faces = faces.chain(b.faces.iter().map(|face| along(&-face.normal)));
    let mut best = faces.fold(f64::NEG_INFINITY, f64::max);
    for one in &a.edges {
        for two in &b.edges {
            if let Some(axis) = one.way.cross(&two.way).try_normalize(1e-3) {
                best = best.max(along(&axis)).max(along(&-axis));
            }
        }
    }
    best
}

/// Random pairs of cuboids, from deep inside each other to apart, beside the same taken for any polyhedra.
#[test]
fn cuboids_have_the_axis_of_any_polyhedra() {
    let mut numbers = Numbers(7);
    let mut by_edges = 0;
    for _ in 0..3000 {
        let shapes = [(); 2].map(|()| {
            let [x, y, z] = numbers.three().map(|x| 0.05 + 0.5 * x.abs());
            Cuboid::new(vec3(x, y, z))
        });
        let shapes: [&dyn Shape; 2] = [&shapes[0], &shapes[1]];
        let at = pose(numbers.three(), numbers.three().map(|x| 3.0 * x));
        let find = |is_cuboid: bool| {
            let [mut a, mut b] = [Solid::default(), Solid::default()];
            assert!(a.set(shapes[0], &Isometry3::identity()) && b.set(shapes[1], &at));
            if !is_cuboid {
                a.cuboid = None;
            }
            axis::find(
                [&mut a, &mut b],
                0.1,
                tolerances::SAME_PLACE,
                tolerances::SAME_DEPTH,
                shapes,
            )
        };
        let [own, any] = [true, false].map(find);
        assert_eq!(
            own.map(|axis| axis.source),
            any.map(|axis| axis.source),
            "{at}"
        );
        if let (Some(own), Some(any)) = (own, any) {
            assert!((own.normal - any.normal).norm() < 1e-12, "{own:?} {any:?}");
            assert!((own.separation - any.separation).abs() < 1e-12);
            by_edges += usize::from(own.source == Source::Edges);
        }
    }
    assert!(by_edges > 200, "{by_edges}");
}

/// Random pairs of cubes, hulls and triangles, from deep inside each other to apart.
#[test]
fn the_axis_is_that_of_the_theorem() {
    let mut numbers = Numbers(1);
    let [mut a, mut b] = [Solid::default(), Solid::default()];
    let (mut apart, mut by_edges) = (0, 0);
    for trial in 0..3000 {
        let shapes = [numbers.shape(), numbers.shape()];
        let shift = numbers.three().map(|x| 1.5 * x);
        let turn = numbers.three().map(|x| 3.0 * x);
        assert!(a.set(&*shapes[0], &Isometry3::identity()));
        assert!(b.set(&*shapes[1], &pose(shift, turn)));
        let both = [&*shapes[0], &*shapes[1]];
        let Axis {
            separation,
            normal,
            source,
        } = axis::find([&mut a, &mut b], 10.0, 1e-9, tolerances::SAME_DEPTH, both).unwrap();
        // All edges.
        let nothing = Bound {
            witnesses: [Vector3::zeros(); 2],
            limit: f64::NEG_INFINITY,
        };
        a.set_edges(both[0], &nothing);
        b.set_edges(both[1], &nothing);
        let expected = brute_force(&a, &b);
        let real = b.lowest(&normal).1 + a.lowest(&-normal).1;
        assert!((separation - real).abs() < 1e-6, "{trial}");
        assert!(
            separation <= expected + 1e-6,
            "{trial}: {separation} {expected}"
        );
        // Of two that are apart, any axis says so; of two that overlap it is the least but for what faces are
        // preferred by.
        let least = if expected > 1e-6 {
            0.0
        } else {
            1.06 * expected - 1e-6
        };
        assert!(separation > least, "{trial}: {separation} {expected}");
        apart += usize::from(separation > 0.0);
        by_edges += usize::from(source == Source::Edges);
    }
    assert!(apart > 500 && by_edges > 300, "{apart} {by_edges}");
}

/// A cube of 1 m on a floor of 10 m, apart, sunk, over the rim: the floor's face is the axis beyond doubt where a corner lies
/// over it, ten times as far within its sides as the cube has sunk.
#[test]
fn corners_over_a_face_leave_no_doubt() {
    let (floor, small) = (cube(5.0), cube(0.5));
    let [mut a, mut b] = [Solid::default(), Solid::default()];
    for (x, height, expected) in [
        (0.0, 0.01, true),
        (0.0, -0.01, true),
        (4.45, -0.01, true),
        (5.45, -0.01, false),
        (5.39, -0.01, true),
        (5.6, 0.01, false),
    ] {
        assert!(a.set(&floor, &Isometry3::identity()));
        assert!(b.set(&small, &pose([x, 5.5 + height, 0.0], [0.0; 3])));
        let up = |face: &Face| face.normal.y > 0.9;
        let face = a.faces.iter().position(up).unwrap();
        let found = axis::is_least(&a, face, &b, height, 1e-9);
        assert_eq!(found, expected, "{x} {height}");
    }
}
