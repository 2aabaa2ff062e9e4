//! A viewer that goes away in mid-run costs the recording, nothing else.
#![allow(
    clippy::unwrap_used,
    reason = "helpers of tests fail by panicking like the tests themselves"
)]

use stickslip_experiments::drive::drive;
use stickslip_experiments::interrupt::Stop;
use stickslip_experiments::progress::Show;
use stickslip_experiments::provenance::Provenance;
use stickslip_experiments::runner::{Done, Run, Tracing};
use stickslip_experiments::settings::{Request, RunSettings};
use stickslip_record::{Recorder, SceneRecord, StepRecord};
use stickslip_rerun::{Recording, RerunError};

/// A viewer that takes so many steps.
struct Viewer {
    steps: u64,
    /// What it says of a step that it doesn't take.
    end: fn() -> RerunError,
}

fn lost() -> RerunError {
    RerunError::Lost {
        url: "rerun+http://127.0.0.1:9876/proxy".to_owned(),
        reason: "connection reset".to_owned(),
    }
}

fn ended() -> RerunError {
    RerunError::Ended {
        reason: lost().to_string(),
    }
}

impl Recorder for Viewer {
    type Error = RerunError;

    fn begin(&mut self, _: &SceneRecord) -> Result<(), RerunError> {
        Ok(())
    }

    fn record(&mut self, step: &StepRecord) -> Result<(), RerunError> {
        if step.step < self.steps {
            Ok(())
        } else {
            Err((self.end)())
        }
    }

    fn finish(&mut self) -> Result<(), RerunError> {
        panic!("a recording that was given up is not finished");
    }
}

impl Recording for Viewer {
    fn joint_gap(&mut self, _: f64) {}

    fn conclude(&mut self, _: &str) {
        panic!("a recording that was given up has no end");
    }
}

/// Twenty steps, the viewer gone after five.
fn run(viewer: Option<fn() -> RerunError>) -> Done {
    let settings = RunSettings::new(&Request {
        scenario: "slide".to_owned(),
        duration: Some(0.1),
        ..Request::default()
    })
    .unwrap();
    let mut run = Run::new(&settings, Tracing::On).unwrap();
    run.mark(Provenance::now());
    if let Some(end) = viewer {
        run.record_to(Box::new(Viewer { steps: 5, end })).unwrap();
    }
    let mut done = drive(vec![run], settings.steps, Show::Never, &Stop::default()).unwrap();
    done.pop().unwrap()
}

#[test]
fn the_run_goes_on_and_says_so() {
    let alone = run(None);
    let watched = run(Some(lost));
    let marks = [&alone, &watched].map(|done| {
        let manifest = done.result.manifest.as_ref().unwrap();
        (manifest.trajectory_hash.clone(), done.trace.len())
    });
    assert_eq!(marks[0], marks[1]);
    assert_eq!(watched.trace.len(), 20);
    assert_eq!(watched.result.metrics, alone.result.metrics);
    assert!(alone.troubles.is_empty());
    let [trouble] = &watched.troubles[..] else {
        panic!("{:?}", watched.troubles);
    };
    assert_eq!(trouble.status(), 1);
    let text = trouble.to_string();
    assert!(text.contains("disconnected: connection reset"), "{text}");
}

/// Of runs that share a recording, the one that it happens to first says so.
#[test]
fn it_is_said_once() {
    assert!(run(Some(ended)).troubles.is_empty());
}
