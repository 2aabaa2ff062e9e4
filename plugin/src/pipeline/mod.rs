//! The drop-in pipeline: what users hold and call.

mod check;
mod choice;
mod crowd;
mod division;
mod islands;
mod memory;
mod pause;
mod read;
mod results;
#[cfg(feature = "serde-serialize")]
mod state;
mod step;
pub(crate) mod still;

pub use islands::IslandReport;
pub use memory::StepMemory;

use crate::assemble::Assembler;
use crate::base::contact::{Contact, ContactSource};
use crate::base::error::StepError;
use crate::base::model::model;
use crate::contacts::gather::Found;
use crate::correct::position::PositionCorrector;
use crate::detect::RapierPipeline;
use crate::detect::dispatch::DispatcherGuard;
use crate::detect::fresh::Manifolds;
use crate::detect::reach::Reach;
use crate::joints::ImpulseJoints;
use crate::read::bodies::Bodies;
use crate::read::hooks::{Answers, Once};
use crate::read::multibody::Trees;
use crate::read::quarantine::Quarantined;
use crate::read::world::World;
use crate::sleep::{Sleepers, Sleeping};
use crate::write::events::ForceEvents;
use rapier::prelude::*;
use stickslip_core::models::{
    ContactModel, ContactSolution, Impacts, Model, ModelError, ModelName, ModelSettings, WarmStart,
    Workspace,
};
use stickslip_record::StepReport;

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
    /// With settings in the world's units.
    pub(crate) model: Model,
    /// In metres, as given.
    pub(crate) settings: ModelSettings,
    /// Units of length to the metre.
    pub(crate) length_unit: Real,
    pub(crate) source: Option<Box<dyn ContactSource>>,
    /// Rapier's own pipeline for sets that come without one; made when they first do.
    pub(crate) physics: Option<Box<PhysicsPipeline>>,
    pub(crate) rapier: RapierPipeline,
    pub(crate) answers: Answers,
    pub(crate) installer: DispatcherGuard,
    pub(crate) bodies: Bodies,
    pub(crate) trees: Trees,
    pub(crate) joints: ImpulseJoints,
    pub(crate) materials: crate::contacts::material::Materials,
    pub(crate) found: Found,
    pub(crate) contacts: Vec<Contact>,
    pub(crate) assembler: Assembler,
    pub(crate) warm: WarmStart,
    /// Made by the first step.
    pub(crate) workspace: Option<Box<Workspace>>,
    pub(crate) solution: ContactSolution,
    pub(crate) impacts: Impacts,
    pub(crate) hits: crate::correct::ccd::Hits,
    pub(crate) arrivals: crate::correct::arrive::Arrivals,
    pub(crate) ghosts: crate::contacts::ghosts::Ghosts,
    pub(crate) loops: crate::contacts::loops::Loops,
    pub(crate) corrector: PositionCorrector,
    pub(crate) sleepers: Sleepers,
    pub(crate) force_events: ForceEvents,
    pub(crate) stale: Vec<RigidBodyHandle>,
    pub(crate) quarantined: Quarantined,
    pub(crate) reach: Reach,
    pub(crate) crowd: crowd::Crowd,
    pub(crate) division: division::Division,
    pub(crate) still: still::Still,
    /// Whether the last part of a step changed a body.
    pub(crate) has_written: bool,
    pub(crate) report: StepReport,
}

/// Settings that suit rapier's precision: positions of metre-sized scenes are rounded to 1e-7 m
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
    /// The exact friction cone with every collider's own coefficients, with [`default_settings`].
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
    /// When a setting is out of range or the solver does not fit the model; without the feature `reference`, for models and
    /// solvers of the literature that are in it ([`ModelError::InReference`]).
    pub fn new(name: ModelName, settings: ModelSettings) -> Result<Self, ModelError> {
        Self::of(model(name, settings)?)
    }

    /// A pipeline with a model of the caller's. A step asks it for every island, a second time where a drive turns out to
    /// be at its limit or an impact is to come. A saved pipeline names the model's law in its place: set it again
    /// ([`Self::set_own_model`]).
    ///
    /// # Errors
    /// As [`Model::own`].
    pub fn own(model: Box<dyn ContactModel>, settings: ModelSettings) -> Result<Self, ModelError> {
        Self::of(Model::own(model, settings)?)
    }

    fn of(model: Model) -> Result<Self, ModelError> {
        let settings = model.settings().clone();
        Ok(Self {
            corrector: PositionCorrector::new(&settings)?,
            settings,
            length_unit: 1.0,
            model,
            source: None,
            physics: None,
            rapier: RapierPipeline::default(),
            answers: Answers::default(),
            installer: DispatcherGuard::default(),
            bodies: Bodies::default(),
            trees: Trees::default(),
            joints: ImpulseJoints::default(),
            materials: Default::default(),
            found: Found::default(),
            contacts: Vec::new(),
            assembler: Assembler::default(),
            warm: WarmStart::new(),
            workspace: None,
            solution: ContactSolution::default(),
            impacts: Impacts::default(),
            hits: Default::default(),
            arrivals: Default::default(),
            ghosts: Default::default(),
            loops: Default::default(),
            sleepers: Sleepers::default(),
            force_events: ForceEvents::default(),
            stale: Vec::new(),
            quarantined: Quarantined::default(),
            reach: Reach::default(),
            crowd: crowd::Crowd::default(),
            division: division::Division::default(),
            still: still::Still::default(),
            has_written: false,
            report: StepReport::default(),
        })
    }

    /// Replaces rapier's contact points by those of `source`, or goes back to them.
    pub fn set_contact_source(&mut self, source: Option<Box<dyn ContactSource>>) {
        self.source = source;
        self.still.end();
    }

    /// The contact problem the last step solved; contact c is [`Self::contacts`]`[c]`. A body without joints that detection finds
    /// near nothing moves with its free velocity and has no block.
    pub fn problem(&self) -> &stickslip_core::problem::ContactProblem {
        self.assembler.problem()
    }

    /// Whether bodies may fall asleep; allowed unless set otherwise.
    pub fn set_sleeping(&mut self, sleeping: Sleeping) {
        self.sleepers.set_policy(sleeping);
        self.still.end();
    }

    /// Whether bodies may fall asleep.
    pub fn sleeping(&self) -> Sleeping {
        self.sleepers.policy()
    }

    /// Which contact points a step works with: fresh ones unless set otherwise.
    pub fn set_manifolds(&mut self, manifolds: Manifolds) {
        self.installer.wanted = manifolds;
        self.still.end();
    }

    /// Which contact points a step works with.
    pub fn manifolds(&self) -> Manifolds {
        self.installer.wanted
    }

    /// The report of the last step.
    pub fn report(&self) -> &StepReport {
        &self.report
    }

    /// Advances the world by `integration_parameters.dt`. The arguments are those of rapier's
    /// `PhysicsPipeline::step`; rapier's solver settings among the parameters (iterations,
    /// softness) have no meaning here.
    ///
    /// Per step: check, collision detection by rapier, dynamics of every tree, one contact problem,
    /// its solution by the model, write-back. A step that would open a joint by more than a millimetre (by `length_unit`) is
    /// divided, and all but the check comes once a part, at most 16 times ([`StepReport::substeps`]). No allocation by our own stages once the largest
    /// problem has been seen, but in steps that take sleepers out of detection. Where nothing changed since the last step and the last ten changed nothing, the step is as they were,
    /// bit for bit, and none of this is done: O(bodies + colliders + joints).
    ///
    /// # Errors
    /// [`StepError`] when the scene has features not solved here, or the time step or a joint is non-finite. The
    /// sets are then as they were: everything is checked before anything changes. Bodies with non-finite state
    /// are no error: they are set aside ([`Self::quarantined`]).
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
        let mut physics = self.physics.take().unwrap_or_default();
        let hooks = Once::new(hooks, std::mem::take(&mut self.answers));
        let outcome = self.advance(
            gravity,
            integration_parameters,
            &mut World {
                physics: &mut physics,
                islands,
                broad_phase,
                narrow_phase,
                bodies,
                colliders,
                impulse_joints,
                multibody_joints,
                soft_bodies,
                ccd_solver,
                hooks: &hooks,
                events,
            },
        );
        self.answers = hooks.into_answers();
        self.physics = Some(physics);
        outcome.map(|()| &self.report)
    }

    /// [`Self::step`] on rapier's bundle of all the sets.
    ///
    /// # Errors
    /// As [`Self::step`].
    pub fn step_world(&mut self, world: &mut PhysicsWorld) -> Result<&StepReport, StepError> {
        self.step_world_with_events(world, &(), &())
    }

    /// [`Self::step_world`] with hooks and a handler of events. With feature `parallel` it runs on the world's own
    /// thread pool, if that was configured, else on the current one.
    ///
    /// # Errors
    /// As [`Self::step`].
    pub fn step_world_with_events(
        &mut self,
        world: &mut PhysicsWorld,
        hooks: &dyn PhysicsHooks,
        events: &dyn EventHandler,
    ) -> Result<&StepReport, StepError> {
        #[cfg(feature = "parallel")]
        if let Some(pool) = world.thread_pool() {
            return pool.install(|| self.step_bundle(world, hooks, events));
        }
        self.step_bundle(world, hooks, events)
    }

    fn step_bundle(
        &mut self,
        world: &mut PhysicsWorld,
        hooks: &dyn PhysicsHooks,
        events: &dyn EventHandler,
    ) -> Result<&StepReport, StepError> {
        let hooks = Once::new(hooks, std::mem::take(&mut self.answers));
        let outcome = self.advance(
            world.gravity,
            &world.integration_parameters,
            &mut World {
                physics: &mut world.physics_pipeline,
                islands: &mut world.islands,
                broad_phase: &mut world.broad_phase,
                narrow_phase: &mut world.narrow_phase,
                bodies: &mut world.bodies,
                colliders: &mut world.colliders,
                impulse_joints: &mut world.impulse_joints,
                multibody_joints: &mut world.multibody_joints,
                soft_bodies: &mut world.soft_bodies,
                ccd_solver: &mut world.ccd_solver,
                hooks: &hooks,
                events,
            },
        );
        self.answers = hooks.into_answers();
        outcome.map(|()| &self.report)
    }
}
