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
