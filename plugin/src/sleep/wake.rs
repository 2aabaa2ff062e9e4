//! What wakes before contacts are read: by the user, by rapier, by a touch.

use super::still::lay_down;
use super::watch::{Watch, index, watch_of};
use super::{Sleepers, Sleeping, ground, takes_part, unite};
use crate::contacts::material::Changes;
use crate::read::multibody::{Trees, multibodies};
use crate::read::world::World;
use rapier::math::Vector;
use rapier::prelude::*;

impl Sleepers {
    /// Before detection: what the user changed since the last step that moves sleepers, and whom the user put to sleep or
    /// woke. O(active bodies), and O(bodies) where gravity changed or something passes a sleeper.
    pub(crate) fn collect_user_changes(
        &mut self,
        trees: &Trees,
        gravity: Vector,
        materials: &mut Changes,
        world: &mut World<'_>,
    ) {
        self.rest.look(world);
        let before = self.gravity.replace(gravity);
        if self.policy == Sleeping::Allowed {
            if before.is_some_and(|before| before != gravity) || materials.all {
                self.wake_all(world);
            }
            for collider in &materials.colliders {
                self.wake_around(*collider, world);
            }
        }
        materials.all = false;
        materials.colliders.clear();
        self.woken.clear();
        self.reading = 0;
        if self.policy == Sleeping::Never {
            let sleeping = |rb: &RigidBody| rb.is_sleeping() && takes_part(rb);
            let all = world.bodies.iter();
            self.woken
                .extend(all.filter(|(_, rb)| sleeping(rb)).map(|(h, _)| h));
            for handle in self.woken.drain(..) {
                world.islands.wake_up(world.bodies, handle, true);
            }
            self.watches.clear();
            return;
        }
        for handle in world.islands.active_bodies() {
            let Some(rb) = world.bodies.get(handle).filter(|rb| takes_part(rb)) else {
                continue;
            };
            let watch = watch_of(&mut self.watches, handle, rb);
            if rb.is_sleeping() {
                // Put to sleep by hand: asleep until something wakes it.
                if !watch.asleep {
                    watch.asleep = true;
                    self.counted = None;
                }
            } else if watch.asleep {
                self.woken.push(handle);
            } else {
                watch.reading = 0;
                // A strong wake-up since the last step.
                watch.still = watch.still.min(rb.activation().time_since_can_sleep);
            }
        }
        if self.was_passed {
            // What rapier wakes in this step may have to sleep on; what the user woke may not.
            let woken = self.watches.iter().filter(|watch| {
                let rb = world.bodies.get(watch.handle);
                watch.asleep && rb.is_some_and(|rb| takes_part(rb) && !rb.is_sleeping())
            });
            self.woken.extend(woken.map(|watch| watch.handle));
        }
        for (number, multibody) in multibodies(world.multibody_joints).enumerate() {
            if trees.is_disturbed(number, multibody, world.bodies) {
                let links = multibody.links().map(MultibodyLink::rigid_body_handle);
                self.woken.extend(links);
            }
        }
    }

    /// Has rapier wake every sleeper; what that wakes here is found among its active bodies.
    fn wake_all(&mut self, world: &mut World<'_>) {
        let sleepers = self.watches.iter().filter(|watch| watch.asleep);
        for watch in sleepers {
            world.islands.wake_up(world.bodies, watch.handle, true);
        }
    }

    /// The same for the body of a collider and for those that touch it.
    fn wake_around(&mut self, collider: ColliderHandle, world: &mut World<'_>) {
        self.laid.clear();
        let body = |handle| world.colliders.get(handle).and_then(Collider::parent);
        self.laid.extend(body(collider));
        for pair in world.narrow_phase.contact_pairs_with(collider) {
            if pair.has_any_active_contact() {
                let ends = [pair.collider1, pair.collider2];
                self.laid.extend(ends.into_iter().filter_map(body));
            }
        }
        for handle in self.laid.drain(..) {
            let asleep = |watch: &&Watch| watch.handle == handle && watch.asleep;
            if self.watches.get(index(handle)).filter(asleep).is_some() {
                world.islands.wake_up(world.bodies, handle, true);
            }
        }
    }

    /// After detection: wakes the islands of bodies that the user or a touch woke; those that rapier
    /// woke for a body that only passes sleep on. O(active bodies), and the contacts and joints of what wakes.
    pub(crate) fn rouse(&mut self, world: &mut World<'_>) {
        self.active.clear();
        self.active.extend(world.islands.active_bodies());
        let takes = |handle: &RigidBodyHandle| world.bodies.get(*handle).is_some_and(takes_part);
        self.active.retain(takes);
        if self.policy == Sleeping::Never {
            (self.awake, self.asleep) = (self.active.len(), 0);
            return;
        }
        self.laid.clear();
        let mut passed = false;
        for &handle in &self.active {
            let Some(rb) = world.bodies.get(handle) else {
                continue;
            };
            let watch = *watch_of(&mut self.watches, handle, rb);
            if !watch.asleep || rb.is_sleeping() {
                continue;
            }
            let around = ground::around(world, handle, |other| self.is_awake(other));
            passed |= around.passed;
            if watch.ground == Some(around.ground) {
                self.laid.push(handle);
            } else {
                self.woken.push(handle);
            }
        }
        // Rapier wakes whole islands for one of their bodies, and once more for a pair that comes apart.
        if !(passed || self.was_passed) {
            self.woken.append(&mut self.laid);
        }
        self.was_passed = passed;
        self.spread(world);
        for i in 0..self.laid.len() {
            let handle = self.laid[i];
            if self.watch(handle).is_some_and(|watch| watch.asleep) {
                lay_down(world, handle);
            }
        }
        self.count(world.bodies);
    }

    /// Wakes what is connected with the bodies in `woken`.
    pub(super) fn spread(&mut self, world: &mut World<'_>) {
        while let Some(handle) = self.woken.pop() {
            let Some(watch) = self.watches.get_mut(index(handle)) else {
                continue;
            };
            if !watch.asleep || watch.handle != handle {
                continue;
            }
            watch.asleep = false;
            watch.still = 0.0;
            watch.reading = self.reading;
            self.counted = None;
            self.active.push(handle);
            world.islands.wake_up(world.bodies, handle, true);
            let watches = &self.watches;
            let sleeps = |h: RigidBodyHandle| {
                let known = watches.get(index(h));
                known.is_some_and(|w| w.handle == h && w.asleep)
            };
            let woken = &mut self.woken;
            unite::neighbours(world, handle, |other| {
                if sleeps(other) {
                    woken.push(other);
                }
            });
        }
    }
}
