//! What a user changes under sleepers. Cause of what was wrong: rapier wakes nobody for materials and gravity, and of
//! friction it says nothing.

use super::{G, World, assert_close, num, vec3};
use crate::{ContactMaterial, ModelName, Sleeping};
use rapier::prelude::*;

const H: f64 = 0.01;

/// A box asleep on a plate that is tilted about x by this angle, and the plate.
fn on_a_slope(angle: f64) -> (World, RigidBodyHandle, ColliderHandle) {
    let mut world = World::with_model(H, ModelName::Cone);
    world.pipeline.set_sleeping(Sleeping::Allowed);
    let turn = vec3(angle, 0.0, 0.0);
    let plate = ColliderBuilder::cuboid(num(5.0), num(5.0), num(0.5)).rotation(turn);
    let plate = world.colliders.insert(plate.friction(num(1.0)));
    let up = vec3(0.0, -angle.sin(), angle.cos());
    let body = RigidBodyBuilder::dynamic()
        .rotation(turn)
        .translation(up * num(0.6));
    let shape = ColliderBuilder::cuboid(num(0.2), num(0.2), num(0.1)).friction(num(1.0));
    let body = world.add(body, shape.mass(num(2.0)));
    world.run(100);
    assert!(world.bodies[body].is_sleeping());
    (world, body, plate)
}

/// Half a second of sliding without friction, from the first step on.
#[track_caller]
fn slides(world: &mut World, body: RigidBodyHandle, angle: f64) {
    let start = world.position(body);
    world.run(50);
    let way = (world.position(body) - start).norm();
    assert_close(way, G * angle.sin() * 0.5 * 0.51 / 2.0, 1e-3);
}

fn across(mu: f64) -> ContactMaterial {
    ContactMaterial {
        mu_across: Some(mu),
        ..ContactMaterial::default()
    }
}

#[test]
fn another_material_wakes_who_lies_on_it() {
    let angle = 0.3;
    let (mut world, body, _) = on_a_slope(angle);
    world.pipeline.set_material(across(0.0)).unwrap();
    slides(&mut world, body, angle);

    let (mut world, body, plate) = on_a_slope(angle);
    let own = Some(across(0.0));
    world.pipeline.set_collider_material(plate, own).unwrap();
    slides(&mut world, body, angle);

    let (mut world, body, _) = on_a_slope(angle);
    let shape = world.bodies[body].colliders()[0];
    world.pipeline.set_collider_material(shape, own).unwrap();
    slides(&mut world, body, angle);
}

/// The same material again changes nothing, nor does that of something else.
#[test]
fn what_is_no_change_wakes_nobody() {
    let (mut world, body, plate) = on_a_slope(0.3);
    let far = ColliderBuilder::ball(num(1.0)).translation(vec3(0.0, 0.0, 50.0));
    let far = world.colliders.insert(far);
    world.run(5);
    let same = *world.pipeline.material();
    world.pipeline.set_material(same).unwrap();
    world.pipeline.set_collider_material(plate, None).unwrap();
    let own = Some(across(0.0));
    world.pipeline.set_collider_material(far, own).unwrap();
    world.run(5);
    assert!(world.bodies[body].is_sleeping());
}

#[test]
fn another_gravity_wakes_everybody() {
    let (mut world, body, _) = on_a_slope(0.0);
    let start = world.position(body);
    // Steeper than friction holds: a (sin - mu cos) remains.
    world.gravity = vec3(0.8 * G, 0.0, -0.6 * G);
    world.run(50);
    let way = (world.position(body) - start).x;
    assert_close(way, 0.2 * G * 0.5 * 0.51 / 2.0, 1e-3);
}

/// Friction is rapier's to state, and it does not tell of a change: sleepers sleep on until they are woken.
#[test]
fn another_friction_acts_once_the_sleeper_is_woken() {
    let angle = 0.3;
    let (mut world, body, plate) = on_a_slope(angle);
    let shape = world.bodies[body].colliders()[0];
    for collider in [plate, shape] {
        world.colliders[collider].set_friction(num(0.0));
    }
    world.run(5);
    assert!(world.bodies[body].is_sleeping());
    world.bodies[body].wake_up(true);
    slides(&mut world, body, angle);
}

/// A lamp on an impulse joint falls once the joint is disabled through `get_mut` with its flag for waking.
#[test]
fn a_disabled_joint_lets_its_sleeper_fall() {
    let mut world = World::new(H);
    world.pipeline.set_sleeping(Sleeping::Allowed);
    let ceiling = world.bodies.insert(RigidBodyBuilder::fixed());
    let lamp = RigidBodyBuilder::dynamic().translation(vec3(0.0, 0.0, -1.0));
    let lamp = world.add(lamp, ColliderBuilder::ball(num(0.1)).mass(num(1.0)));
    let joint = SphericalJointBuilder::new().local_anchor2(vec3(0.0, 0.0, 1.0));
    let joint = world.impulse_joints.insert(ceiling, lamp, joint, true);
    world.run(120);
    assert!(world.bodies[lamp].is_sleeping());
    let hold = world.impulse_joints.get_mut(joint, true).unwrap();
    hold.data.set_enabled(false);
    world.run(20);
    assert_close(world.position(lamp).z, -1.0 - G * 0.2 * 0.21 / 2.0, 1e-3);
}
