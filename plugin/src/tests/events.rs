//! Events and hooks.

use super::{G, World, assert_close, num, vec3};
use crate::base::convert::real;
use rapier::prelude::*;
use std::sync::Mutex;

/// Keeps what it is told.
#[derive(Default)]
struct Listener {
    collisions: Mutex<Vec<CollisionEvent>>,
    forces: Mutex<Vec<ContactForceEvent>>,
}

impl EventHandler for Listener {
    fn handle_collision_event(
        &self,
        _: &RigidBodySet,
        _: &ColliderSet,
        event: CollisionEvent,
        _: Option<&ContactPair>,
    ) {
        self.collisions.lock().unwrap().push(event);
    }

    fn handle_contact_force_event(
        &self,
        dt: Real,
        _: &RigidBodySet,
        _: &ColliderSet,
        pair: &ContactPair,
        total: Real,
    ) {
        let event = ContactForceEvent::from_contact_pair(dt, pair, total);
        self.forces.lock().unwrap().push(event);
    }

    fn handle_soft_body_tear_event(&self, _: &SoftBodySet, _: &SoftBodyTearEvent) {}
}

fn listened(threshold: f64) -> ColliderBuilder {
    ColliderBuilder::cuboid(num(0.5), num(0.5), num(0.5))
        .mass(num(2.0))
        .active_events(ActiveEvents::CONTACT_FORCE_EVENTS | ActiveEvents::COLLISION_EVENTS)
        .contact_force_event_threshold(num(threshold))
}

/// A box at rest reports its weight in every step; a threshold above
/// the weight keeps it silent.
#[test]
fn a_resting_box_reports_its_weight() {
    for (threshold, events) in [(19.0, 20), (20.0, 0)] {
        let mut world = World::new(0.01);
        let ground = world.ground();
        let body = RigidBodyBuilder::dynamic().translation(vec3(0.0, 0.0, 0.5));
        world.add(body, listened(threshold));
        let listener = Listener::default();
        for _ in 0..20 {
            world.try_step(&listener).unwrap();
        }
        let forces = listener.forces.into_inner().unwrap();
        assert_eq!(forces.len(), events);
        for event in forces {
            assert!(event.collider1 == ground || event.collider2 == ground);
            assert_close(real(event.total_force_magnitude), 2.0 * G, 1e-4);
            assert_close(real(event.total_force.z).abs(), 2.0 * G, 1e-4);
            // Which corners carry how much is not unique.
            let most = real(event.max_force_magnitude);
            assert!(most > 0.49 * G && most < 2.01 * G, "{most}");
        }
        assert_eq!(listener.collisions.into_inner().unwrap().len(), 1);
    }
}

/// Touching begins once and ends once, also when a nap lies between.
#[test]
fn touching_begins_and_ends_once() {
    let mut world = World::new(0.01);
    world.pipeline.set_sleeping(crate::Sleeping::Allowed);
    world.ground();
    let body = RigidBodyBuilder::dynamic().translation(vec3(0.0, 0.0, 0.6));
    let body = world.add(body, listened(1e9));
    let listener = Listener::default();
    for step in 0..200 {
        if step == 150 {
            assert!(world.bodies[body].is_sleeping());
            world.bodies[body].set_linvel(vec3(0.0, 0.0, 5.0), true);
        }
        world.try_step(&listener).unwrap();
    }
    let events = listener.collisions.into_inner().unwrap();
    assert_eq!(events.len(), 2, "{events:?}");
    assert!(events[0].started() && events[1].stopped());
    assert!(listener.forces.into_inner().unwrap().is_empty());
}

/// `started` is rapier's: true in the step in which the force passes the threshold, also after a nap or
/// a jump, and false while it stays above. Cause: rapier keeps the mark to itself, and it was never set.
#[test]
fn an_event_is_started_when_the_force_passes_the_threshold() {
    let mut world = World::new(0.01);
    world.pipeline.set_sleeping(crate::Sleeping::Allowed);
    world.ground();
    let body = RigidBodyBuilder::dynamic().translation(vec3(0.0, 0.0, 0.5));
    let body = world.add(body, listened(10.0));
    let mut events = Vec::new();
    for step in 0..300 {
        match step {
            // Asleep by now: woken, it is still above.
            150 => world.bodies[body].wake_up(true),
            // A jump, and back.
            200 => world.bodies[body].set_linvel(vec3(0.0, 0.0, 1.0), true),
            _ => {}
        }
        let listener = Listener::default();
        world.try_step(&listener).unwrap();
        let forces = listener.forces.into_inner().unwrap();
        assert!(forces.len() <= 1);
        events.push(forces.first().map(|event| event.started));
    }
    assert_eq!(
        events[..20],
        [&[Some(true)][..], &[Some(false); 19]].concat()
    );
    assert_eq!(events[140], None, "asleep");
    assert_eq!(events[150..200], [Some(false); 50]);
    assert_eq!(events[201], None, "in the air");
    let again: Vec<_> = events[201..].iter().flatten().collect();
    assert_eq!(again.iter().filter(|started| ***started).count(), 1);
    assert!(*again[0]);
}

/// `step_world` is `step` on the bundle of the sets.
#[test]
fn a_physics_world_is_stepped_alike() {
    let mut world = World::new(0.01);
    world.ground();
    let builder = RigidBodyBuilder::dynamic()
        .translation(vec3(0.0, 0.0, 0.6))
        .linvel(vec3(1.0, 0.0, 0.0));
    let body = world.add(builder.clone(), listened(1e9));
    let mut bundle = PhysicsWorld::new();
    bundle.gravity = world.gravity;
    bundle.integration_parameters = world.params;
    let ground = ColliderBuilder::halfspace(rapier::na::Unit::new_unchecked(Vector::Z));
    bundle.colliders.insert(ground);
    let twin = bundle.bodies.insert(builder);
    bundle
        .colliders
        .insert_with_parent(listened(1e9), twin, &mut bundle.bodies);
    let model = world.pipeline.model();
    let (name, settings) = (model.name(), model.settings().clone());
    let mut pipeline = crate::ContactPipeline::new(name, settings).unwrap();
    for _ in 0..40 {
        world.step();
        let report = pipeline.step_world(&mut bundle).unwrap();
        assert!(report.solve.status.is_usable());
    }
    assert_eq!(
        bundle.bodies[twin].position(),
        world.bodies[body].position()
    );
}
