//! A recorder over a stream of the SDK, into which the program logs things of its own.

use super::*;
use crate::rerun::{RecordingStreamBuilder, Scalars};
use stickslip_record::Recorder;

fn record_into(
    stream: &rerun::RecordingStream,
    options: RecorderOptions,
) -> Result<(), RerunError> {
    let mut recorder = RerunRecorder::with_stream(stream.clone(), options)?;
    recorder.begin(&scene())?;
    for k in 0..5 {
        let contacts = vec![contact(ContactState::Sticking, 40.0)];
        recorder.record(&step(k, 0.01, contacts))?;
    }
    recorder.finish()
}

/// Poses, forces and the program's own curve are in one recording, and a second recorder's beside them.
#[test]
fn a_stream_has_the_recording_and_what_the_program_logs() {
    let folder = Folder::new("stream");
    let path = folder.0.join("own.rrd");
    let stream = RecordingStreamBuilder::new("own")
        .save(&path)
        .expect("stream");
    for side in ["left", "right"] {
        let options = RecorderOptions {
            frames: Frames::EverySteps(1),
            folder: Some(format!("robots/{side}")),
            ..RecorderOptions::default()
        };
        record_into(&stream, options).expect("record");
    }
    stream.log("mine", &Scalars::single(3.0)).expect("log");
    stream.flush_blocking().expect("flush");
    drop(stream);

    let read = read(&path);
    for side in ["left", "right"] {
        assert_eq!(read.rows(&format!("/robots/{side}/world/scene/ball")), 5);
        let force = read.curve(&format!("/robots/{side}/plots/force/normal_sum"));
        assert_eq!(force.len(), 5);
        assert!((force[4][0] - 40.0).abs() < 1e-9, "{force:?}");
    }
    assert_eq!(read.rows("/mine"), 1);
    assert!(!read.recording.contains_key("/world"), "outside its folder");
    assert!(!read.blueprint.is_empty(), "no layout");
}

/// The names of the timelines are settings, in files as well.
#[test]
fn timelines_have_the_names_asked_for() {
    let folder = Folder::new("timelines");
    let path = folder.0.join("named.rrd");
    let options = RecorderOptions {
        timelines: ["t", "tick"].map(str::to_owned),
        ..options(Frames::EverySteps(1))
    };
    record(
        &path,
        options,
        &[step(0, 0.01, vec![]), step(1, 0.01, vec![])],
    );
    let read = read(&path);
    let chunk = &read.recording["/world/scene/ball"][0];
    let mut names: Vec<_> = chunk
        .timelines()
        .keys()
        .map(|name| name.to_string())
        .collect();
    names.sort();
    assert_eq!(names, ["t", "tick"]);
}

#[test]
fn names_that_a_viewer_cannot_show_are_refused() {
    let refused = |change: &dyn Fn(&mut RecorderOptions)| {
        let mut options = RecorderOptions::default();
        change(&mut options);
        let sink = Sink::File("never_made.rrd".into());
        match RerunRecorder::new(sink, options) {
            Err(error) => error.to_string(),
            Ok(_) => panic!("accepted"),
        }
    };
    let set = |names: [&str; 2]| {
        let names = names.map(str::to_owned);
        refused(&move |options| options.timelines = names.clone())
    };
    assert!(set(["", "step"]).contains("needs a name"));
    assert!(set(["same", "same"]).contains("different names"));
    assert!(set(["log_time", "step"]).contains("log_time"));
    for folder in ["", "/", "__properties/x"] {
        let said = refused(&|options| options.folder = Some(folder.to_owned()));
        assert!(said.contains("folder"), "{said}");
    }
    assert!(!Path::new("never_made.rrd").exists());
}

#[test]
fn a_disabled_stream_is_refused() {
    let stream = rerun::RecordingStream::disabled();
    let refusal = RerunRecorder::with_stream(stream, RecorderOptions::default());
    assert!(matches!(refusal.err(), Some(RerunError::Disabled)));
}
