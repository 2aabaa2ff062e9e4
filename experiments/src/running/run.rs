//! One run: its session, and the log of what it shows.
//!
//! What goes wrong on the way loses nothing: a recording or a problem file that can't be written any more
//! is given up and the run goes on; a step that fails, or a signal, ends the run with what it has.

use crate::dump::Dumps;
use crate::error::CommandError;
use crate::force_log::{ForceLog, Stated};
use crate::manifest::Manifest;
use crate::provenance::Provenance;
use crate::result::{RunResult, Statistics};
use crate::session::{Session, StepSample};
use crate::settings::{Precision, RunSettings};
use crate::trace::{self, Row};
use crate::trajectory::TrajectoryHash;
use crate::verdict::Warnings;
use std::path::{Path, PathBuf};
use stickslip_record::StepRecord;
use stickslip_rerun::{Recording, RerunError};

/// Whether every step leaves a row for `--csv` and `--plots`.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Tracing {
    /// A row per step.
    On,
    /// None.
    Off,
}

/// Takes the records of a run.
pub type RunRecorder = Box<dyn Recording + Send>;

/// One run in progress.
pub struct Run {
    pub(crate) session: Box<dyn Session>,
    pub(crate) log: Log,
}

/// What is kept of the steps of a run, apart from the session that makes them.
pub(crate) struct Log {
    settings: RunSettings,
    statistics: Statistics,
    warnings: Warnings,
    recorder: Option<RunRecorder>,
    /// What the recorder gets; kept for its memory.
    record: StepRecord,
    trace: Option<Vec<Row>>,
    /// Weight of what moves \[N\], in runs with a trace.
    weight: f64,
    dumps: Option<Dumps>,
    robot_notes: Vec<String>,
    manifest: Option<(Manifest, TrajectoryHash)>,
    forces: Option<ForceLog>,
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
    /// Whether its recording is complete.
    pub is_recorded: bool,
    /// The folder of the contact problems that were written, if any were.
    pub problems: Option<PathBuf>,
    /// The tables of contacts and forces that were written.
    pub tables: Vec<PathBuf>,
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
        let (trace, weight) = match tracing {
            Tracing::On => (Some(Vec::new()), session.scene_record().weight),
            Tracing::Off => (None, f64::NAN),
        };
        let log = Log {
            settings: settings.clone(),
            statistics: Statistics::default(),
            warnings: Warnings::default(),
            recorder: None,
            record: StepRecord::default(),
            trace,
            weight,
            dumps: None,
            robot_notes: session.remarks().to_vec(),
            manifest: None,
            forces: None,
            done: 0,
            end: None,
            troubles: Vec::new(),
        };
        Ok(Self { session, log })
    }

    /// Records every step from now on.
    ///
    /// # Errors
    /// When the recorder refuses the scene.
    pub fn record_to(&mut self, mut recorder: RunRecorder) -> Result<(), CommandError> {
        recorder
            .begin(&self.session.scene_record())
            .map_err(recording)?;
        self.log.recorder = Some(recorder);
        Ok(())
    }

    /// Whether there is anything to see in a recording.
    pub fn has_bodies(&self) -> bool {
        !self.session.scene_record().bodies.is_empty()
    }

    /// Writes the problems of steps from now on.
    pub fn dump_to(&mut self, dumps: Dumps) {
        self.log.dumps = Some(dumps);
    }

    /// Gives the result a manifest, with a mark of every step from now on.
    pub fn mark(&mut self, made: Provenance) {
        let manifest = Manifest::new(&self.log.settings, made);
        self.log.manifest = Some((manifest, TrajectoryHash::default()));
    }

    /// Keeps the contacts and forces of steps from now on: in CSV files of a folder by their stem, and of these
    /// steps for the JSON.
    ///
    /// # Errors
    /// When the files can't be created.
    pub fn keep_forces(
        &mut self,
        folder: Option<(&Path, &str)>,
        stated: Stated,
    ) -> Result<(), CommandError> {
        let log = ForceLog::new(self.session.parts(), folder, stated)?;
        self.log.forces = Some(log);
        Ok(())
    }

    /// What it was asked to do.
    pub fn settings(&self) -> &RunSettings {
        &self.log.settings
    }
}

impl Log {
    /// Whether the run ended before its time.
    pub(crate) fn has_ended(&self) -> bool {
        self.end.is_some()
    }

    /// Takes what a step gave. A failed one is the run's last.
    pub(crate) fn take(&mut self, session: &dyn Session, step: Result<StepSample, String>) {
        match step {
            Ok(sample) => self.keep(session, &sample),
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

    fn keep(&mut self, session: &dyn Session, sample: &StepSample) {
        let contacts = session.contacts();
        // The same number, but for scenarios that have rows and no places to show.
        let count = sample.report.map_or(contacts.len(), |r| r.solve.contacts);
        self.statistics.add(sample, count);
        if let Some(report) = &sample.report {
            self.warnings.add(self.done, &report.solve);
        }
        if let Some(trace) = &mut self.trace {
            trace.push(trace::row(self.done, self.settings.dt, sample, contacts));
        }
        if let Some((_, hash)) = &mut self.manifest {
            hash.add(session);
        }
        if let Some(forces) = &mut self.forces {
            let step = (self.done, (self.done + 1) as f64 * self.settings.dt);
            self.troubles.extend(forces.add(step, contacts).err());
        }
        if let Err(error) = self.dump(session, sample) {
            self.troubles.push(error);
            self.dumps = None;
        }
        if let Err(error) = self.record(session, sample) {
            self.lose(error);
            self.recorder = None;
        }
        self.done += 1;
    }

    fn dump(&mut self, session: &dyn Session, sample: &StepSample) -> Result<(), CommandError> {
        match (&mut self.dumps, session.problem(), &sample.report) {
            (Some(dumps), Some(problem), Some(report)) => {
                dumps.take(&self.settings, self.done, problem, &report.solve)
            }
            _ => Ok(()),
        }
    }

    fn record(&mut self, session: &dyn Session, sample: &StepSample) -> Result<(), RerunError> {
        let Some(recorder) = &mut self.recorder else {
            return Ok(());
        };
        let dt = self.settings.dt;
        let record = &mut self.record;
        record.step = self.done;
        record.time = (self.done + 1) as f64 * dt;
        record.report = sample.report.unwrap_or_default();
        session.fill(record);
        let contacts = session.contacts().iter();
        record.contacts.clear();
        record.contacts.extend(contacts.map(|c| c.record.clone()));
        if let Some(gap) = session.joint_gap() {
            recorder.joint_gap(gap);
        }
        recorder.record(record)
    }

    /// Gives up the recording. One that was shared has told why to whom it happened first.
    fn lose(&mut self, error: RerunError) {
        if !matches!(error, RerunError::Ended { .. }) {
            self.troubles.push(recording(error));
        }
    }

    /// Ends the run before its time.
    pub(crate) fn interrupt(&mut self, signal: usize, steps: u64) {
        let name = self.settings.scenario.name;
        let said = format!(
            "{name} with {}: interrupted after {} of {steps} steps; the figures are of these",
            self.settings.model.as_str(),
            self.done
        );
        self.end = Some(CommandError::Interrupted { signal, said });
    }

    /// The result, with everything that went wrong. Completes the recording. Without a session, which is
    /// then still in a step, there are no figures.
    pub(crate) fn finish(mut self, session: Option<&mut dyn Session>) -> Done {
        let mut result = RunResult::new(&self.settings);
        result.steps = self.done;
        match session.map(Session::figures) {
            Some(Ok(figures)) => {
                result.outcome = figures.outcome;
                result.metrics = figures.metrics;
                result.criteria = figures.criteria;
                result.remarks = figures.remarks;
            }
            Some(Err(error)) => self.end = self.end.or(Some(error)),
            None => result.notes.push(format!(
                "step {} was still running and was not waited for, so there are no figures",
                self.done
            )),
        }
        result.solver_stats = self.statistics.solver();
        result.timing_us = self.statistics.timing();
        result.warnings = std::mem::take(&mut self.warnings).into_vec();
        let mut tables = Vec::new();
        if let Some(log) = self.forces.take() {
            let left = log.finish(&mut self.troubles);
            (result.contacts, result.forces) = (left.contacts, left.forces);
            tables = left.files;
        }
        result.robot_notes = std::mem::take(&mut self.robot_notes);
        let mut problems = None;
        if let Some(dumps) = &self.dumps {
            result.notes.extend(dumps.note());
            problems = dumps.folder();
        }
        result.manifest = self.manifest.take().map(|(mut manifest, hash)| {
            manifest.trajectory_hash = hash.text();
            manifest
        });
        if let Some(end) = self.end.take() {
            let interrupted = matches!(end, CommandError::Interrupted { .. });
            result.outcome = if interrupted { "interrupted" } else { "failed" }.to_owned();
            result.error = Some(end.to_string());
            self.troubles.insert(0, end);
        }
        let is_recorded = self.complete_recording(&result);
        Done {
            result,
            trace: self.trace.unwrap_or_default(),
            weight: self.weight,
            is_recorded,
            problems,
            tables,
            troubles: self.troubles,
        }
    }

    /// Ends the recording with the verdict; whether there is one.
    fn complete_recording(&mut self, result: &RunResult) -> bool {
        let Some(mut recorder) = self.recorder.take() else {
            return false;
        };
        recorder.conclude(&result.conclusion());
        match recorder.finish() {
            Ok(()) => true,
            Err(error) => {
                self.lose(error);
                false
            }
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
