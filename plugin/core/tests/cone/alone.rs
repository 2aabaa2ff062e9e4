//! Problems by themselves, whose answers no next step goes on from: dense blocks, whose factors are cheaper than the sweeps in
//! their place, and piles.

use crate::common::{Random, Solver, campaign};
use crate::tangle::Tangle;
use stickslip_core::models::{ModelName, ModelSettings};
use stickslip_core::problem::ProblemBuilder;
use stickslip_core::report::SolveStatus;

const TANGLE: Tangle = Tangle {
    capsules: 12,
    contacts: 36,
    h: 1.0 / 240.0,
    push: 0.0,
    drift: 0.0,
};

fn solve(tangle: Tangle, seed: u64, factor: usize) -> (f64, SolveStatus) {
    let mut settings = ModelSettings::default();
    settings.budget.factor = factor;
    let mut builder = ProblemBuilder::new();
    tangle.build(&mut builder, seed);
    let mut solver = Solver::new(ModelName::Cone, settings);
    let report = solver.solve(builder.finished().unwrap());
    (report.residuals.max(), report.status)
}

/// Sweeps over long rows take longer than a factor that the budget alone would refuse.
#[test]
fn a_block_is_factored_where_its_sweeps_take_longer() {
    for seed in 1..=5 {
        let (left, status) = solve(TANGLE, seed, 1);
        assert_eq!(status, SolveStatus::Solved, "{seed}: {left:.1e}");
        assert!(left <= 1e-8, "{seed}: {left:.1e}");
    }
}

/// Problems by themselves are solved to the tolerance of rest, however fast they move.
#[test]
fn blocks_that_drift_are_solved_to_the_tolerance_of_rest() {
    let mut random = Random(11);
    for seed in 0..30 {
        let capsules = 9 + random.below(16);
        let tangle = Tangle {
            capsules,
            contacts: 10 + random.below(3 * capsules),
            h: 1.0,
            drift: 0.1,
            ..TANGLE
        };
        let factor = ModelSettings::default().budget.factor;
        let (left, _) = solve(tangle, 100 + seed, factor);
        assert!(left <= 1e-8, "{seed}: {left:.1e}");
    }
}

/// Piles by themselves are solved to the tolerance of rest as well, but for a few, which say so. Coefficients of friction that wedge
/// everything are left out.
#[test]
fn piles_by_themselves_are_solved_to_the_tolerance_of_rest() {
    for model in [ModelName::Cone, ModelName::Ccp] {
        let (mut drawn, mut solved) = (0, 0);
        for seed in 91_000..91_300 {
            let mut builder = ProblemBuilder::new();
            campaign::draw(&mut builder, seed, (2, 60), campaign::Kind::WellPosed);
            let problem = builder.finished().unwrap();
            if problem.contacts().iter().any(|contact| contact.mu > 10.0) {
                continue;
            }
            drawn += 1;
            let report = Solver::new(model, ModelSettings::default()).solve(problem);
            let is_solved = report.residuals.max() <= 1e-8;
            assert!(is_solved || report.status != SolveStatus::Solved, "{seed}");
            solved += usize::from(is_solved);
        }
        assert!(
            drawn > 80 && 100 * solved >= 99 * drawn,
            "{model:?}: {solved} of {drawn}"
        );
    }
}
