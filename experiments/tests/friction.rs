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

/// Friction of maximum dissipation over a polygon with d corners has a share of cos(pi/d) along the
/// directions midway between them; the cone has all of it everywhere, straight against the motion.
#[test]
fn a_polygon_gives_away_what_its_corners_cut_off() {
    for directions in [4, 8, 16] {
        let set = format!("directions={directions}");
        let result = run_with("polygon", "stewart-trinkle", TURN, &[&set]);
        assert_eq!(result.outcome, "slides");
        close(&result, "polygon_error_rel", 0.0, 1e-9);
        let least = (PI / f64::from(directions)).cos();
        close(&result, "friction_share_min", least, 1e-9);
        close(&result, "friction_share_max", 1.0, 1e-9);
        // No corner is farther than half the angle between two.
        let heading = figure(&result, "heading_error_max_rad");
        assert!(heading > 0.0 && heading <= PI / f64::from(directions) + 1e-9);
    }
    for (model, bound) in [
        ("cone", 1e-8),
        ("ccp", 1e-5),
        ("coulomb-acceleration", 1e-8),
    ] {
        let result = run_with("polygon", model, TURN, &[]);
        assert_eq!(result.outcome, "slides", "{model}");
        close(&result, "friction_share_min", 1.0, bound);
        close(&result, "friction_share_max", 1.0, bound);
        close(&result, "heading_error_max_rad", 0.0, bound);
    }
}

/// The exact models stop a block after the discrete `v0^2 / (2 mu g)`, straight on, in every direction; the
/// pyramid stops it late and turned away between its corners.
#[test]
fn a_sliding_block_stops_where_coulomb_says() {
    for direction in ["direction=0", "direction=22.5", "direction=45"] {
        let result = run_with("slide", "cone", 0.5, &[direction]);
        assert_eq!(result.outcome, "stopped");
        let scheme = figure(&result, "stop_distance_scheme_m");
        close(&result, "stop_distance_m", scheme, 1e-6);
        close(&result, "heading_error_rad", 0.0, 1e-6);
    }
    let pyramid = run_with("slide", "stewart-trinkle", 0.5, &["direction=22.5"]);
    assert!(figure(&pyramid, "stop_distance_error_rel") > 0.1);
    assert!(figure(&pyramid, "heading_error_rad") > 0.1);
    // Between the corners of the diagonal nothing turns it; friction is cos(pi/4) of the cone's.
    let diagonal = run_with("slide", "stewart-trinkle", 0.5, &["direction=45"]);
    let expected = 1.0 / (PI / 4.0).cos() - 1.0;
    close(&diagonal, "stop_distance_error_rel", expected, 0.03);
    close(&diagonal, "heading_error_rad", 0.0, 1e-6);
}

/// D4: sticks just below the threshold, slides with `g (sin - mu cos)` just above it, in any direction.
#[test]
fn on_a_slope_the_cone_sticks_and_slides_as_coulomb_says() {
    for direction in ["direction=0", "direction=30", "direction=45"] {
        let below = run_with("slope", "cone", 0.5, &["ratio=0.98", direction]);
        assert_eq!(below.outcome, "sticks");
        close(&below, "creep_m_per_s", 0.0, 1e-9);
        let above = run_with("slope", "cone", 0.5, &["ratio=1.02", direction]);
        assert_eq!(above.outcome, "slides");
        close(&above, "acceleration_error_rel", 0.0, 1e-6);
        close(&above, "heading_error_rad", 0.0, 1e-6);
    }
}

/// C3: the convex model lifts a sliding cube by `h mu |v_tan|` in a step; exact laws, and the convex one
/// after De Saxce's fixed point, leave it on the ground.
#[test]
fn only_the_convex_model_lifts_a_sliding_cube() {
    let lifted = run_with("hover", "ccp", 0.05, &[]);
    assert_eq!(lifted.outcome, "lifts");
    let predicted = figure(&lifted, "hover_predicted_m");
    assert!(predicted > 0.01);
    close(&lifted, "hover_height_m", predicted, 1e-6);
    for (model, set) in [
        ("cone", &[][..]),
        ("stewart-trinkle", &[]),
        ("coulomb-acceleration", &[]),
        ("ccp", &["hover=remove"]),
    ] {
        let result = run_with("hover", model, 0.2, set);
        assert_eq!(result.outcome, "slides", "{model}");
        close(&result, "lift_max_m", 0.0, 1e-9);
        // What Coulomb friction leaves of 6 m/s.
        close(&result, "speed_end_m_per_s", 6.0 - 0.5 * 9.81 * 0.2, 1e-6);
    }
}

/// Two cubes of 1 kg under 200 N hang on friction alone: mu = 0.049 is what it takes [D15, Table I].
#[test]
fn the_grasp_holds_above_its_friction_and_drops_below() {
    for model in ["stewart-trinkle", "cone"] {
        let set = ["contacts=paper", "mu=0.048"];
        let slipping = run_with("grasp", model, 0.5, &set);
        assert_ne!(slipping.outcome, "held", "{model}");
        // It falls, but not freely: most of the weight is carried.
        let drop = figure(&slipping, "drop_m");
        assert!(drop > 1e-3 && drop < 0.1, "{model}: {drop}");
        let held = run_with("grasp", model, 0.5, &["contacts=paper", "mu=0.05"]);
        assert_eq!(held.outcome, "held", "{model}");
        close(&held, "drop_m", 0.0, 1e-9);
    }
}

/// Torsional friction takes `mu_torsional m g / I` from a spin, rolling friction `5/7 mu_rolling g / r`
/// from a speed; both are exact in steps that end before rest.
#[test]
fn spinning_and_rolling_balls_slow_down_as_their_closed_forms() {
    for model in ["cone", "stewart-trinkle"] {
        let spin = run_with("spin", model, 0.3, &["mu_torsional=0.005"]);
        assert_eq!(spin.outcome, "spins");
        close(&spin, "closed_form_error_rel", 0.0, 1e-7);
        let roll = run_with("roll", model, 0.3, &["mu_rolling=0.005"]);
        assert_eq!(roll.outcome, "rolls");
        close(&roll, "closed_form_error_rel", 0.0, 1e-7);
        let rest = run_with("spin", model, 1.0, &["mu_torsional=0.02"]);
        assert_eq!(rest.outcome, "rests");
    }
}

/// A block on viscous contacts: `v0 / (1 + h n mu_v / m)^k` by implicit Euler.
#[test]
fn viscous_contacts_slow_a_block_exponentially() {
    let result = run_with("slide", "viscous", 0.5, &["mu_viscous=0.3"]);
    assert_eq!(result.outcome, "slides");
    let expected = (1.0_f64 + 0.005 * 4.0 * 0.3).powi(-100);
    close(&result, "speed_end_m_per_s", expected, 1e-9);
}

/// The table runs under whatever model; a size that was solved says so.
#[test]
fn the_contact_table_counts_what_was_solved() {
    for model in ["no-slip", "stewart-trinkle"] {
        let result = run_with("contact-table", model, 0.16, &[]);
        assert_eq!(result.outcome, "solved", "{model}");
        for name in ["016", "050", "100", "170"] {
            assert_eq!(figure(&result, &format!("solved_share_{name}")), 1.0);
            assert!(figure(&result, &format!("solve_median_{name}_us")) > 0.0);
        }
        assert_eq!(result.solver_stats.contacts_max, 30);
    }
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
    // At velocity level an impulse stops the foot, and the rod goes on turning about it.
    for model in ["stewart-trinkle", "cone", "no-slip"] {
        let through = run_with("painleve", model, 0.05, &[]);
        assert_eq!(through.outcome, "passed", "{model}");
        assert_eq!(through.steps, 50);
        close(&through, "foot_speed_m_per_s", 0.0, 1e-5);
        assert!(figure(&through, "angle_rad") > PI / 3.0);
    }
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
