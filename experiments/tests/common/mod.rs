//! Runs of scenarios and of the command, for tests.
#![allow(clippy::unwrap_used, reason = "helpers of tests")]
#![allow(dead_code, reason = "each test file uses a part of it")]

mod command;
pub mod rows;

#[allow(unused_imports, reason = "each test file uses a part of it")]
pub use command::{Folder, STICKSLIP, names, program, refused, split, stickslip, succeeds};
use std::path::PathBuf;
use stickslip_experiments::result::RunResult;
use stickslip_experiments::runner::run;
use stickslip_experiments::settings::{Precision, Request, RunSettings};

/// A scenario over its default model, with a duration [s] and settings.
pub fn request(scenario: &str, duration: f64, set: &[&str]) -> Request {
    Request {
        scenario: scenario.to_owned(),
        duration: Some(duration),
        set: set.iter().map(|s| (*s).to_owned()).collect(),
        ..Request::default()
    }
}

/// The same in single precision.
pub fn single(request: Request) -> Request {
    Request {
        precision: Precision::F32,
        ..request
    }
}

/// The same under another model.
pub fn under(model: &str, request: Request) -> Request {
    Request {
        model: Some(model.to_owned()),
        ..request
    }
}

/// Runs it.
pub fn result(request: &Request) -> RunResult {
    let settings = RunSettings::new(request).unwrap();
    run(&settings).unwrap()
}

/// A figure; its absence is a failure.
pub fn figure(result: &RunResult, name: &str) -> f64 {
    result
        .metric(name)
        .unwrap_or_else(|| panic!("{} has no figure {name}", result.scenario))
}

/// Runs a scenario under a model, with a duration [s] and settings.
pub fn run_with(scenario: &str, model: &str, duration: f64, set: &[&str]) -> RunResult {
    result(&under(model, request(scenario, duration, set)))
}

/// Fails unless a figure is within a bound of what is expected.
pub fn close(result: &RunResult, name: &str, expected: f64, bound: f64) {
    let value = figure(result, name);
    assert!(
        (value - expected).abs() <= bound,
        "{} ({}): {name} = {value:e}, not {expected:e} to {bound:e}",
        result.scenario,
        result.model
    );
}

/// Fails unless each figure is below its bound.
pub fn assert_below(result: &RunResult, bounds: &[(&str, f64)]) {
    for (name, bound) in bounds {
        let value = figure(result, name);
        assert!(
            value < *bound,
            "{} ({}, {}): {name} = {value:e}, the bound is {bound:e}",
            result.scenario,
            result.model,
            result.precision
        );
    }
    let stats = &result.solver_stats;
    assert_eq!(
        stats.failures,
        Some(0),
        "{}: failed solves",
        result.scenario
    );
}

/// The folder of public robots.
pub fn robots() -> PathBuf {
    let folder = std::env::var_os("STICKSLIP_ROBOTS");
    PathBuf::from(folder.expect("STICKSLIP_ROBOTS names no folder of robots"))
}
