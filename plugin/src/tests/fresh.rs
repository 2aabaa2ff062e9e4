//! Contact points belong to the pose at which they are used.

use super::busy::H;
use super::{EPS, World, num, vec3};
use crate::{FreshManifolds, Manifolds};
use rapier::parry::query::DefaultQueryDispatcher;
use rapier::prelude::*;

/// Half the sole [m] and the slope of its two faces to the ground, which meet at a ridge between them. In
/// f32 parry makes one face of them, and four corners of its six.
const REACH: f64 = 0.1;
const SLOPE: f64 = 0.007;
/// Turning it gets over the ridge [rad/s].
const ROCKS: f64 = 30.0 * SLOPE;
/// Deepest that anything may sink \[m\].
const DEPTH: f64 = 5e-6 + EPS;

/// A plate on a sole of two faces, standing on the left one.
fn plate(world: &mut World) -> RigidBodyHandle {
    let (low, high) = (REACH * SLOPE, 0.05);
    let points: Vec<_> = [-0.05, 0.05]
        .into_iter()
        .flat_map(|y| {
            [
                vec3(0.0, y, 0.0),
                vec3(-REACH, y, low),
                vec3(REACH, y, low),
                vec3(-REACH, y, high),
                vec3(REACH, y, high),
            ]
        })
        .collect();
    let shape = ColliderBuilder::convex_hull(&points).unwrap();
    let body = RigidBodyBuilder::dynamic()
        .rotation(vec3(0.0, -SLOPE, 0.0))
        .angvel(vec3(0.0, ROCKS, 0.0));
    world.add(body, shape.density(num(1000.0)))
}

/// Rocking from one face to the other is less than a degree, within which parry keeps the points of the
/// first face: the edge of the second would sink by 2 x 0.1 m x 0.007.
#[test]
fn a_sole_of_two_faces_rocks_without_sinking() {
    let mut world = World::new(H);
    world.ground();
    let plate = plate(&mut world);
    let mut turned = 0.0_f64;
    for _ in 0..200 {
        world.step();
        let gaps = world.pipeline.contacts().iter().map(|c| c.gap);
        let gap = gaps.fold(0.0, f64::min);
        assert!(gap > -DEPTH, "{gap}");
        turned = turned.max(2.0 * crate::convert::real(world.bodies[plate].rotation().y));
    }
    assert!(turned > 0.9 * SLOPE, "it never rocked: {turned}");
    let speed = world.linvel(plate).norm() + world.angvel(plate).norm();
    assert!(speed < 1e-6 + EPS, "{speed}");
}

/// A slab of twelve corners, on a half space or a table: all count, and tipped over any of
/// them it falls back without sinking.
#[test]
fn a_sole_of_twelve_corners_stands_on_all_of_them() {
    for table in [false, true] {
        let mut world = World::new(H);
        if table {
            let half = num(0.5);
            let top = ColliderBuilder::cuboid(half, half, half);
            (world.colliders).insert(top.translation(vec3(0.0, 0.0, -0.5)));
        } else {
            world.ground();
        }
        let corner = |k: i32| (f64::from(k) * std::f64::consts::FRAC_PI_6).sin_cos();
        let ring = |z: f64| (0..12).map(move |k| (corner(k), z));
        let points: Vec<_> = (ring(0.0).chain(ring(0.05)))
            .map(|((sin, cos), z)| vec3(0.1 * cos, 0.1 * sin, z))
            .collect();
        let shape = ColliderBuilder::convex_hull(&points).unwrap();
        let slab = world.add(RigidBodyBuilder::dynamic(), shape.density(num(1000.0)));
        world.step();
        let count = world.pipeline.contacts().len();
        assert!(count >= 12, "on a table: {table}: {count}");
        for k in 0..12 {
            let (sin, cos) = corner(k);
            let spin = vec3(-0.3 * sin, 0.3 * cos, 0.0);
            world.bodies[slab].set_angvel(spin, true);
            for _ in 0..60 {
                world.step();
                let gaps = world.pipeline.contacts().iter().map(|c| c.gap);
                let gap = gaps.fold(0.0, f64::min);
                assert!(gap > -DEPTH, "on a table: {table}, corner {k}: {gap}");
            }
        }
        let speed = world.linvel(slab).norm() + world.angvel(slab).norm();
        assert!(speed < 1e-6 + EPS, "on a table: {table}: {speed}");
    }
}

fn dispatcher(narrow_phase: &NarrowPhase) -> usize {
    std::ptr::from_ref(narrow_phase.query_dispatcher()).addr()
}

/// A narrow phase gets its dispatcher once; another one that takes its place gets one, too.
#[test]
fn every_narrow_phase_gets_fresh_manifolds_once() {
    let mut world = World::new(H);
    world.ground();
    let plate = plate(&mut world);
    let before = dispatcher(&world.narrow_phase);
    world.step();
    let given = dispatcher(&world.narrow_phase);
    assert_ne!(before, given);
    world.run(3);
    assert_eq!(dispatcher(&world.narrow_phase), given);

    // The old one lives on, so that its dispatcher does.
    let _old = std::mem::take(&mut world.narrow_phase);
    let before = dispatcher(&world.narrow_phase);
    for (_, body) in world.bodies.iter_mut() {
        body.wake_up(true);
    }
    world.bodies[plate].set_translation(vec3(0.0, 0.0, 0.0), true);
    world.step();
    assert_ne!(dispatcher(&world.narrow_phase), before);
}

/// A dispatcher of the user's stays where it is if that is asked for.
#[test]
fn a_users_dispatcher_can_stay() {
    let mut world = World::new(H);
    world.ground();
    plate(&mut world);
    let own = FreshManifolds::before(DefaultQueryDispatcher);
    world.narrow_phase.set_query_dispatcher(own);
    world.pipeline.set_manifolds(Manifolds::AsDispatched);
    let own = dispatcher(&world.narrow_phase);
    for _ in 0..200 {
        world.step();
        let gaps = world.pipeline.contacts().iter().map(|c| c.gap);
        assert!(gaps.fold(0.0, f64::min) > -DEPTH);
    }
    assert_eq!(dispatcher(&world.narrow_phase), own);
}
