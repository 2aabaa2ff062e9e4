//! Names, words and order.

use super::*;

#[test]
fn sinks_are_parsed() {
    assert_eq!(Sink::parse("off").expect("off"), None);
    let parse = |text: &str| Sink::parse(text).expect(text).expect(text);
    assert_eq!(parse("spawn"), Sink::Spawn);
    assert_eq!(parse("connect"), Sink::Connect(None));
    assert_eq!(parse("out/a.rrd"), Sink::File("out/a.rrd".into()));
    let full = "rerun+http://127.0.0.1:9876/proxy";
    assert_eq!(
        parse(&format!("connect={full}")),
        Sink::Connect(Some(full.into()))
    );
    assert_eq!(
        parse("connect=127.0.0.1:9876"),
        Sink::Connect(Some(full.into()))
    );
    for bad in [
        "",
        "spwan",
        "a.mcap",
        ".rrd",
        "connect=",
        "connect=http://[",
        "connect=rerun://h/dataset/x",
    ] {
        let error = Sink::parse(bad).expect_err(bad).to_string();
        assert!(
            error.contains(&format!("{:?}", bad.trim_start_matches("connect=")))
                || error.contains(bad),
            "{error}"
        );
    }
}

#[test]
fn a_viewer_that_is_not_there_is_an_error() {
    // A port that was free a moment ago.
    let listener = std::net::TcpListener::bind("127.0.0.1:0").expect("port");
    let port = listener.local_addr().expect("address").port();
    drop(listener);
    let sink = Sink::Connect(Some(format!("rerun+http://127.0.0.1:{port}/proxy")));
    let error = RerunRecorder::new(sink, RecorderOptions::default()).err();
    let error = error.expect("nobody listens").to_string();
    assert!(error.contains(&port.to_string()), "{error}");
}

#[test]
fn names_become_paths() {
    assert_eq!(path_part("FL_calf.0-x"), "FL_calf.0-x");
    assert_eq!(path_part("a/b c"), "a_b_c");
    assert_eq!(path_part("__properties"), "properties");
    assert_eq!(path_part("/"), "unnamed");
    let body = |name: &str, robot: Option<&str>| BodyRecord {
        name: name.to_owned(),
        robot: robot.map(str::to_owned),
        moves: true,
        ..BodyRecord::default()
    };
    let scene = SceneRecord {
        bodies: vec![
            body("a/b", None),
            body("a b", None),
            body("a b", Some("contacts")),
        ],
        ..SceneRecord::default()
    };
    let paths: Vec<String> = body_paths(&scene).iter().map(ToString::to_string).collect();
    assert_eq!(
        paths,
        [
            "/world/scene/a_b",
            "/world/scene/a_b_2",
            "/world/contacts_robot/a_b"
        ]
    );
}

#[test]
fn records_out_of_order_are_refused() {
    let folder = Folder::new("order");
    let sink = Sink::File(folder.0.join("run.rrd"));
    let mut recorder = RerunRecorder::new(sink, RecorderOptions::default()).expect("sink");
    let early = recorder.record(&step(0, 0.01, vec![]));
    assert!(matches!(early, Err(RerunError::Order(_))));
    recorder.begin(&scene()).expect("begin");
    assert!(matches!(
        recorder.begin(&scene()),
        Err(RerunError::Order(_))
    ));
    let mut short = step(0, 0.01, vec![]);
    short.body_poses.pop();
    let short = recorder.record(&short);
    assert!(matches!(
        short,
        Err(RerunError::PoseCount {
            expected: 3,
            got: 2,
            ..
        })
    ));
    recorder.record(&step(5, 0.01, vec![])).expect("record");
    let back = recorder.record(&step(4, 0.01, vec![]));
    assert!(matches!(back, Err(RerunError::Time { step: 4, .. })));
    recorder.finish().expect("finish");
    assert!(matches!(recorder.finish(), Err(RerunError::Order(_))));
}

#[test]
fn senseless_options_are_refused() {
    let folder = Folder::new("options");
    for options in [
        options(Frames::PerSecond(0.0)),
        options(Frames::PerSecond(f64::NAN)),
        options(Frames::EverySteps(0)),
        RecorderOptions {
            opacity: 0.0,
            ..RecorderOptions::default()
        },
        RecorderOptions {
            meters_per_newton: Some(-1.0),
            ..RecorderOptions::default()
        },
    ] {
        let result = RerunRecorder::new(Sink::File(folder.0.join("run.rrd")), options);
        assert!(matches!(result, Err(RerunError::Option { .. })));
    }
    assert!(folder.names().is_empty());
}

#[test]
fn a_viewer_that_is_not_installed_is_said_in_a_line() {
    let error = RerunError::spawn(&std::io::ErrorKind::NotFound.into());
    let text = error.to_string();
    for word in ["`rerun` in PATH", "pip install rerun-sdk==0.", "FILE.rrd"] {
        assert!(text.contains(word), "{text}");
    }
    assert!(!text.contains('\n'), "{text}");
}
