//! Sweeps and runs that are ended: by a signal, by a full disk.
#![cfg(unix)]
#![allow(
    clippy::unwrap_used,
    reason = "helpers of tests fail by panicking like the tests themselves"
)]

mod common;

use common::rows::content;
use common::{Folder, STICKSLIP, names, program, split, succeeds};
use serde_json::{Value, json};
use std::time::{Duration, Instant};

fn with<'a>(words: &[&'a str], more: &[&'a str]) -> Vec<&'a str> {
    [words, more].concat()
}

/// A sweep that takes long enough to be caught in the middle.
const LONG: [&str; 11] = [
    "sweep",
    "stack",
    "--seed",
    "1-24",
    "--duration",
    "3",
    "--jobs",
    "2",
    "--out",
    "out",
    "--quiet",
];

/// Whole rows so far.
fn rows(folder: &Folder) -> Vec<String> {
    let path = folder.0.join("out/runs");
    if !path.exists() {
        return Vec::new();
    }
    let mut names = names(&path);
    names.retain(|name| !name.starts_with('.'));
    names
}

/// Starts it, waits for a few rows, sends a signal, gives exit status and what it said.
fn signalled(folder: &Folder, signal: &str) -> (std::process::ExitStatus, String) {
    let child = program(&folder.0, STICKSLIP, &LONG).spawn().unwrap();
    let start = Instant::now();
    while rows(folder).len() < 3 {
        assert!(start.elapsed() < Duration::from_secs(120), "no rows come");
        std::thread::sleep(Duration::from_millis(5));
    }
    let id = child.id().to_string();
    let sent = program(&folder.0, "kill", &[signal, &id]).status().unwrap();
    assert!(sent.success());
    let output = child.wait_with_output().unwrap();
    (output.status, String::from_utf8(output.stderr).unwrap())
}

/// Nothing half done, and the same command makes the rest.
fn goes_on(folder: &Folder) {
    let before = rows(folder);
    assert!((3..24).contains(&before.len()), "{} rows", before.len());
    let text = |name: &String| folder.read(&format!("out/runs/{name}"));
    let kept: Vec<_> = before.iter().map(text).collect();
    for row in &kept {
        let row: Value = serde_json::from_str(row).unwrap();
        assert_eq!(row["steps"], 600);
    }
    assert!(!folder.0.join("out/runs.csv").exists());
    succeeds(&folder.0, &LONG);
    assert_eq!(before.iter().map(text).collect::<Vec<_>>(), kept);
    let columns = content(&folder.0.join("out"));
    let seeds: Vec<_> = (1..=24).map(|seed| seed.to_string()).collect();
    assert_eq!(columns["seed"], seeds);
}

#[test]
fn ctrl_c_ends_a_sweep_with_whole_rows_and_says_how_to_go_on() {
    let folder = Folder::new();
    let (status, text) = signalled(&folder, "-INT");
    assert_eq!(status.code(), Some(130), "{text}");
    for word in [
        "interrupted",
        "nothing half done",
        "the same command goes on",
    ] {
        assert!(text.contains(word), "{word}: {text}");
    }
    let all = names(&folder.0.join("out/runs"));
    assert_eq!(all, rows(&folder), "temporary files are left");
    goes_on(&folder);
}

#[test]
fn a_killed_sweep_has_whole_rows() {
    use std::os::unix::process::ExitStatusExt;
    let folder = Folder::new();
    let (status, _) = signalled(&folder, "-KILL");
    assert_eq!(status.signal(), Some(9));
    goes_on(&folder);
}

/// Files of more than 1024 bytes can't be written, as on a full disk; a row is longer.
#[test]
fn a_full_disk_loses_no_row() {
    let folder = Folder::new();
    let words = split("sweep box --duration 0.1 --out out --quiet --jobs 1");
    // The manifest is there already.
    succeeds(&folder.0, &words);
    std::fs::remove_file(folder.0.join("out/runs/000000.json")).unwrap();
    let limited = "trap '' XFSZ; ulimit -f 1; exec \"$0\" \"$@\"";
    let output = program(
        &folder.0,
        "bash",
        &with(&["-c", limited, STICKSLIP], &words),
    )
    .output()
    .unwrap();
    let text = String::from_utf8(output.stderr).unwrap();
    assert_eq!(output.status.code(), Some(1), "{text}");
    for word in [
        "000000.json",
        "cannot be written",
        "standard output",
        "goes on",
    ] {
        assert!(text.contains(word), "{word}: {text}");
    }
    assert_eq!(names(&folder.0.join("out/runs")), Vec::<String>::new());
    // What was computed is the row itself.
    let printed = String::from_utf8(output.stdout).unwrap();
    succeeds(&folder.0, &words);
    let (now, then): (Value, Value) = (
        serde_json::from_str(&folder.read("out/runs/000000.json")).unwrap(),
        serde_json::from_str(&printed).unwrap(),
    );
    assert_eq!(now["metrics"], then["metrics"]);
    assert_eq!(
        now["manifest"]["trajectory_hash"],
        then["manifest"]["trajectory_hash"]
    );
}

/// Files of more than 64 KiB can't be written, as on a full disk: the recording is given up, figures and
/// CSV are there.
#[test]
fn a_recording_that_fails_in_mid_run_does_not_end_the_run() {
    let folder = Folder::new();
    let words = split("run stack --duration 8 --rerun x.rrd --json x.json --quiet");
    let limited = "trap '' XFSZ; ulimit -f 64; exec \"$0\" \"$@\"";
    let output = program(
        &folder.0,
        "bash",
        &[&["-c", limited, STICKSLIP][..], &words].concat(),
    )
    .output()
    .unwrap();
    let text = String::from_utf8(output.stderr).unwrap();
    assert_eq!(output.status.code(), Some(1), "{text}");
    assert!(
        text.contains("recording failed") && text.contains("x.rrd"),
        "{text}"
    );
    assert_eq!(folder.names(), ["x.json"]);
    let result = serde_json::from_str::<Value>(&folder.read("x.json")).unwrap();
    assert_eq!(
        (&result["steps"], &result["outcome"]),
        (&json!(1600), &json!("rests"))
    );
}

/// A run that is interrupted shows what it has, and replays up to there.
#[test]
fn ctrl_c_ends_a_run_with_what_it_has() {
    let folder = Folder::new();
    let words = split("run box --duration 100000 --rerun x.rrd --json x.json");
    let child = program(&folder.0, STICKSLIP, &words).spawn().unwrap();
    // Once a part of the recording is on the disk, the run is on its way.
    let start = Instant::now();
    let written = || {
        let entries = std::fs::read_dir(&folder.0).unwrap();
        let sizes = entries.map(|e| e.unwrap().metadata().unwrap().len());
        sizes.max().unwrap_or(0)
    };
    while written() == 0 {
        assert!(
            start.elapsed() < Duration::from_secs(120),
            "no step is done"
        );
        std::thread::sleep(Duration::from_millis(5));
    }
    let id = child.id().to_string();
    program(&folder.0, "kill", &["-INT", &id]).status().unwrap();
    let output = child.wait_with_output().unwrap();
    let text = String::from_utf8(output.stderr).unwrap();
    assert_eq!(output.status.code(), Some(130), "{text}");
    assert!(text.contains("interrupted after"), "{text}");
    assert_eq!(folder.names(), ["x.json", "x.rrd"]);
    let result = serde_json::from_str::<Value>(&folder.read("x.json")).unwrap();
    assert_eq!(result["outcome"], "interrupted");
    assert!(result["steps"].as_u64().unwrap() > 0);
    succeeds(&folder.0, &["replay", "x.json"]);
}

/// A start so fast that its energy overflows: the first step has no answer, says so, and its run ends with files that
/// hold what there is. (A run that ends later keeps the steps before: the tests of Ctrl-C.)
#[test]
fn a_step_that_fails_ends_its_run_with_what_it_has() {
    let folder = Folder::new();
    let words = split(
        "run slide --model no-slip --set speed=1e200 --rerun x.rrd --json x.json --csv csv --quiet",
    );
    let output = program(&folder.0, STICKSLIP, &words).output().unwrap();
    let text = String::from_utf8(output.stderr).unwrap();
    assert_eq!(output.status.code(), Some(1), "{text}");
    assert!(
        text.contains("step 0 ") && text.contains("not finite"),
        "{text}"
    );
    assert_eq!(folder.names(), ["csv", "x.json", "x.rrd"]);
    let result: Value = serde_json::from_str(&folder.read("x.json")).unwrap();
    assert_eq!(
        (&result["outcome"], &result["steps"]),
        (&json!("failed"), &json!(0))
    );
    assert!(text.contains(result["error"].as_str().unwrap()), "{text}");
    // A head.
    assert_eq!(
        folder.read("csv/slide-no-slip-steps.csv").lines().count(),
        1
    );

    // The replay fails in the same step, for the same reason, and says that it is the same run.
    let replayed = succeeds(&folder.0, &["replay", "x.json"]);
    let text = String::from_utf8(replayed.stdout).unwrap();
    assert!(text.contains("identical"), "{text}");

    // In a sweep the others go on.
    let words = split("sweep slide --models no-slip --set speed=1e200,1 --out out --quiet");
    let output = program(&folder.0, STICKSLIP, &words).output().unwrap();
    assert_eq!(output.status.code(), Some(1));
    let columns = content(&folder.0.join("out"));
    assert_eq!(columns["outcome"][0], "failed");
    assert!(columns["error"][0].contains("not finite"));
    assert_eq!((&*columns["error"][1], &*columns["steps"][1]), ("", "200"));
}
