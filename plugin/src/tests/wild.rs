//! Bounces and pushes are not multiplied by lever arms.

use super::{World, num, vec3};
use rapier::prelude::*;

const H: f64 = 1.0 / 60.0;

/// A cube of 1 m and 100 kg that stands on the ground and moves along x with 1 m/s against a rail that
/// touches it from 1 to 2 mm above the ground.
fn against_a_rail(restitution: f64) -> (World, RigidBodyHandle) {
    let mut world = World::new(H);
    world.ground();
    let rail = ColliderBuilder::cuboid(num(0.5), num(1.0), num(5e-4));
    let rail = rail.translation(vec3(1.0, 0.0, 1.5e-3));
    world.colliders.insert(rail);
    let cube = RigidBodyBuilder::dynamic()
        .translation(vec3(0.0, 0.0, 0.5))
        .linvel(vec3(1.0, 0.0, 0.0))
        .can_sleep(false);
    let half = num(0.5);
    let shape = ColliderBuilder::cuboid(half, half, half).density(num(100.0));
    let body = world.add(cube, shape.restitution(num(restitution)));
    (world, body)
}

/// Cause: corners that stick let the cube leave the rail only by turning about its lower edge. To do
/// so at `e v = 0.5 m/s` one millimetre above it takes 500 rad/s: the cube flew away with a thousand
/// times its energy. It stops instead; sticking corners and a rail that hold it leave no other end.
#[test]
fn a_bounce_off_a_low_rail_makes_no_energy() {
    let (mut world, body) = against_a_rail(1.0);
    let report = world.step();
    assert!(report.solve.fallbacks > 0, "{report:?}");
    for _ in 0..60 {
        world.step();
        let (v, w) = (world.linvel(body).norm(), world.angvel(body).norm());
        assert!(v < 1.0 && w < 1.0, "{v} m/s, {w} rad/s");
    }
    let at = world.position(body);
    assert!((at.z - 0.5).abs() < 1e-3 && at.x.abs() < 1e-2, "{at}");
}

/// Away from the ground the same impact is an ordinary one, and bounces as its coefficient says: a cube in
/// free flight meets a wall with its whole face.
#[test]
fn a_bounce_that_nothing_multiplies_is_left_alone() {
    let mut world = World::new(H);
    let wall = ColliderBuilder::cuboid(num(0.5), num(5.0), num(5.0)).restitution(num(0.5));
    world
        .colliders
        .insert(wall.translation(vec3(1.0, 0.0, 50.0)));
    let cube = RigidBodyBuilder::dynamic()
        .translation(vec3(0.0, 0.0, 50.0))
        .linvel(vec3(1.0, 0.0, 0.0));
    let half = num(0.5);
    let shape = ColliderBuilder::cuboid(half, half, half).restitution(num(0.5));
    let body = world.add(cube, shape);
    let report = world.step();
    assert_eq!(report.solve.fallbacks, 0, "{report:?}");
    assert!(
        (world.linvel(body).x + 0.5).abs() < 1e-5,
        "{}",
        world.linvel(body)
    );
}

/// A cube of 1 m that nothing pulls, 10 um inside whatever is beside it.
fn floating_cube(world: &mut World) -> RigidBodyHandle {
    world.gravity = vec3(0.0, 0.0, 0.0);
    let half = num(0.5);
    let shape = ColliderBuilder::cuboid(half, half, half).density(num(100.0));
    world.add(RigidBodyBuilder::dynamic(), shape)
}

/// What a paddle asks for counts: the push out of 10 um alone would account for 0.1 mm/s.
#[test]
fn a_paddle_is_no_lever() {
    let mut world = World::new(H);
    let cube = floating_cube(&mut world);
    let paddle = RigidBodyBuilder::kinematic_velocity_based()
        .linvel(vec3(2.0, 0.0, 0.0))
        .translation(vec3(-1.0 + 1e-5, 0.0, 0.0));
    let half = num(0.5);
    world.add(paddle, ColliderBuilder::cuboid(half, half, half));
    let report = world.step();
    assert_eq!(report.solve.fallbacks, 0, "{report:?}");
    assert!((world.linvel(cube).x - 2.0).abs() < 1e-3);
}

/// What a motor asks for counts, too: it takes the cube off the wall it is pushed out of.
#[test]
fn a_motor_is_no_lever() {
    let mut world = World::new(H);
    let cube = floating_cube(&mut world);
    let wall = ColliderBuilder::cuboid(num(0.5), num(2.0), num(2.0));
    (world.colliders).insert(wall.translation(vec3(-1.0 + 1e-5, 0.0, 0.0)));
    let rail = world.bodies.insert(RigidBodyBuilder::fixed());
    let joint = PrismaticJointBuilder::new(Vector::X).motor_velocity(num(2.0), num(1e6));
    world.impulse_joints.insert(rail, cube, joint, true);
    let report = world.step();
    assert_eq!(report.solve.fallbacks, 0, "{report:?}");
    assert!((world.linvel(cube).x - 2.0).abs() < 1e-2);
}
