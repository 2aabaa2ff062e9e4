//! A recording in progress: what is held back, and what is sent when.

mod fixed;

use crate::balance::BalanceColumns;
use crate::bounds::Extent;
use crate::chunks::{Store, Times};
use crate::contacts::{ContactColumns, Scale};
use crate::details::DetailColumns;
use crate::error::RerunError;
use crate::load::Pressing;
use crate::notes::{self, Notes};
use crate::options::{Frames, RecorderOptions};
use crate::outlet::Outlet;
use crate::paths;
use crate::plots::{JointColumns, Ledger, Mark, Marks, PlotColumns, Worst};
use crate::poses::PoseColumns;
use crate::track::Track;
use crate::wrenches::WrenchColumns;
use nalgebra::{Isometry3, Vector3};
use re_log_types::EntityPath;
use std::time::{Duration, Instant};
use stickslip_record::{SceneRecord, StepRecord};

/// Rows per chunk of a file: a chunk costs about as much as a few hundred rows.
const ROWS_PER_CHUNK: usize = 1024;
/// Poses held back at most, all bodies together (7 MB): scenes of many bodies are sent earlier.
const POSES_HELD: usize = 1 << 18;
/// How often a viewer gets what is new.
const LIVE_PERIOD: Duration = Duration::from_millis(50);

/// What all runs of a recording share; known from the first step on.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Common {
    scale: Scale,
    extent: Extent,
    tile: f64,
    /// Unit vector upwards.
    up: Vector3<f64>,
    /// Whether runs are beside each other.
    is_row: bool,
}

/// A run with a scene.
pub(crate) struct Running {
    track: Option<Track>,
    scene: SceneRecord,
    paths: Vec<EntityPath>,
    store: Store,
    /// Known from the first step on.
    common: Option<Common>,
    last_time: f64,
    next_frame: f64,
    /// The worst since the last frame.
    worst: Worst,
    /// Which bodies pressed each other in the last step.
    pressing: Pressing,
    /// Number and time of the last step, if it was no frame.
    pending: Option<(u64, f64)>,
    times: Times,
    poses: Vec<PoseColumns>,
    contacts: ContactColumns,
    details: DetailColumns,
    wrenches: WrenchColumns,
    /// Known from the first step on.
    balance: BalanceColumns,
    /// What went wrong since the last frame.
    trouble: Option<Mark>,
    plots: PlotColumns,
    ledger: Ledger,
    /// Joint positions at the last step.
    joint_positions: Vec<f64>,
    /// Known from the first step on; runs side by side have none.
    joints: Option<JointColumns>,
    marks: Marks,
    notes: Notes,
    /// The text in the panel of the legend; empty but in the run that logged it.
    legend: String,
    verdict: Option<String>,
    sent: Instant,
}

impl Running {
    /// A recording of a scene, with no step yet.
    pub(crate) fn new(scene: &SceneRecord, store: Store) -> Self {
        Self::build(scene.clone(), store, None)
    }

    /// One run among several, by its number.
    pub(crate) fn of_track(scene: &SceneRecord, store: Store, track: (usize, &Track)) -> Self {
        Self::build(track.1.scene(scene, track.0), store, Some(track))
    }

    fn build(scene: SceneRecord, mut store: Store, track: Option<(usize, &Track)>) -> Self {
        let name = track.map(|(_, track)| track.name.as_str());
        let paths = paths::body_paths_in(&scene, name);
        store.track = name.map(str::to_owned);
        let poses = scene
            .bodies
            .iter()
            .zip(&paths)
            .enumerate()
            .filter(|(_, (body, _))| body.moves)
            .map(|(k, (_, path))| PoseColumns::new(k, path.clone()))
            .collect();
        let contacts = ContactColumns::new(scene.view.arrows);
        let wrenches = WrenchColumns::new(&scene, name);
        let number = track.map_or(0, |(number, _)| number);
        let track = track.map(|(_, track)| track.clone());
        Self {
            plots: PlotColumns::new(&scene, track.as_ref(), number),
            ledger: Ledger::new(&scene),
            joint_positions: Vec::new(),
            joints: None,
            marks: Marks::default(),
            track,
            scene,
            paths,
            store,
            common: None,
            last_time: f64::NEG_INFINITY,
            next_frame: f64::NEG_INFINITY,
            worst: Worst::NONE,
            pressing: Pressing::default(),
            pending: None,
            times: Times::default(),
            poses,
            contacts,
            details: DetailColumns::default(),
            wrenches,
            balance: BalanceColumns::default(),
            trouble: None,
            notes: Notes::default(),
            legend: String::new(),
            verdict: None,
            sent: Instant::now(),
        }
    }

    /// States the largest gap of a joint in the next step \[m\].
    pub(crate) fn joint_gap(&mut self, gap: f64) {
        self.worst.take_joint_gap(gap);
    }

    /// States how the run ended.
    pub(crate) fn conclude(&mut self, verdict: &str) {
        self.verdict = Some(verdict.to_owned());
    }

    /// How the run ended, where that was stated.
    pub(crate) fn verdict(&self) -> Option<&str> {
        self.verdict.as_deref()
    }

    /// Puts verdicts above the legend, in the run that logged it.
    pub(crate) fn put_verdicts(
        &mut self,
        verdicts: &[String],
        outlet: &mut Outlet,
    ) -> Result<(), RerunError> {
        if verdicts.is_empty() || self.legend.is_empty() {
            return Ok(());
        }
        let panel = notes::panel(&self.legend, verdicts);
        let path = EntityPath::from(paths::LEGEND);
        self.store.writer(outlet).put_static(&path, &panel)
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

    /// Refuses a step that doesn't fit.
    pub(crate) fn check(&self, step: &StepRecord) -> Result<(), RerunError> {
        if step.body_poses.len() != self.scene.bodies.len() {
            return Err(RerunError::PoseCount {
                step: step.step,
                expected: self.scene.bodies.len(),
                got: step.body_poses.len(),
            });
        }
        let fits = |got: usize, expected: usize| got == 0 || got == expected;
        if !fits(step.body_motions.len(), self.scene.bodies.len())
            || !fits(step.joints.len(), self.scene.joints.len())
            || (self.joints.is_some() && step.joints.is_empty())
        {
            return Err(RerunError::Parts {
                step: step.step,
                motions: step.body_motions.len(),
                joints: step.joints.len(),
            });
        }
        if !step.time.is_finite() || step.time < self.last_time {
            return Err(RerunError::Time {
                step: step.step,
                time: step.time,
            });
        }
        Ok(())
    }

    /// Takes a step; what never changes was logged before.
    pub(crate) fn record(
        &mut self,
        step: &StepRecord,
        options: &RecorderOptions,
        outlet: &mut Outlet,
    ) -> Result<(), RerunError> {
        self.check(step)?;
        self.last_time = step.time;
        let Some(common) = self.common else {
            return Err(RerunError::Order("what is shared comes first"));
        };
        self.say(step, outlet)?;
        self.worst.take(step, self.scene.weight, &self.pressing);
        self.pressing.end_step(&step.contacts);
        self.ledger.enter(&self.scene, step, &self.joint_positions);
        self.joint_positions.clear();
        self.joint_positions
            .extend(step.joints.iter().map(|joint| joint.position));
        if !self.is_frame(step, options.frames) {
            self.pending = Some((step.step, step.time));
            return Ok(());
        }
        self.times.push(step.step, step.time);
        let balance = self.ledger.balance(&self.scene, step);
        self.plots.push(&self.worst, self.scene.weight, balance);
        if let Some(joints) = &mut self.joints {
            joints.push(step);
        }
        self.worst = Worst::NONE;
        self.pending = None;
        let scale = common.scale.of_step(&step.contacts);
        self.contacts
            .push(&step.contacts, self.trouble.take(), &scale);
        self.details.push(&step.contacts, &scale);
        self.wrenches.push(step, &common.scale);
        self.balance.push(&self.scene, step);
        for pose in &mut self.poses {
            pose.push(&step.body_poses[pose.body]);
        }
        Ok(())
    }

    /// Says what went wrong in a step, in words and with a mark, and when everything rests.
    fn say(&mut self, step: &StepRecord, outlet: &mut Outlet) -> Result<(), RerunError> {
        let said = self.notes.of(step);
        if said.is_empty() {
            return Ok(());
        }
        let mut out = self.store.writer(outlet);
        for note in said {
            let mut at = Times::default();
            at.push(step.step, step.time);
            let path = out.path(paths::LOG);
            out.put_columns(&path, &at, note.columns_of_unit_batches())?;
        }
        let mark = Mark::of(step);
        self.trouble = self.trouble.or(mark);
        match mark {
            Some(mark) => self.marks.put((mark, step), &mut out),
            None => Ok(()),
        }
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

    /// Whether everything that never changes is logged.
    pub(crate) fn is_prepared(&self) -> bool {
        self.common.is_some()
    }

    /// A step in which nothing has moved, for a run that has none.
    pub(crate) fn still(&self) -> StepRecord {
        StepRecord {
            body_poses: vec![Isometry3::identity(); self.scene.bodies.len()],
            ..StepRecord::default()
        }
    }

    /// Sends the frames collected so far.
    pub(crate) fn flush(&mut self, outlet: &mut Outlet) -> Result<(), RerunError> {
        self.sent = Instant::now();
        if self.times.len() == 0 {
            return Ok(());
        }
        let mut out = self.store.writer(outlet);
        for pose in &mut self.poses {
            pose.flush(&mut out, &self.times)?;
        }
        self.contacts.flush(&mut out, &self.times)?;
        self.details.flush(&mut out, &self.times)?;
        self.wrenches.flush(&mut out, &self.times)?;
        self.balance.flush(&mut out, &self.times)?;
        self.plots.flush(&mut out, &self.times)?;
        if let Some(joints) = &mut self.joints {
            joints.flush(&mut out, &self.times)?;
        }
        self.times.clear();
        Ok(())
    }

    /// Sends the curves of the steps after the last frame.
    pub(crate) fn flush_rest(&mut self, outlet: &mut Outlet) -> Result<(), RerunError> {
        if let Some((step, time)) = self.pending.take() {
            self.times.push(step, time);
            self.plots.push(&self.worst, self.scene.weight, [None; 3]);
            let mut out = self.store.writer(outlet);
            self.plots.flush(&mut out, &self.times)?;
            self.times.clear();
        }
        Ok(())
    }
}
