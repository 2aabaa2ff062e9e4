//! Sweeps: rows whole or absent, resumed, in parts, interrupted, on a full disk.
#![allow(
    clippy::unwrap_used,
    reason = "helpers of tests fail by panicking like the tests themselves"
)]

mod common;

use common::rows::content;
use common::{Folder, STICKSLIP, names, program, refused, split, stickslip, succeeds};
use serde_json::Value;
use std::fs;

/// Two models, two steps, two coefficients: eight short runs.
const SMALL: [&str; 11] = [
    "sweep",
    "slope",
    "--models",
    "no-slip,cone",
    "--set",
    "mu=0.3,0.5",
    "--dt",
    "0.01,0.005",
    "--duration",
    "0.2",
    "--quiet",
];

fn with<'a>(words: &[&'a str], more: &[&'a str]) -> Vec<&'a str> {
    [words, more].concat()
}

#[test]
fn a_row_per_run_with_all_it_takes_to_repeat_it() {
    let folder = Folder::new();
    let words = with(&SMALL, &["--out", "out", "--plots", "plots", "--jobs", "2"]);
    succeeds(&folder.0, &words);
    assert_eq!(names(&folder.0.join("out/runs")).len(), 8);
    let columns = content(&folder.0.join("out"));
    let column = |name: &str| columns[name].iter().map(String::as_str).collect::<Vec<_>>();
    assert_eq!(column("run"), ["0", "1", "2", "3", "4", "5", "6", "7"]);
    assert_eq!(column("model")[3..5], ["no-slip", "cone"]);
    assert_eq!(column("dt_s")[..3], ["0.01", "0.005", "0.01"]);
    assert_eq!(column("set.mu")[..3], ["0.3", "0.3", "0.5"]);
    assert_eq!(column("steps")[..2], ["20", "40"]);
    assert!(column("error").iter().all(|cell| cell.is_empty()));
    for name in [
        "drift_m",
        "residual_max",
        "trajectory_hash",
        "cpu",
        "outcome",
    ] {
        assert!(column(name).iter().all(|cell| !cell.is_empty()), "{name}");
    }

    // The command of a row is the run itself.
    let row: Value = serde_json::from_str(&folder.read("out/runs/000006.json")).unwrap();
    let command = column("command")[6];
    assert!(command.contains("--model cone --dt 0.01"), "{command}");
    let mut again: Vec<_> = command.split(' ').skip(1).collect();
    again.extend(["--rerun", "off", "--json", "-", "--quiet"]);
    let output = succeeds(&folder.0, &again);
    let result: Value = serde_json::from_slice(&output.stdout).unwrap();
    assert_eq!(result["metrics"], row["metrics"]);
    let mark = |v: &Value| v["manifest"]["trajectory_hash"].clone();
    assert_eq!(mark(&result), mark(&row));

    let manifest: Value = serde_json::from_str(&folder.read("out/manifest.json")).unwrap();
    assert_eq!(manifest["runs"], 8);
    assert_eq!(manifest["sweep"]["models"][1], "cone");
    assert!(manifest["made"]["machine"]["cores"].as_u64().unwrap() > 0);
    assert!(manifest["made"]["started"].as_str().unwrap().ends_with('Z'));

    let plot = folder.read("plots/slope-drift_m-over-mu.svg");
    for word in [
        "no-slip, dt=0.01",
        "cone, dt=0.005",
        "mu: Coulomb",
        "drift [m]",
    ] {
        assert!(plot.contains(word), "{word}");
    }
}

#[test]
fn a_sweep_goes_on_where_it_was_left() {
    let folder = Folder::new();
    let words = with(&SMALL, &["--out", "out"]);
    succeeds(&folder.0, &words);
    let whole = content(&folder.0.join("out"));
    let path = |run: &str| folder.0.join("out/runs").join(run);
    let kept = fs::read_to_string(path("000001.json")).unwrap();
    fs::remove_file(path("000003.json")).unwrap();
    // As a killed process leaves it.
    fs::write(path(".000003.json.1234.part"), "{\"scenario\"").unwrap();
    // As a disk may leave it after a power cut.
    fs::write(path("000005.json"), "{\"scenario\": \"slo").unwrap();
    fs::remove_file(folder.0.join("out/runs.csv")).unwrap();
    succeeds(&folder.0, &words);
    assert_eq!(content(&folder.0.join("out")), whole);
    assert!(!path(".000003.json.1234.part").exists());
    // The start time in it tells that this one was not made again.
    assert_eq!(fs::read_to_string(path("000001.json")).unwrap(), kept);
}

#[test]
fn another_sweep_in_the_folder_is_refused() {
    let folder = Folder::new();
    succeeds(&folder.0, &with(&SMALL, &["--out", "out"]));
    let mut other = with(&SMALL, &["--out", "out"]);
    other[7] = "0.01";
    let output = stickslip(&folder.0, &other, "");
    let text = String::from_utf8(output.stderr).unwrap();
    assert_eq!(output.status.code(), Some(2), "{text}");
    for word in [
        "another sweep",
        "`dt` is [0.01,0.005] there and [0.01] here",
        "--out",
    ] {
        assert!(text.contains(word), "{word}: {text}");
    }
}

#[test]
fn parts_in_processes_of_their_own_make_the_same_whole() {
    let folder = Folder::new();
    succeeds(&folder.0, &with(&SMALL, &["--out", "whole"]));
    let whole = content(&folder.0.join("whole"));
    let script = concat!(env!("CARGO_MANIFEST_DIR"), "/slurm/sweep.sbatch");
    // Three tasks of an array at the same time: into one folder, and into one each.
    let task = |id: &str, out: &str| {
        let rest: Vec<_> = SMALL[1..10].to_vec();
        program(&folder.0, "bash", &with(&[script, out], &rest))
            .env("STICKSLIP", STICKSLIP)
            .env("SLURM_ARRAY_TASK_ID", id)
            .env("SLURM_ARRAY_TASK_MIN", "1")
            .env("SLURM_ARRAY_TASK_COUNT", "3")
            .spawn()
            .unwrap()
    };
    let tasks = ["1", "2", "3"].map(|id| [task(id, "shared"), task(id, &format!("part-{id}"))]);
    for child in tasks.into_iter().flatten() {
        let output = child.wait_with_output().unwrap();
        assert!(output.status.success(), "{output:?}");
    }
    assert_eq!(
        names(&folder.0.join("part-2/runs")),
        ["000001.json", "000004.json", "000007.json"]
    );
    succeeds(&folder.0, &["merge", "shared"]);
    assert_eq!(content(&folder.0.join("shared")), whole);
    succeeds(
        &folder.0,
        &["merge", "part-1", "part-2", "part-3", "--out", "merged"],
    );
    assert_eq!(content(&folder.0.join("merged")), whole);

    // A part is missing: the rest is there, and it is said.
    let output = stickslip(
        &folder.0,
        &["merge", "part-1", "part-3", "--out", "most"],
        "",
    );
    let text = String::from_utf8(output.stderr).unwrap();
    assert_eq!(output.status.code(), Some(1));
    assert!(text.contains("3 of 8 runs are missing"), "{text}");
    assert_eq!(
        content(&folder.0.join("most"))["run"],
        ["0", "2", "3", "5", "6"]
    );
}

#[test]
fn parts_of_different_sweeps_are_not_merged() {
    let folder = Folder::new();
    let one = |dt: &'static str, out: &'static str| {
        let words = [
            "sweep",
            "box",
            "--dt",
            dt,
            "--duration",
            "0.1",
            "--out",
            out,
            "--quiet",
        ];
        succeeds(&folder.0, &words);
    };
    one("0.01", "a");
    one("0.02", "b");
    let output = stickslip(&folder.0, &["merge", "a", "b", "--out", "c"], "");
    let text = String::from_utf8(output.stderr).unwrap();
    assert_eq!(output.status.code(), Some(2), "{text}");
    assert!(
        text.contains("not parts of one sweep") && text.contains("`dt`"),
        "{text}"
    );
    let output = stickslip(&folder.0, &["merge", "a", "b"], "");
    assert!(String::from_utf8_lossy(&output.stderr).contains("--out"));
    assert_eq!(folder.names(), ["a", "b"]);
}

#[test]
fn a_run_that_fails_is_a_row_that_says_why() {
    let folder = Folder::new();
    // The second duration leaves nothing to measure.
    let words = split("sweep box --set settle=0.05 --duration 0.1,0.04 --out out --quiet");
    let output = stickslip(&folder.0, &words, "");
    let text = String::from_utf8(output.stderr).unwrap();
    assert_eq!(output.status.code(), Some(1), "{text}");
    assert!(
        text.contains("1 of 2 runs failed; the first is run 1"),
        "{text}"
    );
    let columns = content(&folder.0.join("out"));
    assert_eq!(columns["outcome"], ["rests", "failed"]);
    assert!(
        columns["error"][1].contains("settle"),
        "{:?}",
        columns["error"]
    );
    assert_eq!(columns["penetration_max_m"][1], "");
}

#[test]
fn bad_lists_are_refused_before_anything_is_written() {
    let sweep = |more: &[&'static str]| with(&["sweep", "slope", "--out", "out"], more);
    refused(
        &sweep(&["--models", "cone,sticky"]),
        "",
        &["`sticky`", "frictionless"],
    );
    refused(
        &sweep(&["--models", "no-slip:apgd"]),
        "",
        &["`no-slip`", "`apgd`"],
    );
    refused(&sweep(&["--set", "mu=0.1,-1"]), "", &["`mu`", "-1"]);
    refused(
        &sweep(&["--set", "nu=0.1"]),
        "",
        &["`nu`", "did you mean `mu`?"],
    );
    refused(&sweep(&["--set", "mu"]), "", &["`mu`", "key=value,value"]);
    refused(&sweep(&["--dt", "0.01,0"]), "", &["--dt", "positive"]);
    refused(&sweep(&["--dt", "0.01,0.01"]), "", &["--dt has 0.01 twice"]);
    refused(&sweep(&["--seed", "1-x"]), "", &["--seed `1-x`"]);
    refused(&sweep(&["--shard", "4/3"]), "", &["`4/3`", "i from 1 to n"]);
    refused(&sweep(&["--jobs", "0"]), "", &["--jobs", "0"]);
    refused(&sweep(&["--robot", "x.urdf"]), "", &["slope", "--robot"]);
    let robot = ["sweep", "stand", "--robot", "nowhere.urdf", "--out", "out"];
    refused(&robot, "", &["nowhere.urdf"]);
    refused(&["merge", "nowhere"], "", &["nowhere", "no sweep"]);
}

/// Where nothing is random, several seeds are the same run: that is said, and the sweep is made.
#[test]
fn seeds_of_a_scenario_without_chance_are_noted() {
    let folder = Folder::new();
    let said = |scenario: &str, set: &str, out: &str| {
        let words = [
            "sweep",
            scenario,
            "--seed",
            "1-2",
            "--duration",
            "0.05",
            "--set",
            set,
            "--out",
            out,
        ];
        let output = succeeds(&folder.0, &words);
        String::from_utf8(output.stderr).unwrap()
    };
    let noted = said("slope", "ratio=0.5", "a");
    assert!(noted.contains("nothing in `slope` is random"), "{noted}");
    let silent = said("granular", "count=3", "b");
    assert!(!silent.contains("nothing in"), "{silent}");
}
