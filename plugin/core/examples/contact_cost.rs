//! How the solve time grows with the number of contacts n at a fixed number m of coordinates: one
//! free body (m = 6) on a plane, trees of 18 and 37 coordinates with contacts all over their links.
//! `cargo run --release -p stickslip-core --example contact_cost [model ...]`
//!
//! Prints times of a cold and a warm solve in microseconds, the pivots of the cold one, and the
//! exponent of a least-squares fit of log time against log n. Fails if a solve is not `Solved`.
#![allow(clippy::unwrap_used, missing_docs)]

#[path = "../tests/common/mod.rs"]
mod common;

use common::*;
use nalgebra::{DMatrix, Vector3};
use std::sync::Arc;
use std::time::{Duration, Instant};
use stickslip_core::mass::{MassFactor, MassPattern, NO_PARENT};
use stickslip_core::models::{ModelName, ModelSettings};
use stickslip_core::problem::{ContactProblem, ProblemBuilder, RowHalf};
use stickslip_core::report::{SolveReport, SolveStatus};

const COUNTS: [usize; 7] = [10, 30, 100, 300, 1000, 3000, 10_000];

/// A tree of 6 + `joints` coordinates, four limbs on a floating base, with an arbitrary mass of its
/// sparsity, and `count` contacts on its links, each row along the path of its link.
fn tree(builder: &mut ProblemBuilder, joints: usize, count: usize) {
    let mut r = Random(0x5eed);
    let mut parents = vec![NO_PARENT, 0, 1, 2, 3, 4];
    for joint in 0..joints {
        parents.push(if joint < 4 { 5 } else { 2 + joint });
    }
    let m = parents.len();
    let pattern = Arc::new(MassPattern::from_parents(&parents).unwrap());
    let mut l = DMatrix::zeros(m, m);
    for i in 0..m {
        for &j in pattern.path(i) {
            l[(i, j)] = if i == j {
                1.2 + 0.8 * r.next()
            } else {
                0.3 * r.next()
            };
        }
    }
    let dense = l.transpose() * l;
    let mut mass = MassFactor::new(pattern.clone());
    for i in 0..m {
        for (depth, &j) in pattern.path(i).iter().enumerate() {
            *mass.entry_mut(i, depth) = dense[(i, j)];
        }
    }
    mass.factor().unwrap();
    let v: Vec<f64> = (0..m).map(|_| r.next()).collect();
    builder.begin(0.005);
    let block = builder.add_block(&mass, &v, &v);
    for key in 0..count as u64 {
        let cols = pattern.path(5 + r.below(joints + 1));
        let rows = [0; 3].map(|_| cols.iter().map(|_| r.next()).collect::<Vec<f64>>());
        let half = RowHalf {
            block,
            cols,
            rows: [&rows[0], &rows[1], &rows[2]],
        };
        builder.add_contact(closed(key), &[half]);
    }
    builder.finish().unwrap();
}

/// One free body on a plane, thrown at it askew.
fn body(builder: &mut ProblemBuilder, count: usize) {
    let mut r = Random(0x5eed);
    builder.begin(0.005);
    let mass = free_mass(2.0, nalgebra::Matrix3::identity() * 0.3);
    let v = [0.4, -0.2, -1.0, 0.3, 0.5, 0.1];
    let block = builder.add_block(&mass, &v, &v);
    for key in 0..count as u64 {
        let arm = Vector3::new(r.next(), r.next(), -0.2);
        builder.add_contact(closed(key), &[half(block, &point_rows(up(), arm, 1.0))]);
    }
    builder.finish().unwrap();
}

/// The least time of a solve over about a tenth of a second, at least five solves: what other
/// programs take from the machine only adds to it.
fn fastest(solver: &mut Solver, problem: &ContactProblem, cold: Warmth) -> (Duration, SolveReport) {
    let mut times = Vec::new();
    let begun = Instant::now();
    loop {
        if cold == Warmth::Cold {
            solver.warm.clear();
        }
        let start = Instant::now();
        let report = solver.solve(problem);
        times.push(start.elapsed());
        assert_eq!(report.status, SolveStatus::Solved, "{report:?}");
        if times.len() >= 5 && begun.elapsed() > Duration::from_millis(100) {
            return (times.into_iter().min().unwrap_or_default(), report);
        }
    }
}

#[derive(Clone, Copy, PartialEq)]
enum Warmth {
    Cold,
    Warm,
}

/// Slope of the least-squares line through (log n, log t).
fn exponent(points: &[(f64, f64)]) -> f64 {
    let n = points.len() as f64;
    let logs = || points.iter().map(|(n, t)| (n.ln(), t.ln()));
    let (x, y) = logs().fold((0.0, 0.0), |(a, b), (x, y)| (a + x / n, b + y / n));
    let (xy, xx) = logs().fold((0.0, 0.0), |(a, b), (u, v)| {
        (a + (u - x) * (v - y), b + (u - x) * (u - x))
    });
    xy / xx
}

fn main() {
    let mut names: Vec<ModelName> = std::env::args()
        .skip(1)
        .map(|name| name.parse().unwrap())
        .collect();
    if names.is_empty() {
        names = vec![ModelName::NoSlip, ModelName::Viscous];
    }
    println!("model                  m       n     cold us     warm us  pivots");
    for name in names {
        for m in [6, 18, 37] {
            let mut solver = Solver::new(name, ModelSettings::default());
            let mut points = Vec::new();
            for n in COUNTS {
                let mut builder = ProblemBuilder::new();
                if m == 6 {
                    body(&mut builder, n);
                } else {
                    tree(&mut builder, m - 6, n);
                }
                let problem = builder.finished().unwrap();
                let (cold, report) = fastest(&mut solver, problem, Warmth::Cold);
                let (warm, _) = fastest(&mut solver, problem, Warmth::Warm);
                let us = |t: Duration| 1e6 * t.as_secs_f64();
                println!(
                    "{:<20} {m:>3} {n:>7} {:>11.1} {:>11.1} {:>7}",
                    name.as_str(),
                    us(cold),
                    us(warm),
                    report.pivots
                );
                points.push((n as f64, us(cold), us(warm)));
            }
            let fit = |k: fn(&(f64, f64, f64)) -> (f64, f64), from: usize| {
                exponent(&points[from..].iter().map(k).collect::<Vec<_>>())
            };
            println!(
                "{:<20} {m:>3} exponent cold {:.2}, warm {:.2}; from n = 1000 on {:.2}, {:.2}",
                name.as_str(),
                fit(|p| (p.0, p.1), 0),
                fit(|p| (p.0, p.2), 0),
                fit(|p| (p.0, p.1), 4),
                fit(|p| (p.0, p.2), 4),
            );
        }
    }
}
