//! The report: a page, its table, and what it shows.
#![allow(
    clippy::unwrap_used,
    reason = "helpers of tests fail by panicking like the tests themselves"
)]

mod common;

use common::rows::columns;
use common::{Folder, names, refused, split, stickslip, succeeds};
use serde_json::Value;

#[test]
fn a_report_sets_figures_beside_those_of_others() {
    let folder = Folder::new();
    let words = split("report --short --only C3,D4-holds --out out --quiet");
    succeeds(&folder.0, &words);
    let table = columns(&folder.read("out/report.csv"));
    let cell = |name: &str, row: usize| table[name][row].as_str();
    let number = |name: &str, row: usize| cell(name, row).parse::<f64>().unwrap();
    assert_eq!(
        (cell("experiment", 0), cell("model", 0)),
        ("C3-hover", "cone")
    );
    assert_eq!(
        (cell("other", 0), number("theirs", 0)),
        ("Genesis", 318.0 / 1000.0)
    );
    // The convex model lifts the cube, the others don't: h mu v at least is what it leaves.
    assert!(number("ours", 0).abs() < 1e-9);
    let ccp = table["model"].iter().position(|m| m == "ccp").unwrap();
    assert!(number("ours", ccp) > 0.005 * 0.5 * 6.0 / 2.0);
    let ratio = number("ours", ccp) / number("theirs", ccp);
    assert_eq!(number("ratio", ccp), ratio.abs());
    assert!(
        table["other"]
            .iter()
            .any(|who| who == "rapier, in the same run")
    );

    let results: Value = serde_json::from_str(&folder.read("out/results/C3-hover.json")).unwrap();
    let lift = results[0]["metrics"]["lift_max_m"].as_f64().unwrap();
    assert_eq!(number("ours", 0), lift);
    assert_eq!(
        names(&folder.0.join("out/recordings")),
        ["C3-hover.rrd", "D4-holds.rrd"]
    );
    let page = folder.read("out/report.html");
    for word in [
        "<table>",
        "<td>Genesis</td>",
        "<td class=\"pass\">pass</td>",
        "comparisons pass",
        "<td>Genesis issue 3126 (fixed there in July 2026)</td>",
        "stickslip compare hover",
        "<img src=\"plots/C3-hover-gap.svg\"",
        "href=\"recordings/D4-holds.rrd\"",
    ] {
        assert!(page.contains(word), "{word}");
    }
    let plots = names(&folder.0.join("out/plots"));
    for plot in &plots {
        assert!(page.contains(plot), "{plot} is not shown");
    }
    assert!(plots.len() >= 12);
    let report: Value = serde_json::from_str(&folder.read("out/report.json")).unwrap();
    assert_eq!(
        report["rows"].as_array().unwrap().len(),
        table["ours"].len()
    );
}

/// The page of the documentation: no plots, no recordings, the summary first, every miss with how much.
#[test]
fn a_report_writes_the_page_of_the_docs_alone() {
    let folder = Folder::new();
    let words = split("report --short --only C3,D6 --markdown validation.md");
    let said = succeeds(&folder.0, &words);
    assert_eq!(folder.names(), ["validation.md"]);
    let page = folder.read("validation.md");
    let rows = |word: &str| {
        let table = page.lines().filter(|l| l.split(" | ").count() == 10);
        table
            .filter(|l| l.contains(&format!(" | {word} | ")))
            .count()
    };
    let (pass, miss, none) = (rows("pass"), rows("miss"), rows("no bound"));
    let summary = format!(
        "**{pass} of {} comparisons pass, {miss} miss; {none} figures have no bound.**",
        pass + miss
    );
    assert!(page.contains(&summary), "{summary}: {page}");
    // The terminal ends with the same words and the file.
    let said = String::from_utf8(said.stdout).unwrap();
    let end = format!(
        "{}\n\nWritten:\n  validation.md\n",
        summary.trim_matches('*')
    );
    assert!(said.ends_with(&end), "{end}: {said}");
    assert!(
        pass > 5 && page.find(&summary) < page.find("| experiment | figure"),
        "{page}"
    );
    for word in [
        "**C3-hover.**",
        "stickslip compare hover",
        "Genesis issue 3126 (fixed there in July 2026)",
    ] {
        assert!(page.contains(word), "{word}: {page}");
    }
    refused(&["report", "--only", "C3"], "", &["--out"]);
}

#[test]
fn what_a_report_cannot_make_is_said() {
    refused(
        &["report", "--only", "A9", "--out", "out"],
        "",
        &["`A9`", "A1-times", "D6-stop"],
    );
    // An experiment that needs a robot, and a folder that has none: the other one is made.
    let folder = Folder::new();
    let words = split("report --short --only D5,D6 --robots nowhere --out out --quiet");
    let output = stickslip(&folder.0, &words, "");
    let text = String::from_utf8(output.stderr).unwrap();
    assert_eq!(output.status.code(), Some(1), "{text}");
    assert!(
        text.contains("D5-stand") && text.contains("a1.urdf"),
        "{text}"
    );
    let page = folder.read("out/report.md");
    assert!(
        page.contains("| D6-stop | stop distance error [-] | cone |"),
        "{page}"
    );
    let mut heads = page.lines().filter(|l| l.starts_with("| experiment |"));
    assert!(
        heads.any(|l| l.ends_with("| wanted | verdict | source |")),
        "{page}"
    );
    // Rapier's own is a row's neighbour, never beside itself.
    assert!(!page.contains("| host | "), "{page}");
    assert!(page.contains("## D5-stand"), "{page}");
}
