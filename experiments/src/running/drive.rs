//! Steps runs in a thread of their own, so that a signal is obeyed while a step takes long.

use super::run::{Done, Log, Run};
use crate::error::CommandError;
use crate::interrupt::Stop;
use crate::progress::{Progress, Show};
use crate::session::Session;
use std::panic;
use std::sync::atomic::{AtomicU64, Ordering};
use std::sync::mpsc::{self, Receiver, RecvTimeoutError};
use std::sync::{Arc, Mutex, MutexGuard, PoisonError};
use std::thread;
use std::time::{Duration, Instant};

/// How often signals and progress are looked at.
const LOOK: Duration = Duration::from_millis(100);
/// How long a step may go on after a signal: a run ends within a second of it.
const GRACE: Duration = Duration::from_millis(600);
/// Stack of the thread that steps: as large as that of a main thread.
const STACK: usize = 8 << 20;

/// What the stepping thread and the waiting one share.
struct Shared {
    /// The logs of the runs; taken away from runs that are not waited for.
    logs: Mutex<Option<Vec<Log>>>,
    /// Steps done of the longest run.
    done: AtomicU64,
}

impl Shared {
    fn logs(&self) -> MutexGuard<'_, Option<Vec<Log>>> {
        self.logs.lock().unwrap_or_else(PoisonError::into_inner)
    }
}

type Sessions = Vec<Box<dyn Session>>;

/// Steps all runs in turn, so that they share whatever else the machine does, and gives their
/// results in order. Ends early when asked to: at the end of a step, or without figures when that takes
/// longer than 0.6 s. The thread that is in such a step ends with it.
///
/// # Errors
/// When the system gives no thread.
pub fn drive(
    runs: Vec<Run>,
    steps: u64,
    show: Show,
    stop: &Stop,
) -> Result<Vec<Done>, CommandError> {
    let mut progress = Progress::new(name(&runs), "steps", steps, show);
    let (sessions, logs): (Sessions, Vec<_>) =
        runs.into_iter().map(|run| (run.session, run.log)).unzip();
    let shared = Arc::new(Shared {
        logs: Mutex::new(Some(logs)),
        done: AtomicU64::new(0),
    });
    let (sender, receiver) = mpsc::channel();
    let thread = thread::Builder::new().stack_size(STACK).spawn({
        let (shared, stop) = (Arc::clone(&shared), stop.clone());
        move || {
            let sessions = advance(sessions, steps, &shared, &stop);
            // Nobody waits for runs that were given up.
            let _ = sender.send(sessions);
        }
    });
    let thread = thread.map_err(|e| CommandError::Scene(format!("no thread to step in: {e}")))?;
    let ended = wait(&receiver, &mut progress, &shared, stop);
    progress.finish();
    let sessions = match ended {
        Ended::Stepped(sessions) => Some(sessions),
        Ended::GivenUp => None,
        Ended::Panicked => match thread.join() {
            Err(reason) => panic::resume_unwind(reason),
            Ok(()) => None,
        },
    };
    let logs = shared.logs().take().unwrap_or_default();
    Ok(match sessions {
        Some(sessions) => {
            let pairs = logs.into_iter().zip(sessions);
            pairs
                .map(|(log, mut session)| log.finish(Some(&mut *session)))
                .collect()
        }
        None => {
            let signal = stop.asked().unwrap_or_default();
            let given_up = logs.into_iter().map(|mut log| {
                if !log.has_ended() {
                    log.interrupt(signal, steps);
                }
                log.finish(None)
            });
            given_up.collect()
        }
    })
}

/// What the runs are called in a line of progress.
fn name(runs: &[Run]) -> &'static str {
    runs.first().map_or("", |run| run.settings().scenario.name)
}

/// The stepping thread.
fn advance(mut sessions: Sessions, steps: u64, shared: &Shared, stop: &Stop) -> Sessions {
    for step in 0..steps {
        {
            let mut logs = shared.logs();
            let Some(logs) = &mut *logs else { break };
            let mut pairs = logs.iter_mut().zip(&sessions);
            if let Some(signal) = stop.asked() {
                let going = pairs.filter(|(log, session)| !log.has_ended() && !session.ended());
                going.for_each(|(log, _)| log.interrupt(signal, steps));
                break;
            }
            if pairs.all(|(log, session)| log.has_ended() || session.ended()) {
                break;
            }
        }
        for (number, session) in sessions.iter_mut().enumerate() {
            let ended = shared
                .logs()
                .as_ref()
                .is_none_or(|logs| logs[number].has_ended());
            if ended || session.ended() {
                continue;
            }
            // Not under the lock: this is what may take long.
            let sample = session.step();
            if let Some(logs) = &mut *shared.logs() {
                logs[number].take(&**session, sample);
            }
        }
        shared.done.store(step + 1, Ordering::Relaxed);
    }
    sessions
}

/// How the stepping thread ended.
enum Ended {
    /// With whole steps.
    Stepped(Sessions),
    /// It is still in a step.
    GivenUp,
    /// It panicked.
    Panicked,
}

fn wait(
    receiver: &Receiver<Sessions>,
    progress: &mut Progress,
    shared: &Shared,
    stop: &Stop,
) -> Ended {
    let mut asked = None;
    loop {
        match receiver.recv_timeout(LOOK) {
            Ok(sessions) => return Ended::Stepped(sessions),
            Err(RecvTimeoutError::Disconnected) => return Ended::Panicked,
            Err(RecvTimeoutError::Timeout) => {}
        }
        progress.update(shared.done.load(Ordering::Relaxed));
        if stop.asked().is_some() {
            let since = asked.get_or_insert_with(Instant::now);
            if since.elapsed() >= GRACE {
                return Ended::GivenUp;
            }
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::runner::Tracing;
    use crate::session::{ContactSample, Figures, StepProblem, StepSample};
    use crate::settings::{Request, RunSettings};
    use nalgebra::Isometry3;
    use stickslip_record::SceneRecord;

    /// Steps that take a millisecond, and from the fifth on a minute.
    struct Slow(u64);

    impl Session for Slow {
        fn step(&mut self) -> Result<StepSample, String> {
            self.0 += 1;
            let slow = self.0 > 5;
            thread::sleep(Duration::from_millis(if slow { 60_000 } else { 1 }));
            Ok(StepSample::default())
        }

        fn contacts(&self) -> &[ContactSample] {
            &[]
        }

        fn problem(&self) -> Option<StepProblem<'_>> {
            None
        }

        fn scene_record(&self) -> SceneRecord {
            SceneRecord::default()
        }

        fn body_poses(&self) -> Vec<Isometry3<f64>> {
            Vec::new()
        }

        fn figures(&mut self) -> Result<Figures, CommandError> {
            Ok(Figures::new("never reached"))
        }
    }

    #[test]
    fn a_signal_in_a_long_step_ends_the_run_within_a_second_with_the_steps_before() {
        let settings = RunSettings::new(&Request {
            scenario: "box".to_owned(),
            ..Request::default()
        })
        .unwrap();
        let mut run = Run::new(&settings, Tracing::On).unwrap();
        run.session = Box::new(Slow(0));
        let stop = Stop::default();
        let other = stop.clone();
        let sent = thread::spawn(move || {
            thread::sleep(Duration::from_millis(200));
            other.ask(2);
            Instant::now()
        });
        let done = drive(vec![run], 100, Show::Never, &stop).unwrap();
        let late = sent.join().unwrap().elapsed();
        assert!(late < Duration::from_secs(1), "{late:?}");
        assert_eq!(done[0].result.outcome, "interrupted");
        assert_eq!((done[0].result.steps, done[0].trace.len()), (5, 5));
        assert_eq!(done[0].troubles[0].status(), 130);
    }
}
