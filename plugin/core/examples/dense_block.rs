//! One dense block under contacts with friction, as the capsules of a tangle make them: how long the exact cone takes, cold,
//! again, and after a push, and how many of 40 random ones with drift are solved to 1e-8.
//! `cargo run --release -p stickslip-core --example dense_block`
#![allow(clippy::unwrap_used, clippy::print_stdout)]

#[path = "../tests/common/mod.rs"]
mod common;
#[path = "../tests/cone/tangle.rs"]
mod tangle;

use common::{Random, Solver};
use std::time::Instant;
use stickslip_core::models::{ModelName, ModelSettings};
use stickslip_core::problem::ProblemBuilder;
use tangle::Tangle;

const TANGLE: Tangle = Tangle {
    capsules: 92,
    contacts: 276,
    h: 1.0 / 240.0,
    push: 0.0,
    drift: 0.0,
};

/// Blocks with drift.
const DRIFTING: usize = 40;

fn row(name: &str, solver: &mut Solver, builder: &ProblemBuilder) -> f64 {
    let start = Instant::now();
    let report = solver.solve(builder.finished().unwrap());
    let ms = 1e3 * start.elapsed().as_secs_f64();
    let (left, status) = (report.residuals.max(), report.status);
    println!(
        "| {name} | {ms:.1} | {} | {left:.1e} | {status:?} |",
        report.iterations
    );
    left
}

fn main() {
    println!("| solve | ms | iterations | residual | status |\n|---|---|---|---|---|");
    let mut builder = ProblemBuilder::new();
    for seed in 1..=5 {
        let mut solver = Solver::new(ModelName::Cone, ModelSettings::default());
        for (name, push) in [("cold", 0.0), ("again", 0.0), ("pushed by 1 mm/s", 1e-3)] {
            Tangle { push, ..TANGLE }.build(&mut builder, seed);
            row(&format!("{seed}: {name}"), &mut solver, &builder);
        }
    }
    let mut random = Random(7);
    let mut solved = 0;
    for seed in 0..DRIFTING {
        let capsules = 9 + random.below(84);
        let tangle = Tangle {
            capsules,
            contacts: 10 + random.below(3 * capsules),
            h: 1.0,
            push: 0.0,
            drift: 0.1,
        };
        tangle.build(&mut builder, 100 + seed as u64);
        let mut solver = Solver::new(ModelName::Cone, ModelSettings::default());
        let name = format!("{} coordinates, {} contacts", tangle.dim(), tangle.contacts);
        solved += usize::from(row(&name, &mut solver, &builder) <= 1e-8);
    }
    println!("\n{solved} of {DRIFTING} with drift are solved to 1e-8");
}
