//! Heaps of up to 200 contacts: run with --release -- --ignored --nocapture heaps.

use crate::common::*;
use crate::rubble::{Recipe, Rubble};
use std::time::Instant;
use stickslip_core::models::{ModelName, ModelSettings};
use stickslip_core::problem::ProblemBuilder;
use stickslip_core::report::SolveStatus;

#[test]
#[ignore = "600 heaps of up to 200 contacts: run with --release -- --ignored --nocapture"]
fn heaps_of_up_to_two_hundred_contacts() {
    let mut builder = ProblemBuilder::new();
    for (contacts, decades, count) in [
        (30, 0.5, 300),
        (30, 3.0, 300),
        (200, 0.5, 60),
        (200, 3.0, 60),
    ] {
        let (mut solved, mut islands, mut worst) = (0, 0, 0.0_f64);
        let mut rungs = [0; 3];
        let mut unsolved = Vec::new();
        let start = Instant::now();
        for seed in 0..count {
            Rubble::new(seed, Recipe { contacts, decades }).build(&mut builder);
            let settings = ModelSettings::default();
            let (_, report) = solve(builder.problem(), ModelName::Cone, settings);
            let residual = report.residuals.max();
            islands += report.islands;
            rungs[0] += report.rungs.cold;
            rungs[1] += report.rungs.guaranteed;
            rungs[2] += report.rungs.best_effort;
            if report.status == SolveStatus::Solved {
                assert!(residual <= 1e-8, "{seed}: {report:?}");
                solved += 1;
                worst = worst.max(residual);
            } else {
                unsolved.push((seed, residual));
            }
        }
        println!(
            "{contacts} contacts, {decades} decades: {solved} of {count} solved, worst {worst:.1e}, islands {islands}, cold, guaranteed, best effort {rungs:?}, {:?} each, unsolved {unsolved:?}",
            start.elapsed() / count as u32
        );
        assert!(solved as f64 >= 0.8 * count as f64);
    }
}
