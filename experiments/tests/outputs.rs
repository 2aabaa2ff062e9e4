//! What a good run leaves behind.
#![allow(
    clippy::unwrap_used,
    reason = "helpers of tests fail by panicking like the tests themselves"
)]

mod common;

use common::{Folder, names, succeeds};
use serde_json::Value;
use std::fs;
use std::path::Path;
use stickslip_core::models::ModelName;

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
    let folder = Folder::new();
    let words = [
        "run",
        "--duration",
        "0.1",
        "--json",
        "out.json",
        "--csv",
        "csv",
    ];
    let output = succeeds(&folder.0, &words);
    let table = String::from_utf8(output.stdout).unwrap();
    assert!(
        table.contains("drop_m") && table.contains("held"),
        "{table}"
    );
    assert!(fs::metadata(folder.0.join("grasp.rrd")).unwrap().len() > 1000);
    let result: Value = serde_json::from_str(&folder.read("out.json")).unwrap();
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
    let steps = folder.read("csv/grasp-no-slip-steps.csv");
    assert_eq!(steps.lines().count(), 11);
    assert!(fs::read_to_string(folder.0.join("csv/grasp-no-slip-result.csv")).is_ok());
}

#[test]
fn json_on_standard_output_is_alone_there() {
    let folder = Folder::new();
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
    let output = succeeds(&folder.0, &words);
    let result: Value = serde_json::from_slice(&output.stdout).unwrap();
    assert_eq!(result["outcome"], "rests");
    assert!(output.stderr.is_empty());
    assert!(folder.names().is_empty());
}

#[test]
fn compare_gives_an_array_in_the_order_of_the_models() {
    let folder = Folder::new();
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
    let output = succeeds(&folder.0, &words);
    let results: Value = serde_json::from_slice(&output.stdout).unwrap();
    let models: Vec<_> = results
        .as_array()
        .unwrap()
        .iter()
        .map(|r| r["model"].clone())
        .collect();
    assert_eq!(models, ["no-slip", "frictionless", "host"]);
    assert!(results[2]["solver_stats"]["residual_max"].is_null());
}

/// The same model under two solvers: both in the table, times against the first, files of their own.
#[test]
fn compare_takes_solvers_and_states_ratios() {
    let folder = Folder::new();
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
    let output = succeeds(&folder.0, &words);
    let table = String::from_utf8(output.stdout).unwrap();
    for word in [
        "no-slip / active-set",
        "no-slip / ppm",
        "host / rapier",
        "solve_speedup_to_first",
    ] {
        assert!(table.contains(word), "{word}: {table}");
    }
    let text = folder.read("out.json");
    let results: Value = serde_json::from_str(&text).unwrap();
    let ratio = |run: usize| results[run]["comparison"]["solve_speedup_to_first"].as_f64();
    let median = |run: usize| results[run]["timing_us"]["solve_median"].as_f64().unwrap();
    assert_eq!(ratio(0), Some(1.0));
    assert_eq!(ratio(1), Some(median(0) / median(1)));
    assert!(ratio(2).is_none() && results[2]["comparison"]["step_speedup_to_first"].is_number());
    assert!(results[0]["timing_us"]["solve_total"].as_f64().unwrap() > median(0));
    let files = names(&folder.0.join("csv"));
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
}

/// The paper's comparison: its own ratios stand beside ours.
#[test]
fn the_papers_ratios_stand_beside_ours() {
    let folder = Folder::new();
    let words = [
        "compare",
        "grasp",
        "--models",
        "stewart-trinkle:lemke,no-slip:active-set,no-slip:ppm",
        "--set",
        "contacts=paper",
        "--duration",
        "0.1",
        "--json",
        "out.json",
    ];
    let output = succeeds(&folder.0, &words);
    let table = String::from_utf8(output.stdout).unwrap();
    for word in [
        "published_speedup_to_first",
        "5.510",
        "6.580",
        "solve_total_us",
    ] {
        assert!(table.contains(word), "{word}: {table}");
    }
    let results: Value = serde_json::from_str(&folder.read("out.json")).unwrap();
    let published = |run: usize| results[run]["comparison"]["published_speedup_to_first"].as_f64();
    assert_eq!([0, 1, 2].map(published), [None, Some(5.51), Some(6.58)]);
    for run in [1, 2] {
        // No-slip problems have a sixth of the unknowns: several times as fast on any machine.
        let ratio = &results[run]["comparison"]["solve_total_speedup_to_first"];
        assert!(ratio.as_f64().unwrap() > 1.0, "{ratio}");
    }
}

/// `all` is every model of ours, a row each.
#[test]
fn compare_takes_all_models() {
    let folder = Folder::new();
    let words = [
        "compare",
        "grasp",
        "--models",
        "all,host",
        "--duration",
        "0.05",
        "--json",
        "out.json",
    ];
    let output = succeeds(&folder.0, &words);
    let table = String::from_utf8(output.stdout).unwrap();
    let results: Value = serde_json::from_str(&folder.read("out.json")).unwrap();
    let results = results.as_array().unwrap();
    assert_eq!(results.len(), ModelName::ALL.len() + 1);
    for model in ModelName::ALL {
        let rows = table.lines().filter(|l| l.contains(&format!("{model} / ")));
        assert!(rows.count() >= 1, "{model}: {table}");
    }
    for word in [
        "outcome",
        "drop_m",
        "slip_max_m",
        "residual_max",
        "fallbacks",
    ] {
        assert!(table.contains(word), "{word}: {table}");
    }
}

#[test]
fn list_names_everything() {
    let output = succeeds(Path::new("."), &["list"]);
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
        "mu_torsional=0.005",
        "(ccp, dt",
        "(stewart-trinkle, dt",
        "(coulomb-acceleration, dt",
    ] {
        assert!(text.contains(word), "{word}");
    }
}
