//! What the flags about robot files do, and what `check` and `drop` say of a robot.
#![allow(
    clippy::unwrap_used,
    reason = "helpers of tests fail by panicking like the tests themselves"
)]

mod common;

use common::{Folder, figure, request, result, succeeds};
use std::path::PathBuf;
use stickslip_experiments::robot_args::{RobotArgs, SpeedArg};
use stickslip_experiments::settings::Request;

/// A flat square: it has no box with a volume.
const SQUARE: &str = "v 0 0 0\nv 1 0 0\nv 1 1 0\nv 0 1 0\nf 1 2 3\nf 1 3 4\n";

const INERTIAL: &str = "<inertial><mass value='1'/><inertia ixx='1' ixy='0' ixz='0' iyy='1' iyz='0' izz='1'/></inertial>";

fn file(folder: &Folder, name: &str, text: &str) -> PathBuf {
    let path = folder.0.join(name);
    std::fs::write(&path, text).unwrap();
    path
}

#[test]
fn meshes_collide_as_asked() {
    let folder = Folder::new();
    file(&folder, "square.obj", SQUARE);
    let text = format!(
        "<robot name='r'><link name='a'>{INERTIAL}<collision><geometry><mesh filename='square.obj'/></geometry></collision></link></robot>"
    );
    let robot = file(&folder, "r.urdf", &text);
    let robot = robot.to_str().unwrap();
    let with = |how| ["check", robot, "--mesh-collision", how];
    common::refused(&with("box"), "", &["`a`", "flat"]);
    common::refused(&with("round"), "", &["round", "hull, exact, parts, box"]);
    let words = ["check", robot, "--mesh-collision", "exact", "--json", "-"];
    let found = succeeds(&folder.0, &words).stdout;
    let found: serde_json::Value = serde_json::from_slice(&found).unwrap();
    assert_eq!(found["robot"]["colliders_loaded"], 1);
    for part in ["read", "place"] {
        let seconds = found["seconds"][part].as_f64().unwrap();
        assert!(seconds > 0.0 && seconds < 60.0, "{part}: {seconds}");
    }
}

/// A slider falls onto its stop: by itself at up to sqrt(2 g 0.5) = 3.1 m/s, with its speed limit
/// kept at 0.5 m/s.
#[test]
fn speed_limits_are_kept_where_asked() {
    let folder = Folder::new();
    let text = format!(
        "<robot name='r'><link name='world'/><link name='a'>{INERTIAL}</link><joint name='j' type='prismatic'>\
         <origin xyz='0 0 3'/><axis xyz='0 0 1'/><parent link='world'/><child link='a'/>\
         <limit lower='-0.5' upper='0' effort='0' velocity='0.5'/></joint></robot>"
    );
    let robot = file(&folder, "r.urdf", &text);
    let fall = |speed_limits| {
        let request = Request {
            robot: Some(robot.clone()),
            robot_args: RobotArgs {
                speed_limits,
                ..RobotArgs::default()
            },
            ..request("drop", 2.0, &["effort=urdf"])
        };
        let result = result(&request);
        assert_eq!(result.outcome, "settled");
        let stop = figure(&result, "joint_limit_violation_max_m");
        assert!(stop < 1e-9, "{stop}");
        (
            figure(&result, "joint_speed_over_limit_max"),
            figure(&result, "settle_time_s"),
        )
    };
    let (speed, time) = fall(None);
    // v = sqrt(2 g s), t = sqrt(2 s / g), over a step of 2 ms.
    assert!(
        (speed * 0.5 - (2.0 * 9.81 * 0.5f64).sqrt()).abs() < 0.05,
        "{speed}"
    );
    assert!((time - (1.0f64 / 9.81).sqrt()).abs() < 0.01, "{time}");
    let (speed, time) = fall(Some(SpeedArg::Keep));
    assert!((speed - 1.0).abs() < 1e-9, "{speed}");
    // v/g to get there, half that time lost, then 0.5 m at 0.5 m/s.
    let late = 0.5 * 0.5 / 9.81;
    assert!((time - (1.0 + late)).abs() < 0.01, "{time}");
}

/// What `check` says of a file as JSON, with flags; it may refuse it.
fn checked(folder: &Folder, robot: &std::path::Path, flags: &[&str]) -> serde_json::Value {
    let mut words = vec!["check", robot.to_str().unwrap(), "--json", "-"];
    words.extend(flags);
    let found = common::stickslip(&folder.0, &words, "").stdout;
    serde_json::from_slice(&found).unwrap()
}

/// Each fault that is repaired by default: one note, counted in the verdict; `--strict` refuses it, and so
/// do the flags about inertias one by one.
#[test]
fn what_is_wrong_is_repaired_unless_strictness_is_asked_for() {
    let folder = Folder::new();
    let pair = |parent: &str, inertial: &str, limit: &str| {
        format!(
            "<robot name='r'><link name='a'>{INERTIAL}</link><link name='b'>{inertial}</link>\
             <joint name='i' type='fixed'><parent link='{parent}'/><child link='a'/></joint>\
             <joint name='j' type='revolute'><parent link='a'/><child link='b'/>\
             <limit lower='{limit}' upper='0' effort='1' velocity='1'/></joint></robot>"
        )
    };
    let root = |text: String| text.replacen("<link", "<link name='root'/><link", 1);
    let impossible = INERTIAL.replace("izz='1'", "izz='3'");
    let cases = [
        (
            root(pair("root", &impossible, "-1")),
            "nearest",
            "--impossible-inertia",
        ),
        (
            root(pair("root", "", "-1")),
            "thousandth",
            "--missing-inertia",
        ),
        (root(pair("root", INERTIAL, "1")), "swapped", ""),
        (pair("world", INERTIAL, "-1"), "world", ""),
    ];
    for (number, (text, word, flag)) in cases.iter().enumerate() {
        let robot = file(&folder, &format!("r{number}.urdf"), text);
        let found = checked(&folder, &robot, &[]);
        assert_eq!(found["verdict"], "loads repaired", "{found}");
        assert_eq!(found["repairs"], 1, "{found}");
        let notes = found["notes"].as_array().unwrap();
        let repaired: Vec<_> = notes.iter().filter(|n| n["kind"] == "repaired").collect();
        assert_eq!(repaired.len(), 1, "{notes:?}");
        assert!(
            repaired[0]["text"].as_str().unwrap().contains(word),
            "{notes:?}"
        );
        let said = succeeds(&folder.0, &["check", robot.to_str().unwrap()]).stdout;
        let said = String::from_utf8(said).unwrap();
        assert!(said.contains("verdict: loads, with 1 repair"), "{said}");
        let strict = checked(&folder, &robot, &["--strict"]);
        assert_eq!(
            (&strict["ok"], &strict["verdict"]),
            (&false.into(), &"refused".into())
        );
        if !flag.is_empty() {
            assert_eq!(checked(&folder, &robot, &[flag, "refuse"])["ok"], false);
        }
    }
    // A negative mass is refused either way, a robot in millimetres only doubted.
    let negative = INERTIAL.replace("value='1'", "value='-1'");
    let robot = file(
        &folder,
        "negative.urdf",
        &root(pair("root", &negative, "-1")),
    );
    let found = checked(&folder, &robot, &[]);
    let message = found["errors"][0]["message"].as_str().unwrap();
    assert!(
        message.contains("link `b`") && message.contains("negative"),
        "{message}"
    );
    let large = format!(
        "<robot name='r'><link name='a'>{INERTIAL}<collision><geometry><sphere radius='400'/></geometry>\
         </collision></link></robot>"
    );
    let robot = file(&folder, "large.urdf", &large);
    let found = checked(&folder, &robot, &["--strict"]);
    assert_eq!(
        (&found["verdict"], &found["repairs"]),
        (&"loads".into(), &0.into())
    );
    assert_eq!(found["notes"][0]["kind"], "doubtful");
}

/// A joint within limits of one radian above a base that stands.
fn hinged(inside: &str) -> String {
    format!(
        "<robot name='r'><link name='world'/><link name='a'>{INERTIAL}{inside}</link><joint name='j' type='revolute'>\
         <parent link='world'/><child link='a'/><axis xyz='0 1 0'/>\
         <limit lower='-1' upper='1' effort='1' velocity='1'/></joint></robot>"
    )
}

#[test]
fn meshes_that_are_not_there_are_as_asked() {
    let folder = Folder::new();
    let shape =
        "<collision><geometry><mesh filename='package://gone/m.stl'/></geometry></collision>";
    let robot = file(&folder, "r.urdf", &hinged(shape));
    let path = robot.to_str().unwrap();
    common::refused(
        &["check", path],
        "",
        &["package://gone/m.stl", "--missing-mesh"],
    );
    for (how, colliders) in [("skip", 0), ("box", 1)] {
        let found = checked(&folder, &robot, &["--missing-mesh", how]);
        assert_eq!(found["robot"]["colliders_loaded"], colliders, "{found}");
        let words = [
            "run",
            "drop",
            "--robot",
            path,
            "--missing-mesh",
            how,
            "--duration",
            "0.1",
            "--rerun",
            "off",
        ];
        let said = succeeds(&folder.0, &words).stdout;
        let said = String::from_utf8(said).unwrap();
        assert!(said.contains("robot file: changed"), "{said}");
        assert_eq!(
            said.contains("warning: no link of robot `r`"),
            how == "skip",
            "{said}"
        );
    }
}

/// What is wrong in a robot file is shown at the end of a run, warnings last.
#[test]
fn a_run_shows_what_was_said_of_its_robot() {
    let folder = Folder::new();
    let sphere = "<geometry><sphere radius='0.1'/></geometry>";
    let text = hinged(&format!(
        "<colision>{sphere}</colision><visual>{sphere}</visual>"
    ));
    let text = text.replace("lower='-1'", "lower='0.5'");
    let robot = file(&folder, "r.urdf", &text);
    let words = [
        "run",
        "drop",
        "--robot",
        robot.to_str().unwrap(),
        "--duration",
        "0.1",
        "--rerun",
        "off",
        "--json",
        "r.json",
    ];
    let said = String::from_utf8(succeeds(&folder.0, &words).stdout).unwrap();
    for part in [
        "robot file: doubtful: line 1, <link>: <colision> has no effect here; is <collision> meant?",
        "warning: joint `j`: initial position 0 (zero) is outside its limits",
        "warning: no link of robot `r` has a collision shape",
    ] {
        assert!(said.contains(part), "{part}: {said}");
    }
    let json = std::fs::read_to_string(folder.0.join("r.json")).unwrap();
    let json: serde_json::Value = serde_json::from_str(&json).unwrap();
    assert_eq!(json["robot_notes"].as_array().unwrap().len(), 4, "{json}");
}

#[test]
fn a_pose_in_degrees_is_refused() {
    let folder = Folder::new();
    let robot = file(&folder, "r.urdf", &hinged(""));
    let run = |pose: &str| {
        let key = format!("pose=j:{pose}");
        let words = [
            "run",
            "drop",
            "--robot",
            robot.to_str().unwrap(),
            "--set",
            &key,
            "--duration",
            "0.1",
            "--rerun",
            "off",
        ];
        common::stickslip(&folder.0, &words, "")
    };
    let refused = run("100");
    assert_eq!(refused.status.code(), Some(2));
    let said = String::from_utf8(refused.stderr).unwrap();
    for part in ["100 rad", "`j`", "-1 .. 1", "100 degrees are 1.745329 rad"] {
        assert!(said.contains(part), "{part}: {said}");
    }
    // A little outside: at the limit, with a warning.
    let near = run("1.2");
    assert!(near.status.success());
    assert!(
        String::from_utf8(near.stdout)
            .unwrap()
            .contains("starts at 1")
    );
}

#[test]
fn a_folder_is_checked_file_by_file() {
    let folder = Folder::new();
    let robots = folder.0.join("robots");
    std::fs::create_dir_all(robots.join("deep/er")).unwrap();
    let dir = robots.to_str().unwrap();
    common::refused(
        &["check", "--all", dir],
        "",
        &["no file in it ends in .urdf"],
    );
    std::fs::write(robots.join("good.urdf"), hinged("")).unwrap();
    std::fs::write(robots.join("notes.txt"), "nothing").unwrap();
    let mended = hinged("").replace("<axis xyz='0 1 0'/>", "<axis/>");
    std::fs::write(robots.join("deep/mended.URDF"), mended).unwrap();
    let said = String::from_utf8(succeeds(&folder.0, &["check", "--all", dir]).stdout).unwrap();
    for part in [
        "good.urdf",
        "loads repaired",
        "<axis> has no xyz",
        "2 files: 1 load, 1 load repaired, 0 refused",
    ] {
        assert!(said.contains(part), "{part}: {said}");
    }
    std::fs::write(robots.join("deep/er/bad.urdf"), "<robot name='r'/>").unwrap();
    let words = ["check", "--all", dir, "--json", "-"];
    let found = common::stickslip(&folder.0, &words, "");
    assert_eq!(found.status.code(), Some(2));
    let json: serde_json::Value = serde_json::from_slice(&found.stdout).unwrap();
    let verdicts: Vec<_> = json["files"]
        .as_array()
        .unwrap()
        .iter()
        .map(|f| &f["verdict"])
        .collect();
    assert_eq!(verdicts, ["refused", "loads repaired", "loads"]);
    assert_eq!((&json["ok"], &json["refused"]), (&false.into(), &1.into()));
    assert!(
        json["files"][0]["reasons"][0]
            .as_str()
            .unwrap()
            .starts_with("the robot has no links")
    );
    common::refused(&["check", "--all", "gone"], "", &["gone"]);
    common::refused(&["check"], "", &["FILE.urdf"]);
}
