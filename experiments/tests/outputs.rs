//! What a good run leaves behind.
#![allow(
    clippy::unwrap_used,
    reason = "helpers of tests fail by panicking like the tests themselves"
)]

use serde_json::Value;
use std::fs;
use std::path::{Path, PathBuf};
use std::process::{Command, Output};

fn folder(name: &str) -> PathBuf {
    let path = std::env::temp_dir().join(format!("stickslip-out-{name}-{}", std::process::id()));
    fs::create_dir_all(&path).unwrap();
    path
}

fn stickslip(folder: &Path, words: &[&str]) -> Output {
    let output = Command::new(env!("CARGO_BIN_EXE_stickslip"))
        .args(words)
        .current_dir(folder)
        .output()
        .unwrap();
    assert!(
        output.status.success(),
        "{words:?}: {}",
        String::from_utf8_lossy(&output.stderr)
    );
    output
}

const FIELDS: [&str; 12] = [
    "scenario",
    "model",
    "solver",
    "precision",
    "dt",
    "steps",
    "seed",
    "outcome",
    "metrics",
    "solver_stats",
    "timing_us",
    "versions",
];

#[test]
fn run_prints_a_table_and_writes_a_recording() {
    let folder = folder("run");
    let words = [
        "run",
        "--duration",
        "0.1",
        "--json",
        "out.json",
        "--csv",
        "csv",
    ];
    let output = stickslip(&folder, &words);
    let table = String::from_utf8(output.stdout).unwrap();
    assert!(
        table.contains("drop_m") && table.contains("held"),
        "{table}"
    );
    assert!(fs::metadata(folder.join("grasp.rrd")).unwrap().len() > 1000);
    let result: Value =
        serde_json::from_str(&fs::read_to_string(folder.join("out.json")).unwrap()).unwrap();
    for field in FIELDS {
        assert!(result.get(field).is_some(), "{field} is missing");
    }
    assert_eq!(result["scenario"], "grasp");
    assert_eq!(result["steps"], 10);
    assert!(result["metrics"]["drop_m"].is_number());
    for stage in [
        "step_median",
        "detect_median",
        "assemble_median",
        "solve_median",
    ] {
        assert!(
            result["timing_us"][stage].as_f64().unwrap() > 0.0,
            "{stage}"
        );
    }
    let steps = fs::read_to_string(folder.join("csv/grasp-no-slip-steps.csv")).unwrap();
    assert_eq!(steps.lines().count(), 11);
    assert!(fs::read_to_string(folder.join("csv/grasp-no-slip-result.csv")).is_ok());
    fs::remove_dir_all(folder).unwrap();
}

#[test]
fn json_on_standard_output_is_alone_there() {
    let folder = folder("stdout");
    let words = [
        "run",
        "box",
        "--duration",
        "1.1",
        "--rerun",
        "off",
        "--json",
        "-",
        "--quiet",
    ];
    let output = stickslip(&folder, &words);
    let result: Value = serde_json::from_slice(&output.stdout).unwrap();
    assert_eq!(result["outcome"], "rests");
    assert!(output.stderr.is_empty());
    assert_eq!(fs::read_dir(&folder).unwrap().count(), 0);
    fs::remove_dir_all(folder).unwrap();
}

#[test]
fn compare_gives_an_array_in_the_order_of_the_models() {
    let folder = folder("compare");
    let words = [
        "compare",
        "box",
        "--models",
        "no-slip,frictionless,host",
        "--duration",
        "1.1",
        "--json",
        "-",
    ];
    let output = stickslip(&folder, &words);
    let results: Value = serde_json::from_slice(&output.stdout).unwrap();
    let models: Vec<_> = results
        .as_array()
        .unwrap()
        .iter()
        .map(|r| r["model"].clone())
        .collect();
    assert_eq!(models, ["no-slip", "frictionless", "host"]);
    assert!(results[2]["solver_stats"]["residual_max"].is_null());
    fs::remove_dir_all(folder).unwrap();
}

/// The same model under two solvers: both in the table, times against the first, files of their own.
#[test]
fn compare_takes_solvers_and_states_ratios() {
    let folder = folder("pairs");
    let words = [
        "compare",
        "grasp",
        "--models",
        "no-slip:active-set,no-slip:ppm,host",
        "--duration",
        "0.1",
        "--json",
        "out.json",
        "--csv",
        "csv",
    ];
    let output = stickslip(&folder, &words);
    let table = String::from_utf8(output.stdout).unwrap();
    for word in [
        "no-slip / active-set",
        "no-slip / ppm",
        "host / rapier",
        "solve_speedup_to_first",
    ] {
        assert!(table.contains(word), "{word}: {table}");
    }
    let text = fs::read_to_string(folder.join("out.json")).unwrap();
    let results: Value = serde_json::from_str(&text).unwrap();
    let ratio = |run: usize| results[run]["comparison"]["solve_speedup_to_first"].as_f64();
    let median = |run: usize| results[run]["timing_us"]["solve_median"].as_f64().unwrap();
    assert_eq!(ratio(0), Some(1.0));
    assert_eq!(ratio(1), Some(median(0) / median(1)));
    assert!(ratio(2).is_none() && results[2]["comparison"]["step_speedup_to_first"].is_number());
    assert!(results[0]["timing_us"]["solve_total"].as_f64().unwrap() > median(0));
    let mut files: Vec<_> = fs::read_dir(folder.join("csv"))
        .unwrap()
        .map(|e| e.unwrap().file_name().into_string().unwrap())
        .collect();
    files.sort();
    assert_eq!(
        files,
        [
            "grasp-host-result.csv",
            "grasp-host-steps.csv",
            "grasp-no-slip-active-set-result.csv",
            "grasp-no-slip-active-set-steps.csv",
            "grasp-no-slip-ppm-result.csv",
            "grasp-no-slip-ppm-steps.csv",
        ]
    );
    fs::remove_dir_all(folder).unwrap();
}

#[test]
fn list_names_everything() {
    let output = stickslip(Path::new("."), &["list"]);
    let text = String::from_utf8(output.stdout).unwrap();
    for word in [
        "grasp",
        "free-flight",
        "squeeze=200",
        "no-slip-releasing",
        "host",
        "active-set",
        "directions=4",
        "mu_torsional=0",
    ] {
        assert!(text.contains(word), "{word}");
    }
}
