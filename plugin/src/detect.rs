//! Collision detection: rapier's own, by a zero-length step.
//!
//! `PhysicsPipeline::step` with `dt = 0` applies the user's changes and updates the contacts
//! without any dynamics. Three settings are forced: no contact clustering (it would empty the
//! plain manifolds), no recycling (recycled manifolds keep stale normals), and a prediction
//! distance that covers the fastest approach of the coming step.

use crate::contacts::Detected;
use crate::convert::{real, to_real};
use crate::events::CollisionsOnly;
use crate::hooks::Once;
use crate::told::told_twist;
use nalgebra::Vector3;
use rapier::prelude::*;

/// Share of the user's prediction distance that is enough while everything is slow: fewer pairs to
/// look at. Two levels only, since every change of the distance touches the broad phase.
const SLOW_SHARE: f64 = 0.125;

/// The largest prediction distance as a multiple of the user's: beyond it the closest features
/// say too little about where bodies meet, and continuous detection is the right tool.
const MAX_PREDICTION_GROWTH: f64 = 10.0;

/// Everything of the world that detection needs, borrowed for one call.
pub(crate) struct World<'a> {
    pub(crate) islands: &'a mut IslandManager,
    pub(crate) broad_phase: &'a mut BroadPhaseBvh,
    pub(crate) narrow_phase: &'a mut NarrowPhase,
    pub(crate) bodies: &'a mut RigidBodySet,
    pub(crate) colliders: &'a mut ColliderSet,
    pub(crate) impulse_joints: &'a mut ImpulseJointSet,
    pub(crate) multibody_joints: &'a mut MultibodyJointSet,
    pub(crate) soft_bodies: &'a mut SoftBodySet,
    pub(crate) ccd_solver: &'a mut CCDSolver,
    pub(crate) hooks: &'a Once<'a>,
    pub(crate) events: &'a dyn EventHandler,
}

impl World<'_> {
    /// What detection found.
    pub(crate) fn detected(&self) -> Detected<'_> {
        Detected {
            narrow_phase: self.narrow_phase,
            bodies: self.bodies,
            colliders: self.colliders,
        }
    }
}

/// The engine's own pipeline, and what it is given where it shall do nothing.
#[derive(Default)]
pub(crate) struct Engine {
    pipeline: PhysicsPipeline,
    nothing: PhysicsWorld,
}

/// Updates the contacts of every pair; to be followed by [`Engine::bring_tree_back`]. `reach` is the farthest two bodies may approach each other
/// during the step \[m\]; returns the distance within which contacts were looked for \[m\].
pub(crate) fn contacts(
    engine: &mut Engine,
    params: &IntegrationParameters,
    reach: f64,
    world: &mut World<'_>,
) -> f64 {
    let mut params = *params;
    params.dt = 0.0;
    params.contact_clustering = false;
    params.contact_recycling = false;
    let user = real(params.prediction_distance());
    if user > 0.0 {
        let share = if 2.0 * reach < SLOW_SHARE * user {
            SLOW_SHARE
        } else {
            (reach / user).clamp(1.0, MAX_PREDICTION_GROWTH)
        };
        params.normalized_prediction_distance *= to_real(share);
    }
    engine.step(&params, world);
    world.hooks.repeat();
    real(params.prediction_distance())
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

impl Engine {
    /// A step of rapier's own; what it tells of contact forces, which would be those of its solver, is kept from
    /// the user.
    pub(crate) fn step(&mut self, params: &IntegrationParameters, world: &mut World<'_>) {
        self.pipeline.step(
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
    }

    /// What the last step of rapier's set aside.
    pub(crate) fn quarantine(&self) -> &Quarantine {
        self.pipeline.quarantine()
    }

    /// After a step of rapier's: makes scene queries work.
    ///
    /// Rapier moves the bounding-volume tree out for an optimisation that it joins only where its pipeline next
    /// touches the broad phase; until then every scene query would find nothing. A zero-length step with
    /// nothing in it but the broad phase joins it: no pair is looked at, no hook and no handler is called.
    pub(crate) fn bring_tree_back(&mut self, world: &mut World<'_>) {
        if world.colliders.is_empty() || !tree_is_out(world) {
            return;
        }
        let nothing = &mut self.nothing;
        let params = IntegrationParameters {
            dt: 0.0,
            ..IntegrationParameters::default()
        };
        self.pipeline.step(
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

/// The farthest any two bodies can approach each other in the coming step \[m\].
pub(crate) fn reach(
    set: &RigidBodySet,
    colliders: &ColliderSet,
    gravity: &Vector3<f64>,
    h: f64,
) -> f64 {
    let speed = |rb: &RigidBody| {
        let (linear, angular) = if rb.body_type() == RigidBodyType::KinematicPositionBased {
            let (linear, angular, _) = told_twist(rb, h);
            (linear.norm(), angular.norm())
        } else {
            (real(rb.linvel().length()), real(rb.angvel().length()))
        };
        if angular == 0.0 || turns_in_place(rb, colliders) {
            linear
        } else {
            linear + angular * extent(rb, colliders)
        }
    };
    let mut fastest = [0.0_f64; 2];
    for (_, rb) in set.iter() {
        let speed = Some(speed(rb)).filter(|v| v.is_finite()).unwrap_or(0.0);
        if speed > fastest[0] {
            fastest = [speed, fastest[0]];
        } else {
            fastest[1] = fastest[1].max(speed);
        }
    }
    h * (fastest[0] + fastest[1] + 2.0 * h * gravity.norm())
}

/// Whether the surface of a body stays where it is as it turns: balls about the centre of mass, once the engine
/// has found that in its first detection.
fn turns_in_place(rb: &RigidBody, colliders: &ColliderSet) -> bool {
    let masses = rb.mass_properties();
    let centre = masses.local_mprops.local_com;
    let is_measured = masses.max_extent() > 0.0;
    is_measured
        && rb.colliders().iter().all(|&co| {
            colliders.get(co).is_some_and(|collider| {
                let place = collider.position_wrt_parent();
                let at = place.map_or(Vector::ZERO, |place| place.translation);
                collider.shape().as_ball().is_some() && at == centre
            })
        })
}

/// Distance of a body's farthest point from its centre of mass \[m\]; an upper bound while the engine has not
/// measured it yet, which it does in the first detection.
fn extent(rb: &RigidBody, colliders: &ColliderSet) -> f64 {
    let known = real(rb.mass_properties().max_extent());
    if known > 0.0 {
        return known;
    }
    let about_origin = rb.colliders().iter().filter_map(|&co| {
        let collider = colliders.get(co)?;
        let sphere = collider.shape().compute_local_bounding_sphere();
        let centre = collider.position_wrt_parent()? * sphere.center;
        Some(real(centre.length() + sphere.radius))
    });
    2.0 * about_origin.fold(0.0, f64::max)
}
