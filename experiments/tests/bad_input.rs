//! Bad input ends with exit status 2, a message that says what and where, and nothing written.
#![allow(
    clippy::unwrap_used,
    reason = "helpers of tests fail by panicking like the tests themselves"
)]

use std::fs;
use std::path::{Path, PathBuf};
use std::process::{Command, Output};

/// A folder of its own for each test.
struct Folder(PathBuf);

impl Folder {
    fn new(name: &str) -> Self {
        let path = std::env::temp_dir().join(format!("stickslip-{name}-{}", std::process::id()));
        fs::create_dir_all(&path).unwrap();
        Self(path)
    }

    fn names(&self) -> Vec<String> {
        let entries = fs::read_dir(&self.0).unwrap();
        let mut names: Vec<_> = entries
            .map(|e| e.unwrap().file_name().into_string().unwrap())
            .collect();
        names.sort();
        names
    }
}

impl Drop for Folder {
    fn drop(&mut self) {
        let _ = fs::remove_dir_all(&self.0);
    }
}

fn stickslip(folder: &Path, words: &[&str]) -> Output {
    Command::new(env!("CARGO_BIN_EXE_stickslip"))
        .args(words)
        .current_dir(folder)
        .output()
        .unwrap()
}

/// Exit status 2, every word in the message, no file in the folder.
fn refused(name: &str, words: &[&str], message: &[&str]) {
    let folder = Folder::new(name);
    let output = stickslip(&folder.0, words);
    let text = String::from_utf8(output.stderr).unwrap();
    assert_eq!(output.status.code(), Some(2), "{words:?}: {text}");
    for word in message {
        assert!(text.contains(word), "{words:?}: `{word}` is not in: {text}");
    }
    assert!(output.stdout.is_empty(), "{words:?} printed a result");
    assert_eq!(folder.names(), Vec::<String>::new(), "{words:?} left files");
}

#[test]
fn unknown_names_list_the_known_ones() {
    let out = ["--json", "out.json", "--csv", "csv"];
    let with = |words: &[&'static str]| [words, &out[..]].concat();
    refused(
        "scenario",
        &with(&["run", "grip"]),
        &["`grip`", "grasp", "free-flight"],
    );
    refused(
        "model",
        &with(&["run", "grasp", "--model", "sticky"]),
        &[
            "`sticky`",
            "frictionless, no-slip, no-slip-releasing",
            "host",
        ],
    );
    refused(
        "solver",
        &with(&["run", "grasp", "--solver", "newton"]),
        &["`newton`", "ppm, active-set"],
    );
    refused(
        "key",
        &with(&["run", "pinch", "--set", "force=3"]),
        &["`pinch`", "`force`", "squeeze (30)"],
    );
    refused(
        "value",
        &with(&["run", "pinch", "--set", "squeeze=-3"]),
        &["`squeeze`", "-3"],
    );
    refused(
        "choice",
        &with(&["run", "grasp", "--set", "contacts=none"]),
        &["`contacts`", "engine, paper, triplicated"],
    );
    refused(
        "every-key",
        &with(&["run", "pinch", "--set", "force=3"]),
        &["every scenario has directions", "mu_viscous"],
    );
    refused(
        "setting",
        &with(&["run", "pinch", "--set", "directions=5"]),
        &["polygon.directions", "even", "5"],
    );
    refused(
        "material",
        &with(&["run", "pinch", "--set", "mu_rolling=-1"]),
        &["`mu_rolling`", "-1"],
    );
    refused(
        "pair",
        &["compare", "box", "--models", "no-slip:apgd"],
        &["`no-slip`", "`apgd`", "active-set"],
    );
    refused(
        "precision",
        &with(&["run", "--precision", "f16"]),
        &["`f16`", "f32"],
    );
}

#[test]
fn what_does_not_fit_is_refused() {
    refused(
        "host",
        &["run", "box", "--model", "host", "--solver", "ppm"],
        &["host"],
    );
    refused("dt", &["run", "box", "--dt", "0"], &["--dt", "positive"]);
    refused(
        "duration",
        &["run", "box", "--duration", "nan"],
        &["--duration"],
    );
    refused(
        "settle",
        &["run", "box", "--duration", "0.5", "--set", "settle=2"],
        &["settle"],
    );
    refused(
        "robot",
        &["run", "box", "--robot", "x.urdf"],
        &["box", "--robot"],
    );
    refused("sink", &["run", "box", "--rerun", "spwan"], &["spwan"]);
    refused(
        "json",
        &["run", "box", "--json", "nowhere/out.json"],
        &["nowhere"],
    );
    refused(
        "pose",
        &["run", "stand", "--set", "pose=knee"],
        &["`knee`", "joint:angle"],
    );
    refused(
        "joint",
        &["run", "stand", "--set", "pose=elbow:0.1"],
        &["elbow", "lf_knee"],
    );
    refused(
        "source",
        &["run", "grasp", "--model", "host", "--set", "contacts=paper"],
        &["host", "contacts=engine"],
    );
}

const LINK: &str = r#"<link name="base"><inertial><mass value="1"/>
    <inertia ixx="1" iyy="1" izz="1" ixy="0" ixz="0" iyz="0"/></inertial>
    <collision><geometry><box size="1 1 1"/></geometry></collision></link>"#;

/// A second link on a joint, with its inertia and the joint's limits.
fn arm(inertia: &str, limit: &str) -> String {
    format!(
        r#"<robot name="r">{LINK}<link name="arm"><inertial><mass value="1"/>{inertia}</inertial></link>
        <joint name="shoulder" type="revolute"><parent link="base"/><child link="arm"/>
        <axis xyz="0 0 1"/>{limit}</joint></robot>"#
    )
}

#[test]
fn bad_robots_are_named_with_file_and_element() {
    let limit = r#"<limit lower="-1" upper="1" effort="1" velocity="1"/>"#;
    let inertia = r#"<inertia ixx="1" iyy="1" izz="1" ixy="0" ixz="0" iyz="0"/>"#;
    let zero = r#"<inertia ixx="0" iyy="0" izz="0" ixy="0" ixz="0" iyz="0"/>"#;
    let impossible = r#"<inertia ixx="1" iyy="1" izz="9" ixy="0" ixz="0" iyz="0"/>"#;
    let crossed = r#"<limit lower="1" upper="-1" effort="1" velocity="1"/>"#;
    let mesh = LINK.replace(
        r#"<box size="1 1 1"/>"#,
        r#"<mesh filename="package://none/shape.stl"/>"#,
    );
    let cases: [(&str, String, &[&str]); 7] = [
        ("none", r#"<robot name="r"></robot>"#.to_owned(), &["no links"]),
        ("zero", arm(zero, limit), &["`arm`", "inertia"]),
        ("impossible", arm(impossible, limit), &["`arm`", "impossible inertia"]),
        ("crossed", arm(inertia, crossed), &["`shoulder`", "limits crossed"]),
        (
            "unknown",
            arm(inertia, limit).replace(r#"child link="arm""#, r#"child link="leg""#),
            &["`shoulder`", "`leg`"],
        ),
        (
            "loop",
            arm(inertia, limit).replace(
                "</robot>",
                r#"<joint name="back" type="fixed"><parent link="arm"/><child link="base"/></joint></robot>"#,
            ),
            &["joint"],
        ),
        (
            "mesh",
            format!(r#"<robot name="r">{mesh}</robot>"#),
            &["`base`", "package://none/shape.stl"],
        ),
    ];
    for (name, text, message) in cases {
        let file = Folder::new(&format!("urdf-{name}"));
        let path = file.0.join("robot.urdf");
        fs::write(&path, text).unwrap();
        let path = path.to_str().unwrap().to_owned();
        let message = [message, &["robot.urdf"]].concat();
        for scenario in ["stand", "free-flight", "grasp"] {
            let words = [
                "run", scenario, "--robot", &path, "--json", "out.json", "--rerun", "out.rrd",
            ];
            refused(&format!("run-{name}-{scenario}"), &words, &message);
        }
        refused(&format!("check-{name}"), &["check", &path], &message);
    }
    refused(
        "missing",
        &["run", "stand", "--robot", "nowhere.urdf"],
        &["nowhere.urdf"],
    );
}

#[test]
fn a_robot_that_does_not_fit_the_scenario_is_named() {
    let file = Folder::new("no-gripper");
    let path = file.0.join("block.urdf");
    fs::write(&path, format!(r#"<robot name="block">{LINK}</robot>"#)).unwrap();
    let path = path.to_str().unwrap().to_owned();
    refused(
        "grasp-block",
        &["run", "grasp", "--robot", &path],
        &["block.urdf", "prismatic"],
    );
    refused(
        "fly-block",
        &["run", "free-flight", "--robot", &path],
        &["block.urdf", "joint"],
    );
}
