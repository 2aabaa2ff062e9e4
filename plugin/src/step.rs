//! One step, top to bottom.

use crate::assemble::{Assembler, Frame, Parts};
use crate::bodies::Bodies;
use crate::clock::Clock;
use crate::contacts::{Contact, ContactPoint, ContactSource};
use crate::convert::{real, vector};
use crate::detect::{self, World};
use crate::error::StepError;
use crate::impulse_joints::{ImpulseJoints, Movers};
use crate::memory::Memory;
use crate::multibody::Trees;
use crate::writeback::Motion;
use crate::{assemble, check, contacts, writeback};
use nalgebra::Vector3;
use rapier::prelude::*;
use stickslip_core::models::{
    ContactModel, ContactSolution, ModelError, ModelName, ModelSettings, WarmStart, Workspace,
};
use stickslip_core::report::{StageTimes, StepReport};

/// Rounds of turning drives past their effort limit into bounded rows and of correcting the
/// curvature of joints, before the step goes on with what it has; one or two is what happens.
const ROUNDS: usize = 8;

/// Steps a rapier world with a contact model that sticks: the counterpart of rapier's
/// `PhysicsPipeline`.
///
/// ```
/// # use stickslip::rapier;
/// use rapier::prelude::*;
/// use stickslip::ContactPipeline;
///
/// let mut bodies = RigidBodySet::new();
/// let mut colliders = ColliderSet::new();
/// let floor = ColliderBuilder::cuboid(5.0, 0.5, 5.0).translation(Vector::new(0.0, -0.5, 0.0));
/// colliders.insert(floor);
/// let ball = bodies.insert(RigidBodyBuilder::dynamic().translation(Vector::new(0.0, 0.5, 0.0)));
/// colliders.insert_with_parent(ColliderBuilder::ball(0.5), ball, &mut bodies);
/// let (mut islands, mut broad_phase) = (IslandManager::new(), BroadPhaseBvh::new());
/// let (mut narrow_phase, mut ccd) = (NarrowPhase::new(), CCDSolver::new());
/// let mut impulse_joints = ImpulseJointSet::new();
/// let mut multibody_joints = MultibodyJointSet::new();
/// let mut soft_bodies = SoftBodySet::new();
///
/// let mut pipeline = ContactPipeline::default();
/// let report = pipeline.step(
///     Vector::new(0.0, -9.81, 0.0),
///     &IntegrationParameters::default(),
///     &mut islands,
///     &mut broad_phase,
///     &mut narrow_phase,
///     &mut bodies,
///     &mut colliders,
///     &mut impulse_joints,
///     &mut multibody_joints,
///     &mut soft_bodies,
///     &mut ccd,
///     &(),
///     &(),
/// )?;
/// assert_eq!(report.solve.contacts, 1);
/// # Ok::<(), stickslip::StepError>(())
/// ```
pub struct ContactPipeline {
    model: Box<dyn ContactModel>,
    source: Option<Box<dyn ContactSource>>,
    detection: PhysicsPipeline,
    bodies: Bodies,
    trees: Trees,
    pub(crate) joints: ImpulseJoints,
    memory: Memory,
    pub(crate) materials: crate::material::Materials,
    points: Vec<ContactPoint>,
    pub(crate) contacts: Vec<Contact>,
    assembler: Assembler,
    warm: WarmStart,
    workspace: Workspace,
    solution: ContactSolution,
    sleeping: Vec<RigidBodyHandle>,
    stale: Vec<RigidBodyHandle>,
    report: StepReport,
}

/// Settings that suit the engine's precision: positions of metre-sized scenes are rounded to 1e-7 m
/// in f32, so that a closed contact is known only to a few of those.
pub fn default_settings() -> ModelSettings {
    let mut settings = ModelSettings::default();
    if size_of::<Real>() == 4 {
        settings.closed_tolerance = 1e-5;
    }
    settings
}

impl std::fmt::Debug for ContactPipeline {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        f.debug_struct("ContactPipeline")
            .field("model", &self.model)
            .field("contacts", &self.contacts.len())
            .field("report", &self.report)
            .finish_non_exhaustive()
    }
}

impl Default for ContactPipeline {
    /// No slip, by principal pivoting, with [`default_settings`].
    fn default() -> Self {
        match Self::new(ModelName::default(), default_settings()) {
            Ok(pipeline) => pipeline,
            Err(_) => unreachable!("the default settings fit the default model"),
        }
    }
}

impl ContactPipeline {
    /// A pipeline with the given model and settings.
    ///
    /// # Errors
    /// When a setting is out of range or the solver does not fit the model.
    pub fn new(name: ModelName, settings: ModelSettings) -> Result<Self, ModelError> {
        Ok(Self {
            model: stickslip_core::models::model(name, settings)?,
            source: None,
            detection: PhysicsPipeline::new(),
            bodies: Bodies::default(),
            trees: Trees::default(),
            joints: ImpulseJoints::default(),
            memory: Memory::default(),
            materials: Default::default(),
            points: Vec::new(),
            contacts: Vec::new(),
            assembler: Assembler::default(),
            warm: WarmStart::new(),
            workspace: Workspace::new(),
            solution: ContactSolution::default(),
            sleeping: Vec::new(),
            stale: Vec::new(),
            report: StepReport::default(),
        })
    }

    /// Changes the model; the warm start of the old one is dropped.
    ///
    /// # Errors
    /// As [`ContactPipeline::new`]; the old model then stays.
    pub fn set_model(
        &mut self,
        name: ModelName,
        settings: ModelSettings,
    ) -> Result<(), ModelError> {
        self.model = stickslip_core::models::model(name, settings)?;
        self.warm.clear();
        Ok(())
    }

    /// The model in force.
    pub fn model(&self) -> &dyn ContactModel {
        &*self.model
    }

    /// Replaces rapier's contact points by those of `source`, or goes back to them.
    pub fn set_contact_source(&mut self, source: Option<Box<dyn ContactSource>>) {
        self.source = source;
    }

    /// The contact problem the last step solved; contact c is [`Self::contacts`]`[c]`.
    pub fn problem(&self) -> &stickslip_core::problem::ContactProblem {
        self.assembler.problem()
    }

    /// What the last step said of itself.
    pub fn report(&self) -> &StepReport {
        &self.report
    }

    /// Advances the world by `integration_parameters.dt`. The arguments are those of rapier's
    /// `PhysicsPipeline::step`; rapier's solver settings among the parameters (iterations,
    /// softness) have no meaning here.
    ///
    /// Per step: check, collision detection by rapier, dynamics of every tree, one contact problem,
    /// its solution by the model, write-back. No allocation by our own stages once the largest
    /// problem has been seen.
    ///
    /// # Errors
    /// [`StepError`] when the state is not finite or the scene has features not solved here. The
    /// sets are then as they were, but for the updated contacts when the error is found after
    /// detection.
    #[allow(
        clippy::too_many_arguments,
        reason = "a drop-in for rapier's step takes rapier's arguments"
    )]
    pub fn step(
        &mut self,
        gravity: Vector,
        integration_parameters: &IntegrationParameters,
        islands: &mut IslandManager,
        broad_phase: &mut BroadPhaseBvh,
        narrow_phase: &mut NarrowPhase,
        bodies: &mut RigidBodySet,
        colliders: &mut ColliderSet,
        impulse_joints: &mut ImpulseJointSet,
        multibody_joints: &mut MultibodyJointSet,
        soft_bodies: &mut SoftBodySet,
        ccd_solver: &mut CCDSolver,
        hooks: &dyn PhysicsHooks,
        events: &dyn EventHandler,
    ) -> Result<&StepReport, StepError> {
        let mut world = World {
            islands,
            broad_phase,
            narrow_phase,
            bodies,
            colliders,
            impulse_joints,
            multibody_joints,
            soft_bodies,
            ccd_solver,
            hooks,
            events,
        };
        self.advance(gravity, integration_parameters, &mut world)?;
        Ok(&self.report)
    }

    fn advance(
        &mut self,
        gravity: Vector,
        params: &IntegrationParameters,
        world: &mut World<'_>,
    ) -> Result<(), StepError> {
        let mut clock = Clock::start();
        check::scene(
            gravity,
            params,
            &check::Scene {
                bodies: world.bodies,
                impulse_joints: world.impulse_joints,
                multibody_joints: world.multibody_joints,
                soft_bodies: world.soft_bodies,
            },
        )?;
        let gravity = vector(gravity);
        let h = real(params.dt);
        let frame = Frame {
            h,
            closed_tolerance: self.model.settings().closed_tolerance,
            baumgarte: self.model.settings().baumgarte,
            push_speed: self.model.settings().push_speed,
        };
        self.wake(world);
        writeback::sync_links(
            &self.trees,
            &mut self.stale,
            world.bodies,
            world.multibody_joints,
        );
        let reach = assemble::reach(world.bodies, &gravity, h);
        let mut times = StageTimes {
            assemble: clock.lap(),
            ..StageTimes::default()
        };

        detect::contacts(&mut self.detection, params, reach, world);
        times.detect = clock.lap();

        self.gather(&gravity, h, world)?;
        self.assemble(world.bodies, frame)?;
        times.assemble += clock.lap();

        let mut solve = self.solve();
        times.solve = clock.lap();
        for _ in 0..ROUNDS {
            if !self.revise(world.bodies, &gravity, h)? {
                break;
            }
            self.assemble(world.bodies, frame)?;
            times.assemble += clock.lap();
            solve = self.solve();
            times.solve += clock.lap();
        }
        self.assembler
            .read_contacts(&self.solution, &mut self.contacts);
        let movers = Movers::new(world.bodies, &self.bodies, &self.trees, h);
        self.joints.read(movers, &self.solution, |block| {
            self.assembler.set_pushed(block);
        });
        self.joints.write_back(world.impulse_joints);

        writeback::bodies(
            &self.bodies,
            &self.assembler,
            &self.solution,
            h,
            world.bodies,
        );
        writeback::trees(
            &mut self.trees,
            &self.assembler,
            &self.solution,
            &Motion { gravity, h },
            world,
        );
        writeback::told(&self.bodies, world.bodies, h);
        world
            .bodies
            .propagate_modified_body_positions_to_colliders(world.colliders);
        times.integrate = clock.lap();
        self.report = StepReport { solve, times };
        Ok(())
    }

    /// Every body stays awake: a sleeping one would have stale contacts.
    fn wake(&mut self, world: &mut World<'_>) {
        self.sleeping.clear();
        let sleeping = |rb: &RigidBody| rb.is_sleeping() && rb.is_enabled();
        self.sleeping.extend(
            world
                .bodies
                .iter()
                .filter(|(_, rb)| sleeping(rb))
                .map(|(handle, _)| handle),
        );
        for handle in &self.sleeping {
            world.islands.wake_up(world.bodies, *handle, true);
        }
    }

    /// Reads bodies, trees and contact points.
    fn gather(
        &mut self,
        gravity: &Vector3<f64>,
        h: f64,
        world: &World<'_>,
    ) -> Result<(), StepError> {
        self.bodies.clear();
        self.trees
            .gather(world.bodies, world.multibody_joints, &mut self.bodies, h)?;
        self.bodies.gather(world.bodies, gravity, h)?;
        self.trees.dynamics(gravity, h)?;
        let movers = Movers::new(world.bodies, &self.bodies, &self.trees, h);
        self.joints.gather(world.impulse_joints, movers);
        self.points.clear();
        match &mut self.source {
            Some(source) => {
                source.contacts(world.bodies, world.colliders, &mut self.points);
                contacts::validate(&self.points, world.bodies)?;
            }
            None => contacts::gather(
                world.narrow_phase,
                world.bodies,
                world.colliders,
                &mut self.memory,
                &mut self.points,
            ),
        }
        Ok(())
    }

    /// What the solution shows to have been assumed wrongly: drives past their effort limit, the
    /// curvature of joints. True if the problem must be built and solved again.
    fn revise(
        &mut self,
        set: &RigidBodySet,
        gravity: &Vector3<f64>,
        h: f64,
    ) -> Result<bool, StepError> {
        let problem = self.assembler.problem();
        let range = |block| problem.block_range(block);
        let saturated = self.trees.saturate(&self.solution.v_plus, range, h);
        let movers = (set, &self.bodies, &mut self.trees);
        let bent = self.joints.bend(movers, problem, &self.solution);
        if saturated {
            self.trees.dynamics(gravity, h)?;
        } else if !bent {
            self.trees.release(&self.solution.v_plus, range, h);
        }
        Ok(saturated || bent)
    }

    fn assemble(&mut self, set: &RigidBodySet, frame: Frame) -> Result<(), StepError> {
        let parts = Parts {
            set,
            bodies: &mut self.bodies,
            trees: &mut self.trees,
            points: &self.points,
            joints: &mut self.joints,
            materials: &self.materials,
        };
        self.assembler.build(parts, &mut self.contacts, frame)
    }

    fn solve(&mut self) -> stickslip_core::report::SolveReport {
        self.model.solve(
            self.assembler.problem(),
            &mut self.warm,
            &mut self.workspace,
            &mut self.solution,
        )
    }
}
