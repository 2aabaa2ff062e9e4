use super::*;
use crate::base::convert::to_real;
use rapier::math::Pose;

/// Two boxes for every pair, and the corners of a square between them.
fn pairs(colliders: &mut ColliderSet, count: usize) -> Vec<[ColliderHandle; 2]> {
    let mut one = || {
        let half = to_real(0.5);
        colliders.insert(ColliderBuilder::cuboid(half, half, half))
    };
    (0..count).map(|_| [one(), one()]).collect()
}

fn corners(pair: [ColliderHandle; 2], count: u64) -> Vec<ContactPoint> {
    let corner = |key: u64| {
        let at = Point3::new((key & 1) as f64, (key >> 1 & 1) as f64, 0.0);
        ContactPoint {
            colliders: pair.map(Some),
            bodies: [None; 2],
            points: [at; 2],
            normal: Vector3::z(),
            surfaces: [Surface::Flat; 2],
            friction: 0.5,
            restitution: 0.0,
            surface_velocity: Vector3::zeros(),
            dominance: 0,
            key,
        }
    };
    (0..count).map(corner).collect()
}

/// How many points the memory makes of `count`.
fn completed(
    memory: &mut Memory,
    colliders: &ColliderSet,
    pair: [ColliderHandle; 2],
    count: u64,
) -> usize {
    let mut points = corners(pair, count);
    memory.complete(colliders, pair, 0, &mut points, 0);
    points.len()
}

/// Whatever the order in which detection comes to its pairs, and however many of them it leaves out.
#[test]
fn manifolds_are_found_in_any_order() {
    let mut colliders = ColliderSet::new();
    let pairs = pairs(&mut colliders, 50);
    let mut memory = Memory::default();
    memory.begin(|_| false);
    for pair in &pairs {
        assert_eq!(completed(&mut memory, &colliders, *pair, 4), 4);
    }
    for stride in [1, 7, 49] {
        memory.begin(|_| false);
        for k in 0..pairs.len() {
            let pair = pairs[k * stride % pairs.len()];
            assert_eq!(completed(&mut memory, &colliders, pair, 2), 4, "{stride}");
        }
        assert_eq!(memory.manifolds.len(), pairs.len());
    }
    // What moved is known by its new place only.
    let moved = Pose::from_translation(Vector::new(to_real(0.1), to_real(0.0), to_real(0.0)));
    colliders[pairs[3][1]].set_position(moved);
    memory.begin(|_| false);
    assert_eq!(completed(&mut memory, &colliders, pairs[3], 2), 2);
    assert_eq!(completed(&mut memory, &colliders, pairs[4], 0), 4);
}

/// A memory that has grown to twice its size drops what was not seen in the last step, but not
/// what sleeps.
#[test]
fn what_is_stale_is_dropped_and_what_sleeps_is_kept() {
    let mut colliders = ColliderSet::new();
    let pairs = pairs(&mut colliders, 3 * FEW);
    let mut memory = Memory::default();
    memory.begin(|_| false);
    for pair in &pairs {
        completed(&mut memory, &colliders, *pair, 4);
    }
    memory.begin(|_| false);
    assert_eq!(memory.manifolds.len(), pairs.len());
    memory.cleared_at = 0;
    for pair in &pairs[..10] {
        completed(&mut memory, &colliders, *pair, 4);
    }
    let asleep = &pairs[pairs.len() - 5..];
    memory.begin(|pair| asleep.contains(&pair));
    assert_eq!(memory.manifolds.len(), 15);
    for pair in asleep {
        assert_eq!(completed(&mut memory, &colliders, *pair, 1), 4);
    }
    assert_eq!(completed(&mut memory, &colliders, pairs[20], 1), 1);
}
