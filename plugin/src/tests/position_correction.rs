//! Errors of position are put right without making velocities.

use super::{EPS, G, World, assert_close, num, vec3};
use crate::base::convert::real;
use nalgebra::Vector3;
use rapier::prelude::*;

fn cube(half: f64) -> ColliderBuilder {
    ColliderBuilder::cuboid(num(half), num(half), num(half)).density(num(100.0))
}

fn add(world: &mut World, at: [f64; 3], half: f64) -> RigidBodyHandle {
    let [x, y, z] = at;
    let body = RigidBodyBuilder::dynamic().translation(vec3(x, y, z));
    world.add(body, cube(half))
}

/// The deepest penetration as detection sees it.
fn depth(world: &World) -> f64 {
    let contacts = world.pipeline.contacts().iter();
    contacts.fold(0.0, |d, c| d.max(-c.gap))
}

/// Rest after a correction: what a contact is pushed out to, and where it may stay.
const AT_REST: f64 = 1e-5;

/// Cause: a penetration was pushed out by a velocity, and the velocity stayed. A box that lies 5 cm deep
/// rises by what it was deep, not higher, and is never faster than the fall of a step.
#[test]
fn a_deep_box_is_lifted_out_and_does_not_hop() {
    let mut world = World::new(1.0 / 60.0);
    world.ground();
    let body = add(&mut world, [0.0, 0.0, 0.45], 0.5);
    let mut last = 0.45;
    for _ in 0..90 {
        let report = world.step();
        let z = world.position(body).z;
        // Push-out cap, and no faster.
        assert!(z - last < 1.0 / 60.0 + 1e-6, "{}", z - last);
        assert!(z < 0.5 + 1e-3, "{z}");
        assert!(
            world.linvel(body).norm() <= 0.0101,
            "{}",
            world.linvel(body)
        );
        // Deeper than what counts as touching, but for round-off.
        let depth = (0.5 - last) / AT_REST;
        if !(0.9..=1.1).contains(&depth) {
            assert_eq!(report.relief.contacts > 0, depth > 1.0, "{last} {report:?}");
        }
        last = z;
    }
    assert_close(last, 0.5, AT_REST);
}

/// Cause: exact sticking together with a push against it makes torques without bound; cubes spawned half
/// into each other flew apart at 1,000 m/s.
#[test]
fn overlapping_spawns_come_apart_gently() {
    let mut world = World::new(1.0 / 60.0);
    world.ground();
    let mut bodies = Vec::new();
    for k in 0..12 {
        let (i, j) = (f64::from(k % 3), f64::from(k / 3));
        // Edges of 1 m, 0.5 m apart, turned so that nothing is aligned.
        let at = [0.45 * i, 0.4 * j, 0.6 + 0.3 * (i + j)];
        let [x, y, z] = at;
        let builder = RigidBodyBuilder::dynamic().translation(vec3(x, y, z));
        let turned = builder.rotation(vec3(0.1 * i, 0.2 * j, 0.3 * i));
        bodies.push(world.add(turned, cube(0.5)));
    }
    let mut fastest: f64 = 0.0;
    for _ in 0..600 {
        world.step();
        for body in &bodies {
            fastest = fastest.max(world.linvel(*body).norm());
        }
    }
    // The highest stands 2 m up and may fall from there, faster at its corners.
    assert!(fastest < 10.0, "{fastest}");
    assert!(depth(&world) < 1e-3, "{}", depth(&world));
}

/// Cause: a pusher that moves as prescribed against a box between it and a wall contradicts itself under
/// exact sticking; the box left at any speed. Nothing gives, so it is relaxed, and said.
#[test]
fn a_box_crushed_between_pusher_and_wall_stays_slow() {
    let mut peaks: Vec<f64> = (0..12)
        .map(|k| crushed(0.6 + 0.002 * f64::from(k)))
        .collect();
    peaks.sort_by(f64::total_cmp);
    // It leaves sideways like a squeezed seed, by one edge after another, and which one is chance: half of them at six times
    // the pusher's speed at most.
    assert!(peaks[5] < 3.0, "{peaks:?}");
    assert!(peaks[11] < 10.0, "{peaks:?}");
}

/// The largest speed of a box that a pusher at some height presses against a wall \[m/s\].
fn crushed(height: f64) -> f64 {
    let mut world = World::new(1.0 / 60.0);
    world.ground();
    let wall = ColliderBuilder::cuboid(num(0.5), num(5.0), num(5.0));
    world
        .colliders
        .insert(wall.translation(vec3(1.5, 0.0, 0.0)));
    let body = add(&mut world, [0.4, 0.1, 0.5], 0.5);
    let pusher = RigidBodyBuilder::kinematic_velocity_based()
        .linvel(vec3(0.5, 0.0, 0.0))
        .translation(vec3(-1.0, 0.0, height));
    world.add(pusher, cube(0.3));
    let (mut relaxed, mut fastest) = (0, 0.0_f64);
    for _ in 0..150 {
        let report = world.step();
        relaxed += usize::from(report.solve.relaxed > 0.1);
        let (v, w) = (world.linvel(body).norm(), world.angvel(body).norm());
        assert!(w < 10.0, "{w}");
        fastest = fastest.max(v);
        // Its own size and a quarter.
        let off = (world.position(body) - Vector3::new(0.4, 0.0, 0.5)).norm();
        assert!(off < 1.25, "{off}");
    }
    // The pusher reaches it after 0.6 m, and it the wall after 0.1 m more: of 66 steps after that, what does not tip
    // out of the way is told in a third and more.
    assert!(relaxed > 22, "{relaxed}");
    fastest
}

/// Cause: links stretched straight between two fixed points can't move sideways, but their rows, taken at
/// the straight pose, let them: dependent to first order, not to second. What rates and
/// curvature asked for then differed by next to nothing times a reciprocal of next to nothing.
#[test]
fn a_string_pulled_straight_does_not_blow_up() {
    let mut world = World::new(1.0 / 60.0);
    let end = |world: &mut World, x| {
        let fixed = RigidBodyBuilder::fixed().translation(vec3(x, 0.0, 0.0));
        world.bodies.insert(fixed)
    };
    let links = 4;
    let mut last = end(&mut world, 0.0);
    let mut bodies = Vec::new();
    let mut joints = Vec::new();
    for k in 1..=links {
        let next = if k == links {
            end(&mut world, f64::from(links))
        } else {
            let at = RigidBodyBuilder::dynamic().translation(vec3(f64::from(k), 0.0, 0.0));
            let body = world.add(at, ColliderBuilder::ball(num(0.2)).density(num(100.0)));
            bodies.push(body);
            body
        };
        let joint = SphericalJointBuilder::new().local_anchor1(vec3(1.0, 0.0, 0.0));
        joints.push(world.impulse_joints.insert(last, next, joint, true));
        last = next;
    }
    let mut fastest: f64 = 0.0;
    let mut widest: f64 = 0.0;
    for _ in 0..600 {
        world.step();
        for body in &bodies {
            fastest = fastest.max(world.linvel(*body).norm());
        }
        for joint in &joints {
            widest = widest.max(super::impulse_joints::opening(&world, *joint));
        }
    }
    // A step of free fall, and what it stretches the links by: (h^2 g)^2 / 2 per metre.
    assert!(fastest < 3.0 * G / 60.0, "{fastest}");
    assert!(widest < 2e-5, "{widest:e}");
    for (k, body) in bodies.iter().enumerate() {
        let off = world.position(*body) - Vector3::new(k as f64 + 1.0, 0.0, 0.0);
        assert!(off.norm() < 0.02, "{off}");
    }
}

/// Cause: neighbours of a chain touch by rapier's default, their round ends overlap where the joint is; pushing them
/// apart turned the links by any angle and opened joints by metres.
#[test]
fn what_a_joint_holds_overlapping_is_not_pushed_apart() {
    let mut world = World::new(1.0 / 60.0);
    world.gravity = Vector::ZERO;
    let capsule = || ColliderBuilder::capsule_x(num(0.15), num(0.08)).density(num(1000.0));
    let links = [0.0, 0.3, 0.6].map(|x| {
        let at = RigidBodyBuilder::dynamic().translation(vec3(x, 0.0, 0.0));
        world.add(at, capsule())
    });
    let joints = [0, 1].map(|k| {
        let joint = SphericalJointBuilder::new()
            .local_anchor1(vec3(0.15, 0.0, 0.0))
            .local_anchor2(vec3(-0.15, 0.0, 0.0));
        (world.impulse_joints).insert(links[k], links[k + 1], joint, true)
    });
    for _ in 0..60 {
        let report = world.step();
        assert_eq!(report.relief.contacts, 0);
        assert_eq!(report.solve.contacts, 0);
    }
    for (k, link) in links.iter().enumerate() {
        let off = world.position(*link) - Vector3::new(0.3 * k as f64, 0.0, 0.0);
        assert!(off.norm() < 1e-5, "{off}");
    }
    for joint in joints {
        assert!(super::impulse_joints::opening(&world, joint) < 1e-6);
    }
}

/// The correction is the only motion of a body that nothing else moves: it comes to rest where the
/// surfaces touch, at the share K per step.
#[test]
fn a_depth_falls_by_its_share_per_step() {
    let mut world = World::new(0.01);
    world.gravity = Vector::ZERO;
    world.ground();
    let ball = ColliderBuilder::ball(num(0.5));
    let body = RigidBodyBuilder::dynamic().translation(vec3(0.0, 0.0, 0.48));
    let body = world.add(body, ball);
    for step in 1..=15 {
        world.step();
        let left = 0.5 - world.position(body).z;
        // A penalty of 0.03 leaves so much of the push.
        let share = 0.2 / 1.03;
        assert_close(left, 0.02 * (1.0 - share).powi(step), 10.0 * EPS);
        assert_eq!(real(world.bodies[body].linvel().length()), 0.0);
    }
}

/// Rods in a row on spherical joints, without gravity, turning at some speed \[rad/s\].
fn rods(world: &mut World, x: f64, speed: f64) -> Vec<RigidBodyHandle> {
    let mut rods: Vec<RigidBodyHandle> = Vec::new();
    for k in 0..4 {
        let side = if k % 2 == 0 { speed } else { -speed };
        let rod = RigidBodyBuilder::dynamic()
            .additional_mass_properties(MassProperties::new(
                Vector::ZERO,
                num(1.0),
                vec3(0.01, 0.08, 0.08),
            ))
            .gravity_scale(num(0.0))
            .angvel(vec3(0.3 * speed, side, 0.7 * speed))
            .translation(vec3(x + f64::from(k), 0.0, 5.0));
        let rod = world.bodies.insert(rod);
        if let Some(&last) = rods.last() {
            let joint = SphericalJointBuilder::new()
                .local_anchor1(vec3(0.5, 0.0, 0.0))
                .local_anchor2(vec3(-0.5, 0.0, 0.0));
            world.impulse_joints.insert(last, rod, joint, true);
        }
        rods.push(rod);
    }
    rods
}

/// Cause: one loop over all joints of the world decided how often and how firmly each of them was corrected. Rods that turn slowly
/// move alone as beside others that turn fast and take more solves, to the last bit.
#[test]
fn the_correction_of_an_island_does_not_depend_on_others() {
    let mut alone = World::new(1.0 / 60.0);
    let slow = rods(&mut alone, 0.0, 1.0);
    let mut beside = World::new(1.0 / 60.0);
    let same = rods(&mut beside, 0.0, 1.0);
    rods(&mut beside, 100.0, 8.0);
    let mut more = false;
    for _ in 0..30 {
        let [one, two] = [&mut alone, &mut beside].map(World::step);
        assert_eq!([one.substeps, two.substeps], [1, 1]);
        more |= two.relief.solves > one.relief.solves;
        for (a, b) in slow.iter().zip(&same) {
            let pose = |world: &World, body: &RigidBodyHandle| *world.bodies[*body].position();
            assert_eq!(pose(&alone, a), pose(&beside, b));
        }
    }
    assert!(more, "no island took more solves than another");
}
