//! Equal worlds under several engines, stepped in turns.
//!
//! What else the machine does then slows all of them alike, and ratios of their times mean something.

use crate::engine::{Engine, Precision};
use crate::measure::{Outcome, Stepper, Stop, Tally};
use crate::{double, single, verdict};
use std::panic::{AssertUnwindSafe, catch_unwind};

/// What to run.
#[derive(Clone, Debug, PartialEq)]
pub struct Plan {
    /// Name of the scene.
    pub scene: String,
    /// Its size, if not its own.
    pub size: Option<usize>,
    /// Its number of steps, if not its own.
    pub steps: Option<usize>,
    /// Its time step, if not its own \[s\].
    pub dt: Option<f64>,
    /// The seed of its numbers.
    pub seed: u64,
    /// The precision of rapier's state.
    pub precision: Precision,
    /// Time that an engine may step this scene \[s\]. A step once begun is not interrupted.
    pub limit: f64,
}

/// A plan that can't be followed.
#[derive(Clone, Debug, PartialEq, thiserror::Error)]
pub enum PlanError {
    /// There is no such scene.
    #[error("unknown scene `{name}`; `--list` names them")]
    UnknownScene {
        /// The name given.
        name: String,
    },
    /// The pipeline refused the model.
    #[error("model `{model}`: {reason}")]
    Model {
        /// The model.
        model: Engine,
        /// Why.
        reason: String,
    },
}

/// A world of the plan under an engine.
///
/// # Errors
/// When there is no such scene or the pipeline refuses the model.
pub fn stepper(plan: &Plan, engine: Engine) -> Result<Box<dyn Stepper>, PlanError> {
    match plan.precision {
        Precision::F32 => single::stepper::stepper(plan, engine),
        Precision::F64 => double::stepper::stepper(plan, engine),
    }
}

struct Lane {
    engine: Engine,
    stepper: Box<dyn Stepper>,
    tally: Tally,
}

impl Lane {
    fn step(&mut self, limit: f64) {
        // A step that panics must not take the rest of a battery with it; its world is not stepped again.
        let stepper = &mut self.stepper;
        let step = catch_unwind(AssertUnwindSafe(|| stepper.step()));
        match step.unwrap_or_else(|_| Err("the step panicked".to_owned())) {
            Ok(sample) => {
                self.tally.add(sample);
                if sample.lost > self.stepper.limits().strays {
                    self.tally.stop = Some(Stop::Lost);
                }
            }
            Err(reason) => self.tally.stop = Some(Stop::Error(reason)),
        }
        let whole = self.tally.samples().len() >= self.stepper.label().steps;
        if self.tally.stop.is_none() && !whole && self.tally.seconds() > limit {
            self.tally.stop = Some(Stop::Limit(limit));
        }
    }
}

/// Runs the plan under the engines in turns: one outcome for each of them, in their order.
///
/// # Errors
/// As [`stepper`].
pub fn run(plan: &Plan, engines: &[Engine]) -> Result<Vec<Outcome>, PlanError> {
    let lanes = engines.iter().map(|&engine| {
        Ok(Lane {
            engine,
            stepper: stepper(plan, engine)?,
            tally: Tally::default(),
        })
    });
    let mut lanes: Vec<_> = lanes.collect::<Result<_, _>>()?;
    let steps = lanes.first().map_or(0, |lane| lane.stepper.label().steps);
    for _ in 0..steps {
        for lane in lanes.iter_mut().filter(|lane| lane.tally.stop.is_none()) {
            lane.step(plan.limit);
        }
    }
    let host = lanes.iter().find(|lane| lane.engine == Engine::Host);
    let host = host.map(|lane| &lane.tally);
    let outcome = |lane: &Lane| {
        let limits = lane.stepper.limits();
        let label = lane.stepper.label();
        let mut outcome = lane.tally.outcome(label, lane.engine, limits, host);
        outcome.figure = lane.stepper.figure();
        if outcome.done == label.steps {
            outcome.unfit = lane.stepper.check().err();
        }
        outcome
    };
    let mut all: Vec<_> = lanes.iter().map(outcome).collect();
    let host = all.iter().find(|o| o.engine == Engine::Host).cloned();
    for outcome in &mut all {
        outcome.verdict = verdict::verdict(outcome, host.as_ref());
    }
    Ok(all)
}
