//! Non-finite bodies are set aside, and the rest of the world goes on.

use super::{G, World, assert_close, num, vec3};
use crate::Sleeping;
use rapier::prelude::*;

fn ball(world: &mut World, x: f64) -> RigidBodyHandle {
    let builder = RigidBodyBuilder::dynamic().translation(vec3(x, 0.0, 1.0));
    world.add(builder, ColliderBuilder::ball(num(0.1)))
}

/// What spoils a body.
type Spoil = fn(&mut RigidBody);

const SPOILS: [(&str, Spoil); 7] = [
    ("pose", |rb| rb.set_translation(nan(), true)),
    ("infinite pose", |rb| {
        rb.set_translation(nan() * num(0.0) + Vector::X * num(f64::INFINITY), true);
    }),
    ("velocity", |rb| rb.set_linvel(nan(), true)),
    ("spin", |rb| rb.set_angvel(nan(), true)),
    ("force", |rb| rb.add_force(nan(), true)),
    ("torque", |rb| rb.add_torque(nan(), true)),
    ("mass", |rb| rb.set_additional_mass(num(-1e3), true)),
];

fn nan() -> Vector {
    vec3(f64::NAN, 0.0, 0.0)
}

/// One bad body of three: the others fall on as if it were not there; it is disabled, named once, and can be
/// brought back. A body in contact with it stands on the floor below it in the end.
#[test]
fn a_bad_body_is_set_aside_and_the_others_go_on() {
    for (name, spoil) in SPOILS {
        let mut world = World::new(0.01);
        world.ground();
        let good = ball(&mut world, 0.0);
        let bad = ball(&mut world, 1.0);
        let above = ball(&mut world, 1.0);
        world.bodies[above].set_translation(vec3(1.0, 0.0, 1.2), true);
        world.run(3);
        assert!(world.pipeline.quarantined().is_empty());
        spoil(&mut world.bodies[bad]);
        let report = world.try_step(&()).unwrap();
        assert!(report.solve.status.is_usable(), "{name}");
        assert_eq!(world.pipeline.quarantined(), [bad], "{name}");
        assert!(!world.bodies[bad].is_enabled(), "{name}");
        assert!(world.bodies[bad].vels().is_zero(), "{name}");
        // v = -g n h after n steps, z = z0 - g h^2 n (n + 1)/2.
        assert_close(world.linvel(good).z, -G * 0.04, 1e-5);
        assert_close(world.position(good).z, 1.0 - G * 1e-4 * 10.0, 1e-5);
        world.run(100);
        assert!(world.pipeline.quarantined().is_empty(), "{name}");
        for body in [good, above] {
            assert_close(world.position(body).z, 0.1, 1e-3);
        }
        // Put right, it takes part again.
        let rb = &mut world.bodies[bad];
        rb.set_additional_mass(num(0.0), true);
        rb.set_position(Pose::from_translation(vec3(3.0, 0.0, 0.5)), true);
        rb.set_enabled(true);
        world.run(100);
        assert_close(world.position(bad).z, 0.1, 1e-3);
    }
}

/// Colliders whose shape is no number are disabled as by rapier, their bodies go on.
#[test]
fn a_bad_collider_is_disabled() {
    let mut world = World::new(0.01);
    let body = ball(&mut world, 0.0);
    let collider = world.bodies[body].colliders()[0];
    world.run(2);
    world.colliders[collider].set_shape(SharedShape::ball(num(f64::NAN)));
    world.try_step(&()).unwrap();
    assert_eq!(world.pipeline.quarantined_colliders(), [collider]);
}

/// Friction that is no number is none; a contact stays one.
#[test]
fn coefficients_out_of_range_are_brought_into_it() {
    for (friction, restitution) in [(f64::NAN, 0.0), (-1.0, 0.0), (0.5, f64::NAN), (0.5, 7.0)] {
        let mut world = World::new(0.01);
        world.ground();
        let body = ball(&mut world, 0.0);
        let collider = world.bodies[body].colliders()[0];
        world.colliders[collider].set_friction(num(friction));
        world.colliders[collider].set_restitution(num(restitution));
        for _ in 0..100 {
            world.try_step(&()).unwrap();
        }
        let z = world.position(body).z;
        assert!((0.09..1.01).contains(&z), "{friction} {restitution}: {z}");
    }
}

pub(super) fn arm(world: &mut World, link_mass: f64) -> [RigidBodyHandle; 2] {
    let root = world.bodies.insert(RigidBodyBuilder::fixed());
    let link = RigidBodyBuilder::dynamic().additional_mass(num(link_mass));
    let link = world.bodies.insert(link);
    let joint = PrismaticJointBuilder::new(Vector::X);
    world
        .multibody_joints
        .insert(root, link, joint, true)
        .unwrap();
    world.settle_root(root);
    world.multibody(root).damping_mut().fill(num(0.0));
    [root, link]
}

/// Links of a multibody are set aside together, whatever of it is bad; the rest of the world goes on.
#[test]
fn a_bad_link_takes_its_multibody_along() {
    let spoils: [fn(&mut World, [RigidBodyHandle; 2]); 4] = [
        |world, [_, link]| world.bodies[link].add_force(nan(), true),
        |world, [root, _]| {
            let mut speeds = world.multibody(root).generalized_velocity_mut();
            speeds.fill(num(f64::NAN));
        },
        |world, [root, _]| world.multibody(root).apply_displacements(&[num(f64::NAN)]),
        |world, [_, link]| world.bodies[link].set_additional_mass(num(-2.0), true),
    ];
    for (k, spoil) in spoils.into_iter().enumerate() {
        let mut world = World::new(0.01);
        world.ground();
        let bad = arm(&mut world, 1.0);
        let [_, good] = arm(&mut world, 1.0);
        let fall = ball(&mut world, 5.0);
        world.multibody(good).generalized_velocity_mut()[0] = num(1.0);
        world.run(2);
        spoil(&mut world, bad);
        world.try_step(&()).unwrap();
        let mut out = world.pipeline.quarantined().to_vec();
        out.sort_by_key(|handle| handle.into_raw_parts());
        assert_eq!(out, bad, "{k}");
        for _ in 0..97 {
            world.try_step(&()).unwrap();
            assert!(world.pipeline.quarantined().is_empty());
        }
        assert_close(world.coordinate(good, 0), 1.0, 1e-5);
        assert_close(world.position(fall).z, 0.1, 1e-3);
    }
}

/// A rod without inertia about its own axis turns about the others and not about that one.
#[test]
fn a_thin_rod_is_stepped() {
    let mut world = World::new(0.01);
    let inertia = vec3(0.0, 1.0, 1.0);
    let mass = MassProperties::new(Vector::ZERO, num(1.0), inertia);
    let rod = RigidBodyBuilder::dynamic()
        .additional_mass_properties(mass)
        .angvel(vec3(0.0, 2.0, 0.0));
    let rod = world.bodies.insert(rod);
    world.run(10);
    assert!(world.pipeline.quarantined().is_empty());
    assert_close(world.angvel(rod).y, 2.0, 1e-6);
}
/// A multibody joint that rapier refuses leaves a multibody of one link behind (docs/upstream/refused_joint.md). Its body is free: it
/// falls, comes to rest and sleeps, is a link of the joints that it gets later, and may be removed.
#[test]
fn a_body_of_a_refused_joint_is_free() {
    let mut world = World::new(0.01);
    world.pipeline.set_sleeping(Sleeping::Allowed);
    world.ground();
    let [a, b, c, d, e] = [0.0, 3.0, 6.0, 9.0, 12.0].map(|x| ball(&mut world, x));
    let joint = || FixedJointBuilder::new().local_anchor2(vec3(-3.0, 0.0, 0.0));
    let joints = &mut world.multibody_joints;
    joints.insert(a, b, joint(), true).unwrap();
    for refused in [c, e] {
        assert!(joints.insert(refused, b, joint(), true).is_none());
    }
    world.run(10);
    assert!(world.pipeline.quarantined().is_empty());
    for body in [c, e] {
        assert_close(world.linvel(body).z, -G * 0.1, 1e-5);
        assert_close(world.position(body).z, 1.0 - G * 0.5 * 0.1 * 0.11, 1e-5);
    }
    world.run(400);
    assert_close(world.position(e).z, 0.1, 1e-4);
    assert!(world.bodies[e].is_sleeping());
    world.remove(e);
    let joints = &mut world.multibody_joints;
    joints.insert(c, d, joint(), true).unwrap();
    world.bodies[c].set_translation(vec3(6.0, 0.0, 2.0), true);
    world.run(10);
    for body in [c, d] {
        let fallen = 2.0 - world.position(body).z;
        assert_close(fallen, G * 0.5 * 0.1 * 0.11, 1e-2);
    }
    assert!(world.pipeline.quarantined().is_empty());
}
