//! Several runs side by side in one recording.

use crate::chunks::Store;
use crate::error::RerunError;
use crate::options::RecorderOptions;
use crate::outlet::Outlet;
use crate::recorder::Origin;
use crate::recording::Recording;
use crate::running::{Common, Running};
use crate::sink::Sink;
use crate::track::Track;
use std::sync::{Arc, Mutex, PoisonError};
use stickslip_record::{Recorder, SceneRecord, StepRecord};

/// The ids of the tracks' rows begin here; 1 and 2 are those of a recording of one run and of its layout.
const FIRST_SERIES: u64 = 3;

/// What the tracks share.
struct Overlay {
    options: RecorderOptions,
    outlet: Outlet,
    live: bool,
    origin: Origin,
    tracks: Vec<Track>,
    runs: Vec<Option<Running>>,
    /// The recording and the store of its layout; known with the first scene.
    stores: Option<[Store; 2]>,
    /// Known with the first step.
    common: Option<Common>,
    /// Tracks that are not finished.
    left: usize,
    /// Why there is no going on.
    failed: Option<String>,
}

/// Records one of several runs into a recording they share.
///
/// Entities of the run stand below `world/<track>/`, its curves in the same views as those of the others, its
/// messages in `log/solver/<track>`; timelines and colours of contacts are those of
/// [`RerunRecorder`](crate::RerunRecorder). A file appears once the last of the recorders has finished.
pub struct TrackRecorder {
    shared: Arc<Mutex<Overlay>>,
    number: usize,
}

/// A recorder for each track, all into one sink. The steps of the runs may come in any order.
///
/// # Errors
/// As [`RerunRecorder::new`](crate::RerunRecorder::new).
pub fn side_by_side(
    sink: &Sink,
    options: RecorderOptions,
    tracks: Vec<Track>,
) -> Result<Vec<TrackRecorder>, RerunError> {
    options.check()?;
    let count = tracks.len();
    let overlay = Overlay {
        options,
        outlet: Outlet::open(sink)?,
        live: sink.is_live(),
        origin: Origin::Named(sink.name()),
        runs: (0..count).map(|_| None).collect(),
        tracks,
        stores: None,
        common: None,
        left: count,
        failed: None,
    };
    let shared = Arc::new(Mutex::new(overlay));
    let recorder = |number| TrackRecorder {
        shared: Arc::clone(&shared),
        number,
    };
    Ok((0..count).map(recorder).collect())
}

impl Overlay {
    fn begin(&mut self, number: usize, scene: &SceneRecord) -> Result<(), RerunError> {
        if self.runs[number].is_some() {
            return Err(RerunError::Order("a track has one scene"));
        }
        let first = self.stores.is_none();
        if first {
            self.stores = Some(self.origin.stores(scene, &self.options)?);
        }
        let Some([recording, _]) = &self.stores else {
            return Err(RerunError::Order("the scene comes first"));
        };
        let mut store = recording.with_series(FIRST_SERIES + number as u64);
        if first {
            store.writer(&mut self.outlet).announce()?;
        }
        let track = (number, &self.tracks[number]);
        self.runs[number] = Some(Running::of_track(scene, store, track));
        Ok(())
    }

    /// Logs what never changes, at the first step of a track or at the end of one without.
    fn prepare(&mut self, number: usize, step: Option<&StepRecord>) -> Result<(), RerunError> {
        let (Some(running), Some([_, blueprint])) = (&mut self.runs[number], &mut self.stores)
        else {
            return Err(RerunError::Order("the scene comes first"));
        };
        if running.is_prepared() {
            return Ok(());
        }
        let still = running.still();
        let step = step.unwrap_or(&still);
        running.check(step)?;
        let common = match self.common {
            Some(common) => common,
            None => {
                let layout = blueprint.writer(&mut self.outlet);
                running.share(step, &self.options, &self.tracks, layout)?
            }
        };
        self.common = Some(common);
        running.prepare(step, common, &self.options, &mut self.outlet)
    }

    fn record(&mut self, number: usize, step: &StepRecord) -> Result<(), RerunError> {
        let step = self.tracks[number].step(step);
        self.prepare(number, Some(&step))?;
        let Some(running) = &mut self.runs[number] else {
            return Err(RerunError::Order("the scene comes first"));
        };
        running.record(&step, &self.options, &mut self.outlet)?;
        if running.is_full() || (self.live && running.is_due()) {
            running.flush(&mut self.outlet)?;
        }
        Ok(())
    }

    fn finish(&mut self, number: usize) -> Result<(), RerunError> {
        self.prepare(number, None)?;
        if let Some(running) = &mut self.runs[number] {
            running.flush(&mut self.outlet)?;
            running.flush_rest(&mut self.outlet)?;
        }
        self.left -= 1;
        if self.left == 0 {
            self.put_verdicts()?;
            self.outlet.finish()?;
        }
        Ok(())
    }

    fn put_verdicts(&mut self) -> Result<(), RerunError> {
        let runs = self.runs.iter().flatten();
        // A list of their first paragraphs: one line each, so that all are seen.
        let lines = runs.filter_map(|run| run.verdict()?.split("\n\n").next());
        let lines: Vec<_> = lines.map(|line| format!("- {line}")).collect();
        let verdicts: Vec<_> = (!lines.is_empty())
            .then(|| lines.join("\n"))
            .into_iter()
            .collect();
        let mut runs = self.runs.iter_mut().flatten();
        runs.try_for_each(|run| run.put_verdicts(&verdicts, &mut self.outlet))
    }

    fn run(&mut self, number: usize) -> Option<&mut Running> {
        self.runs[number].as_mut()
    }
}

impl TrackRecorder {
    /// Does something with what is shared, unless an error ended the recording; remembers one that does.
    fn with<F>(&mut self, act: F) -> Result<(), RerunError>
    where
        F: FnOnce(&mut Overlay) -> Result<(), RerunError>,
    {
        let mut shared = self.shared.lock().unwrap_or_else(PoisonError::into_inner);
        if let Some(reason) = &shared.failed {
            return Err(RerunError::Ended {
                reason: reason.clone(),
            });
        }
        let result = act(&mut shared);
        if let Err(error) = &result
            && error.is_final()
        {
            shared.failed = Some(error.to_string());
        }
        result
    }
}

impl Recording for TrackRecorder {
    /// Runs side by side have no curve of it.
    fn joint_gap(&mut self, _gap: f64) {}

    fn conclude(&mut self, verdict: &str) {
        let mut shared = self.shared.lock().unwrap_or_else(PoisonError::into_inner);
        if let Some(run) = shared.run(self.number) {
            run.conclude(verdict);
        }
    }
}

impl Recorder for TrackRecorder {
    type Error = RerunError;

    fn begin(&mut self, scene: &SceneRecord) -> Result<(), RerunError> {
        let number = self.number;
        self.with(|shared| shared.begin(number, scene))
    }

    fn record(&mut self, step: &StepRecord) -> Result<(), RerunError> {
        let number = self.number;
        self.with(|shared| shared.record(number, step))
    }

    fn finish(&mut self) -> Result<(), RerunError> {
        let number = self.number;
        self.with(|shared| shared.finish(number))
    }
}
