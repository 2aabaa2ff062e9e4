//! Bodies without inertia: pushes in closed form.

use crate::common::*;
use crate::paper::{Friction, QuasiStaticContact, QuasiStaticMemory, QuasiStaticProblem};
use nalgebra::{DMatrix, Matrix3, Vector3};
use stickslip_core::models::{ModelName, ModelSettings, PointednessCheck, QuasiStaticSettings};
use stickslip_core::problem::{ContactData, ProblemBuilder, RowHalf, ScalarKind};
use stickslip_core::report::SolveStatus;
use stickslip_reference::{Pointedness, pointedness};

const H: f64 = 0.01;
const TAU: f64 = 0.02;
const M: f64 = 3.0;

fn settings() -> ModelSettings {
    ModelSettings {
        quasi_static: QuasiStaticSettings {
            damping_time: TAU,
            ..QuasiStaticSettings::default()
        },
        ..ModelSettings::default()
    }
}

/// A box pushed along +x at its centre by a finger that moves at `u`, which touches it from behind;
/// `load` is the applied force, and `wall` the coefficient of a wall under it, if there is one.
fn push(builder: &mut ProblemBuilder, u: f64, load: Vector3<f64>, wall: Option<f64>) {
    builder.begin(H);
    let mass = free_mass(M, Matrix3::identity() * 0.4);
    // An earlier velocity is of no consequence.
    let v = [7.0, -3.0, 2.0, 0.1, 0.2, 0.3];
    let mut v_free = v;
    for k in 0..3 {
        v_free[k] += H * load[k] / M;
    }
    let block = builder.add_block(&mass, &v, &v_free);
    let data = ContactData {
        mu: 0.4,
        normal_drift: -u,
        restitution: 0.9,
        ..closed(0)
    };
    let rows = point_rows(axes(Vector3::x(), 0.0), Vector3::zeros(), 1.0);
    builder.add_contact(data, &[half(block, &rows)]);
    if let Some(mu) = wall {
        let data = ContactData { mu, ..closed(1) };
        let rows = point_rows(up(), Vector3::zeros(), 1.0);
        builder.add_contact(data, &[half(block, &rows)]);
    }
    builder.finish().unwrap();
}

#[test]
fn a_pushed_body_moves_at_the_pushers_speed() {
    let mut builder = ProblemBuilder::new();
    for u in [0.3, 1e-4, 20.0] {
        push(&mut builder, u, Vector3::zeros(), None);
        let (solution, report) = solve(
            builder.finished().unwrap(),
            ModelName::QuasiStatic,
            settings(),
        );
        assert_eq!(report.status, SolveStatus::Solved);
        assert_eq!((report.wedged, report.failures), (0, 0));
        assert!(report.residuals.max() < 1e-12);
        assert!((solution.v_plus[0] - u).abs() < 1e-13 * (1.0 + u));
        assert!(solution.v_plus[1..].iter().all(|v| v.abs() < 1e-13));
        // l = E v: force M u / tau.
        let force = solution.f_n[0] / H;
        assert!(
            (force - M * u / TAU).abs() < 1e-12 * (1.0 + force),
            "{force}"
        );
        assert_eq!((solution.f_s[0], solution.f_t[0]), (0.0, 0.0));
    }
    // Nothing pulls: from a finger that retreats the body stays behind.
    push(&mut builder, -0.3, Vector3::zeros(), None);
    let (solution, _) = solve(
        builder.finished().unwrap(),
        ModelName::QuasiStatic,
        settings(),
    );
    assert!(solution.v_plus.iter().all(|v| v.abs() < 1e-13));
}

#[test]
fn a_wall_takes_its_share() {
    // Pressed on the wall with P, and on the finger with l: the wall resists with mu P, and the
    // finger holds the body against the wall's normal by friction it does not need.
    let (p, mu, u) = (50.0, 0.25, 0.2);
    let mut builder = ProblemBuilder::new();
    push(&mut builder, u, Vector3::new(0.0, 0.0, -p), Some(mu));
    let (solution, report) = solve(
        builder.finished().unwrap(),
        ModelName::QuasiStatic,
        settings(),
    );
    assert_eq!(report.status, SolveStatus::Solved);
    assert!(report.residuals.max() < 1e-12);
    assert!((solution.v_plus[0] - u).abs() < 1e-12);
    let (finger, wall) = (solution.f_n[0] / H, solution.f_n[1] / H);
    // The finger's own friction is along y and z and may carry part of P.
    let shared = [solution.f_s[0], solution.f_t[0]].map(|f| f / H);
    let carried = shared[0].hypot(shared[1]);
    assert!((wall + carried - p).abs() < 1e-9, "{wall} {carried}");
    assert!((finger - M * u / TAU - mu * wall).abs() < 1e-9, "{finger}");
    assert!((solution.f_s[1] / H + mu * wall).abs() < 1e-9);
}

#[test]
fn bilateral_rows_limits_and_drives_are_kept() {
    let mut builder = ProblemBuilder::new();
    builder.begin(H);
    let mass = free_mass(M, Matrix3::identity());
    let block = builder.add_block(&mass, &[0.0; 6], &[0.0; 6]);
    let row = |col: &'static [usize]| RowHalf {
        block,
        cols: col,
        rows: [&[1.0]],
    };
    builder.add_scalar(0, ScalarKind::Bilateral { velocity: 0.4 }, &[row(&[0])]);
    builder.add_scalar(1, ScalarKind::Unilateral { gap: -0.05 }, &[row(&[1])]);
    let drive = ScalarKind::Bounded {
        velocity: 1.0,
        limit: 0.6,
        compliance: 0.0,
    };
    builder.add_scalar(2, drive, &[row(&[2])]);
    let problem = builder.finish().unwrap();
    let (solution, report) = solve(problem, ModelName::QuasiStatic, settings());
    assert_eq!(report.status, SolveStatus::Solved);
    // The limit is pushed out at K gap / h = 1 m/s; the drive gives E v = 0.6 / h.
    let expected = [0.4, 1.0, 0.6 / H / (M / TAU), 0.0, 0.0, 0.0];
    assert!(worst_difference(&solution.v_plus, &expected) < 1e-12);
}

#[test]
fn symbols_of_the_paper() {
    // A disc on a plane without friction under it, E = diag(4, 4, 0.5), pushed along x at a point
    // off its centre by b: E v = W_n l with v_x + b v_angle = u.
    let (b, u): (f64, f64) = (0.3, 0.8);
    let problem = |mu: f64| QuasiStaticProblem {
        h: 0.05,
        damping: vec![
            DMatrix::from_diagonal_element(2, 2, 4.0),
            DMatrix::from_element(1, 1, 0.5),
        ],
        f_ext: vec![0.0; 3],
        contacts: vec![QuasiStaticContact {
            w_n: vec![1.0, 0.0, b],
            w_f: Friction::Planar(vec![0.0, 1.0, 0.2]),
            psi: 0.0,
            psi_rate: -u,
            slip_rate: [0.0; 2],
            mu,
        }],
    };
    let mut memory = QuasiStaticMemory::default();
    let settings = ModelSettings::default();
    let answer = problem(0.0).solve(&settings, &mut memory);
    assert_eq!(answer.status, SolveStatus::Solved);
    let force = u / (1.0 / 4.0 + b * b / 0.5);
    assert!((answer.l_n[0] - force).abs() < 1e-12);
    let expected = [force / 4.0, 0.0, b * force / 0.5];
    assert!(worst_difference(&answer.v, &expected) < 1e-12);
    assert!((answer.sigma[0] - 0.2 * b * force / 0.5).abs() < 1e-12);
    // With enough friction the touched point moves along x at u.
    let answer = problem(1.0).solve(&settings, &mut memory);
    let slip = answer.v[1] + 0.2 * answer.v[2];
    assert!(slip.abs() < 1e-12 && (answer.v[0] + b * answer.v[2] - u).abs() < 1e-12);
    assert!(answer.l_f[0][0].abs() <= answer.l_n[0] && answer.l_f[0][0] < 0.0);
    // E v = W_n l_n + W_f l_f, line by line.
    let (n, f) = (answer.l_n[0], answer.l_f[0][0]);
    let left = [
        4.0 * answer.v[0] - n,
        4.0 * answer.v[1] - f,
        0.5 * answer.v[2] - b * n - 0.2 * f,
    ];
    assert!(left.iter().all(|x| x.abs() < 1e-12), "{left:?}");
    assert!(!answer.wedged);
    let pointed = problem(1.0).pointedness(&settings);
    assert_eq!(pointed, Pointedness::Pointed);
}

#[test]
fn a_gap_is_closed_within_the_step_and_no_further() {
    let (h, psi, u) = (0.1, 0.02, 0.5);
    let problem = QuasiStaticProblem {
        h,
        damping: vec![DMatrix::identity(2, 2)],
        f_ext: vec![0.0, 3.0],
        contacts: vec![QuasiStaticContact {
            w_n: vec![1.0, 0.0],
            w_f: Friction::Spatial([vec![0.0, 1.0], vec![0.0; 2]]),
            psi,
            psi_rate: -u,
            slip_rate: [0.0; 2],
            mu: 0.5,
        }],
    };
    let answer = problem.solve(&ModelSettings::default(), &mut QuasiStaticMemory::default());
    // v_x h + psi - u h = 0, so v_x = 0.3 = l_n; friction 0.15 against the slip.
    assert_eq!(answer.status, SolveStatus::Solved);
    assert!((answer.v[0] - 0.3).abs() < 1e-12 && (answer.l_n[0] - 0.3).abs() < 1e-12);
    assert!((answer.v[1] - 2.85).abs() < 1e-12, "{answer:?}");
}

#[test]
fn squeezed_between_two_pushers_is_jammed() {
    let squeeze = |builder: &mut ProblemBuilder, speeds: [f64; 2]| {
        builder.begin(H);
        let mass = free_mass(M, Matrix3::identity());
        let block = builder.add_block(&mass, &[0.0; 6], &[0.0; 6]);
        // A third contact, not involved.
        let rows = point_rows(up(), Vector3::new(0.0, 0.0, -0.1), 1.0);
        builder.add_contact(closed(9), &[half(block, &rows)]);
        for (k, sign) in [1.0, -1.0].into_iter().enumerate() {
            let data = ContactData {
                mu: 0.5,
                normal_drift: -speeds[k],
                ..closed(k as u64)
            };
            let at = Vector3::new(-0.1 * sign, 0.0, 0.0);
            let rows = point_rows(axes(Vector3::x() * sign, 0.0), at, 1.0);
            builder.add_contact(data, &[half(block, &rows)]);
        }
        builder.finish().unwrap();
    };
    let mut builder = ProblemBuilder::new();
    let both = Pointedness::Jammed {
        contacts: vec![1, 2],
    };
    // Coming together: no answer.
    squeeze(&mut builder, [0.1, 0.1]);
    let problem = builder.finished().unwrap();
    let (solution, report) = solve(problem, ModelName::QuasiStatic, settings());
    assert_eq!(report.status, SolveStatus::Jammed);
    assert_eq!(
        (report.wedged, report.failures, report.exact_cone),
        (1, 0, 1)
    );
    assert_eq!(solution.exact_cone, [true]);
    // Both rows are missed by all of their speed, which is reported.
    assert!(report.residuals.max() < 1e-9, "{:?}", report.residuals);
    assert!((report.relaxed - 0.1).abs() < 1e-9, "{}", report.relaxed);
    assert!(solution.v_plus[0].abs() < 1e-9, "{:?}", solution.v_plus);
    let island = problem.islands().next().unwrap();
    assert_eq!(pointedness(problem, &settings(), island), both);
    // The one gives way to the other: an answer, though forces of any size would do.
    squeeze(&mut builder, [0.1, -0.1]);
    let problem = builder.finished().unwrap();
    let (solution, report) = solve(problem, ModelName::QuasiStatic, settings());
    assert_eq!(report.status, SolveStatus::Solved);
    assert_eq!((report.wedged, report.failures), (1, 0));
    assert!((solution.v_plus[0] - 0.1).abs() < 1e-12);
    let mut lazy = settings();
    lazy.quasi_static.pointedness = PointednessCheck::OnFailure;
    let (_, report) = solve(problem, ModelName::QuasiStatic, lazy);
    assert_eq!(report.wedged, 0);
    // Without friction two opposite normals are a balance all the same.
    let island = problem.islands().next().unwrap();
    assert_eq!(pointedness(problem, &settings(), island), both);
}
