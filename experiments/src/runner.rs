//! Runs scenarios and collects what they show.
//!
//! What goes wrong on the way loses nothing: a recording or a problem file that can't be written any more
//! is given up and the run goes on; a step that fails, or a signal, ends the run with what it has.

use crate::dump::Dumps;
use crate::error::CommandError;
use crate::interrupt::Stop;
use crate::manifest::Manifest;
use crate::progress::{Progress, Show};
use crate::provenance::Provenance;
use crate::result::{RunResult, Statistics};
use crate::session::{Session, StepSample};
use crate::settings::{Precision, RunSettings};
use crate::trace::{self, Row};
use crate::trajectory::TrajectoryHash;
use stickslip_core::record::{Recorder, StepRecord};
use stickslip_rerun::RerunError;

/// Whether every step leaves a row for `--csv` and `--plots`.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Tracing {
    /// A row per step.
    On,
    /// None.
    Off,
}

/// Takes the records of a run.
pub type RunRecorder = Box<dyn Recorder<Error = RerunError>>;

/// One run in progress.
pub struct Run {
    settings: RunSettings,
    session: Box<dyn Session>,
    statistics: Statistics,
    recorder: Option<RunRecorder>,
    /// What the recorder gets; kept for its memory.
    record: StepRecord,
    trace: Option<Vec<Row>>,
    dumps: Option<Dumps>,
    manifest: Option<(Manifest, TrajectoryHash)>,
    done: u64,
    /// Why there are no more steps.
    end: Option<CommandError>,
    /// What was given up on the way.
    troubles: Vec<CommandError>,
}

/// A run that has ended.
#[derive(Debug)]
pub struct Done {
    /// Its result.
    pub result: RunResult,
    /// The rows of its trace, if there is one.
    pub trace: Vec<Row>,
    /// Weight of what moves \[N\], in runs with a trace.
    pub weight: f64,
    /// What went wrong.
    pub troubles: Vec<CommandError>,
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
            record: StepRecord::default(),
            trace: (tracing == Tracing::On).then(Vec::new),
            dumps: None,
            manifest: None,
            done: 0,
            end: None,
            troubles: Vec::new(),
        })
    }

    /// Records every step from now on.
    ///
    /// # Errors
    /// When the recorder refuses the scene.
    pub fn record_to(&mut self, mut recorder: RunRecorder) -> Result<(), CommandError> {
        recorder
            .begin(&self.session.scene_record())
            .map_err(recording)?;
        self.recorder = Some(recorder);
        Ok(())
    }

    /// Whether there is anything to see in a recording.
    pub fn has_bodies(&self) -> bool {
        !self.session.scene_record().bodies.is_empty()
    }

    /// Writes the problems of steps from now on.
    pub fn dump_to(&mut self, dumps: Dumps) {
        self.dumps = Some(dumps);
    }

    /// Gives the result a manifest, with a mark of every step from now on.
    pub fn mark(&mut self, made: Provenance) {
        let manifest = Manifest::new(&self.settings, made);
        self.manifest = Some((manifest, TrajectoryHash::default()));
    }

    /// What it was asked to do.
    pub fn settings(&self) -> &RunSettings {
        &self.settings
    }

    /// Whether there is nothing left to step.
    fn ended(&self) -> bool {
        self.end.is_some() || self.session.ended()
    }

    /// One step. A failed one is the run's last.
    pub fn advance(&mut self) {
        match self.session.step() {
            Ok(sample) => self.take(&sample),
            Err(reason) => {
                self.end = Some(CommandError::Step {
                    scenario: self.settings.scenario.name.to_owned(),
                    model: self.settings.model.as_str().to_owned(),
                    step: self.done,
                    time: self.done as f64 * self.settings.dt,
                    reason,
                });
            }
        }
    }

    fn take(&mut self, sample: &StepSample) {
        let contacts = self.session.contacts();
        // The same number, but for scenarios that have rows and no places to show.
        let count = sample.report.map_or(contacts.len(), |r| r.solve.contacts);
        self.statistics.add(sample, count);
        if let Some(trace) = &mut self.trace {
            trace.push(trace::row(self.done, self.settings.dt, sample, contacts));
        }
        if let Some((_, hash)) = &mut self.manifest {
            hash.add(&*self.session);
        }
        if let Err(error) = self.dump(sample) {
            self.troubles.push(error);
            self.dumps = None;
        }
        if let Err(error) = self.record(sample) {
            self.lose(error);
            self.recorder = None;
        }
        self.done += 1;
    }

    fn dump(&mut self, sample: &StepSample) -> Result<(), CommandError> {
        match (&mut self.dumps, self.session.problem(), &sample.report) {
            (Some(dumps), Some(problem), Some(report)) => {
                dumps.take(&self.settings, self.done, problem, &report.solve)
            }
            _ => Ok(()),
        }
    }

    fn record(&mut self, sample: &StepSample) -> Result<(), RerunError> {
        let Some(recorder) = &mut self.recorder else {
            return Ok(());
        };
        let dt = self.settings.dt;
        let record = &mut self.record;
        record.step = self.done;
        record.time = (self.done + 1) as f64 * dt;
        record.report = sample.report.unwrap_or_default();
        self.session.fill(record);
        let contacts = self.session.contacts().iter();
        record.contacts.clear();
        record.contacts.extend(contacts.map(|c| c.record(dt)));
        recorder.record(record)
    }

    /// Gives up the recording. One that was shared has told why to whom it happened first.
    fn lose(&mut self, error: RerunError) {
        if !matches!(error, RerunError::Ended { .. }) {
            self.troubles.push(recording(error));
        }
    }

    /// Ends the run before its time.
    fn interrupt(&mut self, signal: usize, steps: u64) {
        let name = self.settings.scenario.name;
        let said = format!(
            "{name} with {}: interrupted after {} of {steps} steps; what is shown is of these",
            self.settings.model.as_str(),
            self.done
        );
        self.end = Some(CommandError::Interrupted { signal, said });
    }

    /// The result, with everything that went wrong. Completes the recording.
    pub fn finish(mut self) -> Done {
        let mut result = RunResult::new(&self.settings);
        result.steps = self.done;
        match self.session.figures() {
            Ok(figures) => {
                result.outcome = figures.outcome;
                result.metrics = figures.metrics;
            }
            Err(error) => self.end = self.end.or(Some(error)),
        }
        let recorder = self.recorder.take();
        if let Some(mut recorder) = recorder
            && let Err(error) = recorder.finish()
        {
            self.lose(error);
        }
        result.solver_stats = self.statistics.solver();
        result.timing_us = self.statistics.timing();
        result.notes.extend(self.dumps.and_then(|d| d.note()));
        result.manifest = self.manifest.map(|(mut manifest, hash)| {
            manifest.trajectory_hash = hash.text();
            manifest
        });
        if let Some(end) = self.end {
            let interrupted = matches!(end, CommandError::Interrupted { .. });
            result.outcome = if interrupted { "interrupted" } else { "failed" }.to_owned();
            result.error = Some(end.to_string());
            self.troubles.insert(0, end);
        }
        let weight = match self.trace {
            Some(_) => self.session.scene_record().weight,
            None => f64::NAN,
        };
        Done {
            result,
            trace: self.trace.unwrap_or_default(),
            weight,
            troubles: self.troubles,
        }
    }
}

fn recording(error: RerunError) -> CommandError {
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
/// results in order. Ends early when asked to.
pub fn drive(mut runs: Vec<Run>, steps: u64, show: Show, stop: &Stop) -> Vec<Done> {
    let mut progress = Progress::new(steps, show);
    for step in 0..steps {
        if let Some(signal) = stop.asked() {
            for run in runs.iter_mut().filter(|run| !run.ended()) {
                run.interrupt(signal, steps);
            }
        }
        if runs.iter().all(Run::ended) {
            break;
        }
        for run in runs.iter_mut().filter(|run| !run.ended()) {
            run.advance();
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
    let mut done = drive(vec![run], settings.steps, Show::Never, &Stop::default());
    let Some(done) = done.pop() else {
        return Err(CommandError::Scene("no result".to_owned()));
    };
    CommandError::all(done.troubles)?;
    Ok(done.result)
}
