//! What a recording holds.

use super::*;

#[test]
fn what_is_recorded_is_read_back() {
    let folder = Folder::new("read-back");
    let path = folder.0.join("run.rrd");
    let steps = [
        step(0, 0.01, vec![contact(ContactState::Sticking, 10.0)]),
        step(
            1,
            0.01,
            vec![
                contact(ContactState::Sliding, 20.0),
                contact(ContactState::Separated, 0.0),
            ],
        ),
        step(2, 0.01, vec![]),
    ];
    record(&path, RecorderOptions::default(), &steps);
    let read = read(&path);

    let base = "/world/rob_ot/base_link";
    assert_eq!(read.rows(base), 3);
    assert_eq!(read.times(base, STEP), [0, 1, 2]);
    assert_eq!(
        read.times(base, SIM_TIME),
        [10_000_000, 20_000_000, 30_000_000]
    );
    let translations = read.vectors(base, "Transform3D:translation");
    assert_eq!(translations[2], [[2.0, 0.0, 0.1]]);

    // Fixed bodies and shapes: without time, once.
    for path in [
        "/world/scene/ground",
        "/world/scene/ground/visual/shape_0",
        "/world/scene/ball/visual/shape_0",
    ] {
        assert!(read.chunks(path).iter().all(Chunk::is_static), "{path}");
    }
    assert_eq!(read.rows("/world/scene/ball"), 3);

    // Contacts: as many per row as there were, none in the last.
    let points = read.vectors("/world/contacts/points", "Points3D:positions");
    assert_eq!(points.iter().map(Vec::len).collect::<Vec<_>>(), [1, 2, 0]);
    assert_eq!(points[0][0], [0.25, -0.5, 0.0]);
    let colors = read.numbers("/world/contacts/points", "Points3D:colors");
    assert_eq!(colors[0], [rgba(STICKING)]);
    assert_eq!(colors[1], [rgba(SLIDING), rgba(SEPARATED)]);
    assert_eq!(read.times("/world/contacts/points", STEP), [0, 1, 2]);

    // The largest force of the first step (10 N along the normal, 3 N of friction: more than a quarter
    // of the weight) is 0.35 of the size: half the diagonal of the box around what moves at step 0,
    // which is 0.4 wide (the turned box), 0.3 + 1.1 deep and 0.2 high.
    let size = f64::hypot(f64::hypot(0.4, 1.4), 0.2) / 2.0;
    let forces = read.vectors("/world/contacts/normal_forces", "Arrows3D:vectors");
    assert_eq!(forces.iter().map(Vec::len).collect::<Vec<_>>(), [1, 1, 0]);
    let expected = 0.35 * size * 10.0 / f64::hypot(10.0, 3.0);
    assert!(
        (f64::from(forces[0][0][2]) - expected).abs() < 1e-6,
        "{forces:?} {expected}"
    );
    assert!((f64::from(forces[1][0][2]) - 2.0 * expected).abs() < 1e-6);
    let friction = read.vectors("/world/contacts/friction_forces", "Arrows3D:vectors");
    assert!((f64::from(friction[0][0][0]) - 0.3 * expected).abs() < 1e-6);

    // Curves: a hole where there was no contact.
    let gap = read.curve("/plots/gap/min");
    assert_eq!(gap.len(), 3);
    assert!((gap[0][0] - -2e-3).abs() < 1e-15);
    assert!(gap[2].is_empty());
    assert!((read.curve("/plots/slip/max")[1][0] - -3.0).abs() < 1e-12);
    assert_eq!(read.curve("/plots/slip/max")[2], [SLIP_FLOOR.log10()]);
    assert_eq!(
        read.curve("/plots/force/normal_sum"),
        [[10.0], [20.0], [0.0]]
    );
    assert_eq!(read.curve("/plots/force/weight"), [[40.0], [40.0], [40.0]]);
    assert_eq!(read.curve("/plots/solver/pivots"), [[0.0], [1.0], [2.0]]);
    // Neither masses nor gaps of joints are known here.
    let unknown = ["energy", "momentum", "gap/joint"];
    let known = |s: &&Series| !unknown.iter().any(|g| s.path.contains(g));
    for series in SERIES.iter().filter(known) {
        let path = format!("/{}", series.path);
        let statics = read.chunks(&path).iter().filter(|c| c.is_static());
        assert_eq!(statics.count(), 1, "{path}: name and colour");
        assert_eq!(read.rows(&path), 3, "{path}");
    }
    assert!(
        !read.recording.contains_key("/log/solver"),
        "nothing went wrong"
    );
}

#[test]
fn a_layout_comes_with_the_recording() {
    let folder = Folder::new("layout");
    let path = folder.0.join("run.rrd");
    record(&path, RecorderOptions::default(), &[step(0, 0.01, vec![])]);
    let read = read(&path);
    assert!(read.activated);
    assert_eq!(read.stores.len(), 2);
    let application = read.stores[0].application_id().as_str();
    assert_eq!(application, "stickslip-box---ball");
    assert_eq!(
        read.stores[0].application_id(),
        read.stores[1].application_id()
    );
    assert_eq!(read.stores[0].recording_id().as_str(), "run");
    let has = |end: &str| read.blueprint.keys().filter(|k| k.ends_with(end)).count();
    assert_eq!(has("/EyeControls3D"), 1);
    // Six views of curves at first sight and one in the second tab; scene, legend, messages.
    assert_eq!(has("/PlotLegend"), 7);
    assert_eq!(has("/ViewContents"), 10);
    assert_eq!(has("viewport"), 1);
    assert_eq!(has("time_panel"), 1);
}

#[test]
fn decimation_keeps_the_worst_of_the_skipped_steps() {
    let folder = Folder::new("decimation");
    let mut steps: Vec<_> = (0..25)
        .map(|k| step(k, 1e-3, vec![contact(ContactState::Sticking, 40.0)]))
        .collect();
    for step in &mut steps {
        step.report.solve.pivots = 0;
    }
    steps[13].report.solve.pivots = 9;
    steps[13].report.solve.residuals.cone = 1e-4;
    steps[14].contacts[0].gap = -1e-3;
    steps[15].contacts[0].normal_force = 5.0;
    steps[22].report.solve.pivots = 3;

    let path = folder.0.join("rate.rrd");
    record(&path, options(Frames::PerSecond(100.0)), &steps);
    let rate = read(&path);
    // Times run from 1 to 25 ms: the first step, then the first at or after 10 and 20 ms, and for the
    // curves what is left at the end.
    assert_eq!(rate.times("/world/scene/ball", STEP), [0, 9, 19]);
    assert_eq!(rate.times("/plots/solver/pivots", STEP), [0, 9, 19, 24]);
    assert_eq!(
        rate.curve("/plots/solver/pivots"),
        [[0.0], [0.0], [9.0], [3.0]]
    );
    assert_eq!(rate.curve("/plots/residual/max")[2], [-4.0]);
    assert_eq!(rate.curve("/plots/gap/min")[2], [-1.0]);
    assert_eq!(
        rate.curve("/plots/force/normal_sum"),
        [[40.0], [40.0], [5.0], [40.0]]
    );

    let path = folder.0.join("every.rrd");
    record(&path, options(Frames::EverySteps(5)), &steps);
    let every = read(&path);
    assert_eq!(every.times("/world/scene/ball", STEP), [0, 5, 10, 15, 20]);
}

#[test]
fn failed_and_fallen_back_steps_are_said_in_words() {
    let folder = Folder::new("log");
    let path = folder.0.join("run.rrd");
    let mut steps: Vec<_> = (0..30).map(|k| step(k, 1e-3, vec![])).collect();
    steps[3].report.solve.fallbacks = 1;
    steps[17].report.solve.failures = 2;
    steps[17].report.solve.status = stickslip_core::report::SolveStatus::PivotLimit;
    record(&path, RecorderOptions::default(), &steps);
    let read = read(&path);
    // Of steps without a frame as well.
    assert_eq!(read.times("/log/solver", STEP), [3, 17]);
    assert_eq!(read.times("/log/solver", SIM_TIME), [4_000_000, 18_000_000]);
    let words = |component| read.words("/log/solver", component);
    assert_eq!(words("TextLog:level"), ["WARN", "ERROR"]);
    let texts = words("TextLog:text");
    assert!(texts[0].contains("solved by a fallback"), "{texts:?}");
    assert!(texts[1].contains("pivot limit"), "{texts:?}");
}

/// Six steps: awake, two asleep of two, both again, one awake, one awake, both asleep.
#[test]
fn sleep_of_everything_is_said_once_and_drawn() {
    let folder = Folder::new("sleep");
    let path = folder.0.join("run.rrd");
    let mut steps: Vec<_> = (0..6).map(|k| step(k, 1e-3, vec![])).collect();
    for (step, asleep) in steps.iter_mut().zip([0, 2, 2, 1, 1, 2]) {
        step.report.activity.asleep = asleep;
        step.report.activity.awake = 2 - asleep;
    }
    // What went wrong comes first.
    steps[5].report.solve.fallbacks = 1;
    record(&path, options(Frames::EverySteps(1)), &steps);
    let read = read(&path);
    assert_eq!(read.times("/log/solver", STEP), [1, 3, 5, 5]);
    let words = |component| read.words("/log/solver", component);
    assert_eq!(words("TextLog:level"), ["INFO", "INFO", "WARN", "INFO"]);
    let texts = words("TextLog:text");
    assert!(texts[0].contains("all 2 bodies"), "{texts:?}");
    assert!(texts[1].contains("1 of 2 bodies"), "{texts:?}");
    assert!(texts[2].contains("fallback"), "{texts:?}");
    assert!(texts[3].contains("asleep"), "{texts:?}");
    assert_eq!(
        read.curve("/plots/solver/asleep"),
        [[0.0], [2.0], [2.0], [1.0], [1.0], [2.0]]
    );
}

/// How a run ended stands above the legend, which stays; runs side by side have a verdict each.
#[test]
fn the_verdict_stands_above_the_legend() {
    let folder = Folder::new("verdict");
    let path = folder.0.join("run.rrd");
    let sink = || Sink::File(path.clone());
    let mut recorder = RerunRecorder::new(sink(), RecorderOptions::default()).expect("sink");
    recorder.begin(&scene()).expect("begin");
    recorder.record(&step(0, 0.01, vec![])).expect("record");
    recorder.conclude("# HELD (drop 0, at most 1)");
    recorder.finish().expect("finish");
    let words = read(&path).words(&format!("/{LEGEND}"), "TextDocument:text");
    let [before, after] = &words[..] else {
        panic!("{words:?}");
    };
    assert!(after.starts_with("# HELD (drop 0, at most 1)") && after.ends_with(before));

    let tracks = Track::row(["a", "b"], Vector3::zeros());
    let mut both = side_by_side(&sink(), RecorderOptions::default(), tracks).expect("sink");
    for (recorder, verdict) in both.iter_mut().zip(["HELD", "DROPPED"]) {
        recorder.begin(&scene()).expect("begin");
        recorder.record(&step(0, 0.01, vec![])).expect("record");
        recorder.conclude(&format!("{verdict}\n\nfigures"));
    }
    for recorder in &mut both {
        recorder.finish().expect("finish");
    }
    let words = read(&path).words(&format!("/{LEGEND}"), "TextDocument:text");
    let last = words.last().expect("a legend");
    assert!(last.starts_with("- HELD\n- DROPPED\n\n"), "{last}");
}
