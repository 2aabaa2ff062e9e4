//! What a good run leaves behind.
#![allow(
    clippy::unwrap_used,
    reason = "helpers of tests fail by panicking like the tests themselves"
)]

mod common;

use common::{Folder, names, split, stickslip, succeeds};
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
    let words = split("run --duration 0.1 --json out.json --csv csv");
    let output = succeeds(&folder.0, &words);
    let table = String::from_utf8(output.stdout).unwrap();
    let verdict = table.lines().next().unwrap();
    assert!(
        verdict.starts_with("grasp with cone by engine: HELD (drop_m")
            && verdict.ends_with("at most 1.000e-3)"),
        "{table}"
    );
    for word in [
        "\n drop_m ",
        "rerun grasp.rrd",
        "out.json",
        "(all figures: --all)",
    ] {
        assert!(table.contains(word), "{word}: {table}");
    }
    assert!(
        !table.contains("pivots_mean") && table.lines().count() < 30,
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
    let steps = folder.read("csv/grasp-cone-steps.csv");
    assert_eq!(steps.lines().count(), 11);
    // All digits: what is read back is the same number.
    let figures = folder.read("csv/grasp-cone-result.csv");
    let line = figures.lines().find(|l| l.starts_with("slip_max_m,"));
    let slip: f64 = line.unwrap().split(',').nth(1).unwrap().parse().unwrap();
    assert_eq!(result["metrics"]["slip_max_m"].as_f64(), Some(slip));
    let [criterion] = &result["criteria"].as_array().unwrap()[..] else {
        panic!("{result}");
    };
    assert_eq!(criterion["figure"], "drop_m");
    assert_eq!(criterion["value"], result["metrics"]["drop_m"]);
    assert_eq!(criterion["bound"]["at_most"], 1e-3);
    assert_eq!(criterion["met"], true);
}

#[test]
fn one_folder_takes_everything() {
    let folder = Folder::new();
    let words = split("run box --duration 1.1 --out out");
    let output = succeeds(&folder.0, &words);
    let text = String::from_utf8(output.stdout).unwrap();
    assert_eq!(folder.names(), ["out"]);
    let there = ["box.json", "box.rrd", "csv", "plots"];
    assert_eq!(names(&folder.0.join("out")), there);
    for name in there {
        assert!(text.contains(&format!("out/{name}")), "{name}: {text}");
    }
    let all = succeeds(
        &folder.0,
        &["run", "box", "--duration", "1.1", "--all", "--rerun", "off"],
    );
    let all = String::from_utf8(all.stdout).unwrap();
    assert!(
        all.contains("pivots_mean") && !all.contains("Written"),
        "{all}"
    );
}

/// A second run would take the place of the first; another scenario, or what was written elsewhere, is welcome.
#[test]
fn a_folder_holds_one_run_of_a_scenario() {
    let folder = Folder::new();
    let words = split("run box --duration 0.1 --out out --quiet");
    succeeds(&folder.0, &words);
    let before = folder.read("out/box.json");
    let again = stickslip(&folder.0, &words, "");
    let text = String::from_utf8(again.stderr).unwrap();
    assert_eq!(again.status.code(), Some(2), "{text}");
    assert!(
        text.contains("out holds a run already") && text.contains("box.json"),
        "{text}"
    );
    assert_eq!(folder.read("out/box.json"), before);
    succeeds(
        &folder.0,
        &split("run stack --duration 0.1 --out out --quiet"),
    );
}

/// A bound that is missed is named with what missed it.
#[test]
fn a_run_that_misses_its_bound_says_so_first() {
    let folder = Folder::new();
    let words = split("run grasp --model frictionless --duration 0.5");
    let output = stickslip(&folder.0, &words, "");
    assert_eq!(output.status.code(), Some(3));
    let text = String::from_utf8(output.stdout).unwrap();
    let verdict = text.lines().next().unwrap();
    assert!(
        verdict.contains("DROPPED")
            && verdict.contains("above the bound 1.000e-3)")
            && verdict.ends_with("friction coefficients are ignored"),
        "{verdict}"
    );
}

#[test]
fn a_robot_without_legs_is_told_from_one_that_fell() {
    let folder = Folder::new();
    let crate_text = r#"<robot name="crate"><link name="base"><inertial><mass value="1"/>
        <inertia ixx="1" iyy="1" izz="1" ixy="0" ixz="0" iyz="0"/></inertial>
        <collision><geometry><box size="1 1 1"/></geometry></collision></link></robot>"#;
    fs::write(folder.0.join("crate.urdf"), crate_text).unwrap();
    let words = split("run stand --robot crate.urdf --duration 1.1 --rerun off");
    let output = succeeds(&folder.0, &words);
    let text = String::from_utf8(output.stdout).unwrap();
    assert!(text.contains("NO LEGS"), "{text}");
}

#[test]
fn json_on_standard_output_is_alone_there() {
    let folder = Folder::new();
    let words = split("run box --duration 1.1 --rerun off --json - --quiet");
    let output = succeeds(&folder.0, &words);
    let result: Value = serde_json::from_slice(&output.stdout).unwrap();
    assert_eq!(result["outcome"], "rests");
    assert!(output.stderr.is_empty());
    assert!(folder.names().is_empty());
}

#[test]
fn compare_gives_an_array_in_the_order_of_the_models() {
    let folder = Folder::new();
    let words = split("compare box --models no-slip,frictionless,host --duration 1.1 --json -");
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
    let words = split(
        "compare grasp --models no-slip:active-set,no-slip:ppm,host --duration 0.1 --json out.json --csv csv",
    );
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
            "grasp-host-contacts.csv",
            "grasp-host-forces.csv",
            "grasp-host-result.csv",
            "grasp-host-steps.csv",
            "grasp-no-slip-active-set-contacts.csv",
            "grasp-no-slip-active-set-forces.csv",
            "grasp-no-slip-active-set-result.csv",
            "grasp-no-slip-active-set-steps.csv",
            "grasp-no-slip-ppm-contacts.csv",
            "grasp-no-slip-ppm-forces.csv",
            "grasp-no-slip-ppm-result.csv",
            "grasp-no-slip-ppm-steps.csv",
        ]
    );
}

/// The paper's comparison: its own ratios stand beside ours.
#[test]
fn the_papers_ratios_stand_beside_ours() {
    let folder = Folder::new();
    let words = split(
        "compare grasp --models stewart-trinkle:lemke,no-slip:active-set,no-slip:ppm --set contacts=paper --duration 0.1 --all --json out.json",
    );
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
    let words = split("compare grasp --models all,host --duration 0.05 --json out.json");
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
    let text = |words: &[&str]| {
        let output = succeeds(Path::new("."), words);
        String::from_utf8(output.stdout).unwrap()
    };
    let all = text(&["list"]);
    for word in [
        "grasp",
        "free-flight",
        "no-slip-releasing",
        "host",
        "active-set",
    ] {
        assert!(all.contains(word), "{word}");
    }
    assert!(
        !all.contains("squeeze=") && all.lines().count() < 60,
        "{all}"
    );
    let grasp = text(&["list", "grasp"]);
    for word in [
        "squeeze=200",
        "directions=4",
        "mu_torsional=0 ",
        "model cone, time step 0.01 s",
        "main figures: drop_m",
        "--seed changes nothing",
    ] {
        assert!(grasp.contains(word), "{word}: {grasp}");
    }
    // What a scenario sets otherwise is its default.
    assert!(text(&["list", "spin"]).contains("mu_torsional=0.005"));
    assert!(text(&["list", "granular"]).contains("--seed changes the places"));
}

#[test]
fn completions_are_a_script() {
    let output = succeeds(Path::new("."), &["completions", "bash"]);
    let script = String::from_utf8(output.stdout).unwrap();
    assert!(script.contains("complete") && script.contains("stewart-trinkle"));
}
