//! A step of `dt = 0` was an error; rapier's own applies changes and moves nothing.

use super::busy::{H, MODELS, bits, scene};
use super::{World, num, vec3};
use rapier::prelude::*;

/// Poses, velocities, impulses and timers stay as they are, bit for bit.
#[test]
fn nothing_moves_in_a_pause() {
    for &model in MODELS {
        let mut world = scene(model);
        for _ in 0..60 {
            world.params.dt = num(H);
            world.try_step(&()).unwrap();
            let before = bits(&world);
            world.params.dt = 0.0;
            for _ in 0..2 {
                world.try_step(&()).unwrap();
                assert_eq!(before, bits(&world), "{model}");
            }
        }
    }
}

/// A ball that falls and lands on the ground does so with or without pauses, bit for bit.
#[test]
fn motion_goes_on_after_a_pause() {
    let run = |pauses: usize| {
        let mut world = World::new(0.01);
        let ground = ColliderBuilder::cuboid(num(5.0), num(5.0), num(0.5));
        world.colliders.insert(ground);
        let body = RigidBodyBuilder::dynamic().translation(vec3(0.0, 0.0, 1.0));
        world.add(body, ColliderBuilder::ball(num(0.1)));
        let step = |_| {
            world.params.dt = num(0.01);
            world.try_step(&()).unwrap();
            world.params.dt = 0.0;
            for _ in 0..pauses {
                world.try_step(&()).unwrap();
            }
            bits(&world)
        };
        (0..60).map(step).collect::<Vec<_>>()
    };
    assert_eq!(run(0), run(3));
}

/// What the user moves while nothing else does is where queries and contacts see it.
#[test]
fn changes_are_seen_in_a_pause() {
    let mut world = World::new(0.01);
    let body = RigidBodyBuilder::dynamic().translation(vec3(0.0, 0.0, 1.0));
    let ball = world.add(body, ColliderBuilder::ball(num(0.1)));
    world.try_step(&()).unwrap();
    let speed = world.bodies[ball].linvel();
    world.params.dt = 0.0;
    world.bodies[ball].set_translation(vec3(5.0, 0.0, 1.0), true);
    world.try_step(&()).unwrap();
    assert_eq!(world.bodies[ball].translation(), vec3(5.0, 0.0, 1.0));
    assert_eq!(world.bodies[ball].linvel(), speed);
    let query = world.broad_phase.as_query_pipeline(
        world.narrow_phase.query_dispatcher(),
        &world.bodies,
        &world.colliders,
        QueryFilter::default(),
    );
    let down = Ray::new(vec3(5.0, 0.0, 3.0), vec3(0.0, 0.0, -1.0));
    let hit = query.cast_ray(&down, num(10.0), true).map(|hit| hit.1);
    assert!(
        hit.is_some_and(|at| (at - num(1.9)).abs() < num(1e-5)),
        "{hit:?}"
    );
}
