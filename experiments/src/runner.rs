//! Runs scenarios and collects what they show.

use crate::dump::Dumps;
use crate::error::CommandError;
use crate::progress::{Progress, Show};
use crate::result::{RunResult, Statistics};
use crate::session::{Session, StepSample};
use crate::settings::{Precision, RunSettings};
use crate::trace::{self, Row};
use stickslip_core::record::{Recorder, StepRecord};
use stickslip_rerun::RerunRecorder;

/// Whether every step leaves a row for `--csv`.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Tracing {
    /// A row per step.
    On,
    /// None.
    Off,
}

/// One run in progress.
pub struct Run {
    settings: RunSettings,
    session: Box<dyn Session>,
    statistics: Statistics,
    recorder: Option<RerunRecorder>,
    trace: Option<Vec<Row>>,
    dumps: Option<Dumps>,
    done: u64,
}

impl Run {
    /// Builds the scene.
    ///
    /// # Errors
    /// What the scenario says about its settings or robot file.
    pub fn new(settings: &RunSettings, tracing: Tracing) -> Result<Self, CommandError> {
        let session = session(settings)?;
        Ok(Self {
            settings: settings.clone(),
            session,
            statistics: Statistics::default(),
            recorder: None,
            trace: (tracing == Tracing::On).then(Vec::new),
            dumps: None,
            done: 0,
        })
    }

    /// Records every step from now on.
    ///
    /// # Errors
    /// When the recorder refuses the scene.
    pub fn record_to(&mut self, mut recorder: RerunRecorder) -> Result<(), CommandError> {
        recorder
            .begin(&self.session.scene_record())
            .map_err(recording)?;
        self.recorder = Some(recorder);
        Ok(())
    }

    /// Writes the problems of steps from now on.
    pub fn dump_to(&mut self, dumps: Dumps) {
        self.dumps = Some(dumps);
    }

    /// One step.
    ///
    /// # Errors
    /// The failed step, with number and time, or a problem file that can't be written.
    pub fn advance(&mut self) -> Result<(), CommandError> {
        let sample = self.session.step().map_err(|reason| CommandError::Step {
            scenario: self.settings.scenario.name.to_owned(),
            model: self.settings.model.as_str().to_owned(),
            step: self.done,
            time: self.done as f64 * self.settings.dt,
            reason,
        })?;
        let contacts = self.session.contacts();
        // The same number, but for scenarios that have rows and no places to show.
        let count = sample.report.map_or(contacts.len(), |r| r.solve.contacts);
        self.statistics.add(&sample, count);
        if let Some(trace) = &mut self.trace {
            trace.push(trace::row(self.done, self.settings.dt, &sample, contacts));
        }
        if let Some(dumps) = &mut self.dumps
            && let (Some(problem), Some(report)) = (self.session.problem(), &sample.report)
        {
            dumps.take(&self.settings, self.done, problem, &report.solve)?;
        }
        if self.recorder.is_some() {
            let record = self.step_record(&sample);
            if let Some(recorder) = &mut self.recorder {
                recorder.record(&record).map_err(recording)?;
            }
        }
        self.done += 1;
        Ok(())
    }

    fn step_record(&self, sample: &StepSample) -> StepRecord {
        let dt = self.settings.dt;
        StepRecord {
            step: self.done,
            time: (self.done + 1) as f64 * dt,
            body_poses: self.session.body_poses(),
            contacts: self
                .session
                .contacts()
                .iter()
                .map(|c| c.record(dt))
                .collect(),
            report: sample.report.unwrap_or_default(),
        }
    }

    /// The result, and the rows of the trace. Completes the recording.
    ///
    /// # Errors
    /// When a figure can't be computed or the recording not be completed.
    pub fn finish(mut self) -> Result<(RunResult, Vec<Row>), CommandError> {
        let figures = self.session.figures()?;
        if let Some(recorder) = &mut self.recorder {
            recorder.finish().map_err(recording)?;
        }
        let mut result = RunResult::new(&self.settings);
        result.steps = self.done;
        result.outcome = figures.outcome;
        result.metrics = figures.metrics;
        result.solver_stats = self.statistics.solver();
        result.timing_us = self.statistics.timing();
        result.notes.extend(self.dumps.and_then(|d| d.note()));
        Ok((result, self.trace.unwrap_or_default()))
    }
}

fn recording(error: impl std::error::Error) -> CommandError {
    CommandError::Recording(error.to_string())
}

/// The scene in the wanted precision.
///
/// # Errors
/// What the scenario says about its settings or robot file.
pub fn session(settings: &RunSettings) -> Result<Box<dyn Session>, CommandError> {
    if let Some(session) = crate::problems::session(settings)? {
        return Ok(session);
    }
    match settings.precision {
        Precision::F64 => crate::double::scenes::session(settings),
        Precision::F32 => crate::single::scenes::session(settings),
    }
}

/// Steps all runs in turn, so that they share whatever else the machine does, and gives their
/// results in order.
///
/// # Errors
/// The first failed step.
pub fn drive(
    mut runs: Vec<Run>,
    steps: u64,
    show: Show,
) -> Result<Vec<(RunResult, Vec<Row>)>, CommandError> {
    let mut progress = Progress::new(steps, show);
    for step in 0..steps {
        if runs.iter().all(|run| run.session.ended()) {
            break;
        }
        for run in runs.iter_mut().filter(|run| !run.session.ended()) {
            run.advance()?;
        }
        progress.update(step + 1);
    }
    progress.finish();
    runs.into_iter().map(Run::finish).collect()
}

/// Builds and runs one scenario: what tests and benches call.
///
/// # Errors
/// Whatever went wrong on the way.
pub fn run(settings: &RunSettings) -> Result<RunResult, CommandError> {
    let run = Run::new(settings, Tracing::Off)?;
    let results = drive(vec![run], settings.steps, Show::Never)?;
    let first = results.into_iter().next().map(|(result, _)| result);
    first.ok_or_else(|| CommandError::Scene("no result".to_owned()))
}
