//! What a step tells of its islands.

use super::busy::{H, MODELS, scene};
use super::{World, num, vec3};
use crate::core::report::SolveStatus;
use crate::{ModelName, Sleeping};
use rapier::prelude::*;

/// In a busy scene, whatever the model: every contact is in one island, with its bodies; the worst status and residual are
/// those of the report.
#[test]
fn islands_are_the_parts_of_the_report() {
    for &model in MODELS {
        let mut world = scene(model);
        for step in 0..40 {
            let report = world.try_step(&()).unwrap().solve;
            let islands: Vec<_> = world.pipeline.islands().collect();
            assert_eq!(islands.len(), report.islands, "{model} {step}");
            let contacts = world.pipeline.contacts();
            let mut seen = vec![false; contacts.len()];
            let mut moved = Vec::new();
            for island in &islands {
                moved.extend(island.bodies.iter().copied());
                for &c in &island.contacts {
                    assert!(!std::mem::replace(&mut seen[c], true));
                    let mut bodies = contacts[c].point.bodies.into_iter().flatten();
                    assert!(bodies.any(|body| island.bodies.contains(&body)));
                }
            }
            assert!(seen.into_iter().all(|seen| seen), "{model} {step}");
            let count = moved.len();
            moved.sort_unstable_by_key(|handle| handle.into_raw_parts());
            moved.dedup();
            assert_eq!(moved.len(), count, "{model} {step}: a body in two islands");
            let worst = islands.iter().map(|island| island.status).max();
            assert_eq!(worst.unwrap_or_default(), report.status, "{model} {step}");
        }
    }
}

/// Of a box that a piston drives into a wall and two stacks beside it, the box is told of, and one stack once the other sleeps.
#[test]
fn the_island_that_broke_is_told_by_its_bodies() {
    let mut world = World::with_model(0.01, ModelName::Cone);
    world.pipeline.set_sleeping(Sleeping::Allowed);
    world.ground();
    let cube = || ColliderBuilder::cuboid(num(0.5), num(0.5), num(0.5));
    let at = |x: f64, z: f64| RigidBodyBuilder::dynamic().translation(vec3(x, 0.0, z));
    let low = world.add(at(-5.0, 0.5), cube());
    let high = world.add(at(-5.0, 1.5), cube());
    let squeezed = world.add(at(0.0, 0.5), cube());
    world
        .colliders
        .insert(cube().translation(vec3(1.0, 0.0, 0.5)));
    let piston = RigidBodyBuilder::kinematic_velocity_based()
        .translation(vec3(-1.0, 0.0, 0.5))
        .linvel(vec3(0.2, 0.0, 0.0));
    world.add(piston, cube());
    for _ in 0..5 {
        world.try_step(&()).unwrap();
    }
    let islands: Vec<_> = world.pipeline.islands().collect();
    assert_eq!(islands.len(), 2);
    for island in &islands {
        if island.bodies == [squeezed] {
            assert!(island.status > SolveStatus::SolvedInMotion, "{island:?}");
        } else {
            assert!(island.bodies.contains(&low) && island.bodies.contains(&high));
            assert_eq!(island.status, SolveStatus::Solved);
            assert!(island.residual < 1e-8);
            assert_eq!(island.contacts.len(), 8);
        }
    }
    for _ in 0..60 {
        world.try_step(&()).unwrap();
    }
    assert!(world.bodies[low].is_sleeping());
    let islands: Vec<_> = world.pipeline.islands().collect();
    assert_eq!(islands.len(), 1);
    assert_eq!(islands[0].bodies, [squeezed]);
}

/// A multibody is in its island with its links, an impulse joint joins two bodies in one; what flies freely is in none.
#[test]
fn joints_make_islands() {
    let mut world = World::with_model(H, ModelName::Cone);
    let ball = || ColliderBuilder::ball(num(0.1)).mass(num(1.0));
    let at = |x: f64, z: f64| RigidBodyBuilder::dynamic().translation(vec3(x, 0.0, z));
    let base = world.bodies.insert(RigidBodyBuilder::fixed());
    let link = world.add(at(0.0, -1.0), ball());
    let hinge = RevoluteJointBuilder::new(Vector::X)
        .local_anchor2(vec3(0.0, 0.0, 1.0))
        .limits([num(0.0), num(0.0)]);
    world.multibody_joints.insert(base, link, hinge, true);
    world.settle_root(link);
    let [one, two] = [0.0, 1.0].map(|z| world.add(at(5.0, z), ball()));
    let rod = SphericalJointBuilder::new().local_anchor1(vec3(0.0, 0.0, 1.0));
    world.impulse_joints.insert(one, two, rod, true);
    let flies = world.add(at(9.0, 0.0), ball());
    world.step();
    let islands: Vec<_> = world.pipeline.islands().collect();
    assert_eq!(islands.len(), 2);
    assert!(islands.iter().any(|i| i.bodies.contains(&link)));
    let joined = islands.iter().find(|i| i.bodies.contains(&one)).unwrap();
    assert!(joined.bodies.contains(&two) && joined.bodies.len() == 2);
    assert!(islands.iter().all(|i| !i.bodies.contains(&flies)));
}
