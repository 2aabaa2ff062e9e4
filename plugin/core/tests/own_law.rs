//! Friction laws of the caller's: sweeps find them, and the residual function holds answers against them.
#![allow(clippy::unwrap_used)]

mod common;

use common::*;
use nalgebra::{Matrix3, Vector3};
use std::sync::Arc;
use stickslip_core::law::{FrictionLaw, onto_disc};
use stickslip_core::models::{
    ContactModel, ContactSolution, ModelName, ModelSettings, Solver as Kept, Sweeps,
};
use stickslip_core::problem::{ContactData, ContactProblem, ProblemBuilder, RowHalf, ScalarKind};
use stickslip_core::report::{SolveStatus, SolverName};
use stickslip_core::residual::{Rules, Scratch, residuals};

const H: f64 = 0.01;
const SPEED: f64 = 0.05;

/// `mu(v) = mu (0.6 + 0.4 exp(-(v / v_s)^2))`.
fn coefficient(mu: f64, v: f64) -> f64 {
    let v = v / SPEED;
    mu * (0.6 + 0.4 * (-v * v).exp())
}

#[derive(Debug)]
struct Stribeck;

impl FrictionLaw for Stribeck {
    fn project(&self, c: &ContactData, normal: f64, slip: [f64; 2], wanted: [f64; 2]) -> [f64; 2] {
        onto_disc(wanted, coefficient(c.mu, slip[0].hypot(slip[1])) * normal)
    }
}

#[derive(Debug)]
struct Coulomb;

impl FrictionLaw for Coulomb {
    fn project(&self, c: &ContactData, normal: f64, _: [f64; 2], wanted: [f64; 2]) -> [f64; 2] {
        onto_disc(wanted, c.mu * normal)
    }
}

fn by(law: Arc<dyn FrictionLaw>) -> Kept {
    let model: Box<dyn ContactModel> = Box::new(Sweeps::new(law));
    let mut settings = ModelSettings::default();
    settings.iteration.tolerance = 1e-9;
    settings.iteration.max_iterations = 20_000;
    Kept::own(model, settings).unwrap()
}

/// A mass of 1 kg on the ground that would slide at `v` after forces.
fn sliding(v: f64, builder: &mut ProblemBuilder) -> &ContactProblem {
    builder.begin(H);
    let mass = free_mass(1.0, Matrix3::identity() * 0.1);
    let free = [0.6 * v, 0.8 * v, -G * H, 0.0, 0.0, 0.0];
    let block = builder.add_block(&mass, &[0.0; 6], &free);
    let rows = point_rows(up(), Vector3::zeros(), 1.0);
    let data = ContactData {
        mu: 0.5,
        ..closed(0)
    };
    builder.add_contact(data, &[half(block, &rows)]);
    builder.finish().unwrap()
}

/// `m (v - v+) = mu(v+) m g h` at the speed of the step's end; below the static bound it stays.
#[test]
fn a_mass_slides_by_the_coefficient_of_its_speed() {
    for v in [0.02, 0.04, 0.07, 0.15, 0.5] {
        let mut builder = ProblemBuilder::new();
        let problem = sliding(v, &mut builder);
        let mut solver = by(Arc::new(Stribeck));
        let report = solver.solve(problem);
        assert_eq!(report.status, SolveStatus::Solved, "{v}: {report:?}");
        assert_eq!(report.solver_used, SolverName::Own);
        let u = &solver.solution().v_plus;
        let end = u[0].hypot(u[1]);
        let missing = v - end - coefficient(0.5, end) * G * H;
        if end > 1e-8 {
            assert!(missing.abs() < 1e-7, "{v}: {end}, {missing}");
            assert!((u[1] / u[0] - 4.0 / 3.0).abs() < 1e-6);
        } else {
            assert!(v <= 0.5 * G * H + 1e-8, "{v} sticks");
        }
    }
}

/// An answer under another coefficient is told: of Coulomb's law under Stribeck's, and the other way round.
#[test]
fn the_residual_holds_answers_against_the_law() {
    let mut builder = ProblemBuilder::new();
    let problem = sliding(0.5, &mut builder);
    let settings = ModelSettings::default();
    let left = |answer: &ContactSolution, friction| {
        let rules = Rules {
            model: ModelName::Cone,
            settings: &settings,
            release_failed: false,
            friction,
        };
        residuals(problem, rules, &mut answer.clone(), &mut Scratch::default()).max()
    };
    let laws: [Arc<dyn FrictionLaw>; 2] = [Arc::new(Stribeck), Arc::new(Coulomb)];
    let [weak, firm] = laws.clone().map(|law| {
        let mut solver = by(law);
        solver.solve(problem);
        solver.solution().clone()
    });
    let [stribeck, coulomb] = [0, 1].map(|k| Some(&*laws[k]));
    assert!(left(&weak, stribeck) < 1e-9 && left(&firm, coulomb) < 1e-9);
    assert!(left(&firm, None) < 1e-9, "the built-in law is Coulomb's");
    // 0.4 mu g h of friction apart.
    let apart = 0.4 * 0.5 * G * H / 1.5;
    for wrong in [left(&weak, coulomb), left(&firm, stribeck)] {
        assert!(wrong > 0.5 * apart, "{wrong} {apart}");
    }
}

/// Sweeps under Coulomb's law end where the engine does, with a joint, a limit, a drive, torsion and rolling.
#[test]
fn sweeps_end_where_the_engine_does() {
    let mut builder = ProblemBuilder::new();
    builder.begin(H);
    let mass = free_mass(2.0, Matrix3::identity() * 0.2);
    let free = [0.3, 0.1, -G * H, 0.5, 0.2, 3.0];
    let block = builder.add_block(&mass, &[0.0; 6], &free);
    for (key, [x, y]) in [[-0.5, -0.4], [0.5, -0.4], [0.0, 0.6]]
        .into_iter()
        .enumerate()
    {
        let rows = point_rows(up(), Vector3::new(x, y, -0.5), 1.0);
        let data = ContactData {
            mu: 0.2,
            mu_torsional: 0.01,
            mu_rolling: 0.005,
            ..closed(key as u64)
        };
        let contact = builder.add_contact(data, &[half(block, &rows)]);
        let spin = [[0.0, 0.0, 1.0], [1.0, 0.0, 0.0], [0.0, 1.0, 0.0]];
        let rows = [&spin[0][..], &spin[1], &spin[2]];
        let cols = &[3, 4, 5][..];
        builder.add_spin(contact, &[RowHalf { block, cols, rows }]);
    }
    for (key, kind, col) in [
        (10, ScalarKind::Bilateral { velocity: 0.05 }, 0),
        (11, ScalarKind::Unilateral { gap: -1e-3 }, 5),
        (
            12,
            ScalarKind::Bounded {
                velocity: 0.0,
                limit: 0.01,
                compliance: 0.1,
            },
            1,
        ),
    ] {
        let cols = &[col][..];
        builder.add_scalar(
            key,
            kind,
            &[RowHalf {
                block,
                cols,
                rows: [&[1.0]],
            }],
        );
    }
    let problem = builder.finish().unwrap();
    let (wanted, _) = solve(problem, ModelName::Cone, ModelSettings::default());
    let mut solver = by(Arc::new(Coulomb));
    let report = solver.solve(problem);
    assert_eq!(report.status, SolveStatus::Solved, "{report:?}");
    let answer = solver.solution();
    assert!(worst_difference(&answer.v_plus, &wanted.v_plus) < 1e-6);
    // The second solve starts where the first ended.
    let again = solver.solve(problem);
    assert!(again.residuals.max() <= 1e-9, "{again:?}");
}
