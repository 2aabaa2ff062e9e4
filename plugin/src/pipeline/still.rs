//! A world that stands: nothing was changed since the last step, and that step changed nothing.
//!
//! A step is a function of what it reads: rapier's sets, the settings, and what the pipeline remembers. Where several
//! steps in a row found the same impulses and wrote nothing, the next one would find them again. It is not made: its
//! contacts, impulses and report are those of the last one. Whatever a user does in between is seen, since rapier marks
//! every body and collider that is borrowed mutably, and since state that could come from elsewhere (another world, a
//! restored one) is compared by a digest.
//!
//! Rapier counts the updates of its broad phase and tidies the tree by that count. So the updates that were not made are
//! made up for, modulo that period, before the next step that is.

use super::ContactPipeline;
use crate::base::clock::Clock;
use crate::base::convert::real;
use crate::base::tolerances;
use crate::read::multibody::multibodies;
use crate::read::world::World;
use rapier::data::HasModifiedFlag;
use rapier::prelude::*;
use stickslip_core::models::ContactSolution;
use stickslip_record::{StageTimes, StepReport};

/// Updates of the broad phase after which rapier tidies its tree where little moved.
const PERIOD: u8 = 8;

/// The tree has been tidied in the equal steps before one that is not made.
const _: () = assert!(tolerances::CALM > PERIOD);

/// What is known of a world that stands.
#[derive(Debug, Default)]
pub(crate) struct Still {
    /// Equal steps in a row, up to [`tolerances::CALM`].
    equal: u8,
    /// Updates of the broad phase to be made up for, modulo [`PERIOD`].
    pub(super) skipped: u8,
    gravity: Vector,
    params: IntegrationParameters,
    /// Of the bodies, and of the answer.
    digests: [u64; 2],
    counts: [usize; 4],
    /// Where the first pair of bodies that touch has its contacts in memory.
    place: usize,
    joints: Vec<(ImpulseJointHandle, ImpulseJoint)>,
    /// Every step is made, for comparison.
    #[cfg(test)]
    pub(crate) is_off: bool,
    /// Steps that were not made.
    #[cfg(test)]
    pub(crate) left_out: usize,
}

impl Still {
    /// The next steps are made.
    pub(crate) fn end(&mut self) {
        self.equal = 0;
    }

    /// Takes over what a saved pipeline had not made up for.
    #[cfg(feature = "serde-serialize")]
    pub(super) fn skip(&mut self, skipped: u8) {
        self.skipped = skipped % PERIOD;
    }

    /// Whether everything that a step reads of a world is as the last step left it. O(bodies + colliders + joints) in a
    /// world that stands, O(1) in others.
    fn is_as_left(
        &self,
        world: &World<'_>,
        gravity: Vector,
        params: &IntegrationParameters,
    ) -> bool {
        let is_marked = |(_, rb): (_, &RigidBody)| rb.has_modified_flag();
        let joints = world.impulse_joints.iter();
        self.equal > 0
            && (self.gravity, self.params) == (gravity, *params)
            && self.counts == counts(world)
            && self.place == place(world)
            && !world.bodies.iter().any(is_marked)
            && !(world.colliders.iter()).any(|(_, co)| co.has_modified_flag())
            && joints.eq(self.joints.iter().map(|(handle, joint)| (*handle, joint)))
            && self.digests[0] == of_bodies(world.bodies)
    }

    /// Notes a step that changed nothing.
    fn note(
        &mut self,
        world: &World<'_>,
        gravity: Vector,
        params: &IntegrationParameters,
        answer: &ContactSolution,
    ) {
        let answer = of_answer(answer);
        if self.equal > 0 && self.digests[1] == answer {
            self.equal = tolerances::CALM.min(self.equal + 1);
            return;
        }
        self.equal = 1;
        (self.gravity, self.params) = (gravity, *params);
        self.digests = [of_bodies(world.bodies), answer];
        (self.counts, self.place) = (counts(world), place(world));
        self.joints.clear();
        let joints = world.impulse_joints.iter();
        (self.joints).extend(joints.map(|(handle, joint)| (handle, joint.clone())));
    }
}

/// What a digest does not see.
fn counts(world: &World<'_>) -> [usize; 4] {
    [
        world.bodies.len(),
        world.colliders.len(),
        world.impulse_joints.len(),
        world.islands.num_active_bodies(),
    ]
}

/// Another narrow phase, or one that was restored, has its contacts elsewhere.
fn place(world: &World<'_>) -> usize {
    let mut pairs = world.narrow_phase.contact_pairs();
    let first = pairs.find_map(|pair| pair.manifolds().first());
    first.map_or(0, |manifold| std::ptr::from_ref(manifold).addr())
}

/// A digest of 64 bits: a change of one number changes it.
struct Digest(u64);

impl Digest {
    fn of(numbers: impl IntoIterator<Item = f64>) -> u64 {
        let mut digest = Self(0);
        digest.add(numbers);
        digest.0
    }

    fn add(&mut self, numbers: impl IntoIterator<Item = f64>) {
        for number in numbers {
            let mixed = self.0.rotate_left(5) ^ number.to_bits();
            self.0 = mixed.wrapping_mul(0x9e37_79b9_7f4a_7c15);
        }
    }
}

fn of_bodies(bodies: &RigidBodySet) -> u64 {
    let mut digest = Digest(0);
    for (_, rb) in bodies.iter() {
        for pose in [rb.position(), rb.next_position()] {
            let (t, r) = (pose.translation, pose.rotation);
            digest.add([t.x, t.y, t.z, r.x, r.y, r.z, r.w].map(real));
        }
        let forces = [rb.user_force(), rb.user_torque()];
        for v in [rb.linvel(), rb.angvel()].into_iter().chain(forces) {
            digest.add([v.x, v.y, v.z].map(real));
        }
        let timer = rb.activation().time_since_can_sleep;
        digest.add([rb.mass(), timer].map(real));
        digest.add([flag(rb.is_sleeping()), flag(rb.is_enabled())]);
    }
    digest.0
}

fn flag(is_set: bool) -> f64 {
    f64::from(u8::from(is_set))
}

fn of_answer(answer: &ContactSolution) -> u64 {
    let lists = [&answer.v_plus, &answer.f_n, &answer.f_s, &answer.f_t];
    let numbers = lists.into_iter().chain([&answer.f_scalar]).flatten();
    let numbers = numbers.chain(answer.f_spin.iter().flatten()).copied();
    let flags = answer.held.iter().chain(&answer.unmet).copied();
    Digest::of(numbers.chain(flags.map(flag)))
}

impl ContactPipeline {
    /// Answers a step as the last one was, where that is what it would find. Whether it did.
    pub(super) fn stand(
        &mut self,
        gravity: Vector,
        params: &IntegrationParameters,
        world: &mut World<'_>,
    ) -> bool {
        let mut clock = Clock::start();
        if !self.still.is_as_left(world, gravity, params) || !self.sleepers.may_pass() {
            self.still.end();
        }
        if self.still.equal < tolerances::CALM {
            self.catch_up(world);
            return false;
        }
        self.still.skipped = (self.still.skipped + 1) % PERIOD;
        #[cfg(test)]
        {
            self.still.left_out += 1;
        }
        self.sleepers.pass();
        (self.force_events).send(world, &self.contacts, real(params.dt));
        self.report.times = StageTimes {
            detect: clock.lap(),
            ..StageTimes::default()
        };
        true
    }

    /// Makes the next steps.
    pub(super) fn resume(&mut self, world: &mut World<'_>) {
        self.still.end();
        self.catch_up(world);
    }

    /// Makes up for the updates of the broad phase that were not made.
    fn catch_up(&mut self, world: &mut World<'_>) {
        for _ in 0..std::mem::take(&mut self.still.skipped) {
            self.rapier.update_nothing(world);
        }
        self.rapier.updates = 0;
    }

    /// After a step that was made: whether it changed anything.
    pub(super) fn note_step(
        &mut self,
        gravity: Vector,
        params: &IntegrationParameters,
        world: &World<'_>,
    ) {
        let StepReport {
            solve,
            solves,
            substeps,
            relief,
            ..
        } = &self.report;
        let is_answered = (*solves, *substeps, relief.solves) == (1, 1, 0)
            && solve.iterations + solve.pivots == 0
            && self.solution.v_plus.iter().all(|v| *v == 0.0);
        // Whoever is asked in every step may answer something else.
        let asks = || {
            let mut colliders = world.colliders.iter();
            colliders.any(|(_, co)| !co.active_hooks().is_empty())
        };
        let is_still = is_answered
            && self.rapier.updates == 1
            && !self.has_written
            && self.quarantined.bodies().is_empty()
            && self.quarantined.colliders().is_empty()
            && self.sleepers.may_pass()
            && world.bodies.len() + world.colliders.len()
                <= tolerances::FEW * self.report.activity.awake
            && multibodies(world.multibody_joints).next().is_none()
            && self.source.is_none()
            && !asks();
        #[cfg(test)]
        let is_still = is_still && !self.still.is_off;
        match is_still {
            true => (self.still).note(world, gravity, params, &self.solution),
            false => self.still.end(),
        }
    }
}
