//! Tests of the plugin against closed forms, in whichever precision the crate is compiled.

mod abuse;
mod arrive;
mod bodies;
mod busy;
mod ccd;
mod changes;
mod claims;
mod closing;
mod compare;
mod determinism;
mod division;
mod dominance;
mod drives;
mod events;
mod extremes;
mod fresh;
mod hold;
mod hooks;
mod impulse_joints;
mod impulses;
mod islands;
mod joints;
mod massless;
mod materials;
mod pauses;
mod pinned;
mod position_correction;
mod quarantine;
mod reach;
mod record;
mod record_signs;
mod refusals;
mod renew;
mod rooms;
mod sizes;
mod sleep;
#[cfg(feature = "serde-serialize")]
mod state;
mod still;
#[cfg(feature = "reference")]
mod surface;
mod trees;
mod units;

use crate::read::hooks::Once;
use crate::{ContactPipeline, ModelName, Sleeping, StepError, StepReport};
use nalgebra::Vector3;
use rapier::prelude::*;

/// Round-off of rapier's state: bounds of f64 runs are written against it.
pub(super) const EPS: f64 = if size_of::<Real>() == 4 { 1e-5 } else { 1e-12 };

/// Standard gravity used throughout [m/s^2].
pub(super) const G: f64 = 9.81;

/// A rapier world with our pipeline.
pub(super) struct World {
    pub(super) gravity: Vector,
    pub(super) params: IntegrationParameters,
    pub(super) islands: IslandManager,
    pub(super) broad_phase: BroadPhaseBvh,
    pub(super) narrow_phase: NarrowPhase,
    pub(super) bodies: RigidBodySet,
    pub(super) colliders: ColliderSet,
    pub(super) impulse_joints: ImpulseJointSet,
    pub(super) multibody_joints: MultibodyJointSet,
    pub(super) soft_bodies: SoftBodySet,
    pub(super) ccd: CCDSolver,
    pub(super) pipeline: ContactPipeline,
}

impl World {
    pub(super) fn new(h: f64) -> Self {
        Self::with_model(h, ModelName::NoSlip)
    }

    /// A world in which every body stays awake, so that contacts at rest can be looked at.
    pub(super) fn with_model(h: f64, model: ModelName) -> Self {
        let mut pipeline = ContactPipeline::new(model, crate::default_settings()).unwrap();
        pipeline.set_sleeping(Sleeping::Never);
        Self {
            gravity: vec3(0.0, 0.0, -G),
            params: IntegrationParameters {
                dt: crate::base::convert::to_real(h),
                ..Default::default()
            },
            islands: IslandManager::new(),
            broad_phase: BroadPhaseBvh::new(),
            narrow_phase: NarrowPhase::new(),
            bodies: RigidBodySet::new(),
            colliders: ColliderSet::new(),
            impulse_joints: ImpulseJointSet::new(),
            multibody_joints: MultibodyJointSet::new(),
            soft_bodies: SoftBodySet::new(),
            ccd: CCDSolver::new(),
            pipeline,
        }
    }

    pub(super) fn try_step(&mut self, events: &dyn EventHandler) -> Result<StepReport, StepError> {
        self.try_hooked(&(), events)
    }

    pub(super) fn try_hooked(
        &mut self,
        hooks: &dyn PhysicsHooks,
        events: &dyn EventHandler,
    ) -> Result<StepReport, StepError> {
        self.pipeline
            .step(
                self.gravity,
                &self.params,
                &mut self.islands,
                &mut self.broad_phase,
                &mut self.narrow_phase,
                &mut self.bodies,
                &mut self.colliders,
                &mut self.impulse_joints,
                &mut self.multibody_joints,
                &mut self.soft_bodies,
                &mut self.ccd,
                hooks,
                events,
            )
            .copied()
    }

    /// Removes a body with its colliders.
    pub(super) fn remove(&mut self, body: RigidBodyHandle) {
        self.bodies.remove(
            body,
            &mut self.islands,
            &mut self.colliders,
            &mut self.impulse_joints,
            &mut self.multibody_joints,
            &mut self.soft_bodies,
            true,
        );
    }

    /// As a step borrows it.
    pub(super) fn borrowed<'a>(&'a mut self, hooks: &'a Once<'a>) -> crate::read::world::World<'a> {
        crate::read::world::World {
            physics: self.pipeline.physics.get_or_insert_default(),
            islands: &mut self.islands,
            broad_phase: &mut self.broad_phase,
            narrow_phase: &mut self.narrow_phase,
            bodies: &mut self.bodies,
            colliders: &mut self.colliders,
            impulse_joints: &mut self.impulse_joints,
            multibody_joints: &mut self.multibody_joints,
            soft_bodies: &mut self.soft_bodies,
            ccd_solver: &mut self.ccd,
            hooks,
            events: &(),
        }
    }

    pub(super) fn step(&mut self) -> StepReport {
        let report = self.try_step(&()).unwrap();
        assert!(report.solve.status.is_usable(), "{report:?}");
        report
    }

    pub(super) fn run(&mut self, steps: usize) -> StepReport {
        (0..steps).map(|_| self.step()).last().unwrap()
    }

    /// The half space below z = 0.
    pub(super) fn ground(&mut self) -> ColliderHandle {
        let ground = ColliderBuilder::halfspace(rapier::na::Unit::new_unchecked(Vector::Z));
        self.colliders.insert(ground)
    }

    pub(super) fn add(
        &mut self,
        body: RigidBodyBuilder,
        shape: ColliderBuilder,
    ) -> RigidBodyHandle {
        let handle = self.bodies.insert(body);
        self.colliders
            .insert_with_parent(shape, handle, &mut self.bodies);
        handle
    }

    pub(super) fn position(&self, body: RigidBodyHandle) -> Vector3<f64> {
        crate::base::convert::vector(self.bodies[body].translation())
    }

    pub(super) fn linvel(&self, body: RigidBodyHandle) -> Vector3<f64> {
        crate::base::convert::vector(self.bodies[body].linvel())
    }

    pub(super) fn angvel(&self, body: RigidBodyHandle) -> Vector3<f64> {
        crate::base::convert::vector(self.bodies[body].angvel())
    }

    /// Joint coordinates (axis 0..6) of the link of a body.
    pub(super) fn coordinate(&self, body: RigidBodyHandle, axis: usize) -> f64 {
        let id = self.multibody_joints.rigid_body_link(body).unwrap();
        let multibody = self.multibody_joints.get_multibody(id.multibody).unwrap();
        let link = multibody.link(id.id).unwrap();
        crate::base::convert::real(link.joint().coords()[axis])
    }

    /// Rapier takes every new root for a floating one until its first kinematics.
    pub(super) fn settle_root(&mut self, body: RigidBodyHandle) {
        let id = *self.multibody_joints.rigid_body_link(body).unwrap();
        let multibody = self.multibody_joints.get_multibody_mut(id.multibody);
        multibody.unwrap().forward_kinematics(&self.bodies, true);
    }

    /// The multibody that a body is a link of.
    pub(super) fn multibody(&mut self, body: RigidBodyHandle) -> &mut Multibody {
        let id = *self.multibody_joints.rigid_body_link(body).unwrap();
        self.multibody_joints
            .get_multibody_mut(id.multibody)
            .unwrap()
    }
}

/// A cube of 1 m in a world.
pub(super) fn cube_of(world: &mut World, mass: f64, [x, y, z]: [f64; 3]) -> RigidBodyHandle {
    let body = RigidBodyBuilder::dynamic().translation(vec3(x, y, z));
    let shape = ColliderBuilder::cuboid(num(0.5), num(0.5), num(0.5)).mass(num(mass));
    world.add(body, shape)
}

pub(super) fn vec3(x: f64, y: f64, z: f64) -> Vector {
    crate::base::convert::to_vector(&Vector3::new(x, y, z))
}

/// Asserts that two numbers agree to `tolerance` absolutely.
#[track_caller]
pub(super) fn assert_close(actual: f64, expected: f64, tolerance: f64) {
    assert!(
        (actual - expected).abs() <= tolerance,
        "{actual} is not {expected}: off by {:e}, allowed {tolerance:e}",
        (actual - expected).abs()
    );
}

/// Rapier's number for a test value.
pub(super) fn num(x: f64) -> Real {
    crate::base::convert::to_real(x)
}
