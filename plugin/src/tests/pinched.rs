//! Penetrations that sticking does not let push out.

use super::{EPS, World, assert_close, num, vec3};
use rapier::prelude::*;

/// Round-off of heights of 5 m [m].
const HEIGHT: f64 = if size_of::<Real>() == 4 { 1e-6 } else { 1e-14 };

/// A ball of radius 0.5 m in a valley with walls at 45 degrees along y, `depth` deep in both walls.
fn ball_in_a_valley(world: &mut World, depth: f64) -> RigidBodyHandle {
    for side in [1.0, -1.0] {
        let normal = vec3(side, 0.0, 1.0).normalize();
        let wall = ColliderBuilder::halfspace(rapier::na::Unit::new_unchecked(normal));
        world.colliders.insert(wall);
    }
    let height = 2.0_f64.sqrt() * (0.5 - depth);
    let body = RigidBodyBuilder::dynamic().translation(vec3(0.0, 0.0, height));
    world.add(body, ColliderBuilder::ball(num(0.5)).mass(num(1.0)))
}

/// A cube of 1 m that lies `depth` deep in a table high above the valley.
fn cube_on_a_table(world: &mut World, depth: f64) -> RigidBodyHandle {
    let table = ColliderBuilder::cuboid(num(1.0), num(1.0), num(0.5));
    world
        .colliders
        .insert(table.translation(vec3(0.0, 10.0, 4.5)));
    let body = RigidBodyBuilder::dynamic().translation(vec3(0.0, 10.0, 5.5 - depth));
    let cube = ColliderBuilder::cuboid(num(0.5), num(0.5), num(0.5));
    world.add(body, cube.mass(num(1.0)))
}

fn deepest(world: &World) -> f64 {
    let contacts = world.pipeline.contacts().iter();
    contacts.fold(0.0, |deepest, c| deepest.max(-c.gap))
}

/// Sticking at both walls means `(c1 - c2) . (v1 - v2) = 0` for the two points of a rigid ball, and what pushes
/// both out at the speed g asks for `2 r g = 0`: it can't be had. Cause: every step was solved twice for
/// ever, what touched nothing of the valley lost its push as well, and was left where it was.
#[test]
fn a_pinched_ball_costs_one_step_a_second_solve_and_the_others_nothing() {
    let mut world = World::new(0.01);
    let ball = ball_in_a_valley(&mut world, 1e-4);
    let cube = cube_on_a_table(&mut world, 1e-4);
    let first = world.step();
    assert_eq!(first.solve.fallbacks, 1, "{first:?}");
    assert_eq!(first.solve.relaxed, 0.0, "{first:?}");
    for contact in world.pipeline.contacts() {
        let of_ball = contact.point.bodies.contains(&Some(ball));
        assert_eq!(contact.deep, of_ball, "{contact:?}");
    }
    // A fifth of the depth a step, as far as heights are known.
    assert_close(world.linvel(cube).z, 0.2 * 1e-4 / 0.01, 0.2 * HEIGHT / 0.01);
    for step in 1..100 {
        let report = world.step();
        assert_eq!(report.solve.fallbacks, 0, "step {step}: {report:?}");
    }
    assert!(deepest(&world) <= EPS.max(1e-9), "{}", deepest(&world));
    assert!(world.linvel(ball).norm() < EPS, "{}", world.linvel(ball));
}

/// A body that left the valley is pushed by velocities again.
#[test]
fn a_body_does_not_stay_pinched() {
    let mut world = World::new(0.01);
    let ball = ball_in_a_valley(&mut world, 1e-4);
    cube_on_a_table(&mut world, 0.0);
    world.step();
    world.run(100);
    // Onto the cube on the table, a little too deep.
    let above = vec3(0.0, 10.0, 6.5 - 1e-5);
    world.bodies[ball].set_translation(above, true);
    world.bodies[ball].set_linvel(vec3(0.0, 0.0, 0.0), true);
    world.step();
    let contacts = world.pipeline.contacts().iter();
    let own: Vec<_> = contacts
        .filter(|c| c.point.bodies.contains(&Some(ball)))
        .collect();
    assert!(own.len() == 1 && own[0].is_pushed(), "{own:?}");
}
