//! Answers of the implicit model known by hand.

use crate::all_ways;
use crate::common::*;
use nalgebra::{DMatrix, Matrix3, Vector3};
use stickslip_core::mass::MassFactor;
use stickslip_core::models::{ModelName, ModelSettings};
use stickslip_core::problem::{ContactData, ProblemBuilder, RowHalf};
use stickslip_core::report::SolveStatus;

const H: f64 = 0.01;
const ROWS: [[f64; 3]; 3] = [[0.0, 0.0, 1.0], [1.0, 0.0, 0.0], [0.0, 1.0, 0.0]];

/// A point mass on contacts whose normal is +z and whose tangents are x, y.
fn point(builder: &mut ProblemBuilder, mass: f64, v: [[f64; 3]; 2], contacts: &[ContactData]) {
    builder.begin(H);
    let mass = MassFactor::from_dense(&(DMatrix::identity(3, 3) * mass)).unwrap();
    let block = builder.add_block(&mass, &v[0], &v[1]);
    for data in contacts {
        let half = RowHalf {
            block,
            cols: &[0, 1, 2],
            rows: [&ROWS[0][..], &ROWS[1], &ROWS[2]],
        };
        builder.add_contact(*data, &[half]);
    }
    builder.finish().unwrap();
}

fn damped(key: u64, mu_viscous: f64) -> ContactData {
    ContactData {
        mu_viscous,
        ..closed(key)
    }
}

/// m (v+ - v) = -h n mu_v v+: every step divides the speed by 1 + h n mu_v / m.
#[test]
fn a_sliding_block_slows_down_by_the_implicit_factor() {
    for settings in all_ways() {
        let mut solver = Solver::new(ModelName::Viscous, settings);
        let mut builder = ProblemBuilder::new();
        let contacts = [1, 2, 3, 4].map(|key| damped(key, 7.0));
        let factor = 1.0 / (1.0 + H * 4.0 * 7.0 / 2.0);
        let mut v = [1.5, -0.5, 0.0];
        for step in 1..=50 {
            let v_free = [v[0], v[1], -G * H];
            point(&mut builder, 2.0, [v, v_free], &contacts);
            let report = solver.solve(builder.finished().unwrap());
            assert_eq!(report.status, SolveStatus::Solved, "{report:?}");
            assert!(report.residuals.max() < 1e-13, "{report:?}");
            let s = &solver.solution;
            v = [s.v_plus[0], s.v_plus[1], s.v_plus[2]];
            let expected = factor.powi(step);
            assert!((v[0] - 1.5 * expected).abs() < 1e-14);
            assert!((v[1] + 0.5 * expected).abs() < 1e-14);
            assert!(v[2].abs() < 1e-15);
            for c in 0..4 {
                assert!((s.f_s[c] + H * 7.0 * v[0]).abs() < 1e-14);
                assert!((s.f_t[c] + H * 7.0 * v[1]).abs() < 1e-14);
                assert!(!s.held[c]);
            }
            let weight: f64 = s.f_n.iter().sum();
            assert!((weight - 2.0 * G * H).abs() < 1e-14);
        }
    }
}

/// On a slope the force m g sin and the friction n mu_v v balance at v = m g sin / (n mu_v); the
/// implicit step has the same fixed point.
#[test]
fn a_block_on_a_slope_reaches_its_terminal_speed() {
    let (mass, mu, angle) = (2.0, 5.0, 0.3_f64);
    for settings in all_ways() {
        let mut solver = Solver::new(ModelName::Viscous, settings);
        let mut builder = ProblemBuilder::new();
        let contacts = [damped(1, mu), damped(2, mu), damped(3, mu)];
        let mut v = [0.0; 3];
        for _ in 0..2000 {
            let v_free = [v[0] + H * G * angle.sin(), v[1], v[2] - H * G * angle.cos()];
            point(&mut builder, mass, [v, v_free], &contacts);
            assert_eq!(
                solver.solve(builder.finished().unwrap()).status,
                SolveStatus::Solved
            );
            v.copy_from_slice(&solver.solution.v_plus);
        }
        let terminal = mass * G * angle.sin() / (3.0 * mu);
        assert!((v[0] - terminal).abs() < 1e-12 * terminal, "{v:?}");
    }
}

/// A conveyor drags: m (v+ - v) = -h mu_v (v+ - c), so c - v shrinks by the implicit factor; two belts
/// against each other pull to their mean, weighted by mu_v.
#[test]
fn conveyors_drag_with_them() {
    for settings in all_ways() {
        let mut builder = ProblemBuilder::new();
        let belt = |key, mu, c: [f64; 2]| ContactData {
            surface_velocity: c,
            ..damped(key, mu)
        };
        let v_free = [0.2, 0.0, -G * H];
        let one = [belt(1, 30.0, [1.0, -2.0])];
        point(&mut builder, 1.5, [v_free; 2], &one);
        let (s, report) = solve(
            builder.finished().unwrap(),
            ModelName::Viscous,
            settings.clone(),
        );
        assert!(report.residuals.max() < 1e-13, "{report:?}");
        let factor = 1.0 / (1.0 + H * 30.0 / 1.5);
        assert!((s.v_plus[0] - (1.0 - 0.8 * factor)).abs() < 1e-14);
        assert!((s.v_plus[1] - (-2.0 + 2.0 * factor)).abs() < 1e-14);
        assert!((s.slip[0] - factor * 0.8_f64.hypot(2.0)).abs() < 1e-14);

        let two = [belt(1, 3e7, [1.0, 0.0]), belt(2, 1e7, [-1.0, 0.0])];
        point(&mut builder, 1.5, [v_free; 2], &two);
        let (s, report) = solve(builder.finished().unwrap(), ModelName::Viscous, settings);
        assert!(report.residuals.max() < 1e-9, "{report:?}");
        // (0.3 - 0.1) 1e6 + m v0 over 0.4e6 + m.
        let expected = (2e5 + 1.5 * 0.2) / (4e5 + 1.5);
        assert!((s.v_plus[0] - expected).abs() < 1e-12, "{:?}", s.v_plus);
    }
}

/// Newton's restitution acts along the normal alone, compliance too: a mass on a spring of
/// compliance C at depth d gets f = m (v+ - v_free), v+ + phi/h + (C/h^2) f = 0.
#[test]
fn bounces_and_compliance_do_not_mix_with_the_friction() {
    for settings in all_ways() {
        let mut builder = ProblemBuilder::new();
        let ball = ContactData {
            restitution: 0.5,
            ..damped(1, 100.0)
        };
        point(&mut builder, 1.0, [[1.0, 0.0, -2.0]; 2], &[ball]);
        let (s, report) = solve(
            builder.finished().unwrap(),
            ModelName::Viscous,
            settings.clone(),
        );
        assert!(report.residuals.max() < 1e-13, "{report:?}");
        assert!((s.v_plus[2] - 1.0).abs() < 1e-14 && (s.f_n[0] - 3.0).abs() < 1e-14);
        assert!((s.v_plus[0] - 0.5).abs() < 1e-14);

        let soft = ContactData {
            compliance: 1e-3,
            phi: -0.004,
            ..damped(1, 100.0)
        };
        point(&mut builder, 2.0, [[1.0, 0.0, -0.1]; 2], &[soft]);
        let mut solver = Solver::new(ModelName::Viscous, settings);
        for round in 0..2 {
            let report = solver.solve(builder.finished().unwrap());
            assert_eq!(report.status, SolveStatus::Solved);
            // The second solve starts warm.
            assert!(round == 0 || report.pivots == 0, "{report:?}");
            let f = (0.1 + 0.4) / (1.0 / 2.0 + 10.0);
            assert!((solver.solution.f_n[0] - f).abs() < 1e-14);
            assert!((solver.solution.v_plus[2] - (f / 2.0 - 0.1)).abs() < 1e-14);
            let slowed = 1.0 / (1.0 + H * 100.0 / 2.0);
            assert!((solver.solution.v_plus[0] - slowed).abs() < 1e-14);
        }
    }
}

/// Contacts that are only near have no friction; closed ones have it also while they separate.
#[test]
fn only_closed_contacts_rub_whether_they_press_or_not() {
    for settings in all_ways() {
        let mut builder = ProblemBuilder::new();
        let near = ContactData {
            phi: 1e-3,
            ..damped(1, 50.0)
        };
        point(&mut builder, 1.0, [[1.0, 2.0, 0.5]; 2], &[near]);
        let (s, report) = solve(
            builder.finished().unwrap(),
            ModelName::Viscous,
            settings.clone(),
        );
        assert_eq!((s.v_plus, s.f_s), (vec![1.0, 2.0, 0.5], vec![0.0]));
        assert_eq!(report.residuals.max(), 0.0);
        point(&mut builder, 1.0, [[1.0, 2.0, 0.5]; 2], &[damped(1, 50.0)]);
        let (s, _) = solve(builder.finished().unwrap(), ModelName::Viscous, settings);
        assert_eq!((s.v_plus[2], s.f_n[0]), (0.5, 0.0));
        assert!((s.v_plus[0] - 1.0 / 1.5).abs() < 1e-15);
    }
}

/// A sphere spinning about a horizontal axis on one contact: the friction impulse acts on the
/// contact point's velocity u = v - r omega with 1/m + r^2/I = 7/(2m) for a solid sphere, so
/// u+ = u / (1 + 7 h mu_v / (2 m)).
#[test]
fn a_sphere_is_slowed_at_its_contact_point() {
    let (mass, r) = (2.0, 0.5);
    let inertia = 0.4 * mass * r * r;
    for settings in all_ways() {
        let mut builder = ProblemBuilder::new();
        builder.begin(H);
        let factor = free_mass(mass, Matrix3::identity() * inertia);
        let v_free = [3.0, 0.0, -G * H, 0.0, 1.0, 0.0];
        let block = builder.add_block(&factor, &v_free, &v_free);
        let rows = point_rows(up(), Vector3::new(0.0, 0.0, -r), 1.0);
        builder.add_contact(damped(1, 40.0), &[half(block, &rows)]);
        builder.finish().unwrap();
        let (s, report) = solve(builder.finished().unwrap(), ModelName::Viscous, settings);
        assert!(report.residuals.max() < 1e-13);
        let u = s.v_plus[0] - r * s.v_plus[4];
        let expected = (3.0 - r) / (1.0 + 3.5 * H * 40.0 / mass);
        assert!((u - expected).abs() < 1e-14, "{u} {expected}");
        // Nothing turns the sphere but the friction: m v + I omega / r is kept.
        let kept = mass * s.v_plus[0] + inertia * s.v_plus[4] / r;
        assert!((kept - (mass * 3.0 + inertia / r)).abs() < 1e-13);
    }
}

/// Unconditional stability: with h n mu_v / m = 4e4 the speed goes to zero from one side.
#[test]
fn no_step_is_too_long() {
    for settings in all_ways() {
        let mut builder = ProblemBuilder::new();
        let contacts = [1, 2, 3, 4].map(|key| damped(key, 1e6));
        let mut v = [1.0, 0.0, 0.0];
        for _ in 0..3 {
            point(&mut builder, 1.0, [v, [v[0], 0.0, -G * H]], &contacts);
            let (s, report) = solve(
                builder.finished().unwrap(),
                ModelName::Viscous,
                settings.clone(),
            );
            assert_eq!(report.status, SolveStatus::Solved);
            assert!(report.residuals.max() < 1e-12, "{report:?}");
            let expected = v[0] / (1.0 + H * 4e6);
            assert!((s.v_plus[0] - expected).abs() < 1e-9 * expected, "{s:?}");
            v.copy_from_slice(&s.v_plus);
        }
    }
}

/// The model's solvers and the message for one that does not fit.
#[test]
fn solvers_that_do_not_fit_are_refused() {
    use stickslip_core::models::Model;
    use stickslip_core::report::SolverName;
    let settings = ModelSettings {
        solver: Some(SolverName::Psor),
        ..ModelSettings::default()
    };
    let text = Model::new(ModelName::Viscous, settings)
        .unwrap_err()
        .to_string();
    assert!(
        text.contains("viscous") && text.contains("ppm, active-set"),
        "{text}"
    );
}
