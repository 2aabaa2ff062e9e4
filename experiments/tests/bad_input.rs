//! Bad input ends with exit status 2, a message that says what and where, and nothing written.
#![allow(
    clippy::unwrap_used,
    reason = "helpers of tests fail by panicking like the tests themselves"
)]

mod common;

use common::Folder;
use std::fs;

fn refused(words: &[&str], message: &[&str]) {
    common::refused(words, "", message);
}

#[test]
fn unknown_names_list_the_known_ones() {
    let out = ["--json", "out.json", "--csv", "csv"];
    let with = |words: &[&'static str]| [words, &out[..]].concat();
    refused(&with(&["run", "grip"]), &["'grip'", "grasp", "free-flight"]);
    refused(
        &with(&["run", "grasp", "--model", "sticky"]),
        &[
            "'sticky'",
            "frictionless, no-slip, no-slip-releasing",
            "host",
        ],
    );
    refused(
        &with(&["run", "grasp", "--solver", "newton"]),
        &["'newton'", "ppm, active-set"],
    );
    refused(
        &with(&["run", "pinch", "--set", "force=3"]),
        &["`pinch`", "`force`", "squeeze (30)"],
    );
    refused(
        &with(&["run", "pinch", "--set", "squeeze=-3"]),
        &["`squeeze`", "-3"],
    );
    refused(
        &with(&["run", "grasp", "--set", "contacts=none"]),
        &["`contacts`", "engine, paper, triplicated"],
    );
    refused(
        &with(&["run", "pinch", "--set", "force=3"]),
        &["`force`", "all keys: stickslip list"],
    );
    // The nearest ones, not all of them.
    refused(
        &with(&["run", "pinch", "--set", "sqeeze=3"]),
        &["`pinch`", "`sqeeze`", "did you mean `squeeze`?"],
    );
    refused(
        &with(&["run", "pinch", "--set", "max_iteration=3"]),
        &["did you mean `max_iterations`?"],
    );
    for flag in ["--csv", "--plots", "--out"] {
        refused(&["run", "box", flag, "-"], &[flag, "a folder", "--json -"]);
    }
    refused(
        &with(&["run", "pinch", "--set", "directions=5"]),
        &["polygon.directions", "even", "5"],
    );
    refused(
        &with(&["run", "pinch", "--set", "mu_rolling=-1"]),
        &["`mu_rolling`", "-1"],
    );
    refused(
        &["compare", "box", "--models", "no-slip:apgd"],
        &["`no-slip`", "`apgd`", "active-set"],
    );
    refused(&with(&["run", "--precision", "f16"]), &["'f16'", "f32"]);
}

#[test]
fn what_does_not_fit_is_refused() {
    refused(
        &["run", "box", "--model", "host", "--solver", "ppm"],
        &["host"],
    );
    refused(&["run", "box", "--dt", "0"], &["--dt", "positive"]);
    refused(&["run", "box", "--duration", "nan"], &["--duration"]);
    refused(
        &["run", "box", "--duration", "-1"],
        &["--duration", "positive", "-1"],
    );
    refused(
        &["run", "box", "--dt", "-0.01"],
        &["--dt", "positive", "-0.01"],
    );
    refused(
        &["run", "box", "--seed", "-1"],
        &["-1", "a whole number from 0"],
    );
    refused(
        &["sweep", "box", "--seed", "-1", "--out", "x"],
        &["-1", "neither a number nor a range"],
    );
    for flag in ["--scale", "--density", "--armature"] {
        let name = flag.trim_start_matches('-');
        refused(&["run", "drop", flag, "-1"], &[name, "-1"]);
    }
    refused(
        &["run", "stack", "--set", "count=2.5"],
        &["`count`", "a whole number from 1 to 1000", "2.5"],
    );
    refused(
        &["run", "box", "--duration", "0.5", "--set", "settle=2"],
        &["settle"],
    );
    refused(&["run", "box", "--robot", "x.urdf"], &["box", "--robot"]);
    refused(&["run", "box", "--rerun", "spwan"], &["spwan"]);
    refused(&["run", "box", "--json", "nowhere/out.json"], &["nowhere"]);
    refused(
        &["run", "stand", "--set", "pose=knee"],
        &["`knee`", "joint:angle"],
    );
    refused(
        &["run", "stand", "--set", "pose=elbow:0.1"],
        &["elbow", "lf_knee"],
    );
    refused(
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
    // Strictly: three of them are repaired otherwise (tests/robots.rs).
    let limit = r#"<limit lower="-1" upper="1" effort="1" velocity="1"/>"#;
    let inertia = r#"<inertia ixx="1" iyy="1" izz="1" ixy="0" ixz="0" iyz="0"/>"#;
    let zero = r#"<inertia ixx="0" iyy="0" izz="0" ixy="0" ixz="0" iyz="0"/>"#;
    let impossible = r#"<inertia ixx="1" iyy="1" izz="9" ixy="0" ixz="0" iyz="0"/>"#;
    let crossed = r#"<limit lower="1" upper="-1" effort="1" velocity="1"/>"#;
    let mesh = LINK.replace(
        r#"<box size="1 1 1"/>"#,
        r#"<mesh filename="package://none/shape.stl"/>"#,
    );
    let cases: [(String, &[&str]); 7] = [
        (r#"<robot name="r"></robot>"#.to_owned(), &["no links"]),
        (arm(zero, limit), &["`arm`", "inertia"]),
        (arm(impossible, limit), &["`arm`", "impossible inertia"]),
        (arm(inertia, crossed), &["`shoulder`", "above upper limit"]),
        (
            arm(inertia, limit).replace(r#"child link="arm""#, r#"child link="leg""#),
            &["`shoulder`", "`leg`"],
        ),
        (
            arm(inertia, limit).replace(
                "</robot>",
                r#"<joint name="back" type="fixed"><parent link="arm"/><child link="base"/></joint></robot>"#,
            ),
            &["joint"],
        ),
        (
            format!(r#"<robot name="r">{mesh}</robot>"#),
            &["`base`", "package://none/shape.stl"],
        ),
    ];
    for (text, message) in cases {
        let file = Folder::new();
        let path = file.0.join("robot.urdf");
        fs::write(&path, text).unwrap();
        let path = path.to_str().unwrap().to_owned();
        let message = [message, &["robot.urdf"]].concat();
        for scenario in ["stand", "free-flight", "grasp"] {
            let words = [
                "run", scenario, "--robot", &path, "--json", "out.json", "--rerun", "out.rrd",
                "--strict",
            ];
            refused(&words, &message);
        }
        refused(&["check", &path, "--strict"], &message);
    }
    refused(
        &["run", "stand", "--robot", "nowhere.urdf"],
        &["nowhere.urdf"],
    );
}

#[test]
fn a_robot_that_does_not_fit_the_scenario_is_named() {
    let file = Folder::new();
    let path = file.0.join("block.urdf");
    fs::write(&path, format!(r#"<robot name="block">{LINK}</robot>"#)).unwrap();
    let path = path.to_str().unwrap().to_owned();
    refused(
        &["run", "grasp", "--robot", &path],
        &["block.urdf", "prismatic"],
    );
    refused(
        &["run", "free-flight", "--robot", &path],
        &["block.urdf", "joint"],
    );
}
