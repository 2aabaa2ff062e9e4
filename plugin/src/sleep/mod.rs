//! Bodies at rest fall asleep and wake again, by rapier's own thresholds.
//!
//! A body is *still* while no point of it is faster than twice its linear threshold (rapier's rule). What
//! touches or is jointed rests together: an island falls asleep once each of its bodies has been still for
//! its `time_until_sleep`, and wakes as a whole. Rapier keeps its own islands, but decides about sleep in
//! real steps only, and resets its timers for every body whose position was set, which is what
//! writing back a step looks like. The timers are therefore kept here and shown in the body's
//! [`RigidBodyActivation`] after every step. What a drive moves is not still ([`drives`]).

mod decide;
mod drives;
mod due;
mod ground;
mod rest;
mod still;
mod unite;
mod wake;
mod watch;

use crate::detect::RapierPipeline;
use crate::read::world::World;
use rapier::math::Vector;
use rapier::prelude::*;
use rest::Rest;
use stickslip_record::Activity;
use still::is_still;
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
    pub(crate) fn begin_islands(
        &mut self,
        rapier: &mut RapierPipeline,
        params: &IntegrationParameters,
        world: &mut World<'_>,
    ) {
        self.rest.begin_islands(rapier, params, world);
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
    pub(crate) fn remove_sleeping(
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
        if (self.rest).remove_sleeping(rapier, params, world, asleep) {
            self.renew_grounds(world);
        }
    }

    /// Looks again at what sleepers lie on: a step of rapier's rounds their poses anew. O(sleepers and their contacts).
    fn renew_grounds(&mut self, world: &World<'_>) {
        for i in 0..self.watches.len() {
            let watch = &self.watches[i];
            if watch.asleep && watch.ground.is_some() {
                let around = ground::around(world, watch.handle, |other| self.is_awake(other));
                self.watches[i].ground = Some(around.ground);
            }
        }
    }
}
