//! Every figure of a run has a sentence, and every bound is stated.
#![allow(
    clippy::unwrap_used,
    reason = "helpers of tests fail by panicking like the tests themselves"
)]

mod common;

use common::{request, result, split, succeeds};
use std::path::Path;
use stickslip_experiments::catalog::SCENARIOS;
use stickslip_experiments::figures;

#[test]
fn every_figure_of_a_run_is_explained() {
    let mut missing = Vec::new();
    for scenario in SCENARIOS {
        let duration = scenario.duration.min(40.0 * scenario.dt);
        let result = result(&request(scenario.name, duration, &[]));
        // In a scene of one's own the name of a body comes first.
        let bare = |name: &str| name.rsplit('.').next().unwrap_or_default().to_owned();
        let stated = |name: &str| figures::of(scenario.name).find(|f| f.name == bare(name));
        for (name, _) in &result.metrics {
            if stated(name).is_none() {
                missing.push(format!("{}: {name} has no sentence", scenario.name));
            }
        }
        for criterion in &result.criteria {
            if stated(&criterion.figure).is_none_or(|f| f.bound.is_empty()) {
                missing.push(format!(
                    "{}: {} has no bound",
                    scenario.name, criterion.figure
                ));
            }
        }
        for name in scenario.summary {
            if stated(name).is_none() {
                missing.push(format!("{}: {name} has no sentence", scenario.name));
            }
        }
    }
    assert!(missing.is_empty(), "{missing:#?}");
    for figure in figures::FIGURES {
        for scenario in figure.of {
            let known = SCENARIOS.iter().any(|s| s.name == *scenario);
            assert!(known, "{}: {scenario}", figure.name);
        }
    }
}

#[test]
fn list_explains_figures() {
    let output = succeeds(Path::new("."), &split("list stand --figures"));
    let text = String::from_utf8(output.stdout).unwrap();
    for word in [
        "* slip_max_m [m]",
        "cosine of the base's tilt",
        "bound: at least 0.8",
        "residual_max",
    ] {
        assert!(text.contains(word), "{word}: {text}");
    }
}
