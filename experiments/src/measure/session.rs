//! A running scenario as the runner sees it: engine-neutral.

pub use super::contact::ContactSample;
use super::forces::Parts;
use crate::error::CommandError;
use crate::verdict::{Bound, Criterion};
use nalgebra::Isometry3;
use stickslip_core::models::Model;
use stickslip_core::problem::ContactProblem;
use stickslip_record::{SceneRecord, StepRecord, StepReport};

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
    /// Sentences that belong to the outcome.
    pub remarks: Vec<String>,
}

impl Figures {
    /// Figures with an outcome.
    pub fn new(outcome: &str) -> Self {
        Self {
            outcome: outcome.to_owned(),
            ..Self::default()
        }
    }

    /// Adds a sentence to the verdict, where there is something to say.
    #[must_use]
    pub fn remark(mut self, sentence: Option<String>) -> Self {
        self.remarks.extend(sentence);
        self
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
    pub model: &'a Model,
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

    /// What loading and placing the user's robot had to say, a line each.
    fn remarks(&self) -> &[String] {
        &[]
    }

    /// The contacts of the last step.
    fn contacts(&self) -> &[ContactSample];

    /// The problem of the last step; `None` from rapier's own pipeline.
    fn problem(&self) -> Option<StepProblem<'_>>;

    /// What doesn't change, for a recorder.
    fn scene_record(&self) -> SceneRecord;

    /// Names of what can touch, for tables of forces.
    fn parts(&self) -> Parts {
        let bodies = self.scene_record().bodies.into_iter();
        Parts {
            bodies: bodies.map(|body| body.name).collect(),
            ..Parts::default()
        }
    }

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
