//! Falling asleep and waking.

use super::{EPS, G, World, assert_close, num, vec3};
use crate::Sleeping;
use rapier::prelude::*;

fn world() -> World {
    let mut world = World::new(0.01);
    world.pipeline.set_sleeping(Sleeping::Allowed);
    world
}

fn cube_at(world: &mut World, x: f64, z: f64) -> RigidBodyHandle {
    let body = RigidBodyBuilder::dynamic().translation(vec3(x, 0.0, z));
    let shape = ColliderBuilder::cuboid(num(0.5), num(0.5), num(0.5)).mass(num(2.0));
    world.add(body, shape)
}

fn asleep(world: &World, body: RigidBodyHandle) -> bool {
    world.bodies[body].is_sleeping()
}

/// A stack of three on the ground at x.
fn stack(world: &mut World, x: f64) -> Vec<RigidBodyHandle> {
    (0..3)
        .map(|k| cube_at(world, x, 0.5 + f64::from(k)))
        .collect()
}

/// Still from the first step on, a stack sleeps once `time_until_sleep` has passed, not before, and leaves
/// rapier's active set soon after.
#[test]
fn a_stack_falls_asleep_after_half_a_second() {
    let mut world = world();
    world.ground();
    let bodies = stack(&mut world, 0.0);
    world.run(50);
    assert!(bodies.iter().all(|&b| !asleep(&world, b)));
    world.run(2);
    assert!(bodies.iter().all(|&b| asleep(&world, b)));
    let report = world.run(30);
    assert_eq!(report.solve.contacts, 0);
    assert_eq!(world.islands.num_active_bodies(), 0);
    for (k, body) in bodies.into_iter().enumerate() {
        assert_close(world.position(body).z, 0.5 + k as f64, 10.0 * EPS);
    }
}

#[test]
fn never_means_never() {
    let mut world = World::new(0.01);
    world.ground();
    let bodies = stack(&mut world, 0.0);
    let report = world.run(200);
    assert_eq!(report.solve.contacts, 12);
    assert!(bodies.iter().all(|&b| !asleep(&world, b)));
}

/// A body that may not sleep keeps those it touches awake, and no others.
#[test]
fn an_island_sleeps_as_a_whole() {
    let mut world = world();
    world.ground();
    let (kept, other) = (stack(&mut world, 0.0), stack(&mut world, 5.0));
    *world.bodies[kept[2]].activation_mut() = RigidBodyActivation::cannot_sleep();
    let report = world.run(100);
    assert!(kept.iter().all(|&b| !asleep(&world, b)));
    assert!(other.iter().all(|&b| asleep(&world, b)));
    assert_eq!(report.solve.contacts, 12);
    assert_eq!(world.islands.num_active_bodies(), 3);
}

/// A ball dropped onto a sleeping stack wakes all of it, and the first blow is that on a free body, not
/// on a wall: momentum is what gravity made of it.
#[test]
fn a_blow_wakes_the_stack_and_loses_no_momentum() {
    let mut world = world();
    world.gravity = Vector::ZERO;
    let bodies: Vec<_> = (0..2)
        .map(|k| cube_at(&mut world, 0.0, 0.5 + f64::from(k)))
        .collect();
    world.run(100);
    assert!(bodies.iter().all(|&b| asleep(&world, b)));
    assert_eq!(world.islands.num_active_bodies(), 0);
    let ball = RigidBodyBuilder::dynamic()
        .translation(vec3(0.0, 0.0, 3.0))
        .linvel(vec3(0.0, 0.0, -4.0));
    let ball = world.add(ball, ColliderBuilder::ball(num(0.25)).mass(num(2.0)));
    world.run(60);
    assert!(bodies.iter().all(|&b| !asleep(&world, b)));
    let momentum: f64 = bodies
        .iter()
        .chain([&ball])
        .map(|&b| 2.0 * world.linvel(b).z)
        .sum();
    assert_close(momentum, -8.0, 1e3 * EPS);
    // A plastic blow along the line of centres: all three go on together.
    for body in bodies {
        assert_close(world.linvel(body).z, -4.0 / 3.0, 1e4 * EPS);
    }
}

/// Every way of waking a body wakes what it rests on or hangs from.
#[test]
fn the_user_wakes_an_island_through_any_of_its_bodies() {
    for way in 0..4 {
        let mut world = world();
        let floor = world.ground();
        let bodies = stack(&mut world, 0.0);
        world.run(100);
        assert!(bodies.iter().all(|&b| asleep(&world, b)));
        match way {
            0 => world.islands.wake_up(&mut world.bodies, bodies[0], true),
            1 => world.bodies[bodies[2]].apply_impulse(vec3(0.0, 0.0, 1.0), true),
            2 => world.bodies[bodies[1]].wake_up(true),
            _ => {
                world.colliders.remove(
                    floor,
                    &mut world.islands,
                    &mut world.bodies,
                    &mut world.soft_bodies,
                    true,
                );
            }
        }
        let report = world.step();
        assert!(bodies.iter().all(|&b| !asleep(&world, b)), "way {way}");
        assert!(report.solve.contacts >= 8, "way {way}: {report:?}");
        if way == 3 {
            world.run(9);
            // Ten steps of free fall.
            let fall = G * 0.01 * 0.01 * 55.0;
            assert_close(world.position(bodies[0]).z, 0.5 - fall, 1e2 * EPS);
        }
    }
}

/// A platform that starts to move takes its sleeping load along from the first step on.
#[test]
fn a_kinematic_platform_wakes_its_load() {
    let mut world = world();
    let platform = RigidBodyBuilder::kinematic_velocity_based().translation(vec3(0.0, 0.0, -0.1));
    let shape = ColliderBuilder::cuboid(num(2.0), num(2.0), num(0.1));
    let platform = world.add(platform, shape);
    let flat = ColliderBuilder::cuboid(num(0.5), num(0.5), num(0.01)).mass(num(2.0));
    let load = RigidBodyBuilder::dynamic().translation(vec3(0.0, 0.0, 0.01));
    let load = world.add(load, flat);
    world.run(100);
    assert!(asleep(&world, load));
    world.bodies[platform].set_linvel(vec3(0.5, 0.0, 0.0), true);
    world.run(100);
    assert_close(world.position(load).x, 0.5, 1e3 * EPS);
    assert_close(world.position(load).z, 0.01, 1e3 * EPS);
    // A moving platform stays awake, and what it carries with it.
    assert!(!asleep(&world, load));
}

/// Bodies hanging from joints sleep and wake together.
#[test]
fn a_joint_passes_waking_on() {
    let mut world = world();
    let anchor = world.bodies.insert(RigidBodyBuilder::fixed());
    let mut above = anchor;
    let mut links = Vec::new();
    for k in 1..=3 {
        let body = RigidBodyBuilder::dynamic().translation(vec3(0.0, 0.0, -f64::from(k)));
        let link = world.add(body, ColliderBuilder::ball(num(0.1)).mass(num(1.0)));
        let joint = SphericalJointBuilder::new().local_anchor2(vec3(0.0, 0.0, 1.0));
        world.impulse_joints.insert(above, link, joint, true);
        above = link;
        links.push(link);
    }
    world.run(120);
    assert!(links.iter().all(|&b| asleep(&world, b)));
    world.bodies[links[2]].apply_impulse(vec3(0.1, 0.0, 0.0), true);
    world.step();
    assert!(links.iter().all(|&b| !asleep(&world, b)));
    world.run(20);
    for link in links {
        assert!(world.linvel(link).norm() > 1e-4);
    }
}

/// The links of a multibody on a fixed root share one sleep, whichever of them is still: here a heavy link that hangs at
/// rest above one that swings, and one that is put to sleep by hand. A link that slept alone would leave the
/// others to fall as free bodies do.
#[test]
fn a_multibody_on_a_fixed_root_sleeps_as_a_whole() {
    for by_hand in [false, true] {
        let mut world = world();
        let mut above = world.bodies.insert(RigidBodyBuilder::fixed());
        let links = [(0.0, 100.0), (-0.5, 0.1)].map(|(z, mass)| {
            let inertia = vec3(0.01, 0.01, 0.01) * num(mass);
            let mass = MassProperties::new(Vector::ZERO, num(mass), inertia);
            let body = RigidBodyBuilder::dynamic().additional_mass_properties(mass);
            let body = world.bodies.insert(body);
            let joint = RevoluteJointBuilder::new(Vector::X)
                .local_anchor1(vec3(0.0, 0.0, z))
                .local_anchor2(vec3(0.0, 0.0, 0.5));
            world.multibody_joints.insert(above, body, joint, true);
            above = body;
            body
        });
        world.settle_root(links[0]);
        let mut velocity = world.multibody(links[0]).generalized_velocity_mut();
        velocity[1] = num(3.0);
        let mut slept = 0;
        for step in 0..150 {
            if by_hand && step == 50 {
                world.bodies[links[0]].sleep();
            }
            world.step();
            let [first, second] = links.map(|link| asleep(&world, link));
            assert_eq!(first, second, "step {step}");
            slept += usize::from(first);
            let apart = world.position(links[1]) - world.position(links[0]);
            assert!(apart.norm() < 1.0 + EPS, "step {step}: {apart}");
            let speed = world.linvel(links[1]).norm();
            assert!(speed < 1.6, "step {step}: {speed} m/s of at most 1.5");
        }
        assert_eq!(slept, 0, "it swings on");
    }
}

/// A multibody sleeps as one body, and a new target of a drive wakes it, as does a new velocity.
#[test]
fn a_multibody_wakes_when_its_drives_get_new_targets() {
    let mut world = world();
    world.gravity = Vector::ZERO;
    let base = world.bodies.insert(RigidBodyBuilder::fixed());
    let arm = world.add(
        RigidBodyBuilder::dynamic(),
        ColliderBuilder::cuboid(num(0.5), num(0.1), num(0.1)).mass(num(1.0)),
    );
    let joint = RevoluteJointBuilder::new(Vector::Z)
        .local_anchor2(vec3(-0.5, 0.0, 0.0))
        .motor_position(num(0.0), num(100.0), num(20.0));
    world.multibody_joints.insert(base, arm, joint, true);
    world.settle_root(arm);
    world.run(100);
    assert!(asleep(&world, arm));
    let link = world.multibody(arm).links_mut().nth(1).unwrap();
    link.joint
        .data
        .set_motor_position(JointAxis::AngX, num(1.0), num(100.0), num(20.0));
    world.run(300);
    assert_close(world.coordinate(arm, 3), 1.0, 0.02);
    world.run(300);
    assert!(asleep(&world, arm));
    world
        .multibody(arm)
        .generalized_velocity_mut()
        .fill(num(0.3));
    world.step();
    assert!(!asleep(&world, arm));
    assert!(world.angvel(arm).norm() > 0.1);
}

/// What is put to sleep by hand stays where it is, in the air, until it is touched.
#[test]
fn a_body_put_to_sleep_by_hand_stays_asleep() {
    let mut world = world();
    let body = cube_at(&mut world, 0.0, 5.0);
    world.step();
    world.bodies[body].sleep();
    let at = world.position(body);
    world.run(60);
    assert!(asleep(&world, body));
    assert_eq!(world.position(body), at);
    let built = RigidBodyBuilder::dynamic().sleeping(true);
    let built = world.bodies.insert(built);
    world.run(60);
    assert!(asleep(&world, built));
}

/// Bodies that sleep and wake end where those end that never slept.
#[test]
fn a_nap_changes_nothing() {
    let run = |policy| {
        let mut world = world();
        world.pipeline.set_sleeping(policy);
        world.ground();
        let bodies = stack(&mut world, 0.0);
        world.run(100);
        world.bodies[bodies[1]].apply_impulse(vec3(1.0, 0.0, 0.0), true);
        world.run(100);
        bodies
            .into_iter()
            .map(|b| world.position(b))
            .collect::<Vec<_>>()
    };
    let (slept, awake) = (run(Sleeping::Allowed), run(Sleeping::Never));
    for (a, b) in slept.iter().zip(&awake) {
        assert!((a - b).norm() < 1e3 * EPS, "{a} {b}");
    }
}

/// A cube without weight that glides along x beside the stacks at y = 0, `gap` away from their faces.
fn passer(world: &mut World, from: f64, gap: f64) -> RigidBodyHandle {
    let body = RigidBodyBuilder::dynamic()
        .translation(vec3(from, 1.0 + gap, 0.7))
        .linvel(vec3(1.0, 0.0, 0.0))
        .gravity_scale(0.0);
    let shape = ColliderBuilder::cuboid(num(0.5), num(0.5), num(0.5)).mass(num(2.0));
    world.add(body, shape)
}

/// What passes 1 cm beside a sleeping stack, a box that touches rapier's boxes, lets it sleep; a touch
/// wakes it.
#[test]
fn a_passing_body_wakes_nobody_it_does_not_touch() {
    for (gap, touches) in [(0.01, false), (-0.005, true)] {
        let mut world = world();
        world.ground();
        let bodies = stack(&mut world, 0.0);
        world.run(100);
        let pass = passer(&mut world, -2.5, gap);
        let mut woke = false;
        let mut near = false;
        for _ in 0..400 {
            world.step();
            woke |= bodies.iter().any(|&b| !asleep(&world, b));
            let own = world.bodies[pass].colliders()[0];
            near |= world.narrow_phase.contact_pairs_with(own).next().is_some();
        }
        assert!(near, "rapier saw no pair");
        assert_eq!(woke, touches, "gap {gap}");
        if !touches {
            // 4 s at 1 m/s, and nothing in the way.
            assert_close(world.position(pass).x, 1.5, 1e3 * EPS);
        }
    }
}

/// What a stack lies on is taken away while something passes: it falls.
#[test]
fn a_passing_body_hides_no_change_below() {
    for remove in [false, true] {
        let mut world = world();
        let table = ColliderBuilder::cuboid(num(1.0), num(1.0), num(0.5));
        let table = table.translation(vec3(0.0, 0.0, -0.5));
        let table = world.colliders.insert(table);
        let bodies = stack(&mut world, 0.0);
        world.run(100);
        passer(&mut world, -0.5, 0.01);
        world.run(10);
        assert!(bodies.iter().all(|&b| asleep(&world, b)));
        if remove {
            let (colliders, islands) = (&mut world.colliders, &mut world.islands);
            colliders.remove(
                table,
                islands,
                &mut world.bodies,
                &mut world.soft_bodies,
                false,
            );
        } else {
            world.colliders[table].set_translation(vec3(0.0, 0.0, -0.75));
        }
        world.run(20);
        for (k, &body) in bodies.iter().enumerate() {
            assert!(!asleep(&world, body), "remove {remove}");
            let drop = 0.5 + k as f64 - world.position(body).z;
            // 0.2 s of free fall.
            assert_close(drop, G * 0.2 * 0.21 / 2.0, 1e-3);
        }
    }
}

/// A lamp that hangs asleep from a ceiling: what passes lets it sleep, a motor that starts meanwhile wakes it.
#[test]
fn a_passing_body_hides_no_motor() {
    for starts in [false, true] {
        let mut world = world();
        let lamp = RigidBodyBuilder::dynamic().translation(vec3(0.0, 0.0, 0.7));
        let shape = ColliderBuilder::cuboid(num(0.5), num(0.5), num(0.2)).mass(num(2.0));
        let lamp = world.add(lamp, shape);
        let ceiling = world.bodies.insert(RigidBodyBuilder::fixed());
        let hinge = RevoluteJointBuilder::new(Vector::new(0.0, 1.0, 0.0))
            .local_anchor1(vec3(0.0, 0.0, 1.7))
            .local_anchor2(vec3(0.0, 0.0, 1.0));
        let joint = world.impulse_joints.insert(ceiling, lamp, hinge, true);
        world.run(100);
        assert!(asleep(&world, lamp));
        passer(&mut world, -0.5, 0.01);
        world.run(10);
        assert!(asleep(&world, lamp));
        if starts {
            let joint = world.impulse_joints.get_mut(joint, true).unwrap();
            joint
                .data
                .set_motor_velocity(JointAxis::AngX, num(1.0), num(10.0));
        }
        world.run(5);
        assert_eq!(asleep(&world, lamp), !starts);
    }
}

/// Scene queries work right after the step that takes sleepers out of detection.
#[test]
fn rays_find_sleeping_bodies() {
    let mut world = world();
    world.ground();
    let bodies = stack(&mut world, 0.0);
    for step in 0..120 {
        world.step();
        let filter = QueryFilter::default();
        let dispatcher = world.narrow_phase.query_dispatcher();
        let query = world.broad_phase.as_query_pipeline(
            dispatcher,
            &world.bodies,
            &world.colliders,
            filter,
        );
        let ray = Ray::new(vec3(0.0, 0.0, 10.0), vec3(0.0, 0.0, -1.0));
        let (hit, toi) = query.cast_ray(&ray, num(100.0), true).unwrap();
        assert_eq!(
            world.colliders[hit].parent(),
            Some(bodies[2]),
            "step {step}"
        );
        assert_close(crate::base::convert::real(toi), 7.0, 1e2 * EPS);
    }
}
