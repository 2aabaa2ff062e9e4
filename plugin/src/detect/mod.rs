//! Collision detection: rapier's own, by a zero-length step.
//!
//! `PhysicsPipeline::step` with `dt = 0` applies the user's changes and updates the contacts
//! without any dynamics. Three settings are forced: no contact clustering (it would empty the
//! plain manifolds), recycling of those pairs only whose points are those of the present pose
//! ([`crate::detect::renew`]), and a prediction distance that covers the approach of all but the fast bodies in the
//! coming step ([`crate::detect::reach`]).

pub(crate) mod collisions;
pub(crate) mod dispatch;
pub(crate) mod fresh;
pub(crate) mod impulses;
mod pass_on;
mod place;
pub(crate) mod polyhedra;
pub(crate) mod reach;
pub(crate) mod renew;

use crate::base::convert::to_real;
use crate::detect::collisions::CollisionsOnly;
use crate::read::multibody::multibodies;
use crate::read::world::World;
use rapier::math::Pose;
use rapier::prelude::*;

/// What goes with rapier's own pipeline.
#[derive(Default)]
pub(crate) struct RapierPipeline {
    /// Roots of multibodies that are on their way to a pose, and that pose.
    sent: Vec<(RigidBodyHandle, Pose)>,
    /// A world without anything in it, for a step that shall do nothing; made when it is first wanted.
    pub(crate) nothing: Option<Box<PhysicsWorld>>,
    /// Updates of the broad phase in this step.
    pub(crate) updates: usize,
}

/// Updates the contacts of every pair, but for those that are recycled where that is wanted; to be followed by
/// [`RapierPipeline::bring_tree_back`]. `prediction` is the distance within which contacts are looked for \[m\].
pub(crate) fn contacts(
    rapier: &mut RapierPipeline,
    params: &IntegrationParameters,
    prediction: f64,
    recycles: bool,
    world: &mut World<'_>,
) {
    let mut params = *params;
    params.dt = 0.0;
    params.contact_clustering = false;
    renew::set_drift(&mut params, recycles);
    params.normalized_prediction_distance = to_real(prediction) / params.length_unit;
    rapier.step(&params, world);
    world.hooks.repeat();
}

fn tree_is_out(world: &World<'_>) -> bool {
    let query = world.broad_phase.as_query_pipeline(
        world.narrow_phase.query_dispatcher(),
        world.bodies,
        world.colliders,
        QueryFilter::default(),
    );
    query.bvh.is_empty()
}

impl RapierPipeline {
    /// A step of rapier's own; what it tells of contact forces, which would be those of its solver, is kept from
    /// the user. It computes the pose of every link before anything else, and so forgets where the user sent a kinematic root:
    /// the root is sent there again.
    pub(crate) fn step(&mut self, params: &IntegrationParameters, world: &mut World<'_>) {
        self.updates += 1;
        self.sent.clear();
        for multibody in multibodies(world.multibody_joints) {
            let root = multibody.root().rigid_body_handle();
            let rb = world.bodies.get(root).filter(|rb| {
                let by_position = RigidBodyType::KinematicPositionBased;
                rb.body_type() == by_position && rb.next_position() != rb.position()
            });
            self.sent.extend(rb.map(|rb| (root, *rb.next_position())));
        }
        world.physics.step(
            Vector::ZERO,
            params,
            world.islands,
            world.broad_phase,
            world.narrow_phase,
            world.bodies,
            world.colliders,
            world.impulse_joints,
            world.multibody_joints,
            world.soft_bodies,
            world.ccd_solver,
            world.hooks,
            &CollisionsOnly(world.events),
        );
        for (root, next) in self.sent.drain(..) {
            if let Some(rb) = world.bodies.get_mut(root) {
                rb.set_next_kinematic_position(next);
            }
        }
    }

    /// After a step of rapier's: makes scene queries work.
    ///
    /// Rapier moves the bounding-volume tree out for an optimisation that it joins only where its pipeline next
    /// touches the broad phase; until then every scene query would find nothing. A zero-length step with
    /// nothing in it but the broad phase joins it: no pair is looked at, no hook and no handler is called.
    pub(crate) fn bring_tree_back(&mut self, world: &mut World<'_>) {
        if !world.colliders.is_empty() && tree_is_out(world) {
            self.update_nothing(world);
        }
    }

    /// An update of the broad phase, and of nothing else.
    pub(crate) fn update_nothing(&mut self, world: &mut World<'_>) {
        self.updates += 1;
        let nothing = self.nothing.get_or_insert_default();
        let params = IntegrationParameters {
            dt: 0.0,
            ..IntegrationParameters::default()
        };
        world.physics.step(
            Vector::ZERO,
            &params,
            &mut nothing.islands,
            world.broad_phase,
            &mut nothing.narrow_phase,
            &mut nothing.bodies,
            &mut nothing.colliders,
            &mut nothing.impulse_joints,
            &mut nothing.multibody_joints,
            &mut nothing.soft_bodies,
            &mut nothing.ccd_solver,
            &(),
            &(),
        );
    }
}
