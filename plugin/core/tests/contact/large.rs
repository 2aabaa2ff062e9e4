//! Islands beyond what pivoting takes on: the engine under the laws of these models.

use crate::common::*;
use nalgebra::{Matrix3, Vector3};
use stickslip_core::models::{ModelName, ModelSettings};
use stickslip_core::problem::{ContactProblem, ProblemBuilder};
use stickslip_core::report::{SolveStatus, SolverName};

const MODELS: [ModelName; 4] = [
    ModelName::Frictionless,
    ModelName::NoSlip,
    ModelName::NoSlipReleasing,
    ModelName::Viscous,
];

/// One body on 400 contacts, a tower of 80 boxes, a row of spheres pressed along the ground: solved to the accuracy of
/// pivoting, or as far as motion can tell where bodies move.
#[test]
fn large_islands_are_solved_under_every_law() {
    type Scene = fn(&mut ProblemBuilder);
    let scenes: [(&str, Scene); 3] = [
        ("one body", |b| many(b, 400, 0.005)),
        ("tower", |b| stack(b, 80, 0.005, 1.0)),
        ("carpet", |b| carpet(b, 11, pressed)),
    ];
    for (scene, build) in scenes {
        let mut builder = ProblemBuilder::new();
        build(&mut builder);
        let problem = builder.finished().unwrap();
        for name in MODELS {
            let (answer, report) = solve(problem, name, ModelSettings::default());
            // Of one body no more than six rows are active: pivoting is quick whatever touches.
            let is_pivoted = scene == "one body";
            let by_engine = report.solver_used == SolverName::Engine;
            assert_eq!(by_engine, !is_pivoted, "{scene} {name}");
            let accepted = match report.status {
                SolveStatus::Solved => 1e-9,
                SolveStatus::SolvedInMotion => 1e-4,
                _ => panic!("{scene} {name}: {report:?}"),
            };
            assert!(
                report.residuals.max() <= accepted,
                "{scene} {name}: {report:?}"
            );
            // Spheres that stick to the ground and to each other pull as well as press: the releasing form may have no answer.
            let agrees = !report.release_failed;
            assert!(agrees || scene == "carpet", "{scene} {name}");
            if name == ModelName::NoSlipReleasing && agrees {
                let mut held = answer.held.iter().zip(&answer.f_n);
                assert!(held.all(|(&held, &f)| !held || f > 0.0), "{scene}");
            }
        }
    }
}

/// A tower that stands is answered by the impulses of its last solve, whoever found them: it is not made ready for the
/// engine again, which took four fifths of a solve of `pyramid` under `no-slip`.
#[test]
fn large_islands_at_rest_are_answered_by_their_last_impulses() {
    let mut builder = ProblemBuilder::new();
    stack(&mut builder, 80, 0.005, 1.0);
    let problem = builder.finished().unwrap();
    for name in [ModelName::NoSlip, ModelName::Cone] {
        let mut solver = Solver::new(name, ModelSettings::default());
        let first = solver.solve(problem);
        assert!(first.iterations > 0, "{name}: {first:?}");
        let again = solver.solve(problem);
        assert_eq!(
            (again.iterations, again.routes.warm),
            (0, 1),
            "{name}: {again:?}"
        );
        assert_eq!(again.solver_used, SolverName::Engine, "{name}");
        assert!(again.residuals.max() <= 1e-9, "{name}: {again:?}");
    }
}

/// A thousand contacts on one body are a small island: what is left of a speed is taken away to round-off, not to the
/// tolerance of rest, below which it grew by a sixteenth in each step of a block on 1,000 feet.
#[test]
fn a_thousand_contacts_on_one_body_are_solved_to_round_off() {
    let on_feet = |speed: f64| {
        let mut builder = ProblemBuilder::new();
        builder.begin(0.005);
        let free = [speed, 0.0, -G * 0.005 - speed, 0.0, speed, 0.0];
        let block = builder.add_block(&free_mass(2.0, Matrix3::identity()), &[0.0; 6], &free);
        for c in 0..1000 {
            let [x, y] = [c % 40, c / 40].map(|k| f64::from(k) / 39.0 - 0.5);
            let rows = point_rows(up(), Vector3::new(x, y, -0.2), 1.0);
            builder.add_contact(closed(c as u64), &[half(block, &rows)]);
        }
        builder.into_problem().unwrap()
    };
    let mut solver = Solver::new(ModelName::Cone, ModelSettings::default());
    solver.solve(&on_feet(0.0));
    for speed in [3e-11, -1e-9, 2e-10] {
        let report = solver.solve(&on_feet(speed));
        assert!(report.residuals.max() <= 1e-12, "{speed}: {report:?}");
        assert!(report.iterations <= 8, "{speed}: {report:?}");
    }
}

/// A slab that slides at 1 m/s on n contacts in its own plane, so that nothing turns it: `v+ = v / (1 + n h mu_v / m)`.
#[test]
fn viscous_friction_of_many_contacts_follows_the_closed_form() {
    let (h, n, m) = (0.005, 400, 3.0);
    let mut builder = ProblemBuilder::new();
    let build = |builder: &mut ProblemBuilder| {
        builder.begin(h);
        let mass = free_mass(m, Matrix3::identity());
        let free = [1.0, 0.0, -G * h, 0.0, 0.0, 0.0];
        let block = builder.add_block(&mass, &free, &free);
        for c in 0..n {
            let [x, y] = [c % 20, c / 20].map(|k| f64::from(k) / 19.0 - 0.5);
            let rows = point_rows(up(), Vector3::new(x, y, 0.0), 1.0);
            builder.add_contact(closed(c as u64), &[half(block, &rows)]);
        }
        builder.finish().unwrap();
    };
    build(&mut builder);
    let problem: &ContactProblem = builder.finished().unwrap();
    let (answer, report) = solve(problem, ModelName::Viscous, ModelSettings::default());
    assert_eq!(report.status, SolveStatus::Solved);
    let mu_v = problem.contacts()[0].mu_viscous;
    let wanted = 1.0 / (1.0 + f64::from(n) * h * mu_v / m);
    let off = worst_difference(&answer.v_plus, &[wanted, 0.0, 0.0, 0.0, 0.0, 0.0]);
    assert!(off < 1e-9, "{off:e} {report:?}");
}
