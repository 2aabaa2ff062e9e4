//! Contact force events with our impulses, by rapier's thresholds.
//!
//! Collision events come from detection itself.

use crate::contacts::{Contact, key};
use crate::convert::{real, to_real};
use crate::detect::World;
use rapier::prelude::*;

/// Tells the handler of every pair whose normal forces add up to more than the threshold of one of its
/// colliders. O(contacts); copies the pair of an event.
///
/// [`ContactForceEvent::from_contact_pair`] makes of it what it makes of the engine's own, but for
/// `started`, which only the engine can set: it is always true.
pub(crate) fn forces(world: &World<'_>, contacts: &[Contact], dt: f64) {
    for run in contacts.chunk_by(|a, b| a.point.colliders == b.point.colliders) {
        let [Some(first), Some(second)] = run[0].point.colliders else {
            continue;
        };
        let threshold = threshold(world.colliders, first).min(threshold(world.colliders, second));
        let total: f64 = run.iter().map(|contact| contact.impulse[0].abs()).sum();
        let force = total / dt;
        let found = world.narrow_phase.contact_pair(first, second);
        let Some(pair) = found.filter(|_| force > real(threshold)) else {
            continue;
        };
        let mut pair = pair.clone();
        write_impulses(&mut pair, run);
        world.events.handle_contact_force_event(
            to_real(dt),
            world.bodies,
            world.colliders,
            &pair,
            to_real(force),
        );
    }
}

/// The threshold of a collider that asks for events; none can pass the others'.
fn threshold(colliders: &ColliderSet, handle: ColliderHandle) -> Real {
    colliders
        .get(handle)
        .filter(|co| {
            let asked = co.active_events();
            asked.contains(ActiveEvents::CONTACT_FORCE_EVENTS)
        })
        .map_or(Real::MAX, Collider::contact_force_event_threshold)
}

/// Puts the normal impulses of a pair's contacts where the engine shows them. A contact that detection
/// no longer names adds to the first point.
fn write_impulses(pair: &mut ContactPair, contacts: &[Contact]) {
    let ends = [pair.collider1, pair.collider2];
    let PairContacts::Rigid(rigid) = &mut pair.contacts else {
        return;
    };
    let mut left: f64 = contacts.iter().map(|contact| contact.impulse[0]).sum();
    for (number, manifold) in rigid.manifolds.iter_mut().enumerate() {
        for index in 0..manifold.points.len() {
            let key = key(ends, number, manifold, index);
            let found = contacts.iter().find(|contact| contact.point.key == key);
            let impulse = found.map_or(0.0, |contact| contact.impulse[0]);
            manifold.points[index].data.impulse = to_real(impulse);
            left -= impulse;
        }
    }
    let mut points = rigid.manifolds.iter_mut().flat_map(|m| m.points.iter_mut());
    if let Some(point) = points.next() {
        point.data.impulse += to_real(left);
    }
}

/// Passes collision events on and keeps the forces of the engine's own solver to itself.
pub(crate) struct CollisionsOnly<'a>(pub(crate) &'a dyn EventHandler);

impl EventHandler for CollisionsOnly<'_> {
    fn handle_collision_event(
        &self,
        bodies: &RigidBodySet,
        colliders: &ColliderSet,
        event: CollisionEvent,
        contact_pair: Option<&ContactPair>,
    ) {
        self.0
            .handle_collision_event(bodies, colliders, event, contact_pair);
    }

    fn handle_contact_force_event(
        &self,
        _: Real,
        _: &RigidBodySet,
        _: &ColliderSet,
        _: &ContactPair,
        _: Real,
    ) {
    }

    fn handle_soft_body_tear_event(&self, _: &SoftBodySet, _: &SoftBodyTearEvent) {}
}
