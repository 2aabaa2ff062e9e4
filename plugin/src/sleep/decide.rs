//! Who falls asleep or wakes by the contact points of a step.

use super::still::{closes, is_still, lay_down};
use super::watch::{index, watch_of};
use super::{Sleepers, Sleeping, ground, takes_part};
use crate::read::multibody::multibodies;
use crate::read::world::World;
use rapier::math::Real;
use rapier::prelude::*;

impl Sleepers {
    /// Decides who sleeps in this step, from the contact points between awake bodies and others: an island
    /// whose bodies have all been still for long enough falls asleep, one that has a moving
    /// body wakes. True if any body woke: its contacts must then be read too.
    pub(crate) fn decide_sleep(
        &mut self,
        world: &mut World<'_>,
        points: &[crate::base::contact::ContactPoint],
        gravity: &nalgebra::Vector3<f64>,
        h: f64,
        length_unit: Real,
    ) -> bool {
        if self.policy == Sleeping::Never || self.awake == 0 {
            return false;
        }
        for handle in points.iter().flat_map(|point| point.bodies).flatten() {
            // One that was put into the set asleep is watched once something comes near.
            if let Some(rb) = world.bodies.get(handle).filter(|rb| takes_part(rb)) {
                watch_of(&mut self.watches, handle, rb);
            }
        }
        self.unions.reset(self.watches.len());
        self.touched.clear();
        let drop = h * h * gravity.norm();
        for point in points {
            let [Some(a), Some(b)] = point.bodies else {
                continue;
            };
            if closes(world.bodies, point, drop, h) {
                self.unite(world.bodies, a, b);
            }
        }
        for (_, joint) in world.impulse_joints.iter() {
            if joint.data.is_enabled() {
                self.unite(world.bodies, joint.body1(), joint.body2());
            }
        }
        for multibody in multibodies(world.multibody_joints) {
            // Link by link: a fixed root, which belongs to no island, still holds its links together.
            let links = multibody.links().map(MultibodyLink::rigid_body_handle);
            let mut links = links.filter(|link| world.bodies.get(*link).is_some_and(takes_part));
            if let Some(first) = links.next() {
                links.for_each(|link| self.unite(world.bodies, first, link));
            }
        }
        for &handle in &self.active {
            let Some(rb) = world.bodies.get(handle).filter(|rb| takes_part(rb)) else {
                continue;
            };
            let watch = watch_of(&mut self.watches, handle, rb);
            // A body that was given a velocity without being woken has its old timer.
            let is_calm =
                watch.still >= rb.activation().time_until_sleep && is_still(rb, length_unit);
            if !watch.asleep && !is_calm {
                self.unions.spoil(index(handle));
            }
        }
        self.laid.clear();
        self.touched.sort_unstable();
        self.touched.dedup();
        for &number in &self.touched {
            if self.unions.is_spoilt(number) {
                self.woken.push(self.watches[number].handle);
            }
        }
        for &handle in &self.active {
            let number = index(handle);
            if !self.watches[number].asleep && !self.unions.is_spoilt(number) {
                self.watches[number].asleep = true;
                self.counted = None;
                self.laid.push(handle);
                lay_down(world, handle);
            }
        }
        for &handle in &self.laid {
            let around = ground::around(world, handle, |other| self.is_awake(other));
            self.watches[index(handle)].ground = Some(around.ground);
        }
        let woke = !self.woken.is_empty();
        self.reading += 1;
        self.spread(world);
        if woke || !self.laid.is_empty() {
            self.count(world.bodies);
            self.rest.disturb();
        }
        woke
    }

    fn unite(&mut self, set: &RigidBodySet, a: RigidBodyHandle, b: RigidBodyHandle) {
        let member = |h| set.get(h).is_some_and(takes_part);
        if member(a) && member(b) {
            self.unions.unite(index(a), index(b));
            let sleepers = [a, b].map(index).into_iter();
            let asleep = |i: &usize| self.watches.get(*i).is_some_and(|watch| watch.asleep);
            self.touched.extend(sleepers.filter(asleep));
        }
    }
}
