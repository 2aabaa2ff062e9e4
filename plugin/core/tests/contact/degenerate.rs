//! Rows that depend on each other, contradict each other, or leave nothing to move.

use crate::common::*;
use nalgebra::{DMatrix, Vector3};
use stickslip_core::mass::MassFactor;
use stickslip_core::models::{Model, ModelName, ModelSettings};
use stickslip_core::problem::{ContactData, ProblemBuilder, RowHalf, ScalarKind};
use stickslip_core::report::{SolveStatus, SolverName};

fn with(solver: SolverName) -> ModelSettings {
    ModelSettings {
        solver: Some(solver),
        ..ModelSettings::default()
    }
}

#[test]
fn an_empty_problem_and_bodies_without_contacts_move_freely() {
    let mut builder = ProblemBuilder::new();
    let mut solver = Solver::new(ModelName::NoSlip, ModelSettings::default());
    builder.begin(0.01);
    let report = solver.solve(builder.finish().unwrap());
    assert_eq!((report.islands, report.status), (0, SolveStatus::Solved));
    builder.begin(0.01);
    let mass = free_mass(1.0, nalgebra::Matrix3::identity());
    let v = [0.1, 0.2, 0.3, 0.4, 0.5, 0.6];
    builder.add_block(&mass, &[0.0; 6], &v);
    let report = solver.solve(builder.finish().unwrap());
    assert_eq!(solver.solution.v_plus, v);
    assert_eq!(report.residuals.max(), 0.0);
}

/// Two walls moving into a slider from both sides at 1 m/s each: no velocity satisfies both, the
/// least-squares compromise is rest, 1 m/s short on both.
#[test]
fn contradictory_rows_are_met_halfway_and_reported() {
    for solver in [SolverName::Ppm, SolverName::ActiveSet] {
        let mut builder = ProblemBuilder::new();
        builder.begin(0.01);
        let mass = MassFactor::from_dense(&DMatrix::from_element(1, 1, 3.0)).unwrap();
        let block = builder.add_block(&mass, &[0.3], &[0.3]);
        for (key, a) in [(0, 1.0), (1, -1.0)] {
            let half = RowHalf {
                block,
                cols: &[0],
                rows: [&[a]],
            };
            builder.add_scalar(key, ScalarKind::Unilateral { gap: -1.0 }, &[half]);
        }
        builder.finish().unwrap();
        let (solution, report) =
            solve(builder.finished().unwrap(), ModelName::NoSlip, with(solver));
        assert_eq!(report.status, SolveStatus::Relaxed);
        assert_eq!((report.fallbacks, report.failures), (1, 0));
        // The relaxation weighs the momentum 1e-6 as much as the rows.
        assert!(solution.v_plus[0].abs() < 1e-6, "{}", solution.v_plus[0]);
        assert!((report.relaxed - 1.0).abs() < 1e-6);
        // The residual check books it as what it is: 1 m/s short, over 1 + |v_free|.
        assert!((report.residuals.contradiction - 1.0 / 1.3).abs() < 1e-6);
        assert!(report.residuals.max() < 1e-12, "{report:?}");
    }
}

/// A point of mass 1 in the corner of a floor and a wall at a gap of `phi`, whose surface runs along it at `belt`.
fn corner(phi: f64, belt: f64) -> ProblemBuilder {
    let mut builder = ProblemBuilder::new();
    builder.begin(0.01);
    let mass = MassFactor::from_dense(&DMatrix::identity(3, 3)).unwrap();
    let v = [-1.0, 0.2, -1.0];
    let block = builder.add_block(&mass, &v, &v);
    let wall_axes = [Vector3::x(), Vector3::y(), Vector3::z()];
    let contacts = [(0.0, up(), 0.0), (phi, wall_axes, belt)];
    for (key, (phi, axes, belt)) in contacts.into_iter().enumerate() {
        let rows = axes.map(|a| [a.x, a.y, a.z]);
        let half = RowHalf {
            block,
            cols: &[0, 1, 2],
            rows: [&rows[0], &rows[1], &rows[2]],
        };
        let data = ContactData {
            phi,
            surface_velocity: [belt, 0.0],
            ..closed(key as u64)
        };
        builder.add_contact(data, &[half]);
    }
    builder.finish().unwrap();
    builder
}

/// In a corner of floor and wall the wall's normal lies in the span of the floor's tangents: no
/// impulse can change its separation. At rest that is no harm. A wall that wants the body out (at
/// K phi / h = 0.2 m/s) makes the floor yield: the wall's own tangents carry the body, so the floor
/// does not press.
#[test]
fn a_normal_in_the_span_of_the_tangents_is_satisfied_or_reported() {
    for phi in [0.0, -0.01] {
        for solver in [SolverName::Ppm, SolverName::ActiveSet] {
            let builder = corner(phi, 0.0);
            let mut solver = Solver::new(ModelName::NoSlip, with(solver));
            for _ in 0..3 {
                let report = solver.solve(builder.finished().unwrap());
                assert_eq!(report.status, SolveStatus::Solved);
                let wanted = [if phi < 0.0 { 0.2 } else { 0.0 }, 0.0, 0.0];
                assert!(worst_difference(&solver.solution.v_plus, &wanted) < 1e-12);
                assert_eq!(report.residuals.contradiction, 0.0);
                assert!(report.residuals.max() < 1e-12);
                assert_eq!(report.yielded, usize::from(phi < 0.0));
            }
        }
    }
}

/// The same corner, the wall a belt that runs along it at 0.5 m/s. Next to the floor's tangents the belt's own has nothing
/// to hold and is dropped; once the floor has yielded it holds again. It was never looked at again, and what was pressed
/// slipped: a foot whose ball lay on two triangles of noise by 1.5e-5 m (`it_walks_over_the_papers_map`), where
/// tangents depend on each other to 1e-5.
#[test]
fn what_was_dropped_for_rows_that_yield_holds_again() {
    for solver in [SolverName::Ppm, SolverName::ActiveSet] {
        let builder = corner(-0.01, 0.5);
        let mut solver = Solver::new(ModelName::NoSlip, with(solver));
        for _ in 0..3 {
            let report = solver.solve(builder.finished().unwrap());
            assert_eq!(report.status, SolveStatus::Solved);
            assert!(worst_difference(&solver.solution.v_plus, &[0.2, 0.5, 0.0]) < 1e-12);
            assert!(report.residuals.max() < 1e-12);
            assert_eq!(report.yielded, 1);
        }
    }
}

/// Twice the same bilateral row with different wishes: the first holds, the other's shortfall is
/// reported.
#[test]
fn bilateral_rows_that_disagree_are_reported() {
    let mut builder = ProblemBuilder::new();
    builder.begin(0.01);
    let mass = MassFactor::from_dense(&DMatrix::from_element(1, 1, 2.0)).unwrap();
    let block = builder.add_block(&mass, &[0.0], &[0.0]);
    for (key, velocity) in [(0, 0.5), (1, 0.75)] {
        let half = RowHalf {
            block,
            cols: &[0],
            rows: [&[1.0]],
        };
        builder.add_scalar(key, ScalarKind::Bilateral { velocity }, &[half]);
    }
    builder.finish().unwrap();
    let (solution, report) = solve(
        builder.finished().unwrap(),
        ModelName::NoSlip,
        ModelSettings::default(),
    );
    assert_eq!(report.status, SolveStatus::Relaxed);
    assert!((solution.v_plus[0] - 0.5).abs() < 1e-15);
    assert!(
        (report.relaxed - 0.25).abs() < 1e-15
            && (report.residuals.contradiction - 0.25).abs() < 1e-15
    );
    assert!(report.residuals.max() < 1e-15);
}

/// A row of zeros (a contact between things that can't move) can't be changed and does no harm.
#[test]
fn rows_without_columns_do_no_harm() {
    let mut builder = ProblemBuilder::new();
    builder.begin(0.01);
    let mass = free_mass(1.0, nalgebra::Matrix3::identity());
    let block = builder.add_block(&mass, &[0.0; 6], &[0.0; 6]);
    let empty = RowHalf {
        block,
        cols: &[],
        rows: [&[], &[], &[]],
    };
    builder.add_contact(closed(0), &[empty]);
    builder.finish().unwrap();
    let (solution, report) = solve(
        builder.finished().unwrap(),
        ModelName::NoSlip,
        ModelSettings::default(),
    );
    assert_eq!(solution.v_plus, [0.0; 6]);
    assert_eq!(report.status, SolveStatus::Solved);
}

/// A heavy body on a light one: 1e6 and 1e-6 apart in mass, at rest.
#[test]
fn mass_ratios_of_a_million_stay_exact() {
    for (count, ratio) in [(3, 1e3), (2, 1e6), (2, 1e-6), (10, 4.0)] {
        for solver in [SolverName::Ppm, SolverName::ActiveSet] {
            let mut builder = ProblemBuilder::new();
            stack(&mut builder, count, 0.005, ratio);
            let (solution, report) =
                solve(builder.finished().unwrap(), ModelName::NoSlip, with(solver));
            assert_eq!(report.status, SolveStatus::Solved);
            assert!(report.residuals.max() < 1e-9, "{ratio}: {report:?}");
            assert!(worst_difference(&solution.v_plus, &vec![0.0; 6 * count]) < 1e-9);
            let weight: f64 = (0..count).map(|i| ratio.powi(i as i32) * G * 0.005).sum();
            let floor: f64 = solution.f_n[..4].iter().sum();
            assert!((floor / weight - 1.0).abs() < 1e-9);
        }
    }
}

#[test]
fn names_and_settings_are_checked() {
    for name in ModelName::ALL {
        assert_eq!(name.as_str().parse::<ModelName>().unwrap(), name);
    }
    let error = "sticky".parse::<ModelName>().unwrap_err().to_string();
    assert!(
        error.contains("sticky") && error.contains("no-slip-releasing"),
        "{error}"
    );
    let error = "lemkee".parse::<SolverName>().unwrap_err().to_string();
    assert!(error.contains("active-set"), "{error}");
    let bad = ModelSettings {
        baumgarte: f64::NAN,
        ..ModelSettings::default()
    };
    let error = Model::new(ModelName::NoSlip, bad).unwrap_err().to_string();
    assert!(error.contains("baumgarte"), "{error}");
    let made: Model = Model::new(ModelName::Frictionless, ModelSettings::default()).unwrap();
    assert_eq!(made.name(), ModelName::Frictionless);
}
