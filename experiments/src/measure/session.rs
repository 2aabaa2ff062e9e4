//! A running scenario as the runner sees it: engine-neutral.

use crate::error::CommandError;
use crate::verdict::{Bound, Criterion};
use nalgebra::Isometry3;
use nalgebra::{Point3, Vector3};
use stickslip::record::contact_state;
use stickslip_core::models::ContactModel;
use stickslip_core::problem::ContactProblem;
use stickslip_core::record::{ContactRecord, SceneRecord, StepRecord};
use stickslip_core::report::StepReport;

/// A contact of the last step, whoever solved it.
#[derive(Clone, Debug, PartialEq)]
pub struct ContactSample {
    /// Name of the pair of colliders (or bodies) that touch.
    pub pair: u64,
    /// The two bodies, by their number in the scene; `None` for what the scene doesn't list.
    pub bodies: [Option<usize>; 2],
    /// Where the impulse acts, in the world \[m\].
    pub point: Point3<f64>,
    /// Unit normal from body 0 to body 1.
    pub normal: Vector3<f64>,
    /// Unit tangents, which with the normal are a right-handed frame. Rapier's own doesn't state them:
    /// zero.
    pub tangents: [Vector3<f64>; 2],
    /// Coulomb coefficients along the tangents, where the friction impulse is known.
    pub friction: Option<[f64; 2]>,
    /// Gap at the start of the step \[m\]; negative = penetration. Rapier's own: at its end.
    pub gap: f64,
    /// Impulse on body 1 along the normal [N s].
    pub normal_impulse: f64,
    /// Tangential impulse on body 1, in the world [N s]. Rapier's own doesn't state it: zero.
    pub friction_impulse: Vector3<f64>,
    /// Angular impulse on body 1 by torsional and rolling friction, in the world [N m s]. Rapier's own has
    /// none: zero.
    pub spin_impulse: Vector3<f64>,
    /// Tangential velocity of body 1 relative to body 0 at the end of the step, less that of a moving
    /// surface [m/s].
    pub slip: Vector3<f64>,
    /// Whether the contact was closed during the step.
    pub closed: bool,
}

impl ContactSample {
    /// As a recorder takes it.
    pub fn record(&self, dt: f64) -> ContactRecord {
        let pressed = self.normal_impulse > 0.0 || self.friction_impulse != Vector3::zeros();
        ContactRecord {
            bodies: self.bodies,
            point: self.point,
            normal: self.normal,
            tangent: self.tangents[0],
            friction: self.friction,
            gap: self.gap,
            normal_force: self.normal_impulse / dt,
            friction_force: self.friction_impulse / dt,
            spin_torque: self.spin_impulse / dt,
            slip_velocity: self.slip,
            state: contact_state(pressed, self.slip.norm()),
        }
    }
}

/// What one step gives the runner.
#[derive(Clone, Copy, Debug, Default)]
pub struct StepSample {
    /// Wall-clock time of the step call alone \[us\].
    pub wall: f64,
    /// The step's own report; `None` from rapier's own pipeline.
    pub report: Option<StepReport>,
}

/// Named numbers; the names carry the unit.
pub type Metrics = Vec<(String, f64)>;

/// The result of a scenario: a word and its figures.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct Figures {
    /// How it ended, in a word.
    pub outcome: String,
    /// The figures.
    pub metrics: Metrics,
    /// The bounds that the outcome depends on.
    pub criteria: Vec<Criterion>,
}

impl Figures {
    /// Figures with an outcome.
    pub fn new(outcome: &str) -> Self {
        Self {
            outcome: outcome.to_owned(),
            metrics: Vec::new(),
            criteria: Vec::new(),
        }
    }

    /// Adds a figure.
    #[must_use]
    pub fn with(mut self, name: &str, value: f64) -> Self {
        self.metrics.push((name.to_owned(), value));
        self
    }

    /// Adds a figure that must not be larger than a bound.
    #[must_use]
    pub fn at_most(self, name: &str, value: f64, bound: f64) -> Self {
        self.held_against(name, value, Bound::AtMost(bound))
    }

    /// Adds a figure that must not be smaller than a bound.
    #[must_use]
    pub fn at_least(self, name: &str, value: f64, bound: f64) -> Self {
        self.held_against(name, value, Bound::AtLeast(bound))
    }

    fn held_against(mut self, name: &str, value: f64, bound: Bound) -> Self {
        self.criteria.push(Criterion::new(name, value, bound));
        self.with(name, value)
    }
}

/// What the model was given in the last step.
#[derive(Clone, Copy, Debug)]
pub struct StepProblem<'a> {
    /// The problem.
    pub problem: &'a ContactProblem,
    /// The model that solved it.
    pub model: &'a dyn ContactModel,
}

/// A scenario in one engine, under one model.
pub trait Session: Send {
    /// Drives, steps and observes once.
    ///
    /// # Errors
    /// The step's reason, in words.
    fn step(&mut self) -> Result<StepSample, String>;

    /// Whether nothing is left to step: the runner then leaves the session alone.
    fn ended(&self) -> bool {
        false
    }

    /// The contacts of the last step.
    fn contacts(&self) -> &[ContactSample];

    /// The problem of the last step; `None` from rapier's own pipeline.
    fn problem(&self) -> Option<StepProblem<'_>>;

    /// What doesn't change, for a recorder.
    fn scene_record(&self) -> SceneRecord;

    /// Poses of the scene's bodies, in the order of the scene record.
    fn body_poses(&self) -> Vec<Isometry3<f64>>;

    /// The largest gap of a joint that is held by rows \[m\]; `None` without such joints. O(joints).
    fn joint_gap(&self) -> Option<f64> {
        None
    }

    /// Fills a recorder's step in with where the bodies are and, where they are known, their motions, the
    /// joints and the forces that the scene applies.
    fn fill(&self, record: &mut StepRecord) {
        record.body_poses = self.body_poses();
    }

    /// The scenario's figures so far.
    ///
    /// # Errors
    /// When a figure needs runs of its own and one of them fails.
    fn figures(&mut self) -> Result<Figures, CommandError>;
}
