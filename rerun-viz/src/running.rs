//! A recording in progress: what is held back, and what is sent when.

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
use nalgebra::Isometry3;
use re_sdk::{EntityPath, RecordingInfo, StoreId};
use re_sdk_types::archetypes::ViewCoordinates;
use std::time::{Duration, Instant};
use stickslip_core::record::{Geometry, SceneRecord, StepRecord};

/// Rows per chunk of a file: a chunk costs about as much as a few hundred rows.
const ROWS_PER_CHUNK: usize = 1024;
/// Poses held back at most, all bodies together (7 MB): scenes of many bodies are sent earlier.
const POSES_HELD: usize = 1 << 18;
/// How often a viewer gets what is new.
const LIVE_PERIOD: Duration = Duration::from_millis(50);

/// A recording with a scene.
pub(crate) struct Running {
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
    /// A recording of a scene, with no step yet.
    pub(crate) fn new(scene: &SceneRecord, store: Store, blueprint: StoreId) -> Self {
        let paths = paths::body_paths(scene);
        let poses = scene
            .bodies
            .iter()
            .zip(&paths)
            .enumerate()
            .filter(|(_, (body, _))| body.moves)
            .map(|(k, (_, path))| PoseColumns::new(k, path.clone()))
            .collect();
        Self {
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
        }
    }

    /// Whether a chunk's worth of rows is held back.
    pub(crate) fn is_full(&self) -> bool {
        let rows = self.times.len();
        rows >= ROWS_PER_CHUNK || rows * self.poses.len() >= POSES_HELD
    }

    /// Whether a viewer has waited long enough for what is new.
    pub(crate) fn is_due(&self) -> bool {
        self.times.len() > 0 && self.sent.elapsed() >= LIVE_PERIOD
    }

    /// Takes a step.
    pub(crate) fn record(
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

    /// Logs what never changes, if no step came to do it.
    pub(crate) fn ensure_prepared(
        &mut self,
        options: &RecorderOptions,
        outlet: &mut Outlet,
    ) -> Result<(), RerunError> {
        if self.scale.is_some() {
            return Ok(());
        }
        let still = StepRecord {
            body_poses: vec![Isometry3::identity(); self.scene.bodies.len()],
            ..StepRecord::default()
        };
        self.prepare(&still, options, outlet).map(|_| ())
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
    pub(crate) fn flush(&mut self, outlet: &mut Outlet) -> Result<(), RerunError> {
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
    pub(crate) fn flush_rest(&mut self, outlet: &mut Outlet) -> Result<(), RerunError> {
        if let Some((step, time)) = self.pending.take() {
            self.times.push(step, time);
            self.plots.push(&self.worst, self.scene.weight);
            self.plots.flush(&mut self.store, outlet, &self.times)?;
            self.times.clear();
        }
        Ok(())
    }
}
