//! The studies in their short form: they end well and leave whole files behind.
#![allow(clippy::unwrap_used, reason = "tests fail by panicking")]

use std::fs;
use std::path::PathBuf;
use std::process::Command;

fn folder(name: &str) -> PathBuf {
    std::env::temp_dir().join(format!("stickslip-study-{name}-{}", std::process::id()))
}

fn run(binary: &str, out: &PathBuf) {
    let output = Command::new(binary)
        .env_remove("STICKSLIP_ROBOTS")
        .args(["--quick", "--out"])
        .arg(out)
        .output()
        .unwrap();
    let text = String::from_utf8_lossy(&output.stderr);
    assert!(output.status.success(), "{text}");
}

#[test]
fn the_cost_study_writes_table_and_figure() {
    let out = folder("cost");
    run(env!("CARGO_BIN_EXE_contact_cost"), &out);
    let table = fs::read_to_string(out.join("contact_cost.md")).unwrap();
    for word in ["no-slip / ppm, m = 37", "| 50 |", "exponent in n"] {
        assert!(table.contains(word), "{word}: {table}");
    }
    assert!(!table.contains("not solved"), "{table}");
    let figure = fs::read_to_string(out.join("figures/contact_cost.svg")).unwrap();
    assert!(figure.contains("no-slip / ppm, m = 6") && figure.len() < 60_000);
    fs::remove_dir_all(out).unwrap();
}

#[test]
fn every_figure_is_small_and_whole() {
    let out = folder("figures");
    run(env!("CARGO_BIN_EXE_figures"), &out);
    for name in ["hover", "grasp_hold", "painleve"] {
        let figure = fs::read_to_string(out.join(format!("{name}.svg"))).unwrap();
        assert!(
            figure.ends_with("</svg>\n") || figure.ends_with("</svg>"),
            "{name}"
        );
        assert!(figure.len() < 60_000, "{name}: {} bytes", figure.len());
    }
    fs::remove_dir_all(out).unwrap();
}

/// Every part has its table; without peers and robots a sentence stands there instead.
#[test]
fn the_benchmarks_of_others_are_a_page_with_curves() {
    let out = folder("benchmarks");
    run(env!("CARGO_BIN_EXE_benchmarks"), &out);
    let page = fs::read_to_string(out.join("benchmarks.md")).unwrap();
    for word in [
        "## Grasp and shake",
        "| catenary 15, 13 bodies",
        "| 666 3, 27 bodies",
        "| washer 3, 27 bodies",
        "Left out: no `--peers FILE` was given",
        "ANYmal under PD control is left out: ",
        "## In short",
        "666: the point of DART",
    ] {
        assert!(page.contains(word), "{word}: {page}");
    }
    let readme = out.join("README.md");
    let headline = || {
        let mut command = Command::new(env!("CARGO_BIN_EXE_benchmarks"));
        command.arg("--headline").arg(&readme);
        command.arg("--out").arg(&out).output().unwrap()
    };
    fs::write(&readme, "# A project\n").unwrap();
    let said = String::from_utf8(headline().stderr).unwrap();
    assert!(said.contains("no section"), "{said}");
    fs::write(
        &readme,
        "# A project\n\n## Where it stands\n\nold\n\n## More\n",
    )
    .unwrap();
    assert!(headline().status.success());
    let text = fs::read_to_string(&readme).unwrap();
    assert!(
        text.contains("| arch of 101 stones") && text.ends_with("\n\n## More\n"),
        "{text}"
    );
    assert!(!text.contains("old"), "{text}");
    let curve = fs::read_to_string(out.join("figures/benchmark-666.svg")).unwrap();
    assert!(curve.contains("DART at 1 ms") && curve.contains("stickslip"));
    fs::remove_dir_all(out).unwrap();
}

/// Peers are set beside ours; a file that is not there, or none of theirs, is named.
#[test]
fn peers_stand_beside_ours() {
    let out = folder("peers");
    fs::create_dir_all(&out).unwrap();
    let file = out.join("peers.json");
    let only_peers = || {
        let mut command = Command::new(env!("CARGO_BIN_EXE_benchmarks"));
        command.env_remove("STICKSLIP_ROBOTS");
        command
            .args(["--quick", "--only", "peers", "--peers"])
            .arg(&file);
        command.arg("--out").arg(&out).output().unwrap()
    };
    let said = String::from_utf8(only_peers().stderr).unwrap();
    assert!(said.contains("peers.json"), "{said}");
    fs::write(&file, "{}").unwrap();
    let said = String::from_utf8(only_peers().stderr).unwrap();
    assert!(said.contains("machine"), "{said}");
    let text = r#"{"machine": "a machine", "date": "2026-11-27", "engines": {"other": "1.2.3"}, "notes": ["One is left out."], "rows": [
        {"scene": "a1", "engine": "other", "outcome": "stands", "error": 0.001, "step_us": 1e6},
        {"scene": "wall-8", "engine": "other", "error": 0.2, "step_us": 1e6},
        {"scene": "stack", "engine": "other", "outcome": "rests", "error": 0.001, "step_us": 1e6},
        {"scene": "stack", "engine": "other", "options": "fast", "error": null, "step_us": 1e-3}]}"#;
    fs::write(&file, text).unwrap();
    assert!(only_peers().status.success());
    let page = fs::read_to_string(out.join("benchmarks.md")).unwrap();
    for word in [
        "other 1.2.3",
        "other fast",
        "stickslip, ",
        "other, ",
        "| rapier |",
        "One is left out.",
        "| other fast | 1 | 0 | 1 |",
        "a1 is left out: example-robot-data",
        "| wall-8 | deepest overlap in the last quarter [m] | cone |",
    ] {
        assert!(page.contains(word), "{word}: {page}");
    }
    fs::remove_dir_all(out).unwrap();
}
