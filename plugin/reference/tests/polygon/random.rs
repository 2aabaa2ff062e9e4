//! Random problems: every answer verified.

use crate::common::*;
use crate::scenes::polygon;
use stickslip_core::models::{ModelName, ModelSettings};
use stickslip_core::problem::ProblemBuilder;
use stickslip_core::report::{RouteCounts, SolveStatus};

/// Problems that have a solution by theorem (no penetration, no bounce): solved to round-off times
/// condition; energy never grows. Coefficients of a million leave one of 500 told (seed 19 with 8 directions) at a residual
/// of 1.02e-9, a little more than counts as solved.
#[test]
fn well_posed_problems_are_solved() {
    let mut builder = ProblemBuilder::new();
    for directions in [4, 8] {
        let mut solver = Solver::new(ModelName::StewartTrinkle, polygon(directions));
        let (mut routes, mut told) = (RouteCounts::default(), 0);
        for seed in 0..250 {
            campaign::draw(&mut builder, seed, (2, 16), campaign::Kind::WellPosed);
            let problem = builder.finished().unwrap();
            solver.warm.clear();
            let report = solver.solve(problem);
            told += usize::from(report.status == SolveStatus::Inaccurate);
            let is_solved = report.status == SolveStatus::Solved;
            let allowed = if is_solved { 1e-9 } else { 2e-9 };
            assert!(is_solved || told <= 1, "seed {seed} {report:?}");
            assert!(report.residuals.max() <= allowed, "seed {seed} {report:?}");
            routes.cold += report.routes.cold;
            routes.guaranteed += report.routes.guaranteed;
            let before = kinetic_energy(problem, problem.v_free());
            let after = kinetic_energy(problem, &solver.solution.v_plus);
            let grown = after - before;
            assert!(grown <= 1e-9 * before, "seed {seed}: {before} {after}");
        }
        println!("d {directions}: {routes:?}");
        assert!(routes.guaranteed * 100 <= routes.cold, "{routes:?}");
    }
}

/// The same with torsion, rolling and compliance: spin rows in any direction.
#[test]
fn spinning_contacts_are_solved() {
    let mut builder = ProblemBuilder::new();
    for (directions, count) in [(4, 120), (8, 60)] {
        let mut solver = Solver::new(ModelName::StewartTrinkle, polygon(directions));
        let mut spinning = 0;
        for seed in 0..count {
            campaign::draw(&mut builder, seed, (2, 12), campaign::Kind::Spinning);
            let problem = builder.finished().unwrap();
            solver.warm.clear();
            let report = solver.solve(problem);
            assert_eq!(report.status, SolveStatus::Solved, "seed {seed} {report:?}");
            assert!(report.residuals.max() <= 1e-9, "seed {seed} {report:?}");
            let spins = solver.solution.f_spin.iter().flatten();
            spinning += spins.filter(|f| **f != 0.0).count();
            let before = kinetic_energy(problem, problem.v_free());
            let after = kinetic_energy(problem, &solver.solution.v_plus);
            let grown = after - before;
            assert!(grown <= 1e-9 * before, "seed {seed}: {before} {after}");
        }
        assert!(
            spinning > count as usize,
            "{spinning} impulses of spin rows"
        );
    }
}

/// The same problem again takes no pivot and gives the same velocity.
#[test]
fn warm_starts_save_the_work() {
    let mut builder = ProblemBuilder::new();
    let (mut repeats, mut count) = (0, 0);
    for seed in 0..120 {
        campaign::draw(&mut builder, seed, (2, 12), campaign::Kind::WellPosed);
        let mut solver = Solver::new(ModelName::StewartTrinkle, ModelSettings::default());
        solver.solve(builder.finished().unwrap());
        let first = solver.solution.clone();
        let report = solver.solve(builder.finished().unwrap());
        assert_eq!(report.status, SolveStatus::Solved, "seed {seed} {report:?}");
        count += 1;
        repeats += usize::from(report.pivots > 0);
        if report.pivots == 0 {
            let off = worst_difference(&first.v_plus, &solver.solution.v_plus);
            assert!(off < 1e-9, "seed {seed}: {off}");
        }
    }
    println!("repeated solves with pivots: {repeats} of {count}");
    assert!(repeats * 10 <= count, "{repeats} of {count}");
}
