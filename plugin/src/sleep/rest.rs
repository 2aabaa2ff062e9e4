//! Takes sleeping bodies out of collision detection.
//!
//! Rapier looks at every pair of the bodies in its active set, and moves bodies out of it in real
//! steps only. So, once the set of sleepers has been calm for a while, one real step of next to no length
//! is made with everything that could move held still: nothing moves, the sleepers leave the active
//! set, and rapier's journal of lost contacts, which grows until a real step reads it, is emptied.
//!
//! An island manager renumbers its islands in its first real step, after it has listed the old numbers: a number that
//! no longer exists, of a body that was removed since, is out of bounds there. So the first step it ever makes is a real one, as it is
//! in rapier, where the numbers are those of the bodies just inserted.

use super::takes_part;
use crate::base::tolerances;
use crate::detect::{RapierPipeline, renew};
use crate::read::multibody::multibodies;
use crate::read::world::World;
use rapier::math::{Pose, Real};
use rapier::prelude::*;

/// Length of the real step \[s\].
const INSTANT: Real = 1e-9;

/// State of one body to come back to.
#[derive(Clone, Copy, Debug)]
struct Kept {
    handle: RigidBodyHandle,
    pose: Pose,
    linear: Vector,
    angular: Vector,
    /// For how long it could sleep \[s\].
    timer: Real,
}

/// When to take sleepers out; buffers are kept.
#[derive(Debug, Default)]
#[cfg_attr(
    feature = "serde-serialize",
    derive(serde::Serialize, serde::Deserialize)
)]
pub(super) struct Rest {
    /// Steps since someone fell asleep or woke.
    calm: u32,
    /// Steps since the last real step.
    since: u32,
    #[cfg_attr(feature = "serde-serialize", serde(skip))]
    kept: Vec<Kept>,
    /// Where the user sends bodies that move by position.
    #[cfg_attr(feature = "serde-serialize", serde(skip))]
    sent: Vec<(RigidBodyHandle, Pose)>,
    /// Roots of the multibodies.
    #[cfg_attr(feature = "serde-serialize", serde(skip))]
    roots: Vec<RigidBodyHandle>,
    /// Their generalized velocities, one after another.
    #[cfg_attr(feature = "serde-serialize", serde(skip))]
    velocities: Vec<Real>,
    /// Whether the island manager made a real step first.
    is_met: bool,
    /// Whether this step is the first one of an island manager.
    #[cfg_attr(feature = "serde-serialize", serde(skip))]
    is_new: bool,
    /// Bodies in its active set, and in the world, when the last step began; none yet.
    seen: Option<[usize; 2]>,
}

impl Rest {
    /// Someone fell asleep or woke.
    pub(super) fn disturb(&mut self) {
        self.calm = 0;
    }

    /// Counts a step.
    pub(super) fn count(&mut self) {
        self.calm = self.calm.saturating_add(1);
        self.since = self.since.saturating_add(1);
    }

    /// Whether the journal is to be emptied in the next step.
    pub(super) fn is_due_next(&self) -> bool {
        self.since + 1 >= tolerances::LONG
    }

    /// Makes the real step when it is due; whether it did. O(active bodies) otherwise in one step of [`tolerances::CALM`].
    pub(super) fn remove_sleeping(
        &mut self,
        rapier: &mut RapierPipeline,
        params: &IntegrationParameters,
        world: &mut World<'_>,
        asleep: impl Fn(RigidBodyHandle) -> bool,
    ) -> bool {
        self.count();
        let due = self.since >= tolerances::LONG
            || self.calm.is_multiple_of(tolerances::CALM.into())
                && world.islands.active_bodies().any(&asleep);
        let steps = due && self.is_met && !holds_what_the_engine_refuses(world);
        if steps {
            self.step(rapier, params, world);
        }
        steps
    }

    /// Before detection: whether the island manager is a new one. O(1) where bodies are active, O(bodies) in the first step
    /// without.
    pub(super) fn look(&mut self, world: &World<'_>) {
        let now = [world.islands.num_active_bodies(), world.bodies.len()];
        let before = self.seen.replace(now);
        let is_awake = |(_, rb): (_, &RigidBody)| !rb.is_sleeping() && takes_part(rb);
        // Nothing is active, and something was or came.
        let may_be = now[0] == 0 && before != Some(now);
        self.is_new = before.is_none() || may_be && world.bodies.iter().any(is_awake);
    }

    /// After detection: makes the real step that a new island manager must make first.
    pub(super) fn begin_islands(
        &mut self,
        rapier: &mut RapierPipeline,
        params: &IntegrationParameters,
        world: &mut World<'_>,
    ) {
        if std::mem::take(&mut self.is_new) {
            self.is_met = !holds_what_the_engine_refuses(world);
            if self.is_met {
                self.step(rapier, params, world);
            }
        }
    }

    /// A real step of next to no length, with everything held still.
    fn step(
        &mut self,
        rapier: &mut RapierPipeline,
        params: &IntegrationParameters,
        world: &mut World<'_>,
    ) {
        self.since = 0;
        self.hold(world);
        let mut params = *params;
        params.dt = INSTANT;
        params.max_ccd_substeps = 0;
        params.num_solver_iterations = 1;
        params.contact_clustering = false;
        // The impulses that stand in the manifolds are those of a whole step.
        params.warmstart_coefficient = 0.0;
        renew::set_drift(&mut params, true);
        rapier.step(&params, world);
        rapier.bring_tree_back(world);
        self.release(world);
    }

    /// Remembers what the awake bodies do and stops them.
    fn hold(&mut self, world: &mut World<'_>) {
        self.kept.clear();
        self.sent.clear();
        let active = world.islands.active_bodies();
        for (handle, rb) in active.filter_map(|h| world.bodies.get(h).map(|rb| (h, rb))) {
            if !rb.is_sleeping() {
                self.kept.push(Kept {
                    handle,
                    pose: *rb.position(),
                    linear: rb.linvel(),
                    angular: rb.angvel(),
                    timer: rb.activation().time_since_can_sleep,
                });
                if rb.body_type() == RigidBodyType::KinematicPositionBased {
                    self.sent.push((handle, *rb.next_position()));
                }
            }
        }
        for kept in &self.kept {
            if let Some(rb) = world.bodies.get_mut(kept.handle) {
                if rb.body_type() == RigidBodyType::KinematicPositionBased {
                    rb.set_next_kinematic_position(kept.pose);
                }
                rb.set_linvel(Vector::ZERO, false);
                rb.set_angvel(Vector::ZERO, false);
                // Who sleeps is not rapier's to decide.
                rb.activation_mut().time_since_can_sleep = 0.0;
            }
        }
        self.roots.clear();
        self.velocities.clear();
        let trees = multibodies(world.multibody_joints);
        self.roots
            .extend(trees.map(|m| m.root().rigid_body_handle()));
        for &root in &self.roots {
            if let Some(multibody) = multibody_of(world, root) {
                let mut velocity = multibody.generalized_velocity_mut();
                self.velocities.extend(velocity.iter());
                velocity.fill(0.0);
            }
        }
    }

    /// Gives the awake bodies back what they had.
    fn release(&mut self, world: &mut World<'_>) {
        let mut velocities = self.velocities.iter();
        for &root in &self.roots {
            if let Some(multibody) = multibody_of(world, root) {
                let mut now = multibody.generalized_velocity_mut();
                for (to, from) in now.iter_mut().zip(&mut velocities) {
                    *to = *from;
                }
            }
        }
        for kept in &self.kept {
            let Some(rb) = world.bodies.get_mut(kept.handle) else {
                continue;
            };
            rb.set_position(kept.pose, false);
            rb.set_linvel(kept.linear, false);
            rb.set_angvel(kept.angular, false);
            let activation = rb.activation_mut();
            (activation.time_since_can_sleep, activation.sleeping) = (kept.timer, false);
        }
        for &(handle, next) in &self.sent {
            if let Some(rb) = world.bodies.get_mut(handle) {
                rb.set_next_kinematic_position(next);
            }
        }
        // Such steps are rare, and the solver that rapier makes in each takes more.
        self.kept = Vec::new();
    }
}

fn multibody_of<'a>(world: &'a mut World<'_>, root: RigidBodyHandle) -> Option<&'a mut Multibody> {
    let index = world.multibody_joints.rigid_body_link(root)?.multibody;
    world.multibody_joints.get_multibody_mut(index)
}

/// A real step of rapier panics on kinematic joints beside limited ones, and moves links without mass far in no time: its
/// mass matrix has no inverse there. Such worlds keep their sleepers in the active set.
fn holds_what_the_engine_refuses(world: &World<'_>) -> bool {
    let has_no_mass = |handle| {
        let body = world.bodies.get(handle);
        body.is_some_and(|rb: &RigidBody| rb.is_dynamic() && rb.mass() == 0.0)
    };
    let trees = multibodies(world.multibody_joints);
    (trees.flat_map(Multibody::links))
        .any(|link| link.joint().kinematic || has_no_mass(link.rigid_body_handle()))
}
