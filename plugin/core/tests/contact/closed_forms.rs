//! Answers known by hand.

use crate::common::*;
use nalgebra::{DMatrix, Matrix3, Vector3};
use stickslip_core::mass::MassFactor;
use stickslip_core::models::{ContactSolution, ModelName, ModelSettings};
use stickslip_core::problem::{ContactData, ProblemBuilder, RowHalf, ScalarKind};
use stickslip_core::report::{SolveReport, SolveStatus, SolverName};

const H: f64 = 0.01;

fn both_solvers() -> [ModelSettings; 2] {
    [SolverName::Ppm, SolverName::ActiveSet].map(|solver| ModelSettings {
        solver: Some(solver),
        ..ModelSettings::default()
    })
}

/// A point mass with contacts of given data and axes.
fn point_mass(
    mass: f64,
    v_free: [f64; 3],
    contacts: &[(ContactData, [Vector3<f64>; 3])],
) -> ProblemBuilder {
    let mut builder = ProblemBuilder::new();
    builder.begin(H);
    let mass = MassFactor::from_dense(&(DMatrix::identity(3, 3) * mass)).unwrap();
    let block = builder.add_block(&mass, &v_free, &v_free);
    for (data, axes) in contacts {
        let rows = axes.map(|a| [a.x, a.y, a.z]);
        let half = RowHalf {
            block,
            cols: &[0, 1, 2],
            rows: [&rows[0], &rows[1], &rows[2]],
        };
        builder.add_contact(*data, &[half]);
    }
    builder.finish().unwrap();
    builder
}

/// One coordinate of mass `mass` with scalar rows of coefficient `a`.
fn slider(mass: f64, v_free: f64, rows: &[(f64, ScalarKind)]) -> (ContactSolution, SolveReport) {
    let mut builder = ProblemBuilder::new();
    builder.begin(H);
    let mass = MassFactor::from_dense(&DMatrix::from_element(1, 1, mass)).unwrap();
    let block = builder.add_block(&mass, &[v_free], &[v_free]);
    for (key, (a, kind)) in rows.iter().enumerate() {
        let half = RowHalf {
            block,
            cols: &[0],
            rows: [&[*a]],
        };
        builder.add_scalar(key as u64, *kind, &[half]);
    }
    builder.finish().unwrap();
    let [first, second] =
        both_solvers().map(|s| solve(builder.finished().unwrap(), ModelName::NoSlip, s));
    assert!((first.0.v_plus[0] - second.0.v_plus[0]).abs() < 1e-12);
    assert_eq!(first.1.status, second.1.status);
    first
}

/// A cube sliding at v0 whose four lower corners stop: it tips about its leading edge. Angular
/// momentum about that edge, m v0 / 2, is kept, and the inertia there is m (1/6 + 1/2), so
/// omega = 3/4 v0 and the centre moves at right angles to its arm: v_x = v_z = omega / 2.
#[test]
fn a_sliding_cube_that_may_not_slip_tips_about_its_leading_edge() {
    for settings in both_solvers() {
        let mut builder = ProblemBuilder::new();
        builder.begin(H);
        let mass = free_mass(3.0, Matrix3::identity() * 0.5);
        let v_free = [2.0, 0.0, 0.0, 0.0, 0.0, 0.0];
        let block = builder.add_block(&mass, &v_free, &v_free);
        for (key, (x, y)) in [(-0.5, -0.5), (0.5, -0.5), (-0.5, 0.5), (0.5, 0.5)]
            .into_iter()
            .enumerate()
        {
            let rows = point_rows(up(), Vector3::new(x, y, -0.5), 1.0);
            builder.add_contact(closed(key as u64), &[half(block, &rows)]);
        }
        builder.finish().unwrap();
        let (solution, report) = solve(builder.finished().unwrap(), ModelName::NoSlip, settings);
        let expected = [0.75, 0.0, 0.75, 0.0, 1.5, 0.0];
        assert!(worst_difference(&solution.v_plus, &expected) < 1e-14);
        // Vertical momentum: m v_z from the two leading corners.
        assert!((solution.f_n.iter().sum::<f64>() - 3.0 * 0.75).abs() < 1e-13);
        assert!(report.residuals.max() < 1e-13, "{report:?}");
        // Tangential rows of a flat foot: two translations and the spin about the normal.
        assert_eq!((report.tangent_rows, report.tangent_rows_kept), (8, 3));
    }
}

/// Rolling starts with v+ = v0 / (1 + I / (m r^2))^-1 ...: m (v+ - v0) = -f, I omega = f r,
/// v+ = omega r give v+ = v0 / (1 + I / (m r^2)): 5/7 for the solid sphere, 1/2 for the hoop.
#[test]
fn sphere_and_hoop_roll_at_once() {
    for (share, expected) in [(0.4, 5.0 / 7.0), (1.0, 0.5)] {
        let (m, r) = (2.0, 0.1);
        let mut builder = ProblemBuilder::new();
        builder.begin(H);
        let mass = free_mass(m, Matrix3::identity() * (share * m * r * r));
        let v_free = [1.0, 0.0, -G * H, 0.0, 0.0, 0.0];
        let block = builder.add_block(&mass, &[0.0; 6], &v_free);
        let rows = point_rows(up(), Vector3::new(0.0, 0.0, -r), 1.0);
        builder.add_contact(closed(0), &[half(block, &rows)]);
        builder.finish().unwrap();
        let (solution, report) = solve(
            builder.finished().unwrap(),
            ModelName::NoSlip,
            ModelSettings::default(),
        );
        assert!((solution.v_plus[0] - expected).abs() < 1e-15);
        assert!((solution.f_n[0] - m * G * H).abs() < 1e-15);
        assert!(solution.slip[0] < 1e-15 && report.residuals.max() < 1e-15);
    }
}

/// M^-1 = [1 .9; .9 1], rows e1, e2, e1 + e2, v = (-1, -.2): meeting the first two rows together
/// would need z = (4.3, -3.7), so Theorem 1 of [D15] can't hold; the answer is z = (1, 0, 0),
/// v+ = (0, .7).
#[test]
fn the_counterexample_to_theorem_1_is_solved() {
    for settings in both_solvers() {
        let mut builder = ProblemBuilder::new();
        builder.begin(H);
        let inverse = DMatrix::from_row_slice(2, 2, &[1.0, 0.9, 0.9, 1.0]);
        let mass = MassFactor::from_dense(&inverse.try_inverse().unwrap()).unwrap();
        let v = [-1.0, -0.2];
        let block = builder.add_block(&mass, &v, &v);
        for (key, row) in [[1.0, 0.0], [0.0, 1.0], [1.0, 1.0]].iter().enumerate() {
            let half = RowHalf {
                block,
                cols: &[0, 1],
                rows: [row],
            };
            builder.add_scalar(key as u64, ScalarKind::Unilateral { gap: 0.0 }, &[half]);
        }
        builder.finish().unwrap();
        let (solution, report) = solve(builder.finished().unwrap(), ModelName::NoSlip, settings);
        assert_eq!(report.status, SolveStatus::Solved);
        assert_eq!(report.fallbacks, 0);
        assert!(worst_difference(&solution.v_plus, &[0.0, 0.7]) < 1e-14);
        assert!(worst_difference(&solution.f_scalar, &[1.0, 0.0, 0.0]) < 1e-14);
    }
}

/// A drive of unit coefficient on mass 2 moving at 1 m/s: it may take 0.5 N s, so v+ = 1 - 0.5/2;
/// unbounded it stops the slider with 2 N s; with compliance c it gives z = -1 / (1/2 + c).
#[test]
fn bounded_rows_hold_inside_their_bound_and_give_way_at_it() {
    let drive = |limit, compliance| ScalarKind::Bounded {
        velocity: 0.0,
        limit,
        compliance,
    };
    for (limit, compliance, z) in [
        (0.5, 0.0, -0.5),
        (5.0, 0.0, -2.0),
        (5.0, 1.5, -0.5),
        (0.0, 0.0, 0.0),
    ] {
        for a in [1.0, -1.0] {
            let (solution, report) = slider(2.0, 1.0, &[(a, drive(limit, compliance))]);
            assert!((solution.f_scalar[0] - a * z).abs() < 1e-15);
            assert!((solution.v_plus[0] - (1.0 + z / 2.0)).abs() < 1e-15);
            assert!(report.residuals.max() < 1e-15);
        }
    }
}

/// Dry friction of 0.3 N s on mass 1 pushed into a stop 1 mm ahead at 1 m/s: friction takes 0.3,
/// the stop lets phi / h = 0.1 m/s through and takes the rest, 0.6.
#[test]
fn friction_and_stop_share_the_impulse() {
    let friction = ScalarKind::Bounded {
        velocity: 0.0,
        limit: 0.3,
        compliance: 0.0,
    };
    let stop = ScalarKind::Unilateral { gap: 1e-3 };
    for rows in [
        [(1.0, friction), (-1.0, stop)],
        [(-1.0, stop), (1.0, friction)],
    ] {
        let (solution, _) = slider(1.0, 1.0, &rows);
        assert!((solution.v_plus[0] - 0.1).abs() < 1e-15);
        let stop_at = usize::from(rows[0].0 > 0.0);
        assert!((solution.f_scalar[stop_at] - 0.6).abs() < 1e-15);
        assert!((solution.f_scalar[1 - stop_at] + 0.3).abs() < 1e-15);
    }
}

/// A contact 1 mm away lets phi / h = 0.1 m/s through and does not hold sideways.
#[test]
fn a_predicted_contact_closes_no_further_and_does_not_hold() {
    let far = ContactData {
        phi: 1e-3,
        ..closed(0)
    };
    let builder = point_mass(2.0, [0.5, 0.0, -0.2], &[(far, up())]);
    let (solution, report) = solve(
        builder.finished().unwrap(),
        ModelName::NoSlip,
        ModelSettings::default(),
    );
    assert!(worst_difference(&solution.v_plus, &[0.5, 0.0, -0.1]) < 1e-15);
    assert_eq!(report.tangent_rows, 0);
    assert!((solution.slip[0] - 0.5).abs() < 1e-15 && report.residuals.slip == 0.0);
}

/// Penetration is pushed out at K phi / h up to the cap; an approach above the threshold rebounds
/// with e.
#[test]
fn penetration_restitution_and_conveyors_set_the_velocity() {
    let data = |phi, restitution| ContactData {
        phi,
        restitution,
        surface_velocity: [0.3, -0.1],
        ..closed(0)
    };
    for (phi, e, v_z, expected) in [
        (-1e-3, 0.0, -0.5, 0.02),
        (-1.0, 0.0, -0.5, 1.0),
        (0.0, 0.5, -1.0, 0.5),
        (0.0, 0.5, -0.05, 0.0),
        (1e-3, 0.5, -1.0, -0.1),
    ] {
        let builder = point_mass(2.0, [0.0, 0.0, v_z], &[(data(phi, e), up())]);
        let (solution, report) = solve(
            builder.finished().unwrap(),
            ModelName::NoSlip,
            ModelSettings::default(),
        );
        assert!((solution.v_plus[2] - expected).abs() < 1e-15);
        let belt = if phi > 0.0 { [0.0, 0.0] } else { [0.3, -0.1] };
        assert!(worst_difference(&solution.v_plus[..2], &belt) < 1e-15);
        assert!(report.residuals.max() < 1e-15);
    }
}

/// A foot being lifted: the paper's form holds it sideways for that step, the releasing one lets go;
/// a foot that presses is held by both.
#[test]
fn the_releasing_form_lets_go_of_what_does_not_press() {
    for (v_z, released) in [(0.5, true), (-0.5, false)] {
        let builder = point_mass(2.0, [1.0, 0.0, v_z], &[(closed(0), up())]);
        for settings in both_solvers() {
            let (held, _) = solve(
                builder.finished().unwrap(),
                ModelName::NoSlip,
                settings.clone(),
            );
            assert!(worst_difference(&held.v_plus, &[0.0, 0.0, v_z.max(0.0)]) < 1e-15);
            let (free, report) = solve(
                builder.finished().unwrap(),
                ModelName::NoSlipReleasing,
                settings,
            );
            let v_x = if released { 1.0 } else { 0.0 };
            assert!(worst_difference(&free.v_plus, &[v_x, 0.0, v_z.max(0.0)]) < 1e-15);
            assert!(!report.release_failed && report.residuals.max() < 1e-15);
        }
    }
}

/// The memory of a released contact must not keep it released once it presses again.
#[test]
fn a_released_contact_holds_again_when_it_presses() {
    let mut solver = Solver::new(ModelName::NoSlipReleasing, ModelSettings::default());
    for (v_z, v_x) in [(0.5, 1.0), (-0.5, 0.0), (0.5, 1.0), (-0.5, 0.0)] {
        let builder = point_mass(2.0, [1.0, 0.0, v_z], &[(closed(7), up())]);
        let report = solver.solve(builder.finished().unwrap());
        assert!((solver.solution.v_plus[0] - v_x).abs() < 1e-15);
        assert_eq!(report.status, SolveStatus::Solved);
        assert!(report.residuals.max() < 1e-15);
    }
}
