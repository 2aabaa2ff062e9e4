//! A solve allocates nothing once its memory has seen the largest problem.
#![allow(clippy::unwrap_used)]

mod common;

use common::*;
use stats_alloc::{INSTRUMENTED_SYSTEM, Region, StatsAlloc};
use std::alloc::System;
use stickslip_core::models::{ModelName, ModelSettings};
use stickslip_core::problem::ProblemBuilder;
use stickslip_core::report::{SolveStatus, SolverName};

#[global_allocator]
static COUNTED: &StatsAlloc<System> = &INSTRUMENTED_SYSTEM;

/// One test function only: others would run beside it and be counted.
#[test]
fn solves_allocate_nothing_after_warm_up() {
    type Scene = fn(&mut ProblemBuilder);
    let scenes: [(&str, Scene); 5] = [
        ("quadruped", |b| quadruped(b, 0.002)),
        ("stack", |b| stack(b, 10, 0.005, 1.0)),
        ("grasp", |b| grasp(b, false)),
        ("triplicated grasp", |b| grasp(b, true)),
        ("many", |b| many(b, 200, 0.005)),
    ];
    for solver in [SolverName::Ppm, SolverName::ActiveSet] {
        for name in PROJECTED {
            let settings = ModelSettings {
                solver: Some(solver),
                ..ModelSettings::default()
            };
            let mut solver = Solver::new(name, settings);
            let mut builders = Vec::new();
            for (_, build) in scenes {
                let mut builder = ProblemBuilder::new();
                build(&mut builder);
                builders.push(builder);
            }
            for round in 0..3 {
                for ((scene, _), builder) in scenes.iter().zip(&builders) {
                    // The second solve is warm; the change of scene makes the first one cold or
                    // looks rows up by key.
                    for _ in 0..2 {
                        let region = Region::new(COUNTED);
                        solver.solve(builder.problem());
                        let change = region.change();
                        if round > 0 {
                            let count = change.allocations + change.reallocations;
                            assert_eq!(count, 0, "{name}, {scene}");
                        }
                    }
                }
            }
        }
    }
    // Sweeps, gradients and Newton's method over cones.
    for solver in [SolverName::Psor, SolverName::Apgd] {
        for name in [ModelName::Cone, ModelName::Ccp] {
            let settings = ModelSettings {
                solver: Some(solver),
                ..ModelSettings::default()
            };
            let mut solver = Solver::new(name, settings);
            for round in 0..3 {
                for (scene, build) in scenes {
                    let mut builder = ProblemBuilder::new();
                    build(&mut builder);
                    for _ in 0..2 {
                        let region = Region::new(COUNTED);
                        let report = solver.solve(builder.problem());
                        let change = region.change();
                        assert_eq!(report.status, SolveStatus::Solved, "{name}, {scene}");
                        let count = change.allocations + change.reallocations;
                        assert!(round == 0 || count == 0, "{name}, {scene}: {count}");
                    }
                }
            }
        }
    }
    // The counter counts.
    let region = Region::new(COUNTED);
    std::hint::black_box(vec![1.0_f64; 100]);
    assert!(region.change().allocations > 0);
}
