//! Sizes and places beyond reason: an error, or a step that ends soon with numbers that are finite.

use super::{World, num, vec3};
use crate::{Sleeping, StepError};
use rapier::prelude::*;
use std::time::{Duration, Instant};

/// The longest that any step here may take.
const SOON: Duration = Duration::from_secs(1);

/// A cube of 1 m at some place.
fn cube(world: &mut World, at: [f64; 3]) -> RigidBodyHandle {
    let [x, y, z] = at;
    let body = RigidBodyBuilder::dynamic().translation(vec3(x, y, z));
    world.add(body, ColliderBuilder::cuboid(num(0.5), num(0.5), num(0.5)))
}

/// Steps, and looks at time and numbers of each step.
fn run(world: &mut World, what: &str) {
    for _ in 0..20 {
        let start = Instant::now();
        world.try_step(&()).unwrap();
        assert!(start.elapsed() < SOON, "{what}: {:?}", start.elapsed());
        for (_, rb) in world.bodies.iter() {
            let is_finite = rb.position().is_finite() && rb.vels().is_finite();
            assert!(is_finite, "{what}: {:?}", rb.position());
        }
    }
}

/// A cube that is dropped on what is there once it stands in f32's reach falls onto it and stays: here a mesh of two
/// triangles that cover 10^9 m, and a box of that size.
#[test]
fn grounds_of_a_million_kilometres_carry() {
    let far = 1e9;
    let corners = [[-far, -far], [far, -far], [far, far], [-far, far]];
    let corners = corners.map(|[x, y]| vec3(x, y, 0.0)).to_vec();
    let mesh = ColliderBuilder::trimesh(corners, vec![[0, 1, 2], [0, 2, 3]]).unwrap();
    let cuboid = ColliderBuilder::cuboid(num(far), num(far), num(1.0));
    for (ground, what) in [
        (mesh, "mesh"),
        (cuboid.translation(vec3(0.0, 0.0, -1.0)), "box"),
    ] {
        let mut world = World::new(0.01);
        world.colliders.insert(ground);
        let bodies = [0.0, 3.0, 6.0].map(|x| cube(&mut world, [x, 1.0, 0.51]));
        run(&mut world, what);
        for body in bodies {
            let z = world.position(body).z;
            assert!((0.4..0.52).contains(&z), "{what}: {z}");
        }
    }
}

/// A ball of 10^9 m, which f32 places to 64 m, under cubes.
#[test]
fn a_ball_of_a_million_kilometres_is_stepped() {
    let mut world = World::new(0.01);
    let planet = ColliderBuilder::ball(num(1e9)).translation(vec3(0.0, 0.0, -1e9));
    world.colliders.insert(planet);
    for x in [0.0, 3.0] {
        cube(&mut world, [x, 0.0, 0.51]);
    }
    run(&mut world, "planet");
}

/// Specks of 10^-9 m beside cubes, on the ground and on each other: in f32 they have no inertia.
#[test]
fn specks_of_a_nanometre_are_stepped() {
    let mut world = World::new(0.01);
    world.ground();
    cube(&mut world, [0.0, 0.0, 0.5]);
    for k in 0..4 {
        for shape in [
            ColliderBuilder::ball(num(1e-9)),
            ColliderBuilder::cuboid(num(1e-9), num(1e-9), num(1e-9)),
        ] {
            let at = vec3(2.0 + f64::from(k / 2), 0.0, 1e-9 * f64::from(k));
            world.add(RigidBodyBuilder::dynamic().translation(at), shape);
        }
    }
    run(&mut world, "specks");
}

/// Ten thousand kilometres away, where f32 has no places between metres.
#[test]
fn far_from_the_origin_bodies_are_stepped() {
    let mut world = World::new(0.01);
    let ground = ColliderBuilder::cuboid(num(50.0), num(50.0), num(1.0));
    world
        .colliders
        .insert(ground.translation(vec3(1e7, -1e7, -1.0)));
    for k in 0..6 {
        let k = f64::from(k);
        cube(&mut world, [1e7 + k, -1e7, 0.5 + k]);
    }
    run(&mut world, "far away");
}

/// A crowd is refused at once, and again, and nothing has changed.
fn is_refused(world: &mut World) {
    for _ in 0..2 {
        let start = Instant::now();
        let refused = world.try_step(&());
        assert!(start.elapsed() < SOON, "{:?}", start.elapsed());
        assert!(
            matches!(refused, Err(StepError::Crowded { .. })),
            "{refused:?}"
        );
    }
    assert_eq!(world.narrow_phase.contact_pairs().count(), 0);
}

/// 10,000 bodies in one place would be 50 million pairs: refused at once, and nothing has changed. A few are stepped.
#[test]
fn crowds_in_one_place_are_refused() {
    let crowd = |count: usize| {
        let mut world = World::new(1.0 / 60.0);
        world.ground();
        for _ in 0..count {
            cube(&mut world, [0.0, 0.0, 2.0]);
        }
        world
    };
    for count in [10_000, 500] {
        let mut world = crowd(count);
        is_refused(&mut world);
    }
    let mut world = crowd(500);
    // Kept apart by their groups they are no crowd: they only touch the ground.
    let apart = InteractionGroups::new(Group::GROUP_2, Group::GROUP_1, Default::default());
    for (_, collider) in world.colliders.iter_mut() {
        if collider.parent().is_some() {
            collider.set_collision_groups(apart);
        }
    }
    world.try_step(&()).unwrap();
    let mut few = crowd(20);
    run(&mut few, "twenty");
}

/// Bodies that are moved into one place after they stood apart, awake or asleep, at once or to their next kinematic
/// position, are refused like those that are made there; moved back they are stepped. A few of them are no crowd.
#[test]
fn crowds_that_are_moved_together_are_refused() {
    let apart = |k: usize| vec3(3.0 * (k % 100) as f64, 3.0 * (k / 100) as f64, 2.0);
    let here = vec3(50.0, 50.0, 2.0);
    for (kinematic, count) in [(false, 10_000), (true, 10_000), (false, 1000)] {
        let mut world = World::new(1.0 / 60.0);
        let bodies: Vec<_> = (0..count)
            .map(|k| {
                let body = if kinematic {
                    RigidBodyBuilder::kinematic_position_based()
                } else {
                    RigidBodyBuilder::dynamic().sleeping(k % 2 == 0)
                };
                let cube = ColliderBuilder::cuboid(num(0.5), num(0.5), num(0.5))
                    .active_collision_types(ActiveCollisionTypes::all());
                world.add(body.translation(apart(k)), cube)
            })
            .collect();
        world.pipeline.set_sleeping(Sleeping::Allowed);
        world.try_step(&()).unwrap();
        let places: Vec<_> = bodies
            .iter()
            .map(|&b| *world.bodies[b].position())
            .collect();
        for &body in &bodies {
            if kinematic {
                world.bodies[body].set_next_kinematic_position(Pose::from_translation(here));
            } else {
                world.bodies[body].set_translation(here, false);
            }
        }
        is_refused(&mut world);
        for (&body, &place) in bodies.iter().zip(&places) {
            world.bodies[body].set_position(place, true);
        }
        world.try_step(&()).unwrap();
        for &body in &bodies[..20] {
            world.bodies[body].set_translation(here, true);
        }
        let start = Instant::now();
        world.try_step(&()).unwrap();
        assert!(start.elapsed() < SOON, "{:?}", start.elapsed());
    }
}

/// What a step itself moves does not count as moved by hand, or every step would look for crowds: free bodies, links, and
/// kinematic bodies of a given velocity.
#[test]
fn what_a_step_moves_is_not_moved_by_hand() {
    let mut world = World::new(1.0 / 60.0);
    world.ground();
    let shape = || ColliderBuilder::ball(num(0.1)).translation(vec3(0.1, 0.2, 0.0));
    let turning = RigidBodyBuilder::dynamic().angvel(vec3(1.0, 2.0, 3.0));
    let mut last = world.add(turning.clone().translation(vec3(0.0, 0.0, 3.0)), shape());
    for k in 0..8 {
        let x = 2.0 + f64::from(k);
        world.add(turning.clone().translation(vec3(x, 0.0, 1.0)), shape());
        let belt = RigidBodyBuilder::kinematic_velocity_based().linvel(vec3(0.0, 1.0, 0.0));
        world.add(belt.translation(vec3(x, 5.0, 1.0)), shape());
        let link = world.add(RigidBodyBuilder::dynamic(), shape());
        let joint = RevoluteJointBuilder::new(Vector::X).local_anchor2(vec3(0.0, 0.0, 0.5));
        world.multibody_joints.insert(last, link, joint, true);
        last = link;
    }
    for _ in 0..50 {
        world.try_step(&()).unwrap();
        for _ in 0..5 {
            assert!(
                !world
                    .pipeline
                    .crowd
                    .are_moved(&world.bodies, &world.colliders)
            );
        }
    }
    for (_, rb) in world.bodies.iter_mut() {
        rb.set_translation(rb.translation() + vec3(0.0, 0.0, 1.0), true);
    }
    assert!(
        world
            .pipeline
            .crowd
            .are_moved(&world.bodies, &world.colliders)
    );
}

/// A large kinematic body that is set among a thousand cubes pushes them, each step soon.
#[test]
fn a_kinematic_body_set_among_many_is_stepped() {
    let mut world = World::new(1.0 / 60.0);
    for k in 0..1000 {
        let k = f64::from(k);
        cube(
            &mut world,
            [1.5 * (k % 32.0), 1.5 * (k / 32.0).floor(), 0.5],
        );
    }
    let plough = RigidBodyBuilder::kinematic_position_based().translation(vec3(-200.0, 25.0, 0.5));
    let plough = world.add(
        plough,
        ColliderBuilder::cuboid(num(30.0), num(30.0), num(0.1)),
    );
    world.try_step(&()).unwrap();
    world.bodies[plough].set_translation(vec3(25.0, 25.0, 0.5), true);
    run(&mut world, "plough");
}
