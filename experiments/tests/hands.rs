//! Hands of one's own: whatever the signs and zeros of their joints, lifts that only lift, objects of every shape,
//! payloads, gains by joint, and the exit status of a bad verdict.
#![allow(
    clippy::unwrap_used,
    reason = "helpers of tests fail by panicking like the tests themselves"
)]

mod common;

use common::{Folder, assert_below, figure, refused, request, result, split, stickslip};
use std::fs;
use std::path::{Path, PathBuf};
use stickslip_experiments::robot_args::RobotArgs;
use stickslip_experiments::settings::Request;

fn link(name: &str, mass: f64, shape: &str) -> String {
    let inertia = mass * 1e-3;
    format!(
        r#"<link name="{name}"><inertial><mass value="{mass}"/><inertia ixx="{inertia}" iyy="{inertia}"
        izz="{inertia}" ixy="0" ixz="0" iyz="0"/></inertial>{shape}</link>"#
    )
}

fn shape(at: &str, size: &str) -> String {
    format!(
        r#"<collision><origin xyz="{at}"/><geometry><box size="{size}"/></geometry></collision>"#
    )
}

fn slide(
    name: &str,
    links: [&str; 2],
    (origin, axis): (&str, &str),
    (low, high): (f64, f64),
) -> String {
    let [parent, child] = links;
    format!(
        r#"<joint name="{name}" type="prismatic"><origin xyz="{origin}"/><parent link="{parent}"/><child link="{child}"/>
        <axis xyz="{axis}"/><limit lower="{low}" upper="{high}" effort="500" velocity="5"/></joint>"#
    )
}

/// A hand on a lift, its fingers along y: the left one closes by going negative from zero, the right one by going
/// positive; zero is open, 90 mm wide.
fn lift() -> String {
    let finger = shape("0 0 -0.05", "0.02 0.01 0.06");
    [
        r#"<robot name="lift"><link name="world"/>"#.to_owned(),
        link("palm", 1.0, &shape("0 0 0", "0.06 0.16 0.02")),
        link("left", 0.1, &finger),
        link("right", 0.1, &finger),
        slide("up", ["world", "palm"], ("0 0 0.4", "0 0 1"), (-0.38, 0.3)),
        slide(
            "l",
            ["palm", "left"],
            ("0 -0.05 0", "0 -1 0"),
            (-0.045, 0.0),
        ),
        slide("r", ["palm", "right"], ("0 0.05 0", "0 -1 0"), (0.0, 0.045)),
        "</robot>".to_owned(),
    ]
    .concat()
}

fn file(folder: &Folder, name: &str, text: &str) -> PathBuf {
    let path = folder.0.join(name);
    fs::write(&path, text).unwrap();
    path
}

/// It slips at 2 mu F, whatever it holds.
#[test]
fn a_hand_of_any_signs_holds_as_much_as_friction_allows() {
    let folder = Folder::new();
    let robot = file(&folder, "lift.urdf", &lift());
    for object in ["box", "ball", "cylinder"] {
        let object = format!("object={object}");
        let result = result(&Request {
            robot: Some(robot.clone()),
            ..request("carry", 5.0, &["shake=up", &object])
        });
        assert_eq!(result.outcome, "slipped", "{object}");
        assert_below(
            &result,
            &[("slip_load_error_rel", 0.02), ("creep_max_m", 1e-4)],
        );
        let share = figure(&result, "slip_load_N") / figure(&result, "load_centred_N");
        assert!((share - 1.0).abs() < 0.03, "{object}: {share}");
    }
}

#[test]
fn what_is_in_the_way_is_named() {
    let folder = Folder::new();
    let robot = file(&folder, "lift.urdf", &lift());
    let robot = robot.to_str().unwrap();
    let run = |more: &[&'static str], words: &[&str]| {
        let line = ["run", "carry", "--robot", robot, "--rerun", "off"];
        refused(&[&line[..], more].concat(), "", words);
    };
    run(&[], &["lift.urdf", "shake=up"]);
    run(
        &["--set", "shake=up", "--set", "side=0.1"],
        &["open to 0.09", "`l` at 0", "side="],
    );
    run(
        &["--set", "shake=up", "--set", "height=2"],
        &["`up` is at", "from -0.38 to 0.3"],
    );
    run(
        &["--set", "shake=up", "--object", "egg"],
        &["`egg`", "box, ball or cylinder"],
    );
}

/// The object of a file, held by the project's own gripper.
#[test]
fn an_object_comes_from_a_file() {
    let folder = Folder::new();
    // Its middle and its centre of mass are away from its origin.
    let block = link("block", 0.3, &shape("0.1 0 0", "0.04 0.05 0.06"));
    let block = block.replace("<inertial>", r#"<inertial><origin xyz="0.1 0 0"/>"#);
    let object = file(
        &folder,
        "block.urdf",
        &format!(r#"<robot name="b">{block}</robot>"#),
    );
    let object = format!("object={}", object.display());
    let result = result(&request("carry", 3.0, &[&object]));
    assert_eq!(result.outcome, "held");
    assert_below(&result, &[("creep_max_m", 1e-5)]);
    let load = figure(&result, "load_held_max_N");
    assert!(load > 0.3 * 9.81 * 0.99, "{load}");
}

#[test]
fn payloads_and_gains_reach_their_link_and_joint() {
    let arm = Path::new(env!("CARGO_MANIFEST_DIR")).join("../assets/arm.urdf");
    let mass = |args: RobotArgs| {
        let result = result(&Request {
            robot: Some(arm.clone()),
            robot_args: args,
            ..request("drop", 0.02, &[])
        });
        figure(&result, "mass_kg")
    };
    let loaded = RobotArgs {
        payload: vec![("hand".to_owned(), "1.5".to_owned())],
        gains: vec!["elbow=100,10".to_owned()],
        ..RobotArgs::default()
    };
    assert!((mass(loaded) - mass(RobotArgs::default()) - 1.5).abs() < 1e-9);
    let arm = arm.to_str().unwrap();
    for (flag, value, words) in [
        ("--payload", "hnad=1", &["`hnad`", "`hand`"][..]),
        ("--payload", "hand=-1", &["hand=-1", "zero up"]),
        ("--gains", "elbow=1", &["elbow=1", "two numbers"]),
        ("--gains", "nowhere.toml", &["nowhere.toml", "JOINT=KP,KD"]),
        ("--gains", "elbwo=1,1", &["elbwo"]),
    ] {
        let words_of = ["run", "drop", "--robot", arm, "--rerun", "off", flag, value];
        refused(&words_of, "", words);
    }
}

#[test]
fn the_exit_status_is_the_verdict() {
    let folder = Folder::new();
    for (line, status) in [
        ("run grasp --duration 0.1 --rerun off --quiet", 0),
        ("run grasp --duration 0.5 --set mu=0 --rerun off --quiet", 3),
        (
            "compare grasp --models cone,frictionless --duration 0.5 --quiet",
            0,
        ),
    ] {
        let output = stickslip(&folder.0, &split(line), "");
        let text = String::from_utf8(output.stderr).unwrap();
        assert_eq!(output.status.code(), Some(status), "{line}: {text}");
    }
}
