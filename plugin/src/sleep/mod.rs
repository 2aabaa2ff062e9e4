//! Bodies at rest fall asleep and wake again, by rapier's own thresholds.
//!
//! A body is *still* while no point of it is faster than twice its linear threshold (rapier's rule). What
//! touches or is jointed rests together: an island falls asleep once each of its bodies has been still for
//! its `time_until_sleep`, and wakes as a whole. Rapier keeps its own islands, but decides about sleep in
//! real steps only, and resets its timers for every body whose position was set, which is what
//! writing back a step looks like. The timers are therefore kept here and shown in the body's
//! [`RigidBodyActivation`] after every step. What a drive moves is not still ([`drives`]).

mod drives;
mod due;
mod ground;
mod rest;
mod still;
mod unite;
mod watch;

use crate::contacts::material::Changes;
use crate::detect::RapierPipeline;
use crate::read::multibody::Trees;
use crate::read::world::World;
use rapier::math::{Real, Vector};
use rapier::prelude::*;
use rest::Rest;
use stickslip_core::report::Activity;
use still::{closes, is_still, lay_down};
use unite::Unions;
use watch::{Watch, index, watch_of};

/// Whether bodies may fall asleep.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
#[cfg_attr(
    feature = "serde-serialize",
    derive(serde::Serialize, serde::Deserialize)
)]
pub enum Sleeping {
    /// As the bodies' own activation settings say: what rapier does.
    #[default]
    Allowed,
    /// Every body stays awake, whatever its settings: for measurements, and for robots whose drives
    /// get new targets while they stand still.
    Never,
}

/// Sleep of all bodies; buffers are kept from step to step.
#[derive(Debug)]
#[cfg_attr(
    feature = "serde-serialize",
    derive(serde::Serialize, serde::Deserialize)
)]
pub(crate) struct Sleepers {
    policy: Sleeping,
    /// By the index of the body.
    watches: Vec<Watch>,
    /// Bodies that woke in this step and whose neighbours must be asked.
    #[cfg_attr(feature = "serde-serialize", serde(skip))]
    woken: Vec<RigidBodyHandle>,
    /// Bodies that fall asleep, or sleep on though rapier woke them.
    #[cfg_attr(feature = "serde-serialize", serde(skip))]
    laid: Vec<RigidBodyHandle>,
    #[cfg_attr(feature = "serde-serialize", serde(skip))]
    unions: Unions,
    rest: Rest,
    /// Whether a body passed a sleeper in the last step without touching it.
    was_passed: bool,
    /// Gravity of the last step \[m/s^2\].
    gravity: Option<Vector>,
    /// What rapier has awake in this step, in the order of the set, and what woke since.
    #[cfg_attr(feature = "serde-serialize", serde(skip))]
    active: Vec<RigidBodyHandle>,
    /// Sleepers connected with something awake, by index.
    #[cfg_attr(feature = "serde-serialize", serde(skip))]
    touched: Vec<usize>,
    /// How many bodies there were when the sleepers were counted; none: they must be.
    #[cfg_attr(feature = "serde-serialize", serde(skip))]
    counted: Option<usize>,
    /// Bodies that take part and are awake, and asleep.
    #[cfg_attr(feature = "serde-serialize", serde(skip))]
    awake: usize,
    #[cfg_attr(feature = "serde-serialize", serde(skip))]
    asleep: usize,
    /// Number of the next reading of contacts in this step.
    #[cfg_attr(feature = "serde-serialize", serde(skip))]
    reading: u32,
}

impl Default for Sleepers {
    fn default() -> Self {
        Self {
            policy: Sleeping::Allowed,
            watches: Vec::new(),
            woken: Vec::new(),
            laid: Vec::new(),
            unions: Unions::default(),
            rest: Rest::default(),
            was_passed: false,
            gravity: None,
            active: Vec::new(),
            touched: Vec::new(),
            counted: None,
            awake: 0,
            asleep: 0,
            reading: 0,
        }
    }
}

/// Fixed and disabled bodies neither sleep nor wake.
fn takes_part(rb: &RigidBody) -> bool {
    rb.is_enabled() && !rb.is_fixed()
}

impl Sleepers {
    pub(crate) fn set_policy(&mut self, policy: Sleeping) {
        self.policy = policy;
    }

    pub(crate) fn policy(&self) -> Sleeping {
        self.policy
    }

    /// Whether any body that could move is awake.
    pub(crate) fn any_awake(&self) -> bool {
        self.awake > 0
    }

    /// How many bodies that can move are awake and asleep in this step.
    pub(crate) fn activity(&self) -> Activity {
        Activity {
            awake: self.awake,
            asleep: self.asleep,
        }
    }

    fn watch(&self, handle: RigidBodyHandle) -> Option<&Watch> {
        let known = self.watches.get(index(handle));
        known.filter(|watch| watch.handle == handle)
    }

    /// Before detection: what the user changed since the last step that moves sleepers, and whom the user put to sleep or
    /// woke. O(active bodies), and O(bodies) where gravity changed or something passes a sleeper.
    pub(crate) fn heed(
        &mut self,
        trees: &Trees,
        (gravity, materials): (Vector, &mut Changes),
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
        for (number, multibody) in world.multibody_joints.multibodies().enumerate() {
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

    /// The bodies that take part in this step, in the order of the set: awake ones, and sleepers that rapier has
    /// not seen asleep yet.
    pub(crate) fn active(&mut self) -> &[RigidBodyHandle] {
        self.active.sort_unstable_by_key(|handle| index(*handle));
        self.active.dedup();
        &self.active
    }

    /// Whether a body takes part and is awake.
    fn is_awake(&self, handle: RigidBodyHandle) -> bool {
        self.watch(handle).is_some_and(|watch| !watch.asleep)
    }

    /// Counts who is awake: O(active bodies). Sleepers are counted when one fell asleep or woke, or a body came or
    /// went: O(bodies).
    fn count(&mut self, set: &RigidBodySet) {
        // What was woken may be in the list already.
        self.active();
        self.awake = self.active.iter().filter(|h| self.is_awake(**h)).count();
        if self.counted != Some(set.len()) {
            for (handle, rb) in set.iter().filter(|(_, rb)| rb.is_sleeping()) {
                watch_of(&mut self.watches, handle, rb);
            }
            let asleep = |w: &&Watch| w.asleep && set.get(w.handle).is_some_and(takes_part);
            self.asleep = self.watches.iter().filter(asleep).count();
            self.counted = Some(set.len());
        }
    }

    /// Wakes what is connected with the bodies in `woken`.
    fn spread(&mut self, world: &mut World<'_>) {
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

    /// Decides who sleeps in this step, from the contact points between awake bodies and others: an island
    /// whose bodies have all been still for long enough falls asleep, one that has a moving
    /// body wakes. True if any body woke: its contacts must then be read too.
    pub(crate) fn settle(
        &mut self,
        world: &mut World<'_>,
        points: &[crate::base::contact::ContactPoint],
        (gravity, h): (&nalgebra::Vector3<f64>, f64),
        metre: Real,
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
        for multibody in world.multibody_joints.multibodies() {
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
            let is_calm = watch.still >= rb.activation().time_until_sleep && is_still(rb, metre);
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

    /// At the end of the step: how long each awake body has been still, by its end velocity.
    /// O(active bodies), and the joints while any is awake.
    pub(crate) fn tick(&mut self, world: &mut World<'_>, params: &IntegrationParameters) {
        if self.policy == Sleeping::Never || self.awake == 0 {
            return;
        }
        drives::moved(world, params, |handle| {
            if let Some(watch) = self.watches.get_mut(index(handle)) {
                watch.driven = true;
            }
        });
        let set = &mut *world.bodies;
        for &handle in &self.active {
            let Some(rb) = set.get(handle).filter(|rb| takes_part(rb)) else {
                continue;
            };
            let watch = &mut self.watches[index(handle)];
            if watch.asleep {
                continue;
            }
            let is_driven = std::mem::take(&mut watch.driven);
            watch.still = if !is_driven && is_still(rb, params.length_unit) {
                watch.still + params.dt
            } else {
                0.0
            };
            if rb.activation().time_since_can_sleep != watch.still
                && let Some(rb) = set.get_mut(handle)
            {
                rb.activation_mut().time_since_can_sleep = watch.still;
            }
        }
    }

    /// After detection: makes rapier's own first step of a new world ([`rest`]).
    pub(crate) fn meet(
        &mut self,
        rapier: &mut RapierPipeline,
        params: &IntegrationParameters,
        world: &mut World<'_>,
    ) {
        self.rest.meet(rapier, params, world);
    }

    /// Whether the next step may be left out: no sleeper is to be taken out of detection, and the journal is not due.
    pub(crate) fn may_pass(&self) -> bool {
        let none_due = self.awake == self.active.len() && !self.rest.is_due_next();
        self.policy == Sleeping::Never || none_due
    }

    /// Counts a step that was left out.
    pub(crate) fn pass(&mut self) {
        if self.policy == Sleeping::Allowed {
            self.rest.count();
        }
    }

    /// Has rapier take sleeping bodies out of what it detects, once they lie calm.
    pub(crate) fn retire(
        &mut self,
        rapier: &mut RapierPipeline,
        params: &IntegrationParameters,
        world: &mut World<'_>,
    ) {
        if self.policy == Sleeping::Never {
            return;
        }
        let watches = &self.watches;
        let asleep = |handle: RigidBodyHandle| {
            let known = watches.get(index(handle));
            known.is_some_and(|w| w.handle == handle && w.asleep)
        };
        self.rest.retire(rapier, params, world, asleep);
    }
}
