//! Joint limits, drives and bilateral rows beside contacts.

use crate::common::*;
use nalgebra::{DMatrix, Matrix3, Vector3};
use stickslip_core::mass::MassFactor;
use stickslip_core::models::{ContactSolution, ModelName, ModelSettings};
use stickslip_core::problem::{ContactProblem, ProblemBuilder, RowHalf, ScalarKind};
use stickslip_core::report::SolveStatus;

const H: f64 = 0.01;

/// The answer at acceleration level, which must be solved.
#[track_caller]
fn solved(problem: &ContactProblem) -> ContactSolution {
    let (solution, report) = solve(
        problem,
        ModelName::CoulombAcceleration,
        ModelSettings::default(),
    );
    assert_eq!(report.status, SolveStatus::Solved);
    assert!(report.residuals.max() < 1e-9, "{report:?}");
    solution
}

fn one(kind: ScalarKind, v: f64, v_free: f64) -> (f64, f64) {
    let mut builder = ProblemBuilder::new();
    builder.begin(H);
    let mass = MassFactor::from_dense(&DMatrix::from_element(1, 1, 2.0)).unwrap();
    let block = builder.add_block(&mass, &[v], &[v_free]);
    let row = RowHalf {
        block,
        cols: &[0],
        rows: [&[1.0]],
    };
    builder.add_scalar(0, kind, &[row]);
    let solution = solved(builder.finish().unwrap());
    (solution.v_plus[0], solution.f_scalar[0])
}

#[test]
fn scalars_demand_what_they_do_at_velocity_level() {
    let close = |a: (f64, f64), b: (f64, f64)| {
        assert!(
            (a.0 - b.0).abs() < 1e-12 && (a.1 - b.1).abs() < 1e-12,
            "{a:?} {b:?}"
        );
    };
    close(
        one(ScalarKind::Bilateral { velocity: 0.3 }, 0.1, 1.0),
        (0.3, 2.0 * (0.3 - 1.0)),
    );
    // A limit 4 mm away may be reached within the step and no further.
    close(
        one(ScalarKind::Unilateral { gap: 0.004 }, -0.5, -1.0),
        (-0.4, 1.2),
    );
    close(
        one(ScalarKind::Unilateral { gap: 0.02 }, -0.5, -1.0),
        (-1.0, 0.0),
    );
    let drive = |limit, compliance| ScalarKind::Bounded {
        velocity: 0.0,
        limit,
        compliance,
    };
    close(one(drive(10.0, 0.0), 0.4, 0.5), (0.0, -1.0));
    close(one(drive(0.6, 0.0), 0.4, 0.5), (0.2, -0.6));
    close(one(drive(0.0, 0.0), 0.4, 0.5), (0.5, 0.0));
    // v = v_free + z / m = -compliance z.
    close(one(drive(10.0, 0.5), 0.4, 0.5), (0.25, -0.5));
}

#[test]
fn a_box_on_a_rail_pushed_by_a_drive() {
    // The rail takes y and all rotation; the drive its bound; friction mu m g.
    let mut builder = ProblemBuilder::new();
    builder.begin(H);
    let mass = free_mass(2.0, Matrix3::identity());
    let v = [1.0, 0.0, 0.0, 0.0, 0.0, 0.0];
    let block = builder.add_block(&mass, &v, &[1.0, 0.3, -G * H, 0.1, 0.0, 0.2]);
    let data = stickslip_core::problem::ContactData {
        mu: 0.25,
        ..closed(7)
    };
    let rows = point_rows(up(), Vector3::new(0.1, 0.2, -0.5), 1.0);
    builder.add_contact(data, &[half(block, &rows)]);
    for col in [1, 3, 4, 5] {
        let row = RowHalf {
            block,
            cols: &[col],
            rows: [&[1.0]],
        };
        builder.add_scalar(col as u64, ScalarKind::Bilateral { velocity: 0.0 }, &[row]);
    }
    let row = RowHalf {
        block,
        cols: &[0],
        rows: [&[1.0]],
    };
    let kind = ScalarKind::Bounded {
        velocity: 5.0,
        limit: 0.03,
        compliance: 0.0,
    };
    builder.add_scalar(9, kind, &[row]);
    let solution = solved(builder.finish().unwrap());
    assert!((solution.f_n[0] - 2.0 * G * H).abs() < 1e-12);
    assert!((solution.f_s[0] + 0.25 * 2.0 * G * H).abs() < 1e-12);
    assert!((solution.f_scalar[4] - 0.03).abs() < 1e-12);
    let expected = 1.0 + 0.03 / 2.0 - 0.25 * G * H;
    assert!((solution.v_plus[0] - expected).abs() < 1e-12);
    assert!(solution.v_plus[1..].iter().all(|v| v.abs() < 1e-12));
}
