//! The examples, run as programs, and what they print.

use std::path::{Path, PathBuf};
use std::process::{Command, Output};

/// Runs an example; `cargo test` has built it beside this test.
fn run(name: &str, arguments: &[&Path]) -> Output {
    let test = std::env::current_exe().expect("a test is a file");
    let built = test.ancestors().nth(2).expect("it lies in target/*/deps");
    let program = built
        .join("examples")
        .join(format!("{name}{}", std::env::consts::EXE_SUFFIX));
    assert!(
        program.exists(),
        "{} is built by `cargo test -p stickslip-examples` without `--test`",
        program.display()
    );
    Command::new(program)
        .args(arguments)
        .output()
        .expect("it can be run")
}

fn stdout(output: &Output) -> String {
    let text = |bytes: &[u8]| String::from_utf8_lossy(bytes).into_owned();
    assert!(output.status.success(), "{}", text(&output.stderr));
    text(&output.stdout)
}

/// What a program that refuses says on standard error.
fn refusal(output: &Output) -> String {
    assert!(!output.status.success());
    let said = String::from_utf8_lossy(&output.stderr).into_owned();
    assert!(!said.contains("panicked"), "{said}");
    said
}

/// The numbers of the lines that contain `words`, in order.
fn numbers(text: &str, words: &str) -> Vec<f64> {
    let lines = text.lines().filter(|line| line.contains(words));
    let found: Vec<f64> = lines
        .flat_map(str::split_whitespace)
        .filter_map(|word| word.parse().ok())
        .collect();
    assert!(!found.is_empty(), "no number beside `{words}` in:\n{text}");
    found
}

fn near(value: f64, wanted: f64, tolerance: f64) {
    assert!(
        (value - wanted).abs() <= tolerance,
        "{value} is not {wanted} to {tolerance}"
    );
}

/// The box stays, and its corners carry its weight.
#[test]
fn drop_in() {
    let text = stdout(&run("drop_in", &[]));
    // The engine's positions are f32: 1e-7 m at a metre.
    assert!(numbers(&text, "stickslip: the box slid")[0] < 1e-6);
    assert!(numbers(&text, "rapier:    the box slid")[0] > 1e-5);
    near(numbers(&text, "together")[0], 9.81, 2e-3);
}

/// The cubes stay, and each finger presses with the squeeze and carries half the weight.
#[test]
fn gripper() {
    let text = stdout(&run("gripper", &[]));
    assert!(numbers(&text, "stickslip: the cubes fell")[0] < 1e-6);
    for finger in ["left_finger", "right_finger"] {
        let forces = numbers(&text, finger);
        near(forces[0], 20.0, 1e-3);
        near(forces[1], 4.905, 1e-3);
    }
}

/// The feet carry the robot's weight; a file that isn't there is named.
#[test]
fn urdf() {
    let text = stdout(&run("urdf", &[]));
    let sums = numbers(&text, "in all");
    near(sums[0], sums[1], 1e-3 * sums[1]);
    assert_eq!(numbers(&text, "the ground pushes").len(), 4, "{text}");
    assert!(refusal(&run("urdf", &[Path::new("none.urdf")])).contains("none.urdf"));
}

/// The recording is there when the program ends, whole; where it can't be made the program says so.
#[test]
fn record() {
    let folder = tempfile::tempdir().expect("a temporary folder");
    let file = folder.path().join("boxes.rrd");
    stdout(&run("record", &[&file]));
    let bytes = std::fs::read(&file).expect("the recording is there");
    assert!(bytes.starts_with(b"RRF2"), "not a Rerun recording");
    assert!(bytes.len() > 10_000, "{} bytes", bytes.len());
    let nowhere = folder.path().join("none/boxes.rrd");
    assert!(refusal(&run("record", &[&nowhere])).contains("none"));
}

/// A recording of the program's own, with the simulation in it.
#[test]
fn own_stream() {
    let folder = tempfile::tempdir().expect("a temporary folder");
    let file = folder.path().join("own.rrd");
    stdout(&run("own_stream", &[&file]));
    let bytes = std::fs::read(&file).expect("the recording is there");
    assert!(bytes.starts_with(b"RRF2"), "not a Rerun recording");
    let has = |name: &[u8]| bytes.windows(name.len()).any(|window| window == name);
    assert!(has(b"energy/kinetic") && has(b"simulation/world/contacts/points"));
    let nowhere = folder.path().join("none/own.rrd");
    assert!(refusal(&run("own_stream", &[&nowhere])).contains("none"));
}

/// A model of the program's own slides as Coulomb's law says, and its answers pass the residual function.
#[test]
fn own_model() {
    let text = stdout(&run("own_model", &[]));
    assert_eq!(text.lines().count(), 2, "{text}");
    let law = numbers(&text, "g (sin - mu cos) t")[0];
    near(numbers(&text, "sliding at")[0], law, 1e-3 * law);
}

/// A box under a friction law of the program's own stops where the law says; the time step is 1/240 s.
#[test]
fn stribeck() {
    let text = stdout(&run("stribeck", &[]));
    assert_eq!(text.lines().count(), 2, "{text}");
    let law = numbers(&text, "the law stops it after")[0];
    near(numbers(&text, "the box stopped after")[0], law, 0.02 * law);
}

/// Ours holds what rests on the floor; a call without a model says where to get one, a missing or broken
/// model is named.
#[test]
fn mjcf() {
    let model = PathBuf::from(concat!(env!("CARGO_MANIFEST_DIR"), "/tests/table.xml"));
    let text = stdout(&run("mjcf", &[&model]));
    let ours = numbers(&text, "stickslip ");
    assert!(ours[0] < 1e-5, "depth {} m", ours[0]);
    assert!(ours[1] < 1e-5, "speed {} m/s", ours[1]);
    assert!(refusal(&run("mjcf", &[])).contains("gymnasium"));
    assert!(refusal(&run("mjcf", &[Path::new("none.xml")])).contains("none.xml"));
    let broken = concat!(env!("CARGO_MANIFEST_DIR"), "/Cargo.toml");
    assert!(refusal(&run("mjcf", &[Path::new(broken)])).contains("Cargo.toml"));
}

/// Grasp and shake on our own model: `cone` and `no-slip` hold the cube. A missing model, and one without an arm, are named.
#[test]
fn mjcf_grasp() {
    let model = PathBuf::from(concat!(
        env!("CARGO_MANIFEST_DIR"),
        "/../benches/peers/panda.xml"
    ));
    let text = stdout(&run("mjcf_grasp", &[&model]));
    for model in ["cone ", "no-slip "] {
        let rows = text.lines().filter(|line| line.starts_with(model));
        assert_eq!(rows.filter(|row| row.contains("held")).count(), 2, "{text}");
    }
    assert!(refusal(&run("mjcf_grasp", &[])).contains("which model?"));
    assert!(refusal(&run("mjcf_grasp", &[Path::new("none.xml")])).contains("none.xml"));
    let table = concat!(env!("CARGO_MANIFEST_DIR"), "/tests/table.xml");
    assert!(refusal(&run("mjcf_grasp", &[Path::new(table)])).contains("eight drives"));
}
