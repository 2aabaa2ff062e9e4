//! The recorder.

use crate::chunks::Store;
use crate::error::RerunError;
use crate::names::Names;
use crate::options::RecorderOptions;
use crate::outlet::Outlet;
use crate::paths;
use crate::recording::Recording;
use crate::running::Running;
use crate::sink::Sink;
use re_log_types::StoreId;
#[cfg(feature = "sdk")]
use re_log_types::external::re_tuid::Tuid;
use re_log_types::{ApplicationId, RecordingId, StoreKind};
use stickslip_record::{Recorder, SceneRecord, StepRecord};

/// Records a simulation for the Rerun viewer.
///
/// Entities: `world/<robot, or scene>/<body>` with a transform, and below it `visual/shape_<k>`,
/// `collision/shape_<k>`, `frame` and `joints`;
/// `world/contacts/{points, normals, normal_forces, friction_forces, tangents, cones}` (`forces` in place of the
/// two where the scene shows directions);
/// `world/balance/{center_of_mass, plumb_line, support}`; `world/wrenches/{forces, torques}`; `plots/...` (see
/// [`SERIES`](crate::SERIES)); `log/solver` for steps that failed or fell back
/// and for when all that moves falls asleep or wakes; `legend`. Everything that
/// changes is on the timelines `sim_time` (duration) and `step` (sequence). Forces are those on the
/// second body of a contact.
///
/// A file appears under its name in [`finish`](Recorder::finish), whole; dropped before that, the
/// recorder leaves nothing behind. The same records under the same name give the same messages, byte for
/// byte; only the index that Rerun appends to a file lists its columns in no fixed order.
pub struct RerunRecorder {
    options: RecorderOptions,
    outlet: Outlet,
    live: bool,
    origin: Origin,
    stage: Stage,
    /// Where the layout goes; known with the scene.
    blueprint: Option<Store>,
}

/// How far a recording is. Boxed: the stages differ much in size.
enum Stage {
    /// No scene yet.
    Fresh,
    /// Has a scene.
    Running(Box<Running>),
    /// Finished.
    Done,
    /// Given up after an error, which said this.
    Failed(String),
}

impl RerunRecorder {
    /// Opens the sink: creates the temporary file beside the one asked for, starts a viewer, or connects.
    ///
    /// # Errors
    /// An option that makes no sense, a path that can't be written ([`RerunError::Create`],
    /// [`RerunError::NotAFile`]), a viewer that can't be started or doesn't answer
    /// ([`RerunError::Spawn`], [`RerunError::Url`], [`RerunError::Connect`]).
    pub fn new(sink: Sink, options: RecorderOptions) -> Result<Self, RerunError> {
        options.check()?;
        Ok(Self {
            options,
            outlet: Outlet::open(&sink)?,
            live: sink.is_live(),
            origin: Origin::Named(sink.name()),
            stage: Stage::Fresh,
            blueprint: None,
        })
    }

    /// Records into a stream of Rerun's SDK, beside what the program logs itself: the same recording, wherever
    /// the stream sends it. Rows are on the timelines of [`RecorderOptions::timelines`]; entities are below
    /// [`RecorderOptions::folder`]. [`finish`](Recorder::finish) flushes the stream and leaves it open.
    ///
    /// The stream is the one of the crate [`rerun`] 0.36, exported here as `stickslip_rerun::rerun`.
    ///
    /// ```
    /// use stickslip_record::{Recorder, SceneRecord};
    /// use stickslip_rerun::{RecorderOptions, RerunRecorder, rerun};
    ///
    /// let (stream, storage) = rerun::RecordingStreamBuilder::new("my_app").memory()?;
    /// let mut recorder = RerunRecorder::with_stream(stream.clone(), RecorderOptions::default())?;
    /// recorder.begin(&SceneRecord::default())?;
    /// stream.log("plots/mine", &rerun::Scalars::single(1.0))?;
    /// recorder.finish()?;
    /// assert!(storage.num_msgs() > 0);
    /// # Ok::<(), Box<dyn std::error::Error>>(())
    /// ```
    ///
    /// # Errors
    /// An option that makes no sense, or a stream that is disabled ([`RerunError::Disabled`]).
    #[cfg(feature = "sdk")]
    pub fn with_stream(
        stream: rerun::RecordingStream,
        options: RecorderOptions,
    ) -> Result<Self, RerunError> {
        options.check()?;
        let (outlet, id) = crate::stream::StreamOutlet::new(stream)?;
        Ok(Self {
            options,
            outlet: Outlet::Stream(outlet),
            live: true,
            origin: Origin::Stream(id),
            stage: Stage::Fresh,
            blueprint: None,
        })
    }

    /// Remembers an error after which there is no going on.
    fn settle(&mut self, result: Result<(), RerunError>) -> Result<(), RerunError> {
        if let Err(error) = &result
            && error.is_final()
        {
            self.stage = Stage::Failed(error.to_string());
        }
        result
    }

    /// What a stage that takes no more records answers.
    fn ended(&self) -> RerunError {
        match &self.stage {
            Stage::Fresh => RerunError::Order("the scene comes first"),
            Stage::Running(_) => RerunError::Order("a recording has one scene"),
            Stage::Done => RerunError::Order("the recording is finished"),
            Stage::Failed(reason) => RerunError::Ended {
                reason: reason.clone(),
            },
        }
    }

    /// [`Recorder::record`] without the memory of errors.
    fn take(&mut self, step: &StepRecord) -> Result<(), RerunError> {
        self.prepare(Some(step))?;
        let Stage::Running(running) = &mut self.stage else {
            return Err(self.ended());
        };
        running.record(step, &self.options, &mut self.outlet)?;
        if running.is_full() || (self.live && running.is_due()) {
            running.flush(&mut self.outlet)?;
        }
        Ok(())
    }

    /// Logs what never changes, at the first step or at the end of a run without one.
    fn prepare(&mut self, step: Option<&StepRecord>) -> Result<(), RerunError> {
        let (Stage::Running(running), Some(blueprint)) = (&mut self.stage, &mut self.blueprint)
        else {
            return Err(self.ended());
        };
        if running.is_prepared() {
            return Ok(());
        }
        let still = running.still();
        let step = step.unwrap_or(&still);
        running.check(step)?;
        let layout = blueprint.writer(&mut self.outlet);
        let common = running.share(step, &self.options, &[], layout)?;
        running.prepare(step, common, &self.options, &mut self.outlet)
    }

    /// [`Recorder::finish`] without the memory of errors.
    fn complete(&mut self) -> Result<(), RerunError> {
        self.prepare(None)?;
        let Stage::Running(running) = &mut self.stage else {
            return Err(self.ended());
        };
        running.flush(&mut self.outlet)?;
        running.flush_rest(&mut self.outlet)?;
        let verdicts: Vec<_> = running.verdict().map(str::to_owned).into_iter().collect();
        running.put_verdicts(&verdicts, &mut self.outlet)?;
        self.outlet.finish()?;
        self.stage = Stage::Done;
        Ok(())
    }

    /// A recorder over an outlet that is already open.
    #[cfg(test)]
    pub(crate) fn over(outlet: Outlet, options: RecorderOptions) -> Self {
        Self {
            options,
            outlet,
            live: false,
            origin: Origin::Named(Some("test".to_owned())),
            stage: Stage::Fresh,
            blueprint: None,
        }
    }
}

/// Whose recording it is.
#[derive(Clone, Debug)]
pub(crate) enum Origin {
    /// One of its own, by the name of its file if it has one.
    Named(Option<String>),
    /// That of a stream.
    #[cfg(feature = "sdk")]
    Stream(StoreId),
}

impl Origin {
    /// The recording of a scene, and the store of its layout.
    ///
    /// # Errors
    /// [`RerunError::Name`].
    pub fn stores(
        &self,
        scene: &SceneRecord,
        options: &RecorderOptions,
    ) -> Result<[Store; 2], RerunError> {
        let names = options.names()?;
        let (recording, series) = match self {
            Self::Named(name) => {
                // Each scenario is an application of its own: viewers keep one layout per application.
                let title = paths::path_part(&scene.name);
                let plain = |c: char| if c.is_ascii_alphanumeric() { c } else { '-' };
                let title: String = title.chars().map(plain).collect();
                let application = ApplicationId::new_or_unknown(format!("stickslip-{title}"));
                let id = options.recording_id.as_deref().or(name.as_deref());
                let id = id.map_or_else(RecordingId::random, RecordingId::from);
                (StoreId::new(StoreKind::Recording, application, id), 1)
            }
            // Several recorders may share a stream: their rows differ by a random half of their ids.
            #[cfg(feature = "sdk")]
            Self::Stream(id) => (id.clone(), Tuid::new().inc()),
        };
        let layout = RecordingId::from("stickslip layout");
        let application = recording.application_id().clone();
        let layout = StoreId::new(StoreKind::Blueprint, application, layout);
        Ok([
            Store::new(recording, series, names),
            Store::new(layout, 2, Names::of_layout()),
        ])
    }
}

impl Recording for RerunRecorder {
    fn joint_gap(&mut self, gap: f64) {
        if let Stage::Running(running) = &mut self.stage {
            running.joint_gap(gap);
        }
    }

    fn conclude(&mut self, verdict: &str) {
        if let Stage::Running(running) = &mut self.stage {
            running.conclude(verdict);
        }
    }
}

impl Recorder for RerunRecorder {
    type Error = RerunError;

    fn begin(&mut self, scene: &SceneRecord) -> Result<(), RerunError> {
        if !matches!(self.stage, Stage::Fresh) {
            return Err(self.ended());
        }
        let [mut store, layout] = self.origin.stores(scene, &self.options)?;
        let announced = store.writer(&mut self.outlet).announce();
        self.settle(announced)?;
        let running = Running::new(scene, store);
        self.blueprint = Some(layout);
        self.stage = Stage::Running(Box::new(running));
        Ok(())
    }

    fn record(&mut self, step: &StepRecord) -> Result<(), RerunError> {
        let result = self.take(step);
        self.settle(result)
    }

    fn finish(&mut self) -> Result<(), RerunError> {
        let result = self.complete();
        self.settle(result)
    }
}
