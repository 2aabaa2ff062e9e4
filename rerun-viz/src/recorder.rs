//! The recorder.

use crate::blueprint::{self, Layout};
use crate::bounds::Extent;
use crate::chunks::{Store, Times};
use crate::contacts::{ContactColumns, Scale};
use crate::error::RerunError;
use crate::notes;
use crate::options::{Frames, RecorderOptions, UpAxis};
use crate::outlet::Outlet;
use crate::paths;
use crate::plots::{PlotColumns, Worst};
use crate::poses::PoseColumns;
use crate::shapes::{self, Ground};
use crate::sink::Sink;
use nalgebra::Isometry3;
use re_sdk::external::re_log_types::{ApplicationId, RecordingId, StoreKind};
use re_sdk::{EntityPath, RecordingInfo, StoreId};
use re_sdk_types::archetypes::ViewCoordinates;
use std::time::{Duration, Instant};
use stickslip_core::record::{Geometry, Recorder, SceneRecord, StepRecord};

/// Rows per chunk of a file: a chunk costs about as much as a few hundred rows.
const ROWS_PER_CHUNK: usize = 1024;
/// Poses held back at most, all bodies together (7 MB): scenes of many bodies are sent earlier.
const POSES_HELD: usize = 1 << 18;
/// How often a viewer gets what is new.
const LIVE_PERIOD: Duration = Duration::from_millis(50);

/// Records a simulation for the Rerun viewer.
///
/// Entities: `world/<robot, or scene>/<body>` with a transform and `shape_<k>` below it;
/// `world/contacts/{points, normals, normal_forces, friction_forces}`; `plots/...` (see
/// [`SERIES`](crate::SERIES)); `log/solver` for steps that failed or fell back; `legend`. Everything that
/// changes is on the timelines `sim_time` (duration) and `step` (sequence). Forces are those on the
/// second body of a contact.
///
/// A file appears under its name in [`finish`](Recorder::finish), whole; dropped before that, the
/// recorder leaves nothing behind. The same records give the same bytes.
pub struct RerunRecorder {
    options: RecorderOptions,
    outlet: Outlet,
    live: bool,
    default_id: Option<String>,
    stage: Stage,
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
        let default_id = match &sink {
            Sink::File(path) => path
                .file_stem()
                .map(|stem| stem.to_string_lossy().into_owned()),
            Sink::Spawn | Sink::Connect(_) => None,
        };
        Ok(Self {
            options,
            outlet: Outlet::open(&sink)?,
            live: !matches!(sink, Sink::File(_)),
            default_id,
            stage: Stage::Fresh,
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
        let Stage::Running(running) = &mut self.stage else {
            return Err(self.ended());
        };
        running.record(step, &self.options, &mut self.outlet)?;
        let rows = running.times.len();
        if rows >= ROWS_PER_CHUNK
            || rows * running.poses.len() >= POSES_HELD
            || (self.live && rows > 0 && running.sent.elapsed() >= LIVE_PERIOD)
        {
            running.flush(&mut self.outlet)?;
        }
        Ok(())
    }

    /// [`Recorder::finish`] without the memory of errors.
    fn complete(&mut self) -> Result<(), RerunError> {
        let Stage::Running(running) = &mut self.stage else {
            return Err(self.ended());
        };
        if running.scale.is_none() {
            let still = StepRecord {
                body_poses: vec![Isometry3::identity(); running.scene.bodies.len()],
                ..StepRecord::default()
            };
            running.prepare(&still, &self.options, &mut self.outlet)?;
        }
        running.flush(&mut self.outlet)?;
        running.flush_rest(&mut self.outlet)?;
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
            default_id: Some("test".to_owned()),
            stage: Stage::Fresh,
        }
    }

    /// The identity of the recording of a scene, and of its blueprint.
    fn ids(&self, scene: &SceneRecord) -> (StoreId, StoreId) {
        // Each scenario is an application of its own: viewers keep one layout per application.
        let name: String = paths::path_part(&scene.name)
            .chars()
            .map(|c| if c.is_ascii_alphanumeric() { c } else { '-' })
            .collect();
        let application = ApplicationId::new_or_unknown(format!("stickslip-{name}"));
        let recording = match self
            .options
            .recording_id
            .as_ref()
            .or(self.default_id.as_ref())
        {
            Some(id) => RecordingId::from(id.as_str()),
            None => RecordingId::random(),
        };
        let new = |kind, id| StoreId::new(kind, application.clone(), id);
        (
            new(StoreKind::Recording, recording),
            new(StoreKind::Blueprint, RecordingId::from("stickslip layout")),
        )
    }
}

impl Recorder for RerunRecorder {
    type Error = RerunError;

    fn begin(&mut self, scene: &SceneRecord) -> Result<(), RerunError> {
        if !matches!(self.stage, Stage::Fresh) {
            return Err(self.ended());
        }
        let (recording, blueprint) = self.ids(scene);
        let mut store = Store::new(recording, 1);
        let announced = store.announce(&mut self.outlet);
        self.settle(announced)?;
        let paths = paths::body_paths(scene);
        let poses = scene
            .bodies
            .iter()
            .zip(&paths)
            .enumerate()
            .filter(|(_, (body, _))| body.moves)
            .map(|(k, (_, path))| PoseColumns::new(k, path.clone()))
            .collect();
        self.stage = Stage::Running(Box::new(Running {
            scene: scene.clone(),
            paths,
            store,
            blueprint: Store::new(blueprint, 2),
            scale: None,
            last_time: f64::NEG_INFINITY,
            next_frame: f64::NEG_INFINITY,
            worst: Worst::NONE,
            pending: None,
            times: Times::default(),
            poses,
            contacts: ContactColumns::default(),
            plots: PlotColumns::default(),
            notes: 0,
            sent: Instant::now(),
        }));
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

/// A recording with a scene.
struct Running {
    scene: SceneRecord,
    paths: Vec<EntityPath>,
    store: Store,
    blueprint: Store,
    /// Known from the first step on.
    scale: Option<Scale>,
    last_time: f64,
    next_frame: f64,
    /// The worst since the last frame.
    worst: Worst,
    /// Number and time of the last step, if it was no frame.
    pending: Option<(u64, f64)>,
    times: Times,
    poses: Vec<PoseColumns>,
    contacts: ContactColumns,
    plots: PlotColumns,
    /// Messages so far.
    notes: usize,
    sent: Instant,
}

impl Running {
    fn record(
        &mut self,
        step: &StepRecord,
        options: &RecorderOptions,
        outlet: &mut Outlet,
    ) -> Result<(), RerunError> {
        if step.body_poses.len() != self.scene.bodies.len() {
            return Err(RerunError::PoseCount {
                step: step.step,
                expected: self.scene.bodies.len(),
                got: step.body_poses.len(),
            });
        }
        if !step.time.is_finite() || step.time < self.last_time {
            return Err(RerunError::Time {
                step: step.step,
                time: step.time,
            });
        }
        self.last_time = step.time;
        let scale = match self.scale {
            Some(scale) => scale,
            None => self.prepare(step, options, outlet)?,
        };
        if let Some(note) = notes::note(step, &mut self.notes) {
            let mut at = Times::default();
            at.push(step.step, step.time);
            let path = EntityPath::from(paths::LOG);
            let columns = note.columns_of_unit_batches();
            self.store.put_columns(outlet, &path, &at, columns)?;
        }
        self.worst.take(step, self.scene.weight);
        if !self.is_frame(step, options.frames) {
            self.pending = Some((step.step, step.time));
            return Ok(());
        }
        self.times.push(step.step, step.time);
        self.plots.push(&self.worst, self.scene.weight);
        self.worst = Worst::NONE;
        self.pending = None;
        self.contacts.push(&step.contacts, &scale);
        for pose in &mut self.poses {
            pose.push(&step.body_poses[pose.body]);
        }
        Ok(())
    }

    /// Whether the step is the first at or after the next frame's time, or the n-th.
    fn is_frame(&mut self, step: &StepRecord, frames: Frames) -> bool {
        match frames {
            Frames::EverySteps(n) => step.step.is_multiple_of(n),
            Frames::PerSecond(rate) => {
                // Times are sums of rounded steps: a thousandth of a period is allowed for that.
                let periods = step.time * rate + 1e-3;
                if periods < self.next_frame {
                    return false;
                }
                self.next_frame = periods.floor() + 1.0;
                true
            }
        }
    }

    /// Logs, at the first step, everything that never changes.
    fn prepare(
        &mut self,
        step: &StepRecord,
        options: &RecorderOptions,
        outlet: &mut Outlet,
    ) -> Result<Scale, RerunError> {
        let extent = Extent::of(&self.scene, &step.body_poses);
        let scale = Scale::new(
            &extent,
            self.scene.weight,
            &step.contacts,
            options.meters_per_newton,
        );
        let tile = shapes::tile_side(&extent);
        let has_ground = self.scene.bodies.iter().any(|body| {
            let mut shapes = body.shapes.iter();
            shapes.any(|s| matches!(s.geometry, Geometry::HalfSpace { .. }))
        });
        let layout = Layout {
            extent,
            up: options.up,
            has_ground,
        };
        blueprint::put(&mut self.blueprint, outlet, &layout)?;
        let store = &mut self.store;
        store.put_static(
            outlet,
            &EntityPath::properties(),
            &RecordingInfo::new().with_name(self.scene.name.as_str()),
        )?;
        let axes = match options.up {
            UpAxis::Y => ViewCoordinates::RIGHT_HAND_Y_UP(),
            UpAxis::Z => ViewCoordinates::RIGHT_HAND_Z_UP(),
        };
        store.put_static(outlet, &EntityPath::from(paths::WORLD), &axes)?;
        let ground_tile = has_ground.then_some(tile);
        store.put_static(
            outlet,
            &EntityPath::from(paths::LEGEND),
            &notes::legend(&self.scene, &scale, ground_tile),
        )?;
        for ((body, path), pose) in self
            .scene
            .bodies
            .iter()
            .zip(&self.paths)
            .zip(&step.body_poses)
        {
            if !body.moves {
                store.put_static(outlet, path, &shapes::transform(pose))?;
            }
            let ground = Ground {
                X_WB: *pose,
                center: extent.center,
                tile,
            };
            for (k, shape) in body.shapes.iter().enumerate() {
                let path = paths::shape_path(path, k);
                let mut shape = shape.clone();
                if body.moves {
                    let alpha = f64::from(shape.color[3]) * options.opacity;
                    shape.color[3] = alpha.round() as u8;
                }
                shapes::put_shape(store, outlet, &path, &shape, &ground)?;
            }
        }
        ContactColumns::put_static(store, outlet, &scale)?;
        PlotColumns::put_static(store, outlet)?;
        self.scale = Some(scale);
        Ok(scale)
    }

    /// Sends the frames collected so far.
    fn flush(&mut self, outlet: &mut Outlet) -> Result<(), RerunError> {
        self.sent = Instant::now();
        if self.times.len() == 0 {
            return Ok(());
        }
        for pose in &mut self.poses {
            pose.flush(&mut self.store, outlet, &self.times)?;
        }
        self.contacts.flush(&mut self.store, outlet, &self.times)?;
        self.plots.flush(&mut self.store, outlet, &self.times)?;
        self.times.clear();
        Ok(())
    }

    /// Sends the curves of the steps after the last frame.
    fn flush_rest(&mut self, outlet: &mut Outlet) -> Result<(), RerunError> {
        if let Some((step, time)) = self.pending.take() {
            self.times.push(step, time);
            self.plots.push(&self.worst, self.scene.weight);
            self.plots.flush(&mut self.store, outlet, &self.times)?;
            self.times.clear();
        }
        Ok(())
    }
}
