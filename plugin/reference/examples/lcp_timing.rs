//! Times and pivots of the solvers of full-matrix problems on random Stewart-Trinkle problems, and on
//! their frictionless (positive semidefinite) parts.
//! `cargo run --release -p stickslip-reference --example lcp_timing [PROBLEMS]`
#![allow(clippy::unwrap_used)]

#[path = "../tests/lcp/problems.rs"]
mod problems;

use problems::{Friction, Motion, Problem, Random, friction};
use std::time::Instant;
use stickslip_core::report::SolveStatus;
use stickslip_reference::lcp::*;

fn time(name: &str, solver: &mut dyn LcpSolver, problems: &[Problem]) {
    let mut z = Vec::new();
    let mut times = Vec::new();
    let (mut pivots, mut iterations, mut solved) = (0, 0, 0);
    for p in problems {
        let start = Instant::now();
        let outcome = solver.solve(p.lcp(), &Limits::default(), Start::Cold, &mut z);
        times.push(start.elapsed().as_secs_f64() * 1e3);
        pivots += outcome.pivots;
        iterations += outcome.iterations;
        solved += usize::from(outcome.status == SolveStatus::Solved);
    }
    times.sort_by(f64::total_cmp);
    let count = problems.len();
    println!(
        "  {name:<20} median {:8.3} ms  p99 {:8.3} ms  pivots {:6.1}  iterations {:7.1}  solved {solved}/{count}",
        times[count / 2],
        times[count * 99 / 100],
        pivots as f64 / count as f64,
        iterations as f64 / count as f64,
    );
}

fn main() {
    let count: usize = std::env::args().nth(1).map_or(20, |n| n.parse().unwrap());
    let mut r = Random::new(1);
    for contacts in [2, 5, 10, 20, 30, 60] {
        for (what, mu) in [
            ("with friction", &[0.5] as &[f64]),
            ("frictionless", &[0.0]),
        ] {
            let set: Vec<Problem> = (0..count)
                .map(|k| {
                    let motion = [Motion::Random, Motion::Resting][k % 2];
                    let f = Friction {
                        contacts,
                        bodies: contacts.div_ceil(5),
                        mu,
                        repeated: 0,
                        motion,
                    };
                    friction(&mut r, f)
                })
                .collect();
            println!("{contacts} contacts {what}: {} variables", set[0].dim());
            time("lemke", &mut Lemke::default(), &set);
            if mu == [0.0] {
                time("dantzig", &mut Dantzig::default(), &set);
                time(
                    "principal-pivoting",
                    &mut PrincipalPivoting::default(),
                    &set,
                );
            }
            time("interior-point", &mut InteriorPoint::default(), &set);
        }
    }
}
