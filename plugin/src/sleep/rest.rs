//! Takes sleeping bodies out of collision detection.
//!
//! Rapier looks at every pair of the bodies in its active set, and moves bodies out of it in real
//! steps only. So, once the set of sleepers has been calm for a while, one real step of next to no length
//! is made with everything that could move held still: nothing moves, the sleepers leave the active
//! set, and rapier's journal of lost contacts, which grows until a real step reads it, is emptied.

use crate::detect::{RapierPipeline, renew};
use crate::read::world::World;
use rapier::math::{Pose, Real};
use rapier::prelude::*;

/// Steps without anyone falling asleep or waking before the sleepers are taken out.
const CALM: u32 = 10;

/// Steps after which the journal of lost contacts is emptied in any case.
const LONG: u32 = 10_000;

/// Length of the real step \[s\].
const INSTANT: Real = 1e-9;

/// State of one body to come back to.
#[derive(Clone, Copy, Debug)]
struct Kept {
    handle: RigidBodyHandle,
    pose: Pose,
    next: Pose,
    linear: Vector,
    angular: Vector,
    activation: RigidBodyActivation,
}

/// When to take sleepers out; buffers are kept.
#[derive(Debug)]
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
    #[cfg_attr(feature = "serde-serialize", serde(skip))]
    sleepers: Vec<RigidBodyHandle>,
    /// Roots of the multibodies.
    #[cfg_attr(feature = "serde-serialize", serde(skip))]
    roots: Vec<RigidBodyHandle>,
    /// Their generalized velocities, one after another.
    #[cfg_attr(feature = "serde-serialize", serde(skip))]
    velocities: Vec<Real>,
    /// Whether the island manager may not have made a real step yet.
    unacquainted: bool,
}

impl Default for Rest {
    fn default() -> Self {
        Self {
            calm: 0,
            since: 0,
            kept: Vec::new(),
            sleepers: Vec::new(),
            roots: Vec::new(),
            velocities: Vec::new(),
            unacquainted: true,
        }
    }
}

impl Rest {
    /// Someone fell asleep or woke.
    pub(super) fn disturb(&mut self) {
        self.calm = 0;
    }

    /// Makes the real step when it is due. O(active bodies) otherwise in one step of [`CALM`].
    pub(super) fn retire(
        &mut self,
        rapier: &mut RapierPipeline,
        params: &IntegrationParameters,
        world: &mut World<'_>,
        asleep: impl Fn(RigidBodyHandle) -> bool,
    ) {
        self.calm = self.calm.saturating_add(1);
        self.since = self.since.saturating_add(1);
        let due = self.since >= LONG
            || self.calm.is_multiple_of(CALM) && world.islands.active_bodies().any(&asleep);
        if !due || holds_what_the_engine_refuses(world) {
            return;
        }
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
        if self.unacquainted {
            // An island manager takes the islands that are asleep at its first real step for
            // ones it has taken out itself: it must meet them awake.
            self.flag_sleepers(world, &asleep, |rb| {
                rb.activation_mut().sleeping = false;
            });
            rapier.step(&params, world);
            self.flag_sleepers(world, &asleep, RigidBody::sleep);
        }
        rapier.step(&params, world);
        self.unacquainted = world.islands.active_bodies().any(&asleep);
        rapier.bring_tree_back(world);
        self.release(world);
    }

    /// Does something to every sleeper in the active set.
    fn flag_sleepers(
        &mut self,
        world: &mut World<'_>,
        asleep: impl Fn(RigidBodyHandle) -> bool,
        flag: impl Fn(&mut RigidBody),
    ) {
        let active = world.islands.active_bodies();
        self.sleepers.clear();
        self.sleepers
            .extend(active.filter(|handle| asleep(*handle)));
        for handle in &self.sleepers {
            world.bodies.get_mut(*handle).into_iter().for_each(&flag);
        }
    }

    /// Remembers what the awake bodies do and stops them.
    fn hold(&mut self, world: &mut World<'_>) {
        self.kept.clear();
        let active = world.islands.active_bodies();
        for (handle, rb) in active.filter_map(|h| world.bodies.get(h).map(|rb| (h, rb))) {
            if !rb.is_sleeping() {
                self.kept.push(Kept {
                    handle,
                    pose: *rb.position(),
                    next: *rb.next_position(),
                    linear: rb.linvel(),
                    angular: rb.angvel(),
                    activation: *rb.activation(),
                });
            }
        }
        for kept in &self.kept {
            if let Some(rb) = world.bodies.get_mut(kept.handle) {
                if rb.body_type() == RigidBodyType::KinematicPositionBased {
                    rb.set_next_kinematic_position(kept.pose);
                }
                rb.set_linvel(Vector::ZERO, false);
                rb.set_angvel(Vector::ZERO, false);
            }
        }
        self.roots.clear();
        self.velocities.clear();
        let trees = world.multibody_joints.multibodies();
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
            if rb.body_type() == RigidBodyType::KinematicPositionBased {
                rb.set_next_kinematic_position(kept.next);
            }
            rb.set_linvel(kept.linear, false);
            rb.set_angvel(kept.angular, false);
            *rb.activation_mut() = kept.activation;
        }
    }
}

fn multibody_of<'a>(world: &'a mut World<'_>, root: RigidBodyHandle) -> Option<&'a mut Multibody> {
    let index = world.multibody_joints.rigid_body_link(root)?.multibody;
    world.multibody_joints.get_multibody_mut(index)
}

/// A real step of rapier panics on kinematic joints beside limited ones; such worlds keep their
/// sleepers in the active set.
fn holds_what_the_engine_refuses(world: &World<'_>) -> bool {
    let trees = world.multibody_joints.multibodies();
    trees
        .flat_map(Multibody::links)
        .any(|link| link.joint().kinematic)
}
