//! `stickslip solve`, and the problems that `run` writes.
#![allow(
    clippy::unwrap_used,
    reason = "helpers of tests fail by panicking like the tests themselves"
)]

mod common;

use common::{Folder, names, refused, split, stickslip, succeeds};
use serde_json::Value;
use std::fs;
use std::path::{Path, PathBuf};

const G: f64 = 9.81;
const H: f64 = 0.01;

fn sample(name: &str) -> String {
    let root = Path::new(env!("CARGO_MANIFEST_DIR")).parent().unwrap();
    let path = root.join("assets/problems").join(name);
    path.to_str().unwrap().to_owned()
}

/// Exit status and answer of a solve.
fn solve(words: &[&str], input: &str) -> (Option<i32>, Value) {
    let words = [&["solve"], words, &["--json", "-", "--quiet"]].concat();
    let output = stickslip(Path::new("."), &words, input);
    let answer = serde_json::from_slice(&output.stdout).unwrap_or_else(|error| {
        panic!(
            "{words:?}: {error}: {}",
            String::from_utf8_lossy(&output.stderr)
        )
    });
    (output.status.code(), answer)
}

fn solved(words: &[&str], input: &str) -> Value {
    let (code, answer) = solve(words, input);
    assert_eq!(answer["status"], "solved", "{words:?}");
    assert_eq!(code, Some(0), "{words:?}");
    for (name, residual) in answer["residuals"].as_object().unwrap() {
        if name != "slip" {
            assert!(
                residual.as_f64().unwrap() < 1e-9,
                "{words:?}: {name} {residual}"
            );
        }
    }
    answer
}

fn list(answer: &Value, name: &str) -> Vec<f64> {
    let list = answer[name]
        .as_array()
        .unwrap_or_else(|| panic!("no {name}"));
    list.iter().map(|x| x.as_f64().unwrap()).collect()
}

fn sum(answer: &Value, name: &str) -> f64 {
    list(answer, name).iter().sum()
}

fn assert_close(a: f64, b: f64, tolerance: f64) {
    assert!((a - b).abs() <= tolerance, "{a} is not {b} to {tolerance}");
}

#[test]
fn the_samples_have_their_closed_forms() {
    let answer = solved(&[&sample("box_on_ground.json")], "");
    for field in ["solver_used", "pivots", "iterations", "residuals", "f_j"] {
        assert!(answer.get(field).is_some(), "{field} is missing");
    }
    assert_close(sum(&answer, "f_n"), G * H, 1e-12);
    assert!(list(&answer, "v_plus").iter().all(|v| v.abs() < 1e-12));
    assert!(list(&answer, "f_j").is_empty() && answer.get("f_limits").is_none());

    // Slope 1 in 4: sin = 1 / sqrt(17), cos = 4 / sqrt(17).
    let weight = G * H / 17_f64.sqrt();
    let answer = solved(&[&sample("slope.json")], "");
    assert_close(sum(&answer, "f_n"), 4.0 * weight, 1e-12);
    assert_close(sum(&answer, "f_s"), -weight, 1e-12);
    let answer = solved(&[&sample("slope.json"), "--model", "frictionless"], "");
    assert_close(list(&answer, "v_plus")[0], weight, 1e-12);
    assert_close(sum(&answer, "f_s"), 0.0, 0.0);

    // Squeezed with 200 N: 2 N s through each of the three pairs of faces.
    let answer = solved(&[&sample("grasp.json")], "");
    let f_n = list(&answer, "f_n");
    for pair in f_n.chunks(12) {
        assert_close(pair.iter().sum(), 2.0, 1e-9);
    }
    assert_eq!(f_n.len(), 36);
    assert_eq!(list(&answer, "f_j").len(), 10);
    assert!(list(&answer, "v_plus").iter().all(|v| v.abs() < 1e-12));
}

#[test]
fn standard_input_and_the_table() {
    let text = fs::read_to_string(sample("slope.json")).unwrap();
    solved(&["-"], &text);
    let words = split("solve - --model no-slip --solver active-set");
    let output = stickslip(Path::new("."), &words, &text);
    assert_eq!(output.status.code(), Some(0));
    let table = String::from_utf8(output.stdout).unwrap();
    for word in [
        "solved: every condition holds",
        "no-slip by active-set",
        "4 contacts",
        "f_n [N s]",
        "pressed",
        "signorini",
        "v+ [m/s, rad/s]",
    ] {
        assert!(table.contains(word), "`{word}` is not in\n{table}");
    }
    assert!(output.stderr.is_empty());
    // With JSON on standard output the table makes way.
    let output = stickslip(Path::new("."), &["solve", "-", "--json", "-"], &text);
    assert!(serde_json::from_slice::<Value>(&output.stdout).is_ok());
    assert!(
        String::from_utf8(output.stderr)
            .unwrap()
            .contains("signorini")
    );
}

const SMALL: &str = r#"{"h": 0.1, "M": [[1, 0], [0, 1]], "v": [-1, 0.5], "N": [[1, 0]],
    "S": [[0, 1]], "phi": -0.01, MORE}"#;

fn small(more: &str) -> String {
    SMALL.replace("MORE", more)
}

#[test]
fn settings_of_the_file_are_the_defaults() {
    // N v+ = K |phi| / h: K is 0.2 unless somebody says otherwise.
    let speed = |words: &[&str], more: &str| {
        let answer = solved(&[&["-"], words].concat(), &small(more));
        list(&answer, "v_plus")[0]
    };
    assert_close(speed(&[], "\"mu\": 0"), 0.02, 1e-12);
    let file = "\"settings\": {\"model\": \"frictionless\", \"baumgarte\": 0.5}";
    assert_close(speed(&[], file), 0.05, 1e-12);
    assert_close(speed(&["--set", "baumgarte=1"], file), 0.1, 1e-12);
    assert_close(speed(&["--set", "baumgarte=1"], "\"mu\": 0"), 0.1, 1e-12);
    let answer = solved(&["-"], &small(file));
    assert_eq!(answer["model"], "frictionless");
    assert_close(list(&answer, "v_plus")[1], 0.5, 0.0);
    let answer = solved(&["-", "--model", "no-slip"], &small(file));
    assert_close(list(&answer, "v_plus")[1], 0.0, 1e-15);
}

#[test]
fn rows_of_every_kind_are_answered() {
    let more = "\"J\": [[1, 1]], \"J_rhs\": 0.2, \"limits\": {\"rows\": [[0, -1]], \"gap\": 9},
        \"bounded\": {\"rows\": [[0, 1]], \"limit\": 0.05}, \"A_n\": [[0, 1]]";
    let answer = solved(&["-", "--model", "frictionless"], &small(more));
    assert_eq!(list(&answer, "f_j").len(), 1);
    assert_eq!(list(&answer, "f_limits"), [0.0]);
    assert_eq!(list(&answer, "f_bounded").len(), 1);
    assert_eq!(answer["f_spin"].as_array().unwrap().len(), 1);
    let v = list(&answer, "v_plus");
    assert_close(v[0] + v[1], 0.2, 1e-12);
}

/// Without inertia M is the damping E: v+ = E^-1 f, whatever v was.
#[test]
fn quasi_static_reads_damping_for_mass() {
    let text = r#"{"h": 0.1, "M": [[2, 0], [0, 4]], "v": [7, -7], "f": [3, -8],
        "N": [[0, 1]], "S": [[1, 0]], "mu": 0.125}"#;
    let answer = solved(&["-", "--model", "quasi-static"], text);
    // The ground carries 8 N; friction takes 1 N of the 3 N that pull.
    let v = list(&answer, "v_plus");
    assert_close(v[0], 1.0, 1e-9);
    assert_close(v[1], 0.0, 1e-9);
    assert_close(list(&answer, "f_n")[0], 0.8, 1e-9);
    assert_close(list(&answer, "f_s")[0], -0.1, 1e-9);
    // A time constant of the file's own: E = M / tau.
    let more = "\"settings\": {\"quasi_static\": {\"damping_time\": 0.5}}, \"mu\"";
    let text = text.replace("\"mu\"", more);
    let answer = solved(&["-", "--model", "quasi-static"], &text);
    assert_close(list(&answer, "v_plus")[0], 0.5, 1e-9);
}

/// Equations that contradict each other have no answer.
#[test]
fn what_is_not_solved_ends_with_one() {
    let text = small("\"J\": [[1, 0], [1, 0]], \"J_rhs\": [1, 2]");
    let (code, answer) = solve(&["-"], &text);
    assert_eq!(code, Some(1));
    assert_eq!(answer["status"], "relaxed");
    let output = stickslip(Path::new("."), &["solve", "-"], &text);
    assert_eq!(output.status.code(), Some(1));
    let message = String::from_utf8(output.stderr).unwrap();
    assert!(
        message.contains("relaxed") && message.contains("contradict"),
        "{message}"
    );
}

#[test]
fn bad_input_ends_with_two() {
    let good = small("\"mu\": 0.5");
    let solve = ["solve", "-", "--json", "out.json"];
    let with = |words: &[&'static str]| [&solve[..], words].concat();
    refused(&solve, "", &["standard input", "empty"]);
    refused(&solve, &good[..60], &["line 1", "ends too early"]);
    refused(&solve, &small("\"mu\": -1"), &["contact 0", "mu", "-1"]);
    refused(&solve, &small("\"muu\": 1"), &["`muu`", "`mu`"]);
    refused(&["solve", "nowhere.json"], "", &["nowhere.json"]);
    refused(&["solve", "."], "", &["folder"]);
    refused(
        &with(&["--model", "sticky"]),
        &good,
        &["'sticky'", "no-slip"],
    );
    refused(&with(&["--model", "host"]), &good, &["`host`"]);
    refused(&with(&["--solver", "newton"]), &good, &["'newton'", "ppm"]);
    refused(
        &with(&["--model", "no-slip", "--solver", "apgd"]),
        &good,
        &["no-slip", "apgd", "ppm, active-set"],
    );
    refused(
        &with(&["--set", "colour=1"]),
        &good,
        &["`colour`", "stickslip list"],
    );
    refused(
        &with(&["--set", "baumgarte"]),
        &good,
        &["baumgarte", "key=value"],
    );
    refused(&with(&["--set", "baumgarte=2"]), &good, &["baumgarte", "2"]);
    refused(
        &with(&["--set", "baumgarte=much"]),
        &good,
        &["baumgarte", "much"],
    );
    refused(&["solve", "-", "--json", "no/out.json"], &good, &["no"]);
}

/// What a step solved is solved again: v+ is the velocity with which the next step begins.
#[test]
fn a_dumped_step_is_repeated() {
    for (scenario, precision, tolerance) in [
        ("box", "f64", 1e-12),
        ("slope", "f64", 1e-12),
        ("grasp", "f64", 1e-12),
        ("box", "f32", 1e-6),
    ] {
        let folder = Folder::new();
        let words = [
            "run",
            scenario,
            "--duration",
            "0.05",
            "--dt",
            "0.01",
            "--rerun",
            "off",
            "--precision",
            precision,
            "--dump-problems",
            "problems",
        ];
        let output = stickslip(&folder.0, &words, "");
        let table = String::from_utf8(output.stdout).unwrap();
        let errors = String::from_utf8_lossy(&output.stderr);
        assert!(output.status.success(), "{words:?}: {errors}");
        assert!(table.contains("contact problems of 5 steps"), "{table}");
        assert_eq!(folder.names(), ["problems"]);
        let problems = folder.0.join("problems");
        let files = names(&problems);
        assert_eq!(files.len(), 5);
        assert_eq!(files[3], "step-000003.json");
        let paths: Vec<PathBuf> = files.iter().map(|name| problems.join(name)).collect();
        let problems: Vec<Value> = paths
            .iter()
            .map(|path| serde_json::from_str(&fs::read_to_string(path).unwrap()).unwrap())
            .collect();
        for (path, next) in paths.iter().zip(&problems[1..]) {
            let answer = solved(&[path.to_str().unwrap()], "");
            let begins = list(next, "v");
            for (a, b) in list(&answer, "v_plus").iter().zip(&begins) {
                assert_close(*a, *b, tolerance);
            }
        }
        let settings = &problems[0]["settings"];
        assert_eq!(settings["model"], "cone");
        let closed = if precision == "f32" { 1e-5 } else { 1e-6 };
        assert_eq!(settings["closed_tolerance"], closed);
        assert!(problems[2]["note"].as_str().unwrap().contains("step 2"));
    }
}

#[test]
fn without_trouble_nothing_is_dumped() {
    let folder = Folder::new();
    let words = split("run box --duration 0.05 --rerun off");
    succeeds(&folder.0, &words);
    assert_eq!(folder.names(), Vec::<String>::new());
    refused(
        &["run", "box", "--dump-problems", &sample("slope.json")],
        "",
        &["--dump-problems", "slope.json"],
    );
}
