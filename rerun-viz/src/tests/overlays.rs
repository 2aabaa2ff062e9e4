//! Several runs in one recording.

use super::*;
use crate::{Track, TrackRecorder, side_by_side};
use stickslip_record::StepReport;

const FAR: Vector3<f64> = Vector3::new(0.0, 2.0, 0.0);

fn pair(sink: &Sink, offset: Vector3<f64>) -> [TrackRecorder; 2] {
    let tracks = Track::row(["no-slip", "host"], offset);
    let recorders = side_by_side(sink, options(Frames::EverySteps(1)), tracks).expect("sink");
    recorders
        .try_into()
        .unwrap_or_else(|_| panic!("two tracks"))
}

#[test]
fn runs_stand_side_by_side_with_entities_of_their_own() {
    let folder = Folder::new("overlay");
    let path = folder.0.join("both.rrd");
    let [mut a, mut b] = pair(&Sink::File(path.clone()), FAR);
    a.begin(&scene()).expect("begin");
    b.begin(&scene()).expect("begin");
    for k in 0..3 {
        a.record(&step(k, 0.01, vec![contact(ContactState::Sticking, 10.0)]))
            .expect("record");
        // The second run ends early.
        if k < 2 {
            let mut step = step(k, 0.01, vec![contact(ContactState::Sliding, 4.0)]);
            step.report = StepReport::default();
            b.record(&step).expect("record");
        }
    }
    a.finish().expect("finish");
    assert!(!path.exists(), "not before the last track");
    b.finish().expect("finish");

    let read = read(&path);
    assert_eq!(read.stores.len(), 2, "one recording, one layout");
    assert!(read.activated);
    let base = |track: &str| format!("/world/{track}/rob_ot/base_link");
    assert_eq!(read.times(&base("no-slip"), STEP), [0, 1, 2]);
    assert_eq!(read.times(&base("host"), STEP), [0, 1]);
    let at = |track: &str| read.vectors(&base(track), "Transform3D:translation")[1][0];
    assert_eq!(at("no-slip"), [1.0, 0.0, 0.1]);
    assert_eq!(at("host"), [1.0, 2.0, 0.1]);
    let points = |track: &str| {
        let path = format!("/world/{track}/contacts/points");
        read.vectors(&path, "Points3D:positions")[0][0]
    };
    assert_eq!(points("no-slip"), [0.25, -0.5, 0.0]);
    assert_eq!(points("host"), [0.25, 1.5, 0.0]);
    let colors = read.numbers("/world/host/contacts/points", "Points3D:colors");
    assert_eq!(colors[0], [rgba(SLIDING)]);

    // Curves in the same view, the weight once.
    assert_eq!(read.curve("/plots/force/no-slip"), [[10.0], [10.0], [10.0]]);
    assert_eq!(read.curve("/plots/force/host"), [[4.0], [4.0]]);
    assert_eq!(read.curve("/plots/force/weight")[0], [40.0]);
    assert!(!read.recording.contains_key("/plots/time/detect"));
    // What a step doesn't report is a hole, not a zero.
    assert_eq!(read.curve("/plots/solver/no-slip"), [[0.0], [1.0], [2.0]]);
    for curve in ["solver", "residual", "time"] {
        let host = read.curve(&format!("/plots/{curve}/host"));
        assert!(host.iter().all(Vec::is_empty), "{curve}: {host:?}");
    }

    // A ground without end is drawn once.
    assert!(
        read.recording
            .contains_key("/world/no-slip/scene/ground/visual/shape_0")
    );
    assert!(
        !read
            .recording
            .contains_key("/world/host/scene/ground/visual/shape_0")
    );
    // Runs have colours of their own.
    let color = |track: &str| {
        let chunk = &read.chunks(&format!("/world/{track}/scene/ball/visual/shape_0"))[1];
        let column = chunk.iter_slices::<u32>("Ellipsoids3D:colors".into());
        column.flat_map(<[u32]>::to_vec).next()
    };
    assert!(color("host").is_some() && color("host") != color("no-slip"));
}

#[test]
fn a_track_without_a_step_is_shown_too() {
    let folder = Folder::new("overlay-still");
    let path = folder.0.join("both.rrd");
    let [mut a, mut b] = pair(&Sink::File(path.clone()), Vector3::zeros());
    for recorder in [&mut a, &mut b] {
        recorder.begin(&scene()).expect("begin");
    }
    assert!(matches!(a.begin(&scene()), Err(RerunError::Order(_))));
    a.finish().expect("finish");
    b.finish().expect("finish");
    let read = read(&path);
    assert!(
        read.recording
            .contains_key("/world/host/scene/ball/visual/shape_0")
    );
}

#[test]
fn a_recording_is_not_there_unless_every_track_finished() {
    let folder = Folder::new("overlay-half");
    let path = folder.0.join("both.rrd");
    let [mut a, b] = pair(&Sink::File(path), FAR);
    a.begin(&scene()).expect("begin");
    a.finish().expect("finish");
    drop((a, b));
    assert!(folder.names().is_empty(), "{:?}", folder.names());
}
