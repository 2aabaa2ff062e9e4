//! Models of the caller's: Gauss-Seidel over the exact cone finds what the engine finds; what a model gets wrong is said,
//! and no body falls through the ground for it.
#![allow(clippy::unwrap_used)]

mod common;

use common::*;
use nalgebra::{Matrix3, Vector3};
use stickslip_core::models::{ContactModel, ModelError, ModelName, ModelSettings, Solver as Kept};
use stickslip_core::problem::{
    ContactData, ContactProblem, Delassus, GroupId, IslandProblem, ProblemBuilder, RowHalf,
    ScalarKind,
};
use stickslip_core::report::{SolveStatus, SolverName};

const H: f64 = 0.01;

/// Gauss-Seidel: each row to its own law, the tangents into the disc of radius mu f_n.
#[derive(Debug, Default)]
struct Sweeps {
    rows: Delassus,
}

impl ContactModel for Sweeps {
    fn solve(
        &mut self,
        place: IslandProblem<'_>,
        settings: &ModelSettings,
        z: &mut [f64],
    ) -> SolveStatus {
        let problem = place.problem;
        self.rows.fill(place);
        for _ in 0..2000 {
            for (group, at) in place.groups() {
                let n = at.start;
                let u = |i: usize, z: &[f64]| self.rows.velocity(i, z);
                let d = |i: usize| self.rows.row(i)[i];
                match group {
                    GroupId::Contact(c) => {
                        let contact = &problem.contacts()[c.0];
                        let b = settings.contact_velocity(contact, 0.0, problem.h());
                        z[n] = (z[n] - (u(n, z) + b) / d(n)).max(0.0);
                        let step = d(n + 1).max(d(n + 2));
                        let [s, t] = [1, 2].map(|k| z[n + k] - u(n + k, z) / step);
                        let share = (contact.mu * z[n] / s.hypot(t).max(1e-300)).min(1.0);
                        (z[n + 1], z[n + 2]) = (share * s, share * t);
                    }
                    GroupId::Scalar(row) => {
                        if let ScalarKind::Bilateral { velocity } = problem.scalars()[row.0].1 {
                            z[n] -= (u(n, z) - velocity) / d(n);
                        }
                    }
                }
            }
        }
        SolveStatus::Solved
    }
}

/// One that says the same of every row, whatever the problem.
#[derive(Debug)]
struct Constant(f64, SolveStatus);

impl ContactModel for Constant {
    fn solve(&mut self, _: IslandProblem<'_>, _: &ModelSettings, z: &mut [f64]) -> SolveStatus {
        z.fill(self.0);
        self.1
    }
}

/// One that names a law.
#[derive(Debug)]
struct Law(ModelName);

impl ContactModel for Law {
    fn law(&self) -> ModelName {
        self.0
    }

    fn solve(&mut self, _: IslandProblem<'_>, _: &ModelSettings, _: &mut [f64]) -> SolveStatus {
        SolveStatus::Solved
    }
}

/// A box of 1 kg on two corners and a guide along x, pushed along y for a step.
fn pushed(push: f64, builder: &mut ProblemBuilder) -> &ContactProblem {
    builder.begin(H);
    let mass = free_mass(1.0, Matrix3::identity() * 0.1);
    let free = [0.0, push * H, -G * H, 0.0, 0.0, 0.0];
    let block = builder.add_block(&mass, &[0.0; 6], &free);
    for (key, x) in [(0, -0.5), (1, 0.5)] {
        let rows = point_rows(up(), Vector3::new(x, 0.0, 0.0), 1.0);
        let data = ContactData {
            mu: 0.5,
            ..closed(key)
        };
        builder.add_contact(data, &[half(block, &rows)]);
    }
    let guide = RowHalf {
        block,
        cols: &[0],
        rows: [&[1.0]],
    };
    builder.add_scalar(7, ScalarKind::Bilateral { velocity: 0.0 }, &[guide]);
    builder.finish().unwrap()
}

#[test]
fn sweeps_of_ones_own_find_what_the_engine_finds() {
    for push in [2.0, 8.0] {
        let mut builder = ProblemBuilder::new();
        let problem = pushed(push, &mut builder);
        let (wanted, _) = solve(problem, ModelName::Cone, ModelSettings::default());
        let model = Box::new(Sweeps::default());
        let mut solver = Kept::own(model, ModelSettings::default()).unwrap();
        let report = solver.solve(problem);
        assert_eq!(report.status, SolveStatus::Solved);
        assert_eq!(report.solver_used, SolverName::Own);
        assert!(report.residuals.max() < 1e-9, "{report:?}");
        let answer = solver.solution();
        assert!(worst_difference(&answer.v_plus, &wanted.v_plus) < 1e-9);
        assert_eq!(answer.islands[0].solver, SolverName::Own);
        let v = (push - 0.5 * G).max(0.0) * H;
        assert!((answer.v_plus[1] - v).abs() < 1e-9);
    }
}

/// Impulses of the last solve come back under their keys, and no others.
#[test]
fn the_next_solve_starts_from_the_last_impulses() {
    let mut builder = ProblemBuilder::new();
    let problem = pushed(2.0, &mut builder);
    #[derive(Debug)]
    struct First(Vec<f64>);
    impl ContactModel for First {
        fn solve(&mut self, _: IslandProblem<'_>, _: &ModelSettings, z: &mut [f64]) -> SolveStatus {
            if z.iter().all(|&z| z == 0.0) {
                z.copy_from_slice(&self.0);
            } else {
                assert_eq!(z, &self.0[..]);
            }
            SolveStatus::Solved
        }
    }
    let given = vec![1.0, 0.1, 0.2, 2.0, 0.3, 0.4, 5.0];
    let settings = ModelSettings {
        energy_bound: false,
        ..ModelSettings::default()
    };
    let mut solver = Kept::own(Box::new(First(given)), settings).unwrap();
    for _ in 0..2 {
        solver.solve(problem);
        assert_eq!(solver.solution().f_s, [0.1, 0.3]);
        assert_eq!(solver.solution().f_scalar, [5.0]);
    }
}

/// A finite answer is applied whatever its residual; the report has the residual.
#[test]
fn a_wrong_answer_is_applied_and_told() {
    let mut builder = ProblemBuilder::new();
    let problem = pushed(2.0, &mut builder);
    let model = Box::new(Constant(0.0, SolveStatus::Solved));
    let mut solver = Kept::own(model, ModelSettings::default()).unwrap();
    let report = solver.solve(problem);
    assert_eq!(report.status, SolveStatus::Inaccurate);
    assert_eq!((report.unverified, report.exact_cone), (1, 0));
    assert!(report.residuals.penetration > 0.5 * G * H);
    assert_eq!(solver.solution().v_plus, problem.v_free());
}

/// Without a finite and usable answer the exact cone moves the island.
#[test]
fn no_answer_is_replaced_by_the_exact_cone() {
    let mut builder = ProblemBuilder::new();
    let problem = pushed(2.0, &mut builder);
    for (value, status, told) in [
        (f64::NAN, SolveStatus::Solved, SolveStatus::ExactCone),
        (f64::INFINITY, SolveStatus::Solved, SolveStatus::ExactCone),
        (f64::MAX, SolveStatus::Solved, SolveStatus::ExactCone),
        (0.0, SolveStatus::Infeasible, SolveStatus::ExactCone),
        (0.0, SolveStatus::NoSolution, SolveStatus::NoSolution),
    ] {
        let model = Box::new(Constant(value, status));
        let mut solver = Kept::own(model, ModelSettings::default()).unwrap();
        let report = solver.solve(problem);
        assert_eq!(report.status, told, "{value} {status}");
        assert_eq!(report.exact_cone, 1, "{value} {status}");
        assert!(report.residuals.max() < 1e-8, "{value} {status}");
        let v = &solver.solution().v_plus;
        assert!(v.iter().all(|v| v.abs() < 1e-9), "{value} {status}: {v:?}");
    }
}

/// Laws that the residual function can't check, and solvers, are refused in words.
#[test]
fn laws_that_do_not_fit_are_named() {
    for law in ModelName::ALL {
        let made = Kept::own(Box::new(Law(law)), ModelSettings::default());
        match made {
            Ok(solver) => assert_eq!(solver.model().name(), law),
            Err(ModelError::UnfitLaw { law: named, fit }) => {
                assert_eq!(named, law.as_str());
                assert!(fit.contains("cone"));
            }
            Err(other) => panic!("{other}"),
        }
    }
    let settings = ModelSettings {
        solver: Some(SolverName::Ppm),
        ..ModelSettings::default()
    };
    let refused = Kept::own(Box::new(Law(ModelName::Cone)), settings).unwrap_err();
    assert!(refused.to_string().contains("`own`"), "{refused}");
}
