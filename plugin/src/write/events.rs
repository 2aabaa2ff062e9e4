//! Contact force events with our impulses, by rapier's thresholds.
//!
//! Collision events come from detection itself.

use crate::base::contact::Contact;
use crate::base::convert::{real, to_real};
use crate::base::pair::{Ends, ends};
use crate::detect::impulses::{self, Shown};
use crate::read::world::World;
use rapier::prelude::*;
use std::sync::LazyLock;

/// Which pairs were above their threshold; buffers are kept from step to step.
#[derive(Debug, Default)]
#[cfg_attr(
    feature = "serde-serialize",
    derive(serde::Serialize, serde::Deserialize)
)]
pub(crate) struct ForceEvents {
    /// In the last step that looked at them, sorted.
    above: Vec<Ends>,
    #[cfg_attr(feature = "serde-serialize", serde(skip))]
    now: Vec<Ends>,
    /// Pairs looked at in this step, sorted.
    #[cfg_attr(feature = "serde-serialize", serde(skip))]
    seen: Vec<Ends>,
}

impl ForceEvents {
    /// Tells the handler of every pair whose normal forces add up to more than the threshold of one of
    /// its colliders. O(contacts); copies the pair of an event.
    ///
    /// [`ContactForceEvent::from_contact_pair`] makes of it what it makes of rapier's own:
    /// `started` is true in the step in which the force passes the threshold.
    pub(crate) fn send(&mut self, world: &World<'_>, contacts: &[Contact], dt: f64) {
        self.now.clear();
        self.seen.clear();
        for run in contacts.chunk_by(|a, b| a.point.colliders == b.point.colliders) {
            let [Some(first), Some(second)] = run[0].point.colliders else {
                continue;
            };
            let threshold =
                threshold(world.colliders, first).min(threshold(world.colliders, second));
            if threshold == Real::MAX {
                continue;
            }
            let ends = ends(first, second);
            self.seen.push(ends);
            let total: f64 = run.iter().map(|contact| contact.impulse[0].abs()).sum();
            let force = total / dt;
            let found = world.narrow_phase.contact_pair(first, second);
            let Some(pair) = found.filter(|_| force > real(threshold)) else {
                continue;
            };
            self.now.push(ends);
            let goes_on = self.above.binary_search(&ends).is_ok();
            let mut pair = if goes_on { marked(pair) } else { pair.clone() };
            write_impulses(&mut pair, run);
            world.events.handle_contact_force_event(
                to_real(dt),
                world.bodies,
                world.colliders,
                &pair,
                to_real(force),
            );
        }
        self.seen.sort_unstable();
        let (now, seen) = (&mut self.now, &self.seen);
        // What sleeps is not looked at, and is still above when it wakes.
        let asleep = self.above.iter().filter(|ends| {
            let [first, second] = ends.map(|(i, g)| ColliderHandle::from_raw_parts(i, g));
            seen.binary_search(ends).is_err() && rests(world, first, second)
        });
        now.extend(asleep);
        now.sort_unstable();
        std::mem::swap(&mut self.above, &mut self.now);
    }
}

/// Whether two colliders touch and neither is awake.
fn rests(world: &World<'_>, first: ColliderHandle, second: ColliderHandle) -> bool {
    let awake = |handle| {
        let parent = world.colliders.get(handle).and_then(Collider::parent);
        let rb = parent.and_then(|body| world.bodies.get(body));
        rb.is_some_and(|rb| rb.is_dynamic() && !rb.is_sleeping())
    };
    let pair = world.narrow_phase.contact_pair(first, second);
    pair.is_some_and(ContactPair::has_any_active_contact) && !awake(first) && !awake(second)
}

/// The pair with rapier's mark that it was above its threshold before. Only rapier can set the
/// mark, so it is taken from a pair of its own.
fn marked(pair: &ContactPair) -> ContactPair {
    let mut marked = DONOR.as_ref().unwrap_or(pair).clone();
    marked.collider1 = pair.collider1;
    marked.collider2 = pair.collider2;
    marked.contacts.clone_from(&pair.contacts);
    marked
}

static DONOR: LazyLock<Option<ContactPair>> = LazyLock::new(donor);

/// A pair with the mark: of a ball that rapier lets lie on a box for some steps.
fn donor() -> Option<ContactPair> {
    let mut world = PhysicsWorld::new();
    world.gravity = -Vector::Y;
    world
        .colliders
        .insert(ColliderBuilder::cuboid(1.0, 1.0, 1.0));
    let above = RigidBodyBuilder::dynamic().translation(Vector::Y * 1.5);
    let body = world.bodies.insert(above);
    let ball = ColliderBuilder::ball(0.5)
        .active_events(ActiveEvents::CONTACT_FORCE_EVENTS)
        .contact_force_event_threshold(0.0);
    world
        .colliders
        .insert_with_parent(ball, body, &mut world.bodies);
    (0..10).find_map(|_| {
        world.step();
        let mut pairs = world.narrow_phase.contact_pairs();
        pairs.find(|pair| goes_on(pair)).cloned()
    })
}

fn goes_on(pair: &ContactPair) -> bool {
    !ContactForceEvent::from_contact_pair(1.0, pair, 0.0).started
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

/// Puts the impulses of a pair's contacts where rapier shows them.
fn write_impulses(pair: &mut ContactPair, contacts: &[Contact]) {
    let ends = [pair.collider1, pair.collider2];
    if let PairContacts::Rigid(rigid) = &mut pair.contacts {
        let all = contacts.iter().map(Shown::of);
        impulses::write(&mut rigid.manifolds, ends, all);
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_engine_marks_a_pair_that_stays_above_its_threshold() {
        assert!(DONOR.as_ref().is_some_and(goes_on));
        assert!(!goes_on(&ContactPair::default()));
        assert!(goes_on(&marked(&ContactPair::default())));
    }
}
