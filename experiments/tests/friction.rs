//! What each model makes of sliding, against closed forms.
#![allow(
    clippy::unwrap_used,
    reason = "helpers of tests fail by panicking like the tests themselves"
)]

mod common;

use common::{figure, request, result, under};
use std::f64::consts::PI;
use stickslip_core::models::ModelName;
use stickslip_experiments::result::RunResult;
use stickslip_experiments::runner::run;
use stickslip_experiments::settings::{Model, Precision, Request, RunSettings};

fn run_with(scenario: &str, model: &str, duration: f64, set: &[&str]) -> RunResult {
    result(&under(model, request(scenario, duration, set)))
}

fn close(result: &RunResult, name: &str, expected: f64, bound: f64) {
    let value = figure(result, name);
    assert!(
        (value - expected).abs() <= bound,
        "{} ({}): {name} = {value:e}, not {expected:e} to {bound:e}",
        result.scenario,
        result.model
    );
}

/// 96 directions: those midway between the corners of 4, 8 and 16 are among them.
const TURN: f64 = 0.096;

#[test]
fn without_friction_nothing_acts_and_without_slip_the_block_stops() {
    let smooth = run_with("polygon", "frictionless", TURN, &[]);
    assert_eq!(smooth.outcome, "slides");
    close(&smooth, "friction_share_max", 0.0, 1e-12);
    let stuck = run_with("polygon", "no-slip", TURN, &[]);
    assert_eq!(stuck.outcome, "sticks");
    // Far more than Coulomb friction allows.
    assert!(figure(&stuck, "friction_share_min") > 5.0);
}

/// The table runs under whatever model; a size that was solved says so.
#[test]
fn the_contact_table_counts_what_was_solved() {
    let result = run_with("contact-table", "no-slip", 0.08, &[]);
    assert_eq!(result.outcome, "solved");
    for name in ["016", "050", "100", "170"] {
        assert_eq!(figure(&result, &format!("solved_share_{name}")), 1.0);
        assert!(figure(&result, &format!("solve_median_{name}_us")) > 0.0);
    }
    assert_eq!(result.solver_stats.contacts_max, 30);
}

/// 60 degrees and mu = 2: m A = 1 + 3 cos (cos - mu sin) = -0.848.
#[test]
fn the_rod_is_where_no_force_holds_it() {
    let (sin, cos) = (PI / 3.0).sin_cos();
    let number = 1.0 + 3.0 * cos * (cos - 2.0 * sin);
    let stopped = run_with("painleve", "coulomb-acceleration", 0.05, &[]);
    assert_eq!(stopped.outcome, "no-solution");
    assert_eq!(stopped.steps, 1);
    close(&stopped, "painleve_number", number, 1e-12);
    close(&stopped, "time_s", 0.0, 0.0);
    // Outside of the region the same model goes on: a force is there.
    let passed = run_with("painleve", "coulomb-acceleration", 0.05, &["mu=0.5"]);
    assert_eq!(passed.outcome, "passed");
    assert!(figure(&passed, "normal_force_max_N") > 0.0);
    let through = run_with("painleve", "no-slip", 0.05, &[]);
    assert_eq!(through.outcome, "passed");
}

/// Every scenario under every model of ours, in both precisions: no crash, an outcome that says
/// something, figures that are numbers. What the models make of it is not judged here.
#[test]
fn every_scenario_runs_under_every_model() {
    for scenario in stickslip_experiments::catalog::SCENARIOS {
        for model in ModelName::ALL {
            for precision in [Precision::F64, Precision::F32] {
                let order = ["order=false".to_owned()];
                let flight = scenario.name == "free-flight";
                let request = Request {
                    scenario: scenario.name.to_owned(),
                    model: Some(model.as_str().to_owned()),
                    duration: Some(12.0 * scenario.dt),
                    set: if flight { order.to_vec() } else { Vec::new() },
                    precision,
                    ..Request::default()
                };
                let settings = RunSettings::new(&request).unwrap();
                assert_eq!(settings.model, Model::Ours(model));
                let what = format!("{} under {model}, {}", scenario.name, precision.as_str());
                let result = run(&settings).unwrap_or_else(|e| panic!("{what}: {e}"));
                assert!(!result.outcome.is_empty(), "{what}: no outcome");
                for (name, value) in &result.metrics {
                    assert!(!value.is_nan(), "{what}: {name} is not a number");
                }
                let residual = result.solver_stats.residual_max;
                assert!(residual.is_some_and(|r| !r.is_nan()), "{what}: no residual");
            }
        }
    }
}
