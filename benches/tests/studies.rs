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
