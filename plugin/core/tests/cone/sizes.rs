//! Work and time by size: run with --release -- --ignored --nocapture sizes.

use crate::common::*;
use std::time::Instant;
use stickslip_core::models::{ModelName, ModelSettings};
use stickslip_core::problem::ProblemBuilder;
use stickslip_core::report::SolverName;

#[test]
#[ignore = "timings: run with --release -- --ignored --nocapture"]
fn sizes() {
    type Scene = fn(&mut ProblemBuilder);
    let scenes: [(&str, Scene); 5] = [
        ("box, 4 contacts", |b| stack(b, 1, 0.005, 1.0)),
        ("stack, 40", |b| stack(b, 10, 0.005, 1.0)),
        ("one body, 200", |b| many(b, 200, 0.005)),
        ("stack, 200", |b| stack(b, 50, 0.005, 1.0)),
        ("quadruped, 4", |b| quadruped(b, 0.002)),
    ];
    for (scene, build) in scenes {
        let mut builder = ProblemBuilder::new();
        build(&mut builder);
        for name in [ModelName::Ccp, ModelName::Cone] {
            for &solver in name.solvers() {
                let settings = ModelSettings {
                    solver: Some(solver),
                    ..ModelSettings::default()
                };
                let mut one = Solver::new(name, settings);
                let start = Instant::now();
                let cold = one.solve(builder.problem());
                let cold_time = start.elapsed();
                one.warm.clear();
                let start = Instant::now();
                one.solve(builder.problem());
                let again = start.elapsed();
                let start = Instant::now();
                let warm = one.solve(builder.problem());
                println!(
                    "{scene:<16} {name:<5} {:<6} {:?} {} iterations, {again:?} (first {cold_time:?}), warm {} in {:?}, residual {:.1e}",
                    solver.as_str(),
                    cold.status,
                    cold.iterations,
                    warm.iterations,
                    start.elapsed(),
                    cold.residuals.max()
                );
            }
        }
    }
}

#[test]
#[ignore = "50,000 spheres: run with --release -- --ignored --nocapture"]
fn time_per_sweep_is_linear() {
    for side in [25, 50, 100, 224] {
        let mut builder = ProblemBuilder::new();
        carpet(&mut builder, side, pressed);
        let mut settings = ModelSettings {
            solver: Some(SolverName::Psor),
            ..ModelSettings::default()
        };
        settings.iteration.max_iterations = 100;
        let mut one = Solver::new(ModelName::Ccp, settings);
        one.solve(builder.problem());
        one.warm.clear();
        let start = Instant::now();
        let report = one.solve(builder.problem());
        let time = start.elapsed();
        let contacts = builder.problem().contact_count();
        println!(
            "{} spheres, {contacts} contacts: {} sweeps, {time:?}, {:.1} ns per contact and sweep, residual {:.1e} {:?}",
            side * side,
            report.iterations,
            time.as_nanos() as f64 / (report.iterations * contacts) as f64,
            report.residuals.max(),
            report.status
        );
    }
}
