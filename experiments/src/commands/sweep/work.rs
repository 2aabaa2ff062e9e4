//! The runs of a sweep, several at a time.

use super::folder::SweepFolder;
use crate::drive::drive;
use crate::error::CommandError;
use crate::interrupt::Stop;
use crate::manifest::Manifest;
use crate::output;
use crate::progress::{Progress, Show};
use crate::provenance::Provenance;
use crate::result::{RunResult, Statistics};
use crate::runner::{Run, Tracing};
use crate::settings::{Request, RunSettings};
use rayon::iter::{ParallelBridge, ParallelIterator};
use std::any::Any;
use std::panic::{AssertUnwindSafe, catch_unwind};
use std::sync::{Mutex, MutexGuard, PoisonError};

/// How to go about it.
pub(super) struct Work<'a> {
    pub(super) folder: &'a SweepFolder,
    pub(super) cases: &'a [Request],
    /// Program and machine of this process.
    pub(super) made: &'a Provenance,
    pub(super) stop: &'a Stop,
    /// Runs at a time.
    pub(super) jobs: usize,
    pub(super) show: Show,
}

/// How far it went.
struct Tally {
    done: u64,
    progress: Progress,
    /// Why rows can't be written any more.
    broken: Option<CommandError>,
}

impl Work<'_> {
    /// Makes these runs; gives how many of them have rows now.
    ///
    /// # Errors
    /// An output error when a row can't be written. Its text then goes to standard output, so that what
    /// was computed is not lost, and no more runs are started.
    pub(super) fn run(&self, todo: &[usize]) -> Result<u64, CommandError> {
        let pool = rayon::ThreadPoolBuilder::new()
            .num_threads(self.jobs)
            .build()
            .map_err(|e| CommandError::Scene(format!("--jobs {}: {e}", self.jobs)))?;
        let tally = Mutex::new(Tally {
            done: 0,
            progress: Progress::new("sweep", "runs", todo.len() as u64, self.show).steady(),
            broken: None,
        });
        pool.install(|| {
            let runs = todo.iter().par_bridge();
            runs.for_each(|run| self.one(*run, &tally));
        });
        let tally = tally.into_inner().unwrap_or_else(PoisonError::into_inner);
        tally.progress.finish();
        match tally.broken {
            Some(error) => Err(error),
            None => Ok(tally.done),
        }
    }

    /// One run and its row.
    fn one(&self, run: usize, tally: &Mutex<Tally>) {
        if self.stop.asked().is_some() || lock(tally).broken.is_some() {
            return;
        }
        let put = match self.row(&self.cases[run]) {
            Ok(None) => return,
            Ok(Some(text)) => self.folder.put(run, &text).inspect_err(|_| {
                output::print(text.trim_end());
            }),
            Err(error) => Err(error),
        };
        let mut tally = lock(tally);
        match put {
            Ok(()) => {
                tally.done += 1;
                let done = tally.done;
                tally.progress.update(done);
            }
            Err(error) => {
                tally.broken.get_or_insert(error);
            }
        }
    }

    /// The row of a run: its JSON. `None` if a signal ended it.
    fn row(&self, case: &Request) -> Result<Option<String>, CommandError> {
        let settings = RunSettings::new(case)?;
        let made = Provenance {
            started: Provenance::now().started,
            ..self.made.clone()
        };
        let result = catch_unwind(AssertUnwindSafe(|| self.result(&settings, &made)));
        let result = result.unwrap_or_else(|panic| {
            let said = format!("panicked: {}", said(&*panic));
            Some(failed(&settings, made, said))
        });
        let Some(result) = result else {
            return Ok(None);
        };
        let text = serde_json::to_string_pretty(&result);
        let text = text.map_err(|error| CommandError::Scene(error.to_string()))?;
        Ok(Some(text + "\n"))
    }

    fn result(&self, settings: &RunSettings, made: &Provenance) -> Option<RunResult> {
        let mut run = match Run::new(settings, Tracing::Off) {
            Ok(run) => run,
            Err(error) => return Some(failed(settings, made.clone(), error.to_string())),
        };
        run.mark(made.clone());
        let done = match drive(vec![run], settings.steps, Show::Never, self.stop) {
            Ok(mut done) => done.pop()?,
            Err(error) => return Some(failed(settings, made.clone(), error.to_string())),
        };
        let interrupted = |e: &CommandError| matches!(e, CommandError::Interrupted { .. });
        (!done.troubles.iter().any(interrupted)).then_some(done.result)
    }
}

fn lock(tally: &Mutex<Tally>) -> MutexGuard<'_, Tally> {
    tally.lock().unwrap_or_else(PoisonError::into_inner)
}

/// What a panic said.
fn said(panic: &(dyn Any + Send)) -> &str {
    let text = panic.downcast_ref::<String>().map(String::as_str);
    text.or(panic.downcast_ref::<&str>().copied())
        .unwrap_or("without a word")
}

/// The result of a run that has none.
fn failed(settings: &RunSettings, made: Provenance, error: String) -> RunResult {
    let mut result = RunResult::new(settings);
    result.outcome = "failed".to_owned();
    result.error = Some(error);
    // Not a time, rather than no time at all.
    result.timing_us = Statistics::default().timing();
    result.manifest = Some(Manifest::new(settings, made));
    result
}
