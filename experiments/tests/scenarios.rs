//! Every scenario, short, against the bounds it must keep.
#![allow(
    clippy::unwrap_used,
    reason = "helpers of tests fail by panicking like the tests themselves"
)]

mod common;

use common::{assert_below, figure, request, result, robots, single, under};
use stickslip_experiments::runner::run;
use stickslip_experiments::settings::{Request, RunSettings};

#[test]
fn a_gripper_holds_two_cubes_on_the_engines_contacts() {
    let result = result(&request("grasp", 2.0, &[]));
    assert_eq!(result.outcome, "held");
    assert_below(
        &result,
        &[("drop_m", 1e-9), ("slip_max_m", 1e-9), ("drift_m", 1e-9)],
    );
    assert!(result.solver_stats.residual_max.unwrap() < 1e-9);
}

/// Table I of the paper: 36 contacts, 8 of 72 tangent rows, 2 N s per pair, at most 7 pivots.
#[test]
fn the_papers_contacts_give_the_papers_numbers() {
    let result = result(&under(
        "no-slip",
        request("grasp", 1.0, &["contacts=paper"]),
    ));
    assert_eq!(result.outcome, "held");
    assert_below(
        &result,
        &[
            ("drop_m", 1e-9),
            ("slip_max_m", 1e-9),
            ("normal_impulse_pair_error_N_s", 1e-9),
        ],
    );
    assert_eq!(result.solver_stats.contacts_max, 36);
    assert_eq!(figure(&result, "tangent_rows"), 72.0);
    assert_eq!(figure(&result, "tangent_rows_kept"), 8.0);
    assert!(result.solver_stats.pivots_max.unwrap() <= 7);
    assert!(result.solver_stats.residual_max.unwrap() < 1e-9);
}

#[test]
fn three_normals_per_corner_hold_too() {
    let result = result(&request("grasp", 1.0, &["contacts=triplicated"]));
    assert_eq!(result.outcome, "held");
    assert_eq!(result.solver_stats.contacts_max, 108);
    assert_below(&result, &[("drop_m", 1e-9), ("slip_max_m", 1e-9)]);
}

#[test]
fn frictionless_jaws_drop_the_cubes() {
    let result = result(&under("frictionless", request("grasp", 0.5, &[])));
    assert_eq!(result.outcome, "dropped");
    // Free fall of symplectic Euler: g t (t + h) / 2.
    let fall = 9.81 * 0.5 * 0.51 / 2.0;
    assert!((figure(&result, "drop_m") - fall).abs() < 1e-9);
}

#[test]
fn a_pinched_capsule_does_not_creep() {
    for squeeze in ["12", "30", "60"] {
        let result = result(&request("pinch", 2.0, &[&format!("squeeze={squeeze}")]));
        assert_eq!(result.outcome, "held", "{squeeze} N");
        assert_below(&result, &[("creep_m_per_s", 1e-9), ("drop_m", 1e-9)]);
    }
}

#[test]
fn a_box_rests() {
    let result = result(&request("box", 2.0, &[]));
    assert_eq!(result.outcome, "rests");
    assert_below(&result, &[("penetration_max_m", 1e-9), ("drift_m", 1e-9)]);
}

#[test]
fn a_stack_rests_as_bodies_and_as_multibodies() {
    for multibody in ["multibody=false", "multibody=true"] {
        let result = result(&request("stack", 2.0, &[multibody]));
        assert_eq!(result.outcome, "rests", "{multibody}");
        assert_below(&result, &[("penetration_max_m", 1e-9), ("drift_m", 1e-9)]);
    }
}

/// A run no longer than the default settling time measures its second half.
#[test]
fn short_runs_measure_their_second_half() {
    let result = result(&request("box", 0.5, &[]));
    assert_eq!(result.outcome, "rests");
    assert_below(&result, &[("penetration_max_m", 1e-9), ("drift_m", 1e-9)]);
}

#[test]
fn the_papers_quadruped_stands() {
    let result = result(&request("stand", 5.0, &[]));
    assert_eq!(result.outcome, "stands");
    assert_below(
        &result,
        &[
            ("slip_max_m", 1e-9),
            ("penetration_max_m", 1e-6),
            ("normal_force_error_rel", 1e-6),
        ],
    );
}

/// Real robots, where they are to be had: A1, ANYmal, Solo12.
#[test]
#[ignore = "needs public robots: set STICKSLIP_ROBOTS, see CONTRIBUTING.md"]
fn public_robots_stand_and_fly() {
    let robots = robots();
    // ANYmal's drives spread its legs: at the default coefficient of 0.8 its feet slide outwards until
    // friction is at its limit, which they approach without reaching it.
    for (file, friction) in [
        ("a1_description/urdf/a1.urdf", "mu=0.8"),
        ("anymal_b_simple_description/robots/anymal.urdf", "mu=0.9"),
        ("solo_description/robots/solo12.urdf", "mu=0.8"),
    ] {
        let robot = Some(robots.join("example-robot-data/robots").join(file));
        let stand = Request {
            robot: robot.clone(),
            ..request("stand", 5.0, &[friction])
        };
        let stand = result(&stand);
        assert_eq!(stand.outcome, "stands", "{file}");
        assert_below(
            &stand,
            &[
                ("slip_max_m", 1e-9),
                ("penetration_max_m", 1e-6),
                ("normal_force_error_rel", 1e-6),
            ],
        );
        let flight = Request {
            robot,
            ..request("free-flight", 1.0, &["order=false"])
        };
        assert_below(
            &result(&flight),
            &[("com_error_m", 1e-6), ("angular_momentum_error_rel", 1e-6)],
        );
    }
}

#[test]
fn a_robot_in_flight_keeps_its_momentum() {
    let result = result(&request("free-flight", 1.0, &[]));
    assert_below(
        &result,
        &[("com_error_m", 1e-6), ("angular_momentum_error_rel", 1e-6)],
    );
    // At least first order: halving the step halves the error of the joint angles.
    assert!(figure(&result, "joint_order") > 0.8);
}

/// No-slip holds on any slope; without friction the closed form is a = g sin(theta).
#[test]
fn on_a_slope_no_slip_sticks_and_frictionless_slides() {
    for ratio in ["ratio=0.98", "ratio=1.02"] {
        for direction in ["direction=0", "direction=30", "direction=45"] {
            let result = result(&under(
                "no-slip",
                request("slope", 0.5, &[ratio, direction]),
            ));
            assert_eq!(result.outcome, "sticks");
            assert_below(&result, &[("drift_m", 1e-9), ("slip_max_m", 1e-9)]);
        }
    }
    let result = result(&under(
        "frictionless",
        request("slope", 0.5, &["direction=30"]),
    ));
    assert_eq!(result.outcome, "slides");
    let a = figure(&result, "acceleration_m_per_s2");
    let expected = figure(&result, "acceleration_frictionless_m_per_s2");
    assert!((a / expected - 1.0).abs() < 1e-9, "{a} against {expected}");
}

#[test]
fn a_sliding_sphere_rolls_at_once_under_no_slip() {
    for direction in ["direction=0", "direction=22.5"] {
        let result = result(&under(
            "no-slip",
            request("slide", 0.5, &["shape=sphere", direction]),
        ));
        assert_eq!(result.outcome, "rolls");
        assert_below(
            &result,
            &[("rolling_speed_error_rel", 1e-9), ("slip_max_m", 1e-9)],
        );
    }
}

#[test]
fn a_sliding_box_stops_at_once_under_no_slip() {
    let result = result(&under(
        "no-slip",
        request("slide", 2.0, &["direction=22.5"]),
    ));
    assert_eq!(result.outcome, "stopped");
    assert_below(&result, &[("slip_max_m", 1e-9)]);
}

/// Rapier's own solver on the same scenes: its figures are there, for comparison.
#[test]
fn the_host_runs_every_scenario() {
    for scenario in ["grasp", "pinch", "box", "stack", "stand", "slope", "slide"] {
        let result = result(&under("host", request(scenario, 1.2, &[])));
        assert_eq!(result.solver, "rapier");
        assert!(result.solver_stats.residual_max.is_none());
        assert!(
            result.solver_stats.contacts_max > 0,
            "{scenario}: no contacts read"
        );
        assert!(figure(&result, "penetration_max_m").is_finite());
    }
    // Its Coulomb friction with default settings stops the box within a fifth of v0^2 / (2 mu g).
    let result = result(&under("host", request("slide", 1.0, &[])));
    assert!(figure(&result, "stop_distance_error_rel").abs() < 0.2);
}

/// The engine's f32 rounds a position of 1 m to 6e-8 m, so gaps are known to that and velocities to
/// 1e-7 of themselves; slip is the solver's and stays at f64's round-off. A solve that falls back is a
/// fault: points of a face that are coplanar to 1e-7 once passed for contradictory ones.
#[test]
fn the_same_scenes_hold_in_f32() {
    const DEPTH: (&str, f64) = ("penetration_max_m", 1e-6);
    const SLIP: (&str, f64) = ("slip_max_m", 1e-9);
    const ROLLS: (&str, f64) = ("rolling_speed_error_rel", 1e-4);
    for (scenario, set, outcome, bounds) in [
        ("grasp", &[][..], "held", &[DEPTH, SLIP][..]),
        ("grasp", &["contacts=paper"], "held", &[DEPTH, SLIP]),
        ("pinch", &[], "held", &[DEPTH, ("creep_m_per_s", 1e-9)]),
        ("box", &[], "rests", &[DEPTH]),
        ("stack", &[], "rests", &[DEPTH]),
        ("stack", &["multibody=true"], "rests", &[DEPTH]),
        ("slope", &[], "sticks", &[DEPTH, SLIP]),
        ("stand", &[], "stands", &[DEPTH, SLIP]),
        ("slide", &["shape=sphere"], "rolls", &[ROLLS]),
        (
            "free-flight",
            &["order=false"],
            "flew",
            &[("com_error_m", 1e-4)],
        ),
    ] {
        let request = single(request(scenario, 2.0, set));
        // A sphere rolls from its first step where nothing slips.
        let result = result(&match scenario {
            "slide" => under("no-slip", request),
            _ => request,
        });
        assert_eq!(result.outcome, outcome, "{scenario} {set:?}");
        assert_eq!(result.solver_stats.failures, Some(0), "{scenario} {set:?}");
        assert_eq!(result.solver_stats.fallbacks, Some(0), "{scenario} {set:?}");
        assert_below(&result, bounds);
    }
}

/// What holds by friction alone falls without any: a coefficient that a model leaves out is a warning in its verdict.
#[test]
fn without_friction_nothing_holds_and_what_ignores_it_says_so() {
    for (scenario, duration, outcome) in [("grasp", 0.5, "dropped"), ("pinch", 0.5, "fell")] {
        let slippery = result(&request(scenario, duration, &["mu=0"]));
        assert_eq!((slippery.model, &*slippery.outcome), ("cone", outcome));
        assert!(!slippery.verdict().contains("ignore"), "{scenario}");
    }
    // Drives hold the joints of a robot on ice: it stands there, but nothing holds its feet against a push.
    for (mu, push, outcome) in [
        ("0", "0", "stands"),
        ("0", "0.05", "slid"),
        ("0.3", "0.2", "stands"),
        ("0.3", "0.4", "slid"),
    ] {
        let set = [&*format!("mu={mu}"), &*format!("push={push}")];
        let pushed = result(&request("stand", 3.0, &set));
        assert_eq!(pushed.outcome, outcome, "{set:?}");
    }
    let held = result(&under("no-slip", request("grasp", 0.2, &["mu=0"])));
    assert_eq!(held.outcome, "held");
    let verdict = held.verdict();
    assert!(
        verdict.ends_with("; warning: no-slip ignores mu=0"),
        "{verdict}"
    );
    let held = result(&under("no-slip", request("grasp", 0.2, &[])));
    let verdict = held.verdict();
    assert!(
        verdict.ends_with("; no-slip: friction coefficients are ignored"),
        "{verdict}"
    );
}

/// Cubes of 0.5 and 1.5 kg under 20 N at mu = 100 [D3]: held, without depth or creep.
#[test]
fn a_gripper_holds_unequal_cubes() {
    let set = ["mass=0.5", "mass_2=1.5", "squeeze=20", "mu=100"];
    for model in ["no-slip", "cone"] {
        let result = result(&under(model, request("grasp", 2.0, &set)));
        assert_eq!(result.outcome, "held");
        assert_below(
            &result,
            &[
                ("creep_m_per_s", 1e-9),
                ("drop_m", 1e-9),
                ("penetration_max_m", 1e-9),
            ],
        );
    }
    // Without friction both fall freely; there is no closed form of unequal cubes to stand beside.
    let set = ["mass=0.5", "mass_2=1.5"];
    let falls = result(&under("frictionless", request("grasp", 0.2, &set)));
    let speed = figure(&falls, "creep_m_per_s");
    assert!((speed - 9.81 * 0.2).abs() < 1e-9, "{speed}");
    assert_eq!(falls.metric("creep_expected_m_per_s"), None);
}

/// A contact per foot [D8], which carry the box together.
#[test]
fn a_box_stands_on_as_many_feet_as_asked() {
    for feet in [3, 100] {
        let result = result(&request("box", 1.0, &[&format!("feet={feet}")]));
        assert_eq!(result.outcome, "rests");
        assert_eq!(result.solver_stats.contacts_max, feet);
        assert_below(&result, &[("penetration_max_m", 1e-9), ("drift_m", 1e-9)]);
    }
}

/// The solver is the first of the model, unless another is asked for.
#[test]
fn the_solver_is_the_models_first() {
    let solver = |model: Option<&str>, solver: Option<&str>| {
        let request = Request {
            model: model.map(str::to_owned),
            solver: solver.map(str::to_owned),
            ..request("granular", 0.1, &[])
        };
        RunSettings::new(&request).unwrap().solver_name()
    };
    assert_eq!(solver(None, None), "engine");
    assert_eq!(solver(None, Some("apgd")), "apgd");
    assert_eq!(solver(None, Some("psor")), "psor");
    assert_eq!(solver(Some("cone"), None), "engine");
    assert_eq!(solver(Some("no-slip"), None), "ppm");
}

/// Without friction the paper's quadruped stands on its drives, and the verdict says that its feet slid.
#[test]
fn without_friction_the_verdict_says_who_holds_the_legs() {
    let slippery = result(&request("stand", 2.0, &["mu=0"]));
    assert_eq!(slippery.outcome, "stands");
    assert!(figure(&slippery, "slip_max_m") > 1e-9);
    assert!(
        slippery
            .verdict()
            .contains("the drives alone hold its legs")
    );
    let rough = result(&request("stand", 2.0, &["mu=0.8"]));
    assert!(rough.remarks.is_empty(), "{:?}", rough.remarks);
}

/// `grasp` with an object, or a hand whose joints are not two sliding jaws, is `carry`, and says so.
#[test]
fn grasp_takes_any_hand_and_object() {
    let hand = Request {
        robot: Some("../assets/carrier.urdf".into()),
        ..request("grasp", 0.5, &[])
    };
    let settings = RunSettings::new(&hand).unwrap();
    assert_eq!(settings.scenario.name, "carry");
    let held = run(&settings).unwrap();
    let notes = &held.robot_notes;
    assert!(
        notes
            .iter()
            .any(|note| note.contains("`grasp` with another hand")),
        "{notes:?}"
    );
    let ball = request("grasp", 0.5, &["object=ball"]);
    assert_eq!(RunSettings::new(&ball).unwrap().scenario.name, "carry");
    let gripper = Request {
        robot: Some("../assets/gripper.urdf".into()),
        ..request("grasp", 0.1, &[])
    };
    assert_eq!(RunSettings::new(&gripper).unwrap().scenario.name, "grasp");
}
