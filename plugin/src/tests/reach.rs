//! How far bodies may approach each other in a step: the distance within which contacts are looked for.

use super::{World, assert_close, num, vec3};
use crate::hooks::{Answers, Once};
use crate::reach::{Frame, Reach};
use nalgebra::Vector3;
use rapier::prelude::*;

const H: f64 = 0.01;

fn reach(world: &mut World) -> f64 {
    let mut reach = Reach::default();
    let frame = Frame {
        gravity: Vector3::zeros(),
        h: H,
        prediction: 0.02,
        apart: true,
    };
    let hooks = Once::new(&(), Answers::default());
    reach.survey(&world.borrowed(&hooks), frame);
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
        // Nothing is left out before the engine has looked at the body.
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
