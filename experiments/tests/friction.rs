//! What each model makes of sliding, against closed forms.
#![allow(
    clippy::unwrap_used,
    reason = "helpers of tests fail by panicking like the tests themselves"
)]

mod common;

use common::{close, figure, request, result, run_with};
use std::f64::consts::PI;
use stickslip_core::models::ModelName;
use stickslip_experiments::runner::run;
use stickslip_experiments::settings::{Model, Precision, Request, RunSettings};

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

/// Viscous friction is `h n mu_v |v+|` whatever presses, straight against the motion.
#[test]
fn viscous_friction_knows_no_direction() {
    // n mu_v = 0.4 N s/m at 1 m/s, over mu m g.
    let share = 0.4 / (0.5 * 9.81);
    for (model, lost) in [
        ("viscous", 1.0 + 0.4e-3),
        ("viscous-acceleration", 1.0 + 0.2e-3),
    ] {
        let result = run_with("polygon", model, TURN, &[]);
        assert_eq!(result.outcome, "slides", "{model}");
        // Implicit: the speed after the step; by stages: the mean over it, to second order.
        close(&result, "friction_share_min", share / lost, 1e-7);
        close(&result, "friction_share_max", share / lost, 1e-7);
        close(&result, "heading_error_max_rad", 0.0, 1e-9);
    }
    // Without inertia nothing is left of the speed at the start.
    let still = run_with("polygon", "quasi-static", TURN, &[]);
    assert_eq!(still.outcome, "sticks");
}

/// Friction of maximum dissipation over a polygon with d corners has a share of cos(pi/d) along the
/// directions midway between them; the cone has all of it everywhere, straight against the motion.
#[test]
fn a_polygon_gives_away_what_its_corners_cut_off() {
    for model in ["stewart-trinkle", "anitescu-potra", "drumwright-shell"] {
        for directions in [4, 8, 16] {
            let set = format!("directions={directions}");
            let result = run_with("polygon", model, TURN, &[&set]);
            assert_eq!(result.outcome, "slides", "{model}");
            close(&result, "polygon_error_rel", 0.0, 1e-9);
            let least = (PI / f64::from(directions)).cos();
            close(&result, "friction_share_min", least, 1e-9);
            close(&result, "friction_share_max", 1.0, 1e-9);
            // No corner is farther than half the angle between two.
            let heading = figure(&result, "heading_error_max_rad");
            assert!(heading > 0.0 && heading <= PI / f64::from(directions) + 1e-9);
        }
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
        ("anitescu-potra", &[]),
        ("drumwright-shell", &[]),
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

/// The height is the step's own artefact: it shrinks with h, and grows with speed and friction.
#[test]
fn the_hover_of_the_convex_model_is_h_mu_v() {
    for (dt, speed, mu) in [(0.005, 6.0, 0.5), (0.0025, 6.0, 0.5), (0.005, 3.0, 0.25)] {
        let set = [format!("speed={speed}"), format!("mu={mu}")];
        let request = Request {
            dt: Some(dt),
            ..request("hover", dt, &[&set[0], &set[1]])
        };
        // The scenario's own default is the convex model.
        let lifted = result(&request);
        assert_eq!((lifted.model, lifted.steps), ("ccp", 1));
        // What friction leaves of the speed after a step in which the ground pushes the cube up:
        // |v+| (1 + mu^2) = v - mu g h.
        let left = (speed - mu * 9.81 * dt) / (1.0 + mu * mu);
        close(&lifted, "hover_height_m", dt * mu * left, 1e-7);
    }
}

/// Two cubes of 1 kg under 200 N hang on friction alone: mu = 0.049 is what it takes [D15, Table I].
#[test]
fn the_grasp_holds_above_its_friction_and_drops_below() {
    for model in ["stewart-trinkle", "cone", "coulomb-acceleration"] {
        let set = ["contacts=paper", "mu=0.048"];
        let slipping = run_with("grasp", model, 0.5, &set);
        assert_ne!(slipping.outcome, "held", "{model}");
        // It falls, but not freely: most of the weight is carried.
        let drop = figure(&slipping, "drop_m");
        assert!(drop > 1e-3 && drop < 0.1, "{model}: {drop}");
        // Two faces with mu 200 N each under 2 kg: at least g - mu F / m, in steps. Which corners
        // carry is not unique; where they turn the cubes, friction works on that too.
        let least = (9.81 - 0.048 * 200.0) * 0.5 * 0.51 / 2.0;
        close(&slipping, "drop_expected_m", least, 1e-9);
        assert!(drop > least - 1e-9 && drop < 1.2 * least, "{model}: {drop}");
        let held = run_with("grasp", model, 0.5, &["contacts=paper", "mu=0.05"]);
        assert_eq!(held.outcome, "held", "{model}");
        close(&held, "drop_m", 0.0, 1e-9);
    }
}

/// Nothing ever sticks under viscous friction: the cubes creep at `m g / (n mu_v)`, n contacts a face.
#[test]
fn viscous_jaws_let_the_cubes_creep() {
    let set = ["contacts=paper", "mu_viscous=10"];
    let creeping = run_with("grasp", "viscous", 0.5, &set);
    assert_eq!(creeping.outcome, "slipped");
    let creep = 9.81 / (12.0 * 10.0);
    close(&creeping, "creep_m_per_s", creep, 1e-9);
    close(&creeping, "creep_expected_m_per_s", creep, 1e-9);
    close(
        &creeping,
        "drop_m",
        figure(&creeping, "drop_expected_m"),
        1e-9,
    );
    // Explicit: stable only while h times the fastest rate, a cube's turning, is below 2.785.
    let set = ["contacts=paper", "mu_viscous=1"];
    let stages = run_with("grasp", "viscous-acceleration", 0.1, &set);
    let exact = 9.81 / 12.0 * (1.0 - (-12.0 * 0.1_f64).exp());
    close(&stages, "creep_m_per_s", exact, 1e-5);
    close(&stages, "drop_m", figure(&stages, "drop_expected_m"), 1e-9);
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

/// B6: every problem of [T95]'s sizes is solved, by both of its solvers, and its own shares stand
/// beside that. The table runs under whatever model.
#[test]
fn the_contact_table_counts_what_was_solved() {
    for (model, solver) in [
        ("no-slip", "ppm"),
        ("stewart-trinkle", "lemke"),
        ("stewart-trinkle", "interior-point"),
    ] {
        let request = Request {
            model: Some(model.to_owned()),
            solver: Some(solver.to_owned()),
            ..request("contact-table", 0.16, &[])
        };
        let result = result(&request);
        assert_eq!(result.outcome, "solved", "{model} by {solver}");
        for name in ["016", "050", "100", "170"] {
            assert_eq!(figure(&result, &format!("solved_share_{name}")), 1.0);
            assert!(figure(&result, &format!("solve_median_{name}_us")) > 0.0);
        }
        assert_eq!(result.solver_stats.contacts_max, 30);
        let published = result.metric("published_share_100");
        let expected = match solver {
            "lemke" => Some(0.1),
            "interior-point" => Some(0.7),
            _ => None,
        };
        assert_eq!(published, expected);
    }
}

/// 60 degrees and mu = 2: m A = 1 + 3 cos (cos - mu sin) = -0.848.
#[test]
fn the_rod_is_where_no_force_holds_it() {
    let (sin, cos) = (PI / 3.0).sin_cos();
    let number = 1.0 + 3.0 * cos * (cos - 2.0 * sin);
    // The scenario's own default.
    let stopped = result(&request("painleve", 0.05, &[]));
    assert_eq!(stopped.model, "coulomb-acceleration");
    assert_eq!(stopped.outcome, "no-solution");
    assert_eq!(stopped.steps, 1);
    close(&stopped, "painleve_number", number, 1e-12);
    close(&stopped, "time_s", 0.0, 0.0);
    // A rod that turns fast enough has two answers: its foot is drawn off the ground with
    // q = l omega^2 sin - g > 0, and F = 0 as well as F = -q m / number > 0 are consistent.
    let fast = run_with("painleve", "coulomb-acceleration", 0.001, &["turn=6"]);
    let drawn = 0.5 * 36.0 * sin - 9.81;
    close(&fast, "normal_acceleration_free_m_per_s2", drawn, 1e-12);
    close(&fast, "steps_with_several_solutions", 1.0, 0.0);
    let force = figure(&fast, "normal_force_max_N");
    let pressed = -drawn / number;
    assert!(
        force.abs().min((force - pressed).abs()) < 1e-6,
        "{force} is neither 0 nor {pressed}"
    );
    // Outside of the region the same model goes on: a force is there.
    let passed = run_with("painleve", "coulomb-acceleration", 0.05, &["mu=0.5"]);
    assert_eq!(passed.outcome, "passed");
    assert!(figure(&passed, "normal_force_max_N") > 0.0);
    // At velocity level an impulse stops the foot, and the rod goes on turning about it.
    for model in [
        "stewart-trinkle",
        "anitescu-potra",
        "cone",
        "ccp",
        "no-slip",
        "no-slip-releasing",
    ] {
        let through = run_with("painleve", model, 0.05, &[]);
        assert_eq!(through.outcome, "passed", "{model}");
        assert_eq!(through.steps, 50);
        close(&through, "foot_speed_m_per_s", 0.0, 1e-5);
        assert!(figure(&through, "angle_rad") > PI / 3.0);
    }
    // An impulse at acceleration level, where it is asked for, is that of the velocity level.
    let set = ["on_no_solution=velocity-level"];
    let through = run_with("painleve", "coulomb-acceleration", 0.05, &set);
    assert_eq!(through.outcome, "passed");
    // Its foot rests where the step ends; seen from where it began that is `h w^2 l / 2`.
    close(&through, "foot_speed_m_per_s", 0.0, 5e-4);
}

/// The scenarios about friction run under the model they are about.
#[test]
fn defaults_show_what_a_scenario_is_about() {
    for (scenario, duration, model, outcome) in [
        ("polygon", TURN, "stewart-trinkle", "slides"),
        ("contact-table", 0.04, "stewart-trinkle", "solved"),
        ("painleve", 0.05, "coulomb-acceleration", "no-solution"),
        ("hover", 0.05, "ccp", "lifts"),
        ("conveyor", 0.5, "cone", "rides"),
    ] {
        let result = result(&request(scenario, duration, &[]));
        assert_eq!(
            (result.model, &*result.outcome),
            (model, outcome),
            "{scenario}"
        );
    }
    for scenario in ["spin", "roll"] {
        let result = result(&request(scenario, 0.3, &[]));
        assert_eq!(result.model, "cone");
        close(&result, "closed_form_error_rel", 0.0, 1e-7);
        let deceleration = result
            .metrics
            .iter()
            .find(|(name, _)| name.starts_with("decel"));
        assert!(deceleration.unwrap().1 > 0.1, "{scenario} shows nothing");
    }
}

/// Every scenario under every model of ours, in both precisions: no crash, an outcome that says
/// something, figures that are numbers. What the models make of it is not judged here.
#[test]
fn every_scenario_runs_under_every_model() {
    for scenario in stickslip_experiments::catalog::SCENARIOS {
        for model in ModelName::ALL {
            for precision in [Precision::F64, Precision::F32] {
                // Short: without the order runs, and with few spheres, whose matrices some models form.
                let short = match scenario.name {
                    "free-flight" => Some("order=false"),
                    "granular" => Some("count=12"),
                    _ => None,
                };
                let request = Request {
                    scenario: scenario.name.to_owned(),
                    model: Some(model.as_str().to_owned()),
                    duration: Some(12.0 * scenario.dt),
                    set: short.map(str::to_owned).into_iter().collect(),
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
