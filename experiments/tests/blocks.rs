//! A block on a plane under every model, against its closed form: slopes (D4), stopping (D6), belts.
#![allow(
    clippy::unwrap_used,
    reason = "helpers of tests fail by panicking like the tests themselves"
)]

mod common;

use common::{close, figure, run_with};
use std::f64::consts::PI;
use stickslip_core::models::ModelName;
use stickslip_experiments::result::RunResult;

const G: f64 = 9.81;
const MU: f64 = 0.5;

/// Models whose friction is bounded by a polygon with four corners, one of them along x.
const POLYGONS: [&str; 3] = ["stewart-trinkle", "anitescu-potra", "drumwright-shell"];

/// How far from its closed form a velocity may be [m/s]: what a model's iterations leave (the convex one
/// stops at a residual of 1e-6 of the speeds), or round-off.
fn bound(model: ModelName) -> f64 {
    match model {
        ModelName::Ccp => 1e-5,
        _ => 1e-9,
    }
}

/// Settings beside those of the scenario.
///
/// What holds a contact at rest is the circle, not the pyramid.
fn settings(model: ModelName) -> &'static [&'static str] {
    match model {
        ModelName::CoulombAcceleration => &["rolling_friction=cone"],
        _ => &[],
    }
}

/// Runs every model of ours and holds it against its own closed form.
fn every_model(scenario: &str, duration: f64, set: &[&str]) -> Vec<(ModelName, RunResult)> {
    let runs = ModelName::ALL.map(|model| {
        let set = [set, settings(model)].concat();
        let result = run_with(scenario, model.as_str(), duration, &set);
        close(&result, "closed_form_error_m_per_s", 0.0, bound(model));
        assert_eq!(result.solver_stats.failures, Some(0), "{scenario} {model}");
        (model, result)
    });
    runs.into()
}

fn of<'a>(runs: &'a [(ModelName, RunResult)], model: &str) -> &'a RunResult {
    &runs
        .iter()
        .find(|(name, _)| name.as_str() == model)
        .unwrap()
        .1
}

/// D4: below the threshold a block sticks, above it slides with `g (sin - mu cos)`, in any direction:
/// so the cone. Polygons do along their corners; between them they have `mu cos(pi/d)`.
#[test]
fn on_a_slope_blocks_stick_and_slide() {
    for direction in ["direction=0", "direction=30", "direction=45"] {
        for ratio in [0.98, 1.02] {
            let runs = every_model("slope", 0.5, &[&format!("ratio={ratio}"), direction]);
            let theta = (ratio * MU).atan();
            let coulomb = G * (theta.sin() - MU * theta.cos());
            for model in ["no-slip", "no-slip-releasing"] {
                close(of(&runs, model), "drift_m", 0.0, 1e-9);
            }
            for model in ["cone", "coulomb-acceleration"] {
                let run = of(&runs, model);
                if ratio < 1.0 {
                    assert_eq!(run.outcome, "sticks", "{model} {direction}");
                    close(run, "creep_m_per_s", 0.0, 1e-9);
                } else {
                    assert_eq!(run.outcome, "slides", "{model} {direction}");
                    close(run, "acceleration_m_per_s2", coulomb, 1e-6 * coulomb);
                    close(run, "heading_error_rad", 0.0, 1e-6);
                }
            }
            // Sticking or not is the same for the convex model; sliding lifts it.
            let convex = of(&runs, "ccp");
            assert_eq!(convex.outcome == "sticks", ratio < 1.0, "{direction}");
            let without = run_with(
                "slope",
                "ccp",
                0.5,
                &[&format!("ratio={ratio}"), direction, "hover=remove"],
            );
            close(&without, "closed_form_error_m_per_s", 0.0, 1e-6);
            for model in POLYGONS {
                let run = of(&runs, model);
                let corner = direction == "direction=0";
                let sticks = corner && ratio < 1.0;
                assert_eq!(run.outcome == "sticks", sticks, "{model} {direction}");
                let expected = match direction {
                    "direction=0" => coulomb.max(0.0),
                    "direction=45" => G * (theta.sin() - MU * (PI / 4.0).cos() * theta.cos()),
                    _ => continue,
                };
                close(run, "acceleration_m_per_s2", expected, 1e-9);
            }
            // g sin, and g sin less n mu_v v / m.
            let smooth = of(&runs, "frictionless");
            close(smooth, "acceleration_m_per_s2", G * theta.sin(), 1e-9);
            for model in ["viscous", "viscous-acceleration"] {
                let speed = 0.5 * figure(of(&runs, model), "acceleration_m_per_s2");
                let rate = 4.0 * 0.1;
                let exact = G * theta.sin() / rate * (1.0 - (-rate * 0.5_f64).exp());
                assert!((speed / exact - 1.0).abs() < 2e-3, "{model}: {speed}");
            }
        }
    }
}

/// D6: a box of 1 m/s stops after the discrete `v0^2 / (2 mu g)`, straight on, in every direction: so the
/// cone. The polygon stops it late between its corners, and turns it aside.
#[test]
fn a_sliding_block_stops_where_coulomb_says() {
    for direction in ["direction=0", "direction=22.5", "direction=45"] {
        // At 1 m/s an impulse that stops the box at once would tip it; at 0.1 m/s gravity holds it down.
        let slow = every_model("slide", 0.3, &["speed=0.1", direction]);
        for model in ["no-slip", "no-slip-releasing", "quasi-static"] {
            let run = of(&slow, model);
            assert_eq!(run.outcome, "stopped");
            close(run, "stop_distance_m", 0.0, 1e-12);
        }
        let run = |model: &str| {
            let set = [settings(ModelName::CoulombAcceleration), &[direction]].concat();
            run_with("slide", model, 0.5, &set)
        };
        for model in ["cone", "coulomb-acceleration"] {
            let result = run(model);
            assert_eq!(result.outcome, "stopped");
            let scheme = figure(&result, "stop_distance_scheme_m");
            close(&result, "closed_form_error_m_per_s", 0.0, 1e-9);
            close(&result, "stop_distance_m", scheme, 1e-6);
            close(&result, "heading_error_rad", 0.0, 1e-6);
        }
        for model in POLYGONS {
            let result = run(model);
            close(&result, "closed_form_error_m_per_s", 0.0, 1e-9);
            let error = figure(&result, "stop_distance_error_rel");
            match direction {
                "direction=0" => assert!(error < 0.0 && error > -0.03, "{error}"),
                "direction=22.5" => {
                    assert!(error > 0.1);
                    assert!(figure(&result, "heading_error_rad") > 0.1);
                }
                // Nothing turns it; friction is cos(pi/4) of the cone's.
                _ => {
                    let expected = 1.0 / (PI / 4.0).cos() - 1.0;
                    close(&result, "stop_distance_error_rel", expected, 0.03);
                    close(&result, "heading_error_rad", 0.0, 1e-6);
                }
            }
        }
        // What is left of the speed by the linear laws: 1 / (1 + h n mu_v / m)^k, and exp.
        let set = [direction, "mu_viscous=0.3"];
        let implicit = run_with("slide", "viscous", 0.5, &set);
        let expected = (1.0_f64 + 0.005 * 4.0 * 0.3).powi(-100);
        close(&implicit, "speed_end_m_per_s", expected, 1e-9);
        let stages = run_with("slide", "viscous-acceleration", 0.5, &set);
        close(
            &stages,
            "speed_end_m_per_s",
            (-4.0 * 0.3 * 0.5_f64).exp(),
            1e-9,
        );
    }
}

/// A box set down on a belt of speed u is taken along with `mu g`, then rides; it slips by the discrete
/// `u^2 / (2 mu g)`. No-slip takes it along at once.
#[test]
fn a_box_on_a_belt_rides() {
    for direction in ["direction=0", "direction=30", "direction=45"] {
        // Slow enough that no-slip doesn't tip it.
        let slow = every_model("conveyor", 0.2, &["speed=0.1", direction, "mu_viscous=10"]);
        for (model, run) in &slow {
            let rides = !matches!(model, ModelName::Frictionless | ModelName::QuasiStatic);
            let outcome = if rides { "rides" } else { "slips" };
            assert_eq!(run.outcome, outcome, "{model} {direction}");
        }
        for model in ["no-slip", "no-slip-releasing"] {
            let run = of(&slow, model);
            close(run, "ride_time_s", 0.005, 1e-12);
            close(run, "slip_max_m", 0.0, 1e-12);
        }
        let run = |model: &str| {
            let set = [settings(ModelName::CoulombAcceleration), &[direction]].concat();
            run_with("conveyor", model, 0.5, &set)
        };
        for model in ["cone", "coulomb-acceleration"] {
            let result = run(model);
            assert_eq!(result.outcome, "rides");
            close(&result, "closed_form_error_m_per_s", 0.0, 1e-9);
            let time = figure(&result, "ride_time_coulomb_s");
            close(&result, "ride_time_s", time, 0.005);
            let slip = figure(&result, "slip_scheme_m");
            close(&result, "slip_max_m", slip, 1e-6);
            close(&result, "heading_error_rad", 0.0, 1e-6);
            close(&result, "speed_end_m_per_s", 1.0, 1e-9);
        }
        for model in POLYGONS {
            let result = run(model);
            close(&result, "closed_form_error_m_per_s", 0.0, 1e-9);
            assert_eq!(result.outcome, "rides");
            if direction == "direction=45" {
                let time = figure(&result, "ride_time_coulomb_s") / (PI / 4.0).cos();
                close(&result, "ride_time_s", time, 0.005);
            }
        }
    }
    // Rapier's own solver on the same belt.
    let host = run_with("conveyor", "host", 0.5, &[]);
    assert_eq!(host.outcome, "rides");
    assert!(host.metric("closed_form_error_m_per_s").is_none());
}

/// Slopes, stopping and belts in single precision: positions of 5 m are known to 5e-7 m.
#[test]
fn closed_forms_hold_in_f32() {
    use common::{request, result, single, under};
    for (scenario, set) in [
        ("slope", &["ratio=1.02", "direction=30"][..]),
        ("slide", &["direction=22.5"]),
        ("conveyor", &["direction=30"]),
    ] {
        for model in ["cone", "stewart-trinkle"] {
            let result = result(&single(under(model, request(scenario, 0.3, set))));
            close(&result, "closed_form_error_m_per_s", 0.0, 1e-4);
        }
    }
}
