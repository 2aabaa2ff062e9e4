//! Times whole solves from a right warm start: a standing quadruped, a stack of boxes, and many
//! contacts on one body. `cargo run --release -p stickslip-core --example solve_timing [NAME]`; only
//! scenes whose name contains NAME.
#![allow(clippy::unwrap_used)]

#[path = "../tests/common/mod.rs"]
mod common;

use common::{Solver, grasp, many, quadruped, stack};
use std::time::Instant;
use stickslip_core::models::{ModelName, ModelSettings, WarmStart};
use stickslip_core::problem::ProblemBuilder;

/// Least over many short batches of the mean time of a solve [us]: what it takes undisturbed.
fn least_us(mut solve: impl FnMut(), batch: usize) -> f64 {
    let mut times: Vec<f64> = (0..200)
        .map(|_| {
            let start = Instant::now();
            for _ in 0..batch {
                solve();
            }
            start.elapsed().as_secs_f64() * 1e6 / batch as f64
        })
        .collect();
    times.sort_by(f64::total_cmp);
    times[0]
}

fn time(name: &str, builder: &ProblemBuilder, batch: usize) {
    if std::env::args()
        .nth(1)
        .is_some_and(|wanted| !name.contains(&wanted))
    {
        return;
    }
    let problem = builder.finished().unwrap();
    let mut solver = Solver::new(ModelName::NoSlip, ModelSettings::default());
    let cold = solver.solve(problem);
    let cold_us = least_us(
        || {
            solver.warm = WarmStart::new();
            solver.solve(problem);
        },
        batch.div_ceil(10),
    );
    let report = solver.solve(problem);
    let us = least_us(
        || {
            solver.solve(problem);
        },
        batch,
    );
    println!(
        "{name:<22} warm {us:9.3} us   cold {cold_us:9.2} us   pivots {} (cold {})   refinements {}   \
         status {:?}   residual {:.1e}",
        report.pivots,
        cold.pivots,
        report.iterations,
        report.status,
        report.residuals.max(),
    );
}

fn main() {
    let mut builder = ProblemBuilder::new();
    quadruped(&mut builder, 0.002);
    time("quadruped standing", &builder, 100);
    for count in [1, 10] {
        stack(&mut builder, count, 0.005, 1.0);
        time(&format!("stack of {count}"), &builder, 20);
    }
    for triplicated in [false, true] {
        grasp(&mut builder, triplicated);
        let name = if triplicated {
            "grasp, triplicated"
        } else {
            "grasp"
        };
        time(name, &builder, 20);
    }
    for count in [10, 100, 1000] {
        many(&mut builder, count, 0.005);
        time(&format!("{count} contacts, one body"), &builder, 10);
    }
}
