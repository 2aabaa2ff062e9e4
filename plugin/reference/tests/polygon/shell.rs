//! Least kinetic energy within polygonal friction bounds.

use crate::common::*;
use crate::scenes::*;
use stickslip_core::models::{ContactSolution, ModelName, ModelSettings};
use stickslip_core::problem::{ContactProblem, ProblemBuilder, RowId};
use stickslip_core::report::{Residuals, SolveStatus, SolverName};
use stickslip_core::residual::{Rules, Scratch, residuals};

const DS: ModelName = ModelName::DrumwrightShell;

fn separation(problem: &ContactProblem, v: &[f64]) -> f64 {
    let contacts = 0..problem.contact_count();
    contacts.map(|c| problem.row(RowId(3 * c)).dot(v)).sum()
}

fn checked(problem: &ContactProblem, answer: &mut ContactSolution) -> Residuals {
    let settings = ModelSettings::default();
    let rules = Rules {
        model: DS,
        settings: &settings,
        release_failed: false,
        friction: None,
    };
    residuals(problem, rules, answer, &mut Scratch::default())
}

/// A point that comes with 1 m/s and slides with 2: nothing separates without friction, so kappa = 0
/// and the normal impulse is m; friction takes `mu m` off a corner's direction. What is slower sticks.
#[test]
fn point_is_stopped_and_braked_by_what_presses() {
    let mut builder = ProblemBuilder::new();
    for (slip, left) in [(2.0, 1.5), (0.4, 0.0)] {
        point(&mut builder, 3.0, ([0.0; 3], [-1.0, 0.0, slip]), mu(0.5));
        for solver in [SolverName::Lemke, SolverName::InteriorPoint] {
            let settings = ModelSettings {
                solver: Some(solver),
                ..ModelSettings::default()
            };
            let (answer, report) = solve(builder.finished().unwrap(), DS, settings);
            assert_eq!(report.status, SolveStatus::Solved, "{solver:?} {report:?}");
            assert!(answer.v_plus[0].abs() < 1e-8 && answer.v_plus[1].abs() < 1e-8);
            assert!(
                (answer.v_plus[2] - left).abs() < 1e-8,
                "{:?}",
                answer.v_plus
            );
            assert!((answer.f_n[0] - 3.0).abs() < 1e-7);
        }
    }
}

/// Random problems: verified, never more energy than without friction (and so than before), and no
/// more than the Stewart-Trinkle answer where that one is feasible here.
#[test]
fn energy_is_least_on_random_problems() {
    let mut builder = ProblemBuilder::new();
    let (mut compared, mut solved, mut less) = (0, 0, 0);
    for seed in 0..150 {
        campaign::draw(&mut builder, seed, (2, 8), campaign::Kind::WellPosed);
        let problem = builder.finished().unwrap();
        let (answer, report) = solve(problem, DS, ModelSettings::default());
        assert!(report.status.is_usable(), "seed {seed} {report:?}");
        if report.status != SolveStatus::Solved {
            continue;
        }
        solved += 1;
        let energy = kinetic_energy(problem, &answer.v_plus);
        // Round-off of the velocities before, squared.
        let zero = 1e-12 * kinetic_energy(problem, problem.v_free());
        let (bare, _) = solve(problem, ModelName::Frictionless, ModelSettings::default());
        let without = kinetic_energy(problem, &bare.v_plus);
        assert!(
            energy <= without * (1.0 + 1e-8) + zero,
            "seed {seed}: {energy} {without}"
        );
        let (other, with) = solve(problem, ModelName::StewartTrinkle, ModelSettings::default());
        let separate = separation(problem, &bare.v_plus) - separation(problem, &other.v_plus);
        if with.status == SolveStatus::Solved && separate > 0.0 {
            compared += 1;
            let others = kinetic_energy(problem, &other.v_plus);
            assert!(
                energy <= others * (1.0 + 1e-8) + zero,
                "seed {seed}: {energy} {others}"
            );
            less += usize::from(energy < 0.999 * others);
        }
    }
    println!("{solved} solved, {compared} compared, {less} with clearly less energy, of 150");
    assert!(solved >= 145 && compared > 30, "{solved} {compared}");
}

/// The residual check sees when an answer is feasible but not optimal: the frictionless one, with no
/// multipliers to speak for it, and the right one with a multiplier changed.
#[test]
fn judge_refuses_answers_that_are_not_optimal() {
    let mut builder = ProblemBuilder::new();
    point(&mut builder, 3.0, ([0.0; 3], [-1.0, 0.0, 2.0]), mu(0.5));
    let problem = builder.finished().unwrap();
    let (right, _) = solve(problem, DS, ModelSettings::default());
    let mut answer = right.clone();
    assert!(checked(problem, &mut answer).max() < 1e-12);
    let (bare, _) = solve(problem, ModelName::Frictionless, ModelSettings::default());
    let mut answer = ContactSolution {
        frictionless: right.frictionless.clone(),
        multipliers: vec![0.0; problem.row_count()],
        ..bare
    };
    assert!(checked(problem, &mut answer).max() > 0.1);
    let mut answer = right.clone();
    answer.multipliers[0] += 0.3;
    assert!(checked(problem, &mut answer).max() > 0.01);
    // An answer measured against too generous a frictionless stage.
    let mut answer = right;
    answer.frictionless[0] += 0.5;
    assert!(checked(problem, &mut answer).max() > 0.01);
}

/// The bases of both stages are remembered: the same problem again takes hardly a pivot and has the same
/// answer.
#[test]
fn the_next_solve_starts_from_the_last_bases() {
    let mut builder = ProblemBuilder::new();
    let (mut cold, mut warm) = (0, 0);
    for seed in 1..60 {
        campaign::draw(&mut builder, seed, (2, 30), campaign::Kind::Any);
        let mut solver = Solver::new(DS, ModelSettings::default());
        let first = solver.solve(builder.finished().unwrap());
        let v = solver.solution.v_plus.clone();
        let second = solver.solve(builder.finished().unwrap());
        if first.routes.cold < first.islands || first.status != SolveStatus::Solved {
            continue;
        }
        assert_eq!(second.status, SolveStatus::Solved, "{seed} {second:?}");
        assert_eq!(second.routes.warm, second.islands, "{seed} {second:?}");
        let off = worst_difference(&v, &solver.solution.v_plus);
        assert!(off < 1e-7, "{seed}: {off:e}");
        cold += first.pivots;
        warm += second.pivots;
    }
    assert!(cold > 1000 && warm * 20 < cold, "{warm} of {cold}");
}
