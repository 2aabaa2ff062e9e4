//! Files as a person writes them: dense rows, one number for all contacts, absent fields.

use crate::common::*;
use stickslip_core::models::{ModelName, ModelSettings};
use stickslip_core::problem::ScalarKind;
use stickslip_problem_file::{ProblemFile, parse_problem};

fn read(text: &str) -> ProblemFile {
    parse_problem(text.as_bytes()).unwrap_or_else(|error| panic!("{error}\n{text}"))
}

/// Two point masses of 2 and 3 kg: the first pushed with 4 N and falling on a floor, both tied
/// together along y.
const POINTS: &str = r#"{
    "h": 0.5,
    "M_blocks": [[[2, 0, 0], [0, 2, 0], [0, 0, 2]], [[3, 0, 0], [0, 3, 0], [0, 0, 3]]],
    "v": [0, 0, -1, 0, 0, 0],
    "f": [4, 0, -20, 0, 6, 0],
    "N": [[0, 0, 1, 0, 0, 0]],
    "S": [[1, 0, 0, 0, 0, 0]],
    "T": [[0, 1, 0, 0, 0, 0]],
    "J": [[0, 1, 0, 0, -1, 0]],
    "mu": 0.3
}"#;

#[test]
fn forces_make_the_free_velocity() {
    let problem = read(POINTS).problem;
    // v + h f / m.
    let expected = [1.0, 0.0, -6.0, 0.0, 1.0, 0.0];
    assert!(worst_difference(problem.v_free(), &expected) < 1e-14);
    assert_eq!(problem.v(), [0.0, 0.0, -1.0, 0.0, 0.0, 0.0]);
    assert_eq!(problem.contacts()[0].mu, 0.3);
    assert_eq!(problem.islands().count(), 1);
    assert_eq!(
        problem.scalars(),
        [(0, ScalarKind::Bilateral { velocity: 0.0 })]
    );
    // No slip: the floor stops the first mass, the tie stops the second one along y.
    let (answer, report) = solve(&problem, ModelName::NoSlip, ModelSettings::default());
    assert!(report.residuals.max() < 1e-12);
    let expected = [0.0, 0.0, 0.0, 0.0, 0.0, 0.0];
    assert!(worst_difference(&answer.v_plus, &expected) < 1e-12);
    assert!((answer.f_n[0] - 12.0).abs() < 1e-12);
    assert!((answer.f_s[0] + 2.0).abs() < 1e-12);
    // The tie carries the momentum of the second mass, 3 kg m/s, against its row's -1.
    assert!((answer.f_scalar[0] - 3.0).abs() < 1e-12);
}

#[test]
fn one_dense_matrix_is_one_block() {
    let problem = read(
        r#"{"h": 0.1, "M": [[2, 0.5], [0.5, 1]], "v": [1, -1],
            "N": [{"cols": [1], "vals": [1]}, [1, 0]], "phi": [0, 0.25]}"#,
    )
    .problem;
    assert_eq!(problem.block_count(), 1);
    assert_eq!(problem.v_free(), [1.0, -1.0]);
    assert_eq!(problem.contacts()[1].phi, 0.25);
    let (answer, report) = solve(&problem, ModelName::Frictionless, ModelSettings::default());
    assert!(report.residuals.max() < 1e-12);
    // M^-1 e_1 = (-0.5, 2) / 1.75: the impulse that stops coordinate 1 is 0.875.
    assert!((answer.f_n[0] - 0.875).abs() < 1e-12);
    assert!(worst_difference(&answer.v_plus, &[0.75, 0.0]) < 1e-12);
}

#[test]
fn every_field_finds_its_place() {
    let file = read(
        r#"{"format": 1, "note": "by hand", "h": 0.1,
            "M": [[1, 0, 0], [0, 1, 0], [0, 0, 1]],
            "v_free": [1, 2, 3],
            "N": [[1, 0, 0], [1, 0, 0]], "S": [[0, 1, 0], [0, 1, 0]],
            "A_n": [null, [0, 0, 1]],
            "phi": -0.5, "mu": [0.1, 0.2], "mu_across": [null, 0.7], "mu_torsional": 0.03,
            "mu_rolling": 0.04, "mu_viscous": 5, "restitution": 1, "compliance": 1e-4,
            "surface_velocity": [[0, 1], [2, 3]], "normal_drift": 0.25, "impact_velocity": -2,
            "acceleration_bias": [[1, 2, 3], [4, 5, 6]],
            "J": [[0, 0, 1]], "J_rhs": 0.5,
            "limits": {"rows": [[0, 1, 0], [0, -1, 0]], "gap": [0.1, 0.2]},
            "bounded": {"rows": [[1, 1, 1]], "limit": 2, "compliance": 0.5, "velocity": [0.1]},
            "scalar_order": ["limits", "J", "bounded", "limits"],
            "keys": {"contacts": [18446744073709551615, 4], "J": [9], "limits": [7, 8],
                     "bounded": [6]},
            "settings": {"model": "no-slip-releasing", "solver": "active-set", "baumgarte": 0.5,
                         "polygon": {"directions": 8}}}"#,
    );
    let problem = &file.problem;
    let [a, b] = problem.contacts() else {
        panic!("two contacts")
    };
    assert_eq!((a.key, b.key), (u64::MAX, 4));
    assert_eq!((a.phi, a.mu, a.mu_across), (-0.5, 0.1, None));
    assert_eq!((b.phi, b.mu, b.mu_across), (-0.5, 0.2, Some(0.7)));
    assert_eq!(
        (b.mu_torsional, b.mu_rolling, b.mu_viscous),
        (0.03, 0.04, 5.0)
    );
    assert_eq!(
        (b.restitution, b.compliance, b.normal_drift),
        (1.0, 1e-4, 0.25)
    );
    assert_eq!(b.impact_velocity, -2.0);
    assert_eq!(b.surface_velocity, [2.0, 3.0]);
    assert_eq!(b.acceleration_bias, [4.0, 5.0, 6.0]);
    assert_eq!(problem.spins(), [1]);
    let rows = problem.spin_rows(1).unwrap();
    assert_eq!(problem.row(rows[0]).dot(&[0.0, 0.0, 1.0]), 1.0);
    assert_eq!(problem.row(rows[1]).dot(&[1.0, 1.0, 1.0]), 0.0);
    // No T was given: the third row is zero.
    let t = problem.row(stickslip_core::problem::RowId(2));
    assert_eq!(t.dot(&[1.0, 1.0, 1.0]), 0.0);
    let limit = |gap| ScalarKind::Unilateral { gap };
    let bounded = ScalarKind::Bounded {
        velocity: 0.1,
        limit: 2.0,
        compliance: 0.5,
    };
    let expected = [
        (7, limit(0.1)),
        (9, ScalarKind::Bilateral { velocity: 0.5 }),
        (6, bounded),
        (8, limit(0.2)),
    ];
    assert_eq!(problem.scalars(), expected);
    let context = file.context;
    assert_eq!(context.model, Some(ModelName::NoSlipReleasing));
    assert_eq!(context.note.as_deref(), Some("by hand"));
    let settings = context.settings.unwrap();
    assert_eq!((settings.baumgarte, settings.polygon.directions), (0.5, 8));
    assert_eq!(settings.push_speed, ModelSettings::default().push_speed);
}

#[test]
fn rows_that_touch_nothing_are_solved() {
    let problem = read(
        r#"{"h": 0.1, "M": [[1]], "v": [-1], "N": [[0], [1]], "mu": 1, "J": [[0]],
            "limits": {"rows": [[0]], "gap": 1}}"#,
    )
    .problem;
    for model in make::MODELS {
        let (answer, report) = solve(&problem, model, ModelSettings::default());
        assert!(answer.v_plus[0].abs() < 1e-9, "{model}: {answer:?}");
        assert!(report.residuals.max() < 1e-6, "{model}: {report:?}");
    }
}
