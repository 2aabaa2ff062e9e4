//! A solve allocates nothing once its memory has seen the largest problem.
#![allow(clippy::unwrap_used, clippy::print_stdout)]

#[path = "common/alone.rs"]
mod alone;
mod common;

use alone::allocations;
use common::*;
use stickslip_core::models::{ModelName, ModelSettings, RollingFriction};
use stickslip_core::problem::ProblemBuilder;
use stickslip_core::report::{SolveStatus, SolverName};

fn main() {
    alone::alone(
        "solves_allocate_nothing_after_warm_up",
        solves_allocate_nothing_after_warm_up,
    );
}

fn solves_allocate_nothing_after_warm_up() {
    staged();
    large();
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
                        let count = allocations(|| {
                            solver.solve(builder.finished().unwrap());
                        });
                        if round > 0 {
                            assert_eq!(count, 0, "{name}, {scene}");
                        }
                    }
                }
            }
        }
    }
    // Sweeps, gradients and Newton's method over cones.
    let pairs = [
        (ModelName::Cone, SolverName::Psor),
        (ModelName::Ccp, SolverName::Psor),
        (ModelName::Ccp, SolverName::Apgd),
        (ModelName::Cone, SolverName::Engine),
    ];
    for (name, solver) in pairs {
        let settings = ModelSettings {
            solver: Some(solver),
            ..ModelSettings::default()
        };
        let mut solver = Solver::new(name, settings);
        for round in 0..4 {
            // Every round goes the same way: what a scene before leaves may lead to another method.
            solver.warm.clear();
            for (scene, build) in scenes {
                let mut builder = ProblemBuilder::new();
                build(&mut builder);
                for _ in 0..2 {
                    let mut status = None;
                    let count = allocations(|| {
                        status = Some(solver.solve(builder.finished().unwrap()).status);
                    });
                    assert_eq!(status, Some(SolveStatus::Solved), "{name}, {scene}");
                    assert!(round < 2 || count == 0, "{name}, {scene}: {count}");
                }
            }
        }
    }
}

/// Models of several stages, and those that search for a second answer: sliding and resting bodies.
fn staged() {
    let mut builder = ProblemBuilder::new();
    for name in [ModelName::CoulombAcceleration, ModelName::QuasiStatic] {
        for rolling in [RollingFriction::Pyramid, RollingFriction::Cone] {
            let mut settings = ModelSettings::default();
            settings.acceleration.rolling = rolling;
            let mut solver = Solver::new(name, settings);
            // The first round starts cold, the second from the last scene of the first.
            for round in 0..4 {
                for scene in 0..5 {
                    match scene {
                        0 => quadruped(&mut builder, 0.002),
                        1 => stack(&mut builder, 10, 0.005, 1.0),
                        2 => grasp(&mut builder, false),
                        3 => many(&mut builder, 30, 0.005),
                        _ => sliding(&mut builder),
                    }
                    let count = allocations(|| {
                        solver.solve(builder.finished().unwrap());
                    });
                    assert!(
                        round < 2 || count == 0,
                        "{name}, {rolling:?}, {scene}: {count}"
                    );
                }
            }
        }
    }
}

/// A spinning box that lands while it slides.
fn sliding(builder: &mut ProblemBuilder) {
    builder.begin(0.005);
    let mass = free_mass(2.0, nalgebra::Matrix3::identity());
    let v = [0.5, 0.2, -0.1, 0.0, 0.0, 2.0];
    let block = builder.add_block(&mass, &v, &[0.5, 0.2, -0.15, 0.0, 0.0, 2.0]);
    for (key, (x, y)) in [(0.5, 0.5), (-0.5, 0.5), (0.5, -0.5), (-0.5, -0.5)]
        .into_iter()
        .enumerate()
    {
        let rows = point_rows(up(), nalgebra::Vector3::new(x, y, -0.5), 1.0);
        builder.add_contact(closed(key as u64), &[half(block, &rows)]);
    }
    builder.finish().unwrap();
}

/// Islands large enough for lanes and small ones in turn: the lanes' memory waits for the next large one.
fn large() {
    let problems = [30, 8].map(|side| {
        let mut builder = ProblemBuilder::new();
        carpet(&mut builder, side, pressed);
        builder
    });
    for (name, solver) in [
        (ModelName::Ccp, SolverName::Psor),
        (ModelName::Ccp, SolverName::Apgd),
        (ModelName::Cone, SolverName::Engine),
    ] {
        let mut settings = ModelSettings {
            solver: Some(solver),
            ..ModelSettings::default()
        };
        settings.iteration.tolerance = 1e-2;
        let mut one = Solver::new(name, settings);
        for round in 0..4 {
            for (i, problem) in problems.iter().enumerate() {
                // Cold or by key, then warm; the first return to the large island is the first lookup by key.
                for _ in 0..2 {
                    let count = allocations(|| {
                        one.solve(problem.finished().unwrap());
                    });
                    assert!(round < 2 || count == 0, "{solver:?}, problem {i}: {count}");
                }
            }
        }
    }
}
