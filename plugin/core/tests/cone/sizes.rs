//! Work and time by size: run with --release -- --ignored --nocapture sizes.

use crate::common::*;
use nalgebra::{Matrix3, Vector3};
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

/// Spheres side by side on the ground, each touching its neighbours: one island.
fn carpet(builder: &mut ProblemBuilder, side: usize) {
    builder.begin(0.01);
    let mass = free_mass(1.0, Matrix3::identity() * 0.1);
    let mut blocks = Vec::new();
    for i in 0..side * side {
        let x = 0.3 * (i as f64).sin();
        let v = [x, 0.2 * x, -G * 0.01, 0.0, x, 0.0];
        blocks.push(builder.add_block(&mass, &[0.0; 6], &v));
    }
    let mut key = 0;
    for i in 0..side * side {
        let ground = point_rows(up(), Vector3::new(0.0, 0.0, -0.5), 1.0);
        builder.add_contact(closed(key), &[half(blocks[i], &ground)]);
        key += 1;
        for (step, n, inside) in [
            (1, Vector3::x(), i % side + 1 < side),
            (side, Vector3::y(), i / side + 1 < side),
        ] {
            if inside {
                let frame = axes(n, 0.0);
                let lower = point_rows(frame, n * 0.5, -1.0);
                let upper = point_rows(frame, n * -0.5, 1.0);
                let halves = [half(blocks[i], &lower), half(blocks[i + step], &upper)];
                builder.add_contact(closed(key), &halves);
                key += 1;
            }
        }
    }
    builder.finish().unwrap();
}

#[test]
#[ignore = "50,000 spheres: run with --release -- --ignored --nocapture"]
fn time_per_sweep_is_linear() {
    for side in [25, 50, 100, 224] {
        let mut builder = ProblemBuilder::new();
        carpet(&mut builder, side);
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
