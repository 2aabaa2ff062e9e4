//! Random problems that once ended without a verified answer.
//!
//! Two causes. Bases nearer singular than 16 digits can tell (coefficients of 1e6, masses a million times
//! apart, dependent rows of friction) sent Lemke's method astray; the precise rung keeps 32. And walls
//! that contradict each other by little were not recognised, since other impulses hid the growth of
//! theirs; what counts is what the walls give.
//!
//! Two more causes on the precise rung itself. Where rows depend on each other the ratio test tied in
//! many of them, and rates that were nothing but round-off won: 32 digits were gone after 300 pivots.
//! And impulses a million times as large as the velocities they leave were rounded to 16 digits before
//! those were summed. Where dozens of contacts rest, thresholds that tell ties from round-off sometimes
//! fail; then the values are set apart (149426). Where such impulses share a bound of friction, no 16 digits keep it: the walls that
//! ask for them are relaxed.

use crate::common::{Solver, campaign, campaign::Kind};
use stickslip_core::models::{ModelName, ModelSettings};
use stickslip_core::problem::ProblemBuilder;
use stickslip_core::report::{SolveReport, SolveStatus};

fn solve(seed: u64, kind: Kind) -> SolveReport {
    let mut builder = ProblemBuilder::new();
    campaign::draw(&mut builder, seed, (2, 60), kind);
    let mut solver = Solver::new(ModelName::StewartTrinkle, ModelSettings::default());
    solver.solve(builder.problem())
}

/// The work of the precise rung is bounded by a count, and a step that runs into it says so.
#[test]
fn precise_work_is_bounded() {
    let mut builder = ProblemBuilder::new();
    campaign::draw(&mut builder, 639, (2, 60), Kind::WellPosed);
    let [nothing, little, enough] = [0, 200_000, 5_000_000_000].map(|precise_work| {
        let mut settings = ModelSettings::default();
        settings.polygon.precise_work = precise_work;
        let mut solver = Solver::new(ModelName::StewartTrinkle, settings);
        let report = solver.solve(builder.problem());
        (report.status, report.pivots, report.rungs.precise)
    });
    for (status, ..) in [nothing, little] {
        assert!(status > SolveStatus::Relaxed, "{status:?}");
    }
    // A pivot computes at least a number for every two contacts of its island.
    let contacts = builder.problem().contact_count() / builder.problem().island_count();
    let numbers = (little.1 - nothing.1) * contacts * contacts;
    assert!(0 < numbers && numbers <= 300_000, "{numbers}");
    assert_eq!(enough.0, SolveStatus::Solved);
    assert_eq!(enough.2, 1);
}

fn solved(seed: u64, kind: Kind) {
    let report = solve(seed, kind);
    assert_eq!(report.status, SolveStatus::Solved, "seed {seed} {report:?}");
    assert!(report.residuals.max() <= 1e-9, "seed {seed} {report:?}");
}

#[test]
fn nearly_singular_bases_are_solved() {
    for (seed, kind) in [
        (1694, Kind::Any),
        (9013, Kind::Any),
        (18074, Kind::Any),
        (639, Kind::WellPosed),
        (232_014, Kind::WellPosed),
        (431_219, Kind::WellPosed),
    ] {
        solved(seed, kind);
    }
}

#[test]
fn ties_are_not_decided_by_round_off() {
    for (seed, kind) in [
        (45829, Kind::WellPosed),
        (76341, Kind::WellPosed),
        (185_816, Kind::WellPosed),
        (559_245, Kind::WellPosed),
    ] {
        solved(seed, kind);
    }
}

#[test]
fn velocities_are_summed_before_impulses_are_rounded() {
    for (seed, kind) in [
        (48370, Kind::WellPosed),
        (205_016, Kind::WellPosed),
        (412_746, Kind::WellPosed),
    ] {
        solved(seed, kind);
    }
}

#[test]
fn impulses_that_no_answer_can_hold_are_relaxed() {
    let report = solve(12344, Kind::Any);
    assert_eq!(report.status, SolveStatus::Relaxed, "{report:?}");
    assert!(report.residuals.max() <= 1e-9, "{report:?}");
    assert!(report.residuals.contradiction > 1e-8, "{report:?}");
}

#[test]
fn contradictions_are_recognised() {
    for seed in [
        2022, 3734, 4116, 6811, 6839, 8452, 10007, 10623, 12180, 12913, 14229, 15051, 17438,
    ] {
        let report = solve(seed, Kind::Any);
        assert_eq!(
            report.status,
            SolveStatus::Relaxed,
            "seed {seed} {report:?}"
        );
        assert!(report.residuals.max() <= 1e-9, "seed {seed} {report:?}");
        // What is not met is shown.
        assert!(
            report.residuals.contradiction > 1e-8,
            "seed {seed} {report:?}"
        );
    }
}

/// Cause: a bound on the round-off of friction that is sure but seldom reached; how the digits fall, only the
/// judge knows.
#[test]
fn answers_whose_last_digits_happen_to_do_are_kept() {
    for seed in [736_409, 984_739] {
        solved(seed, Kind::WellPosed);
    }
}

/// Cause: impulses of 1e4 to 1e6 times the speed, which an answer can hold, passed for a contradiction.
#[test]
fn large_impulses_are_no_contradiction() {
    for (seed, kind) in [(4942, Kind::Any), (136_596, Kind::WellPosed)] {
        solved(seed, kind);
    }
}

#[test]
#[ignore = "large problems, seconds each; run with --release -- --ignored"]
fn large_ones_too() {
    for seed in [
        363, 1034, 1192, 1475, 2266, 2919, 3968, 5888, 6140, 7947, 16527, 16775, 17302, 18052,
        19123, 19982, 5344, 10043, 14913, 16047,
    ] {
        let report = solve(seed, Kind::Any);
        assert!(
            report.status <= SolveStatus::Relaxed,
            "seed {seed} {report:?}"
        );
        assert!(report.residuals.max() <= 1e-9, "seed {seed} {report:?}");
    }
    for seed in [
        6114, 43288, 55487, 67889, 149_426, 159_347, 590_461, 764_743,
    ] {
        solved(seed, Kind::WellPosed);
    }
}
