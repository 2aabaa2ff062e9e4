//! Replays, plots, and outputs that can't be written.
#![allow(
    clippy::unwrap_used,
    reason = "helpers of tests fail by panicking like the tests themselves"
)]

mod common;

use common::{Folder, names, refused, split, stickslip, succeeds};
use serde_json::{Value, json};
use std::fs;

fn json_of(folder: &Folder, name: &str) -> Value {
    serde_json::from_str(&folder.read(name)).unwrap()
}

/// Runs, changes the JSON, replays; gives exit status and what was said.
fn replayed(change: impl Fn(&mut Value)) -> (Option<i32>, String) {
    let folder = Folder::new();
    let words = split("run slide --model cone --duration 0.2");
    let out = ["--rerun", "off", "--json", "run.json", "--quiet"];
    succeeds(&folder.0, &[&words[..], &out].concat());
    let mut run = json_of(&folder, "run.json");
    change(&mut run);
    fs::write(folder.0.join("run.json"), run.to_string()).unwrap();
    let output = stickslip(&folder.0, &["replay", "run.json"], "");
    assert_eq!(folder.names(), ["run.json"]);
    let text = [output.stdout, output.stderr].concat();
    (output.status.code(), String::from_utf8(text).unwrap())
}

#[test]
fn a_replay_says_whether_it_is_the_same_run() {
    let (status, text) = replayed(|_| ());
    assert_eq!(status, Some(0), "{text}");
    assert!(
        text.contains("identical, bit by bit: 40 steps, xxh64:"),
        "{text}"
    );

    let (status, text) = replayed(|run| run["metrics"]["stop_distance_m"] = json!(0.5));
    assert_eq!(status, Some(1));
    assert!(
        text.contains("the motion is the same, but `stop_distance_m` was 0.5"),
        "{text}"
    );

    // Another start gives other bits and another first figure.
    let (status, text) = replayed(|run| run["manifest"]["request"]["set"] = json!(["speed=0.9"]));
    assert_eq!(status, Some(1));
    assert!(text.contains("the first figure that differs: `"), "{text}");

    let (status, text) = replayed(|run| {
        run["manifest"]["trajectory_hash"] = json!("xxh64:0000000000000000");
        run["manifest"]["made"]["versions"]["rapier"] = json!("0.1.0");
    });
    assert_eq!(status, Some(1));
    assert!(
        text.contains("differs in its bits, no figure does"),
        "{text}"
    );
    assert!(text.contains("0.1.0"), "the other version is named: {text}");
}

#[test]
fn every_kind_of_scenario_replays() {
    let folder = Folder::new();
    for scenario in ["grasp", "stand", "contact-table", "painleve", "conveyor"] {
        for precision in ["f64", "f32"] {
            let words = [
                "compare",
                scenario,
                "--models",
                "stewart-trinkle",
                "--duration",
                "0.08",
                "--precision",
                precision,
                "--json",
                "run.json",
                "--quiet",
            ];
            succeeds(&folder.0, &words);
            succeeds(&folder.0, &["replay", "run.json"]);
        }
    }
    let words = split("compare grasp --models host,cone --duration 0.3");
    succeeds(
        &folder.0,
        &[&words[..], &["--json", "both.json", "--quiet"]].concat(),
    );
    let output = succeeds(&folder.0, &["replay", "both.json"]);
    assert_eq!(String::from_utf8(output.stdout).unwrap().lines().count(), 2);
    let words = split("sweep box --duration 0.1 --out out --quiet");
    succeeds(&folder.0, &words);
    succeeds(&folder.0, &["replay", "out/runs/000000.json"]);
}

#[test]
fn what_is_no_run_is_malformed() {
    refused(
        &["replay", "nowhere.json"],
        "",
        &["nowhere.json", "cannot be read"],
    );
    let (status, text) = replayed(|run| *run = json!([{"scenario": "box"}]));
    assert_eq!(status, Some(2), "{text}");
    assert!(
        text.contains("run.json") && text.contains("no manifest"),
        "{text}"
    );
    let (status, text) = replayed(|run| run["manifest"]["request"]["sped"] = json!(1));
    assert_eq!(status, Some(2), "{text}");
    assert!(text.contains("`sped`"), "{text}");
    let (status, text) = replayed(|run| run["manifest"]["request"]["model"] = json!("sticky"));
    assert_eq!(status, Some(2), "{text}");
    assert!(text.contains("`sticky`"), "{text}");
}

#[test]
fn plots_over_time_have_axes_units_and_legends() {
    let folder = Folder::new();
    let words = split("run slide --duration 0.2 --rerun off --plots plots --quiet");
    succeeds(&folder.0, &words);
    let files = names(&folder.0.join("plots"));
    let kinds = ["contacts", "force", "gap", "residual", "slip", "time"];
    assert_eq!(files, kinds.map(|kind| format!("slide-cone-{kind}.svg")));
    let force = folder.read("plots/slide-cone-force.svg");
    for word in [
        "time [s]",
        "force [N]",
        "normal forces",
        "weight",
        "slide, cone",
    ] {
        assert!(force.contains(word), "{word}");
    }
    let time = folder.read("plots/slide-cone-time.svg");
    for word in [
        "time [us]",
        "whole step",
        "detection",
        "assembly",
        "solve",
        "integration",
    ] {
        assert!(time.contains(word), "{word}");
    }
    // Models side by side in the same axes.
    let words = split("compare slide --models cone,host --duration 0.2");
    succeeds(
        &folder.0,
        &[&words[..], &["--plots", "both", "--quiet"]].concat(),
    );
    let slip = folder.read("both/slide-slip.svg");
    assert!(slip.contains("cone") && slip.contains("host"));
}

#[test]
fn outputs_that_cannot_be_written_lose_nothing() {
    let folder = Folder::new();
    let run = ["run", "box", "--duration", "0.1", "--quiet", "--rerun"];
    // A device without room: the table is shown in spite of --quiet.
    let output = stickslip(
        &folder.0,
        &[&run[..], &["off", "--json", "/dev/full"]].concat(),
        "",
    );
    let text = String::from_utf8(output.stderr).unwrap();
    assert_eq!(output.status.code(), Some(1), "{text}");
    assert!(
        text.contains("/dev/full") && text.contains("No space"),
        "{text}"
    );
    assert!(
        String::from_utf8(output.stdout)
            .unwrap()
            .contains("penetration_max_m")
    );
    assert_eq!(folder.names(), Vec::<String>::new());

    refused(
        &[&run[..], &["/dev/full/x.rrd"]].concat(),
        "",
        &["/dev/full"],
    );
    refused(&[&run[..], &["nowhere/x.rrd"]].concat(), "", &["nowhere"]);
    fs::write(folder.0.join("file"), "").unwrap();
    let file = folder.0.join("file").display().to_string();
    refused(
        &[&run[..], &["off", "--plots", &file]].concat(),
        "",
        &["not a folder"],
    );
    refused(
        &[&run[..], &["off", "--csv", &file]].concat(),
        "",
        &["not a folder"],
    );
    refused(&["sweep", "box", "--out", &file], "", &["not a folder"]);

    // Nobody listens there.
    let output = stickslip(
        &folder.0,
        &[&run[..], &["connect=127.0.0.1:1"]].concat(),
        "",
    );
    let text = String::from_utf8(output.stderr).unwrap();
    assert_eq!(output.status.code(), Some(1), "{text}");
    assert!(
        text.contains("127.0.0.1:1") && text.contains("no Rerun viewer"),
        "{text}"
    );
}

/// A comparison in one recording; nothing is left where it can't be made.
#[test]
fn compare_records_its_models_side_by_side() {
    let folder = Folder::new();
    let words = split("compare slide --models cone,host --duration 0.2 --quiet");
    let record = |more: &[&'static str]| [&words[..], more].concat();
    succeeds(&folder.0, &record(&[]));
    assert_eq!(folder.names(), Vec::<String>::new());
    succeeds(
        &folder.0,
        &record(&["--rerun", "both.rrd", "--offset", "-0.5,1,0"]),
    );
    let bytes = fs::read(folder.0.join("both.rrd")).unwrap();
    let has = |word: &str| bytes.windows(word.len()).any(|w| w == word.as_bytes());
    assert!(
        has("world/cone") && has("world/host"),
        "entities of both models"
    );
    refused(&record(&["--offset", "1,2"]), "", &["--offset", "X,Y,Z"]);
    refused(&record(&["--rerun", "spwan"]), "", &["spwan"]);
}
