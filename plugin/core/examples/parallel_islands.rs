//! What a second thread gains: the same problems of separate stacks solved by one thread and by several,
//! in turns, so that a busy machine slows both alike.
//!
//! ```text
//! cargo run --release -p stickslip-core --features parallel --example parallel_islands -- [threads]
//! ```
//! Each line: model, stacks of five cubes, rows, the median time of one thread, the ratio of the medians
//! (time of one thread over time of several), whether the answers agree bit by bit.
#![allow(clippy::unwrap_used, clippy::print_stdout)]

#[path = "../tests/common/mod.rs"]
mod common;

use common::*;
use nalgebra::{Matrix3, Vector3};
use std::time::{Duration, Instant};
use stickslip_core::models::{ModelName, ModelSettings};
use stickslip_core::problem::{ContactData, ProblemBuilder};

const H: f64 = 0.01;
const HEIGHT: usize = 5;

/// Separate stacks of five unit cubes, each pushed sideways a little differently.
fn stacks(count: usize) -> ProblemBuilder {
    let mut builder = ProblemBuilder::new();
    let mut r = Random(7);
    builder.begin(H);
    for stack in 0..count {
        let push = [0.05 * r.next(), 0.05 * r.next()];
        let mut below = None;
        for i in 0..HEIGHT {
            let mass = free_mass(1.0, Matrix3::identity() / 6.0);
            let free = [push[0], push[1], -9.81 * H, 0.0, 0.0, 0.0];
            let block = builder.add_block(&mass, &[0.0; 6], &free);
            for corner in 0..4_u64 {
                let x = if corner & 1 == 0 { -0.5 } else { 0.5 };
                let y = if corner & 2 == 0 { -0.5 } else { 0.5 };
                let upper = point_rows(up(), Vector3::new(x, y, -0.5), 1.0);
                let lower = point_rows(up(), Vector3::new(x, y, 0.5), -1.0);
                let data = ContactData {
                    mu: 0.6,
                    ..closed(((stack * HEIGHT + i) as u64) << 2 | corner)
                };
                match below {
                    None => builder.add_contact(data, &[half(block, &upper)]),
                    Some(below) => {
                        builder.add_contact(data, &[half(below, &lower), half(block, &upper)])
                    }
                };
            }
            below = Some(block);
        }
    }
    builder.finish().unwrap();
    builder
}

fn median(times: &mut [Duration]) -> f64 {
    times.sort_unstable();
    times[times.len() / 2].as_secs_f64() * 1e6
}

fn main() {
    let given = std::env::args().nth(1).and_then(|n| n.parse().ok());
    let threads: usize = given.unwrap_or(2);
    let pools = [1, threads].map(|n| {
        let pool = rayon::ThreadPoolBuilder::new().num_threads(n);
        pool.build().unwrap()
    });
    println!("model, stacks, rows, one thread [us], gain of {threads} threads, same bits");
    for name in [ModelName::NoSlip, ModelName::Cone] {
        for count in [2, 4, 6, 8, 12, 16, 32, 100, 400] {
            let builder = stacks(count);
            let problem = builder.finished().unwrap();
            let rounds = (20_000 / (count * count.min(20))).clamp(15, 400);
            let mut solvers = [0; 2].map(|_| Solver::new(name, ModelSettings::default()));
            let mut times = [0; 2].map(|_| Vec::with_capacity(rounds));
            for round in 0..rounds + 5 {
                for k in 0..2 {
                    let solver = &mut solvers[k];
                    // Cold: a contact that came or went is what costs in a moving scene.
                    solver.warm.clear();
                    let took = pools[k].install(|| {
                        let start = Instant::now();
                        solver.solve(problem);
                        start.elapsed()
                    });
                    if round >= 5 {
                        times[k].push(took);
                    }
                }
            }
            let [one, several] = &mut times;
            let (one, several) = (median(one), median(several));
            let same = solvers[0].solution == solvers[1].solution;
            println!(
                "{name}, {count}, {}, {one:.1}, {:.2}, {same}",
                problem.row_count(),
                one / several
            );
        }
    }
}
