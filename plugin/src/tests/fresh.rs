//! Contact points belong to the pose at which they are used.

use super::busy::H;
use super::{EPS, World, assert_close, num, vec3};
use crate::detect::fresh::drop_repeated;
use crate::{FreshManifolds, Manifolds, ModelName};
use nalgebra::Vector3;
use rapier::geometry::TrackedContact;
use rapier::parry::query::DefaultQueryDispatcher;
use rapier::parry::shape::PackedFeatureId;
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

fn deepest(world: &World) -> f64 {
    let gaps = world.pipeline.contacts().iter().map(|c| c.gap);
    gaps.fold(0.0, f64::min)
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
        let gap = deepest(&world);
        assert!(gap > -DEPTH, "{gap}");
        turned = turned.max(2.0 * crate::base::convert::real(world.bodies[plate].rotation().y));
    }
    assert!(turned > 0.9 * SLOPE, "it never rocked: {turned}");
    let speed = world.linvel(plate).norm() + world.angvel(plate).norm();
    assert!(speed < 1e-6 + EPS, "{speed}");
}

/// Corner k of twelve about the z axis, 1 m away.
fn corner(k: i32) -> [f64; 2] {
    let (sin, cos) = (f64::from(k) * std::f64::consts::FRAC_PI_6).sin_cos();
    [cos, sin]
}

/// A slab of twelve corners 0.1 m about the z axis, from z = 0 to 0.05 m.
fn ring() -> ColliderBuilder {
    let layer = |z: f64| {
        (0..12)
            .map(corner)
            .map(move |[x, y]| vec3(0.1 * x, 0.1 * y, z))
    };
    let points: Vec<_> = layer(0.0).chain(layer(0.05)).collect();
    ColliderBuilder::convex_hull(&points).unwrap()
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
        let shape = ring();
        let slab = world.add(RigidBodyBuilder::dynamic(), shape.density(num(1000.0)));
        world.step();
        let count = world.pipeline.contacts().len();
        assert!(count >= 12, "on a table: {table}: {count}");
        for k in 0..12 {
            let [cos, sin] = corner(k);
            let spin = vec3(-0.3 * sin, 0.3 * cos, 0.0);
            world.bodies[slab].set_angvel(spin, true);
            for _ in 0..60 {
                world.step();
                let gap = deepest(&world);
                assert!(gap > -DEPTH, "on a table: {table}, corner {k}: {gap}");
            }
        }
        let speed = world.linvel(slab).norm() + world.angvel(slab).norm();
        assert!(speed < 1e-6 + EPS, "on a table: {table}: {speed}");
    }
}

/// The slab as a part of a compound on a part of another, both beside their origins and turned, whichever
/// comes first, and with skins: the corners lie on the table where they must, and each gap is that of the slab less
/// the skins.
#[test]
fn corners_are_found_in_parts_and_through_skins() {
    let (turn, gap, skin) = (vec3(0.0, 0.0, 0.3), 5e-4, [1e-4, 2e-4]);
    let table_part = Pose::new(vec3(0.4, -0.2, -0.7), turn);
    let slab_part = Pose::new(vec3(-0.3, 0.6, 0.1), -2.0 * turn);
    for slab_first in [false, true] {
        let mut world = World::new(H);
        world.gravity = Vector::ZERO;
        let half = num(0.5);
        let flat = SharedShape::cuboid(half, half, half);
        let table = ColliderBuilder::new(SharedShape::compound(vec![(table_part, flat)]));
        let slab = ring().build().shared_shape().clone();
        let slab = ColliderBuilder::new(SharedShape::compound(vec![(slab_part, slab)]));
        // The middle of the slab's sole, above the middle of the table's top.
        let body = Pose::new(vec3(0.1, 0.2, 0.3), vec3(0.0, 0.0, 0.7));
        let top = table_part * vec3(0.0, 0.0, 0.5 + gap);
        let slab_at = body * slab_part * Vector::ZERO;
        let table_at = slab_at - top;
        let table = table.translation(table_at).contact_skin(num(skin[0]));
        let slab = slab.contact_skin(num(skin[1])).density(num(100.0));
        if slab_first {
            world.add(RigidBodyBuilder::dynamic().pose(body), slab);
            world.colliders.insert(table);
        } else {
            world.colliders.insert(table);
            world.add(RigidBodyBuilder::dynamic().pose(body), slab);
        }
        world.step();
        let contacts = world.pipeline.contacts();
        for k in 0..12 {
            let [x, y] = corner(k);
            let expected =
                crate::base::convert::vector(body * slab_part * vec3(0.1 * x, 0.1 * y, 0.0));
            let found = contacts.iter().find(|c| {
                let off = c.point.midpoint().coords - expected;
                off.xy().norm() < 1e-6 + EPS && off.z.abs() < 1e-3
            });
            let found = found.unwrap_or_else(|| panic!("slab first: {slab_first}, corner {k}"));
            assert_close(found.gap, gap - skin[0] - skin[1], EPS);
        }
    }
}

/// A cube that is a convex hull, right on an equal one: all four corners at every step, so it stays where it is.
#[test]
fn a_hull_keeps_its_corners_above_the_edges_of_a_cuboid() {
    let mut world = World::new(H);
    let half = num(0.5);
    let block = ColliderBuilder::cuboid(half, half, half);
    (world.colliders).insert(block.translation(vec3(0.0, 0.0, -0.5)));
    let ends = [-0.5, 0.5];
    let points: Vec<_> = (0..8)
        .map(|k| vec3(ends[k & 1], ends[k >> 1 & 1], ends[k >> 2]))
        .collect();
    let shape = ColliderBuilder::convex_hull(&points).unwrap();
    let body = RigidBodyBuilder::dynamic().translation(vec3(0.0, 0.0, 0.5));
    let cube = world.add(body, shape.density(num(100.0)));
    for step in 0..400 {
        world.step();
        let closed = world.pipeline.contacts().iter().filter(|c| c.gap < 1e-6);
        assert!(closed.count() >= 4, "step {step}");
    }
    let moved = world.position(cube) - Vector3::new(0.0, 0.0, 0.5);
    assert!(moved.norm() < EPS, "{moved}");
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
        assert!(deepest(&world) > -DEPTH);
    }
    assert_eq!(dispatcher(&world.narrow_phase), own);
}

/// Parry puts a corner onto the plane of a face along the normal, and where the normal nearly lies in that plane the corner
/// lands metres away. No point is deeper than the closest points of the two shapes.
#[test]
fn corners_deeper_than_the_closest_points_are_none() {
    let named = PackedFeatureId::vertex(1);
    let track = |feature, dist| {
        let at = vec3(0.0, 0.0, 0.0);
        TrackedContact::<ContactData>::new(at, at, feature, feature, num(dist))
    };
    let left = |corners: &[f64], closest: f64| {
        let mut manifold = ContactManifold::new();
        manifold
            .points
            .extend(corners.iter().map(|dist| track(named, *dist)));
        manifold
            .points
            .push(track(PackedFeatureId::UNKNOWN, closest));
        drop_repeated(&mut manifold);
        let points = manifold.points.iter();
        points
            .map(|point| crate::base::convert::real(point.dist))
            .collect::<Vec<_>>()
    };
    // The stray corner goes, and with it what made the closest points seem to repeat it.
    assert_eq!(left(&[-39.0, 0.25], -0.5), [0.25, -0.5]);
    // Repeated by a corner: dropped. Corners as deep as iteration tells: kept.
    assert_eq!(left(&[-0.5, 0.25], -0.5), [-0.5, 0.25]);
    assert_eq!(left(&[-0.515625], -0.5), [-0.515625]);
    assert_eq!(left(&[], 0.125), [0.125]);
}

/// A ball that falls onto the middle of a floor comes by no side of it: what it meets is known without a look at its way, so
/// that it is looked at by detection alone, twice for its speed. Near the side its way is looked at.
#[test]
fn a_ball_over_the_middle_of_a_floor_has_its_way_known() {
    for (x, is_looked_at) in [(0.0, false), (1.9, true)] {
        let counted = super::impulses::Counting::default();
        let mut world = World::with_model(0.01, ModelName::Cone);
        world.narrow_phase.set_query_dispatcher(counted.clone());
        let floor = ColliderBuilder::cuboid(num(2.0), num(2.0), num(1.0));
        (world.colliders).insert(floor.translation(vec3(0.0, 0.0, -1.0)));
        let body = RigidBodyBuilder::dynamic().translation(vec3(x, 0.0, 0.51));
        let body = body.linvel(vec3(0.0, 0.0, -2.0));
        world.add(body, ColliderBuilder::ball(num(0.5)));
        world.step();
        assert_eq!(counted.manifolds() > 2, is_looked_at, "{x}");
    }
}
