//! What must hold for every problem, on seeded random ones.

use crate::common::*;
use crate::generator::{Extremes, Scene};
use stickslip_core::models::{ModelName, ModelSettings};
use stickslip_core::problem::ProblemBuilder;
use stickslip_core::report::{RungCounts, SolveStatus, SolverName};

fn with(solver: SolverName) -> ModelSettings {
    ModelSettings {
        solver: Some(solver),
        ..ModelSettings::default()
    }
}

/// What became of a campaign.
#[derive(Debug, Default)]
struct Tally {
    islands: usize,
    solved: usize,
    rungs: RungCounts,
    worst_solved: f64,
    iterations: usize,
    unsolved: Vec<(u64, f64)>,
}

fn campaign(
    name: ModelName,
    solver: SolverName,
    extremes: Extremes,
    seeds: std::ops::Range<u64>,
) -> Tally {
    let mut tally = Tally::default();
    let mut builder = ProblemBuilder::new();
    let mut problems = 0;
    for seed in seeds {
        Scene::random_cones(seed, extremes).build(&mut builder);
        let problem = builder.problem();
        if problem.contact_count() == 0 {
            continue;
        }
        problems += 1;
        let settings = with(solver);
        let accepted = settings.acceptance(name, solver);
        let (_, report) = solve(problem, name, settings);
        tally.islands += report.islands;
        tally.iterations += report.iterations;
        let residual = report.residuals.max();
        if report.status == SolveStatus::Solved {
            tally.solved += 1;
            tally.worst_solved = tally.worst_solved.max(residual);
            // Each island is held against its own largest velocity, the whole against the largest.
            assert!(
                residual <= accepted,
                "{name} {solver:?} seed {seed} {report:?}"
            );
        } else {
            tally.unsolved.push((seed, residual));
        }
        tally.rungs.cold += report.rungs.cold;
        tally.rungs.guaranteed += report.rungs.guaranteed;
        tally.rungs.best_effort += report.rungs.best_effort;
    }
    println!(
        "{name} {solver:?} {extremes:?}: {} of {problems} solved, worst {:.1e}, iterations {}, {:?}, unsolved {:?}",
        tally.solved, tally.worst_solved, tally.iterations, tally.rungs, tally.unsolved
    );
    tally
}

#[test]
fn convex_problems_are_solved() {
    let tally = campaign(ModelName::Ccp, SolverName::Psor, Extremes::Mild, 0..300);
    assert!(tally.solved >= 220, "{}", tally.solved);
}
