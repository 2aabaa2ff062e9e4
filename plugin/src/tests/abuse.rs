//! What a careless user does: an error, or a recovery within bounds, never a panic or an explosion.

use super::{G, World, assert_close, cube_of, num, vec3};
use crate::{ContactPoint, ContactSource, Sleeping, StepError, Surface};
use nalgebra::{Point3, Vector3};
use rapier::prelude::*;

fn cube(world: &mut World, z: f64) -> RigidBodyHandle {
    cube_of(world, 1.0, [0.0, 0.0, z])
}

/// A body is removed before the others fall asleep, in a world stepped for the first time and in another that the same
/// pipeline goes on with: rapier renumbers its islands at its first real step (docs/upstream/island_numbers.md).
#[test]
fn a_body_removed_before_others_sleep_leaves_them_asleep() {
    let mut first = World::new(0.01);
    first.pipeline.set_sleeping(Sleeping::Allowed);
    for round in 0..2 {
        let mut world = World::new(0.01);
        std::mem::swap(&mut world.pipeline, &mut first.pipeline);
        world.ground();
        let bodies: Vec<_> = (0..4)
            .map(|k| cube(&mut world, 0.5 + f64::from(k)))
            .collect();
        let spinning = RigidBodyBuilder::dynamic()
            .translation(vec3(5.0, 0.0, 5.0))
            .gravity_scale(num(0.0))
            .angvel(vec3(0.0, 0.0, 1.0))
            .angular_damping(num(0.0));
        let spinning = world.add(spinning, ColliderBuilder::ball(num(0.5)));
        world.run(1);
        world.remove(bodies[3]);
        world.remove(bodies[2]);
        world.run(100);
        let sleeps = |h: &RigidBodyHandle| world.bodies[*h].is_sleeping();
        assert!(bodies[..2].iter().all(sleeps), "round {round}");
        assert!(!sleeps(&spinning), "round {round}");
        let active: Vec<_> = world.islands.active_bodies().collect();
        assert_eq!(active, [spinning], "round {round}");
        std::mem::swap(&mut world.pipeline, &mut first.pipeline);
    }
}

/// What lay still for long and is pushed when rapier's first real step is made, which holds it still, stays awake: its timer
/// is no reason to take it out of the active set.
#[test]
fn what_starts_with_a_full_timer_moves_on() {
    let mut world = World::new(0.01);
    world.pipeline.set_sleeping(Sleeping::Allowed);
    let body = RigidBodyBuilder::dynamic()
        .gravity_scale(num(0.0))
        .linvel(vec3(3.0, 0.0, 0.0));
    let body = world.add(body, ColliderBuilder::ball(num(0.5)));
    world.bodies[body].activation_mut().time_since_can_sleep = num(10.0);
    world.run(100);
    assert_close(world.position(body).x, 3.0, 1e-4);
    let active: Vec<_> = world.islands.active_bodies().collect();
    assert_eq!(active, [body]);
}

/// Loads that no structure would stand: pressed down it stays, pulled away it flies, thrown sideways
/// it sticks or tips over; numbers stay finite.
#[test]
fn forces_of_1e9_newton_are_answered() {
    for force in [
        [0.0, 0.0, -1e9],
        [0.0, 0.0, 1e9],
        [1e9, 0.0, -1e9],
        [1e9, 1e9, 0.0],
    ] {
        let mut world = World::new(0.01);
        world.ground();
        let body = cube(&mut world, 0.5);
        world.run(3);
        let [x, y, z] = force;
        world.bodies[body].add_force(vec3(x, y, z), true);
        for _ in 0..3 {
            world.try_step(&()).unwrap();
        }
        let at = world.position(body);
        assert!(at.iter().all(|x| x.is_finite()), "{force:?}: {at}");
        // h^2 F / m three times over is how far it may get, and nowhere under the floor.
        assert!(at.norm() < 6.1 * 1e-4 * 1.5e9, "{force:?}: {at}");
        assert!(at.z > 0.49, "{force:?}: {at}");
    }
}

/// A dynamic body without mass is one that moves as prescribed: it stays.
#[test]
fn a_body_without_mass_stays_where_it_is() {
    let mut world = World::new(0.01);
    world.ground();
    let nothing = RigidBodyBuilder::dynamic().translation(vec3(0.0, 0.0, 1.0));
    let nothing = world.bodies.insert(nothing);
    let shape = ColliderBuilder::cuboid(num(0.5), num(0.5), num(0.5)).density(num(0.0));
    let hollow = RigidBodyBuilder::dynamic().translation(vec3(3.0, 0.0, 1.0));
    let hollow = world.add(hollow, shape);
    let rider = cube(&mut world, 2.5);
    world.run(50);
    assert_eq!(world.position(nothing).z, 1.0);
    assert_eq!(world.position(hollow).z, 1.0);
    assert!(world.position(rider).z < 2.5);
}

/// Bodies, colliders and joints vanish between steps, and handles of what is gone are used on.
#[test]
fn what_is_removed_is_gone() {
    let mut world = World::new(0.01);
    world.ground();
    let [one, two] = [0.5, 1.5].map(|z| cube(&mut world, z));
    let joint = FixedJointBuilder::new().local_anchor1(vec3(0.0, 0.0, 1.0));
    let joint = world.impulse_joints.insert(one, two, joint, true);
    world.run(5);
    let collider = world.bodies[one].colliders()[0];
    world.remove(one);
    world.step();
    assert!(world.pipeline.joint_impulses(joint).is_none());
    assert_eq!(
        world.pipeline.contacts_between(collider, collider).count(),
        0
    );
    world.run(100);
    assert_close(world.position(two).z, 0.5, 1e-3);
}

/// Contacts of the user's own.
struct Given(Vec<ContactPoint>);

impl ContactSource for Given {
    fn contacts(&mut self, _: &RigidBodySet, _: &ColliderSet, _: f64, out: &mut Vec<ContactPoint>) {
        out.extend_from_slice(&self.0);
    }
}

fn point(body: RigidBodyHandle, at: Point3<f64>, key: u64) -> ContactPoint {
    ContactPoint {
        surfaces: [Surface::Flat; 2],
        friction: 0.5,
        key,
        ..ContactPoint::in_f64([None, Some(body)], [at; 2], Vector3::z())
    }
}

/// 10,000 contacts in one point carry the weight together.
#[test]
fn ten_thousand_coincident_contacts_carry_the_weight() {
    let mut world = World::new(0.01);
    let body = cube(&mut world, 0.5);
    let points = (0..10_000).map(|key| point(body, Point3::origin(), key));
    let source = Given(points.collect());
    world.pipeline.set_contact_source(Some(Box::new(source)));
    world.run(5);
    let carried = world.pipeline.contacts().iter().map(|c| c.impulse[0]);
    assert_close(carried.sum(), G * 0.01, 1e-6);
    assert_close(world.position(body).z, 0.5, 1e-6);
}

/// A contact of a body that is gone is refused, and so is one that is not finite.
#[test]
fn bad_contacts_of_a_source_are_refused_by_number() {
    for (spoil, what) in [
        (
            (|_, p| p.normal = Vector3::zeros()) as fn(&mut World, &mut ContactPoint),
            "normal",
        ),
        (|_, p| p.points[0].x = f64::NAN, "finite"),
        (|_, p| p.friction = -1.0, "friction"),
        (
            |world, p| {
                let gone = world.bodies.insert(RigidBodyBuilder::dynamic());
                world.remove(gone);
                p.bodies[1] = Some(gone);
            },
            "bodies",
        ),
    ] {
        let mut world = World::new(0.01);
        let body = cube(&mut world, 0.5);
        let mut bad = point(body, Point3::origin(), 1);
        spoil(&mut world, &mut bad);
        let source = Given(vec![point(body, Point3::origin(), 0), bad]);
        world.pipeline.set_contact_source(Some(Box::new(source)));
        let error = world.try_step(&()).unwrap_err();
        assert!(
            matches!(&error, StepError::ContactSource { index: 1, .. }),
            "{what}: {error}"
        );
        assert!(error.to_string().contains(what), "{what}: {error}");
    }
}
