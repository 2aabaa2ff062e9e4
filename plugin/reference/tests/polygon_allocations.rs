//! A solve of the polygon models allocates nothing once its memory has seen the problems.
#![allow(clippy::unwrap_used, clippy::print_stdout)]

#[path = "common/alone.rs"]
mod alone;
mod common;

use alone::allocations;
use common::*;
use stickslip_core::models::{ModelName, ModelSettings};
use stickslip_core::problem::ProblemBuilder;

fn main() {
    alone::alone(
        "polygon_models_allocate_nothing_after_warm_up",
        polygon_models_allocate_nothing_after_warm_up,
    );
}

fn polygon_models_allocate_nothing_after_warm_up() {
    // Among them problems of the later routes, bounces, drives and spin rows.
    let problems: Vec<ProblemBuilder> = [
        (3, campaign::Kind::Any),
        (1694, campaign::Kind::Any),
        (9013, campaign::Kind::Any),
        (14229, campaign::Kind::Any),
        (4116, campaign::Kind::Any),
        (5, campaign::Kind::Bouncing),
        (7, campaign::Kind::Spinning),
    ]
    .into_iter()
    .map(|(seed, kind)| {
        let mut builder = ProblemBuilder::new();
        campaign::draw(&mut builder, seed, (2, 60), kind);
        builder
    })
    .collect();
    let names = [
        ModelName::StewartTrinkle,
        ModelName::AnitescuPotra,
        ModelName::DrumwrightShell,
    ];
    for name in names {
        // Enough that none is left to the engine, whose memory would be new.
        let mut settings = ModelSettings::default();
        settings.budget.work = 1e10;
        let mut solver = Solver::new(name, settings);
        for round in 0..3 {
            for (i, builder) in problems.iter().enumerate() {
                // The second solve is warm.
                for _ in 0..2 {
                    let count = allocations(|| {
                        solver.solve(builder.finished().unwrap());
                    });
                    assert!(round == 0 || count == 0, "{name}, problem {i}: {count}");
                }
            }
        }
    }
}
