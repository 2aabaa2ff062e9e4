//! How far bodies may approach each other in a step: the distance within which contacts are looked for.

use super::{World, assert_close, num, vec3};
use crate::detect::reach::{MotionBounds, Reach};
use crate::read::hooks::{Answers, Once};
use nalgebra::Vector3;
use rapier::prelude::*;

const H: f64 = 0.01;

fn reach(world: &mut World) -> f64 {
    let mut reach = Reach::default();
    let bounds = MotionBounds {
        gravity: Vector3::zeros(),
        h: H,
        prediction: 0.02,
        apart: true,
    };
    let hooks = Once::new(&(), Answers::default());
    reach.survey(&world.borrowed(&hooks), bounds);
    reach.farthest()
}

/// The two fastest head on: 3 and 2 m/s, in 10 ms; a slower third changes nothing.
#[test]
fn the_two_fastest_count() {
    let mut world = World::new(H);
    for speed in [2.0, 1.0, 3.0] {
        let body = RigidBodyBuilder::dynamic().linvel(vec3(0.0, -speed, 0.0));
        world.add(body, ColliderBuilder::ball(num(0.1)));
    }
    assert_close(reach(&mut world), H * 5.0, 1e-8);
}

/// A ball about its centre of mass turns in place. Two balls beside it do not, nor does a cube, whose corners
/// move at `omega |corner|`.
#[test]
fn only_what_is_not_round_approaches_by_turning() {
    let turning = |shapes: &[ColliderBuilder]| {
        let mut world = World::new(H);
        world.gravity = Vector::ZERO;
        let body = RigidBodyBuilder::dynamic().angvel(vec3(0.0, 0.0, 40.0));
        let body = world.bodies.insert(body);
        for shape in shapes {
            let shape = shape.clone();
            world
                .colliders
                .insert_with_parent(shape, body, &mut world.bodies);
        }
        let before = reach(&mut world);
        world.step();
        // Nothing is left out before rapier has looked at the body.
        assert!(before >= H * 40.0 * 0.1 - 1e-7, "{before}");
        reach(&mut world)
    };
    let ball = |x: f64| ColliderBuilder::ball(num(0.1)).translation(vec3(x, 0.0, 0.0));
    assert_eq!(turning(&[ball(0.0)]), 0.0);
    assert_eq!(turning(&[ball(0.3)]), 0.0);
    let pair = turning(&[ball(-0.3), ball(0.3)]);
    assert!(pair >= H * 40.0 * 0.4 - 1e-6, "{pair}");
    let cube = turning(&[ColliderBuilder::cuboid(num(0.1), num(0.1), num(0.1))]);
    assert!(cube >= H * 40.0 * 0.03_f64.sqrt() - 1e-6, "{cube}");
}

/// A bullet among spheres at rest that touch each other: nobody else looks farther than before, and whatever lies on
/// its way is found. Cause: the fastest body's way was the prediction distance of all pairs.
#[test]
fn a_bullet_reaches_farther_alone() {
    let spheres = |speed: f64| {
        let mut world = World::new(H);
        world.gravity = Vector::ZERO;
        for k in 0..216 {
            let [x, y, z] = [k % 6, k / 6 % 6, k / 36].map(|n| 0.25 * f64::from(n));
            let body = RigidBodyBuilder::dynamic().translation(vec3(x, y, z));
            world.add(body, ColliderBuilder::ball(num(0.1)));
        }
        let bullet = RigidBodyBuilder::dynamic()
            .translation(vec3(-0.27, 0.25, 0.25))
            .linvel(vec3(speed, 0.0, 0.0));
        world.add(bullet, ColliderBuilder::ball(num(0.1)));
        // Rapier draws its boxes around what is new by an eighth of its size.
        world.step();
        world
    };
    let pairs = |world: &World| world.narrow_phase.contact_pairs().count();
    let still = pairs(&spheres(0.0));
    // 0.15 m a step, 7 times rapier's prediction distance; 0.07 m before the first sphere.
    let fast = spheres(15.0);
    assert!(
        pairs(&fast) <= still + 6,
        "{} against {still}",
        pairs(&fast)
    );
    let contacts = fast.pipeline.contacts();
    assert_eq!(
        contacts.len(),
        1,
        "the bullet's one, the others can't close"
    );
    assert_close(contacts[0].gap, 0.07, 1e-6);
    assert!(contacts[0].impulse[0] > 0.0);
}

/// Balls of 0.1 m on every second point of a grid of 0.15 m: the boxes of neighbours across a square meet, they themselves
/// are 12 mm apart, and none is given memory for contact points. Two that touch are.
#[test]
fn pairs_that_never_touch_have_no_manifold() {
    let mut world = World::new(H);
    world.gravity = Vector::ZERO;
    let mut add = |at: [f64; 3]| {
        let body = RigidBodyBuilder::dynamic().translation(vec3(at[0], at[1], at[2]));
        world.add(body, ColliderBuilder::ball(num(0.1)));
    };
    for k in 0..216 {
        let cell = [k % 6, k / 6 % 6, k / 36];
        if cell.iter().sum::<i32>() % 2 == 0 {
            add(cell.map(|n| 0.15 * f64::from(n)));
        }
    }
    add([-0.2, 0.0, 0.0]);
    world.run(3);
    let pairs: Vec<_> = world.narrow_phase.contact_pairs().collect();
    assert!(pairs.len() > 200, "{}", pairs.len());
    let known = pairs.iter().map(|pair| pair.manifolds().len());
    assert_eq!(known.sum::<usize>(), 1);
}

/// A body inserted in the place of another, and fast, is seen in its first step.
#[test]
fn who_comes_anew_is_seen() {
    let mut world = World::new(H);
    world.gravity = Vector::ZERO;
    world.ground();
    let far = RigidBodyBuilder::dynamic().translation(vec3(9.0, 0.0, 9.0));
    let old = world.add(far.clone(), ColliderBuilder::ball(num(0.1)));
    world.add(
        far.translation(vec3(-9.0, 0.0, 9.0)),
        ColliderBuilder::ball(num(0.1)),
    );
    world.run(3);
    world.remove(old);
    let new = RigidBodyBuilder::dynamic()
        .translation(vec3(0.0, 0.0, 0.2))
        .linvel(vec3(0.0, 0.0, -18.0));
    let new = world.add(new, ColliderBuilder::ball(num(0.1)));
    world.step();
    assert_close(world.position(new).z, 0.1, 1e-5);
}
