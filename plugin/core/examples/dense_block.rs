//! One block of 552 coordinates under 276 contacts with friction, as the capsules of a tangle make them: how long the
//! exact cone takes, cold, again, and after a push. `cargo run --release -p stickslip-core --example dense_block`
#![allow(clippy::unwrap_used)]

#[path = "../tests/common/mod.rs"]
mod common;

use common::{G, Random, Solver, axes, closed};
use nalgebra::{DMatrix, Vector3};
use std::time::Instant;
use stickslip_core::mass::MassFactor;
use stickslip_core::models::{ModelName, ModelSettings};
use stickslip_core::problem::{BlockId, ContactData, ProblemBuilder, RowHalf};

const CAPSULES: usize = 92;
const CONTACTS: usize = 276;
const DIM: usize = 6 * CAPSULES;
const H: f64 = 1.0 / 240.0;

/// Rows n, s, t of the contact of two capsules (or of one with the ground) over all coordinates.
fn rows(random: &mut Random, one: Option<usize>, other: usize) -> [Vec<f64>; 3] {
    let normal = match one {
        Some(_) => random.unit(),
        None => Vector3::z(),
    };
    let directions = axes(normal, 0.0);
    let mut rows = [0, 1, 2].map(|_| vec![0.0; DIM]);
    for (body, sign) in [(one, -1.0), (Some(other), 1.0)] {
        let Some(body) = body else { continue };
        let arm = random.unit() * 0.1;
        for (row, d) in rows.iter_mut().zip(directions) {
            let moment = arm.cross(&d);
            let own = &mut row[6 * body..6 * body + 6];
            own[..3].copy_from_slice((d * sign).as_slice());
            own[3..].copy_from_slice((moment * sign).as_slice());
        }
    }
    rows
}

/// Capsules tied into one articulated body: a mass matrix in which every coordinate feels every other.
fn tangle(builder: &mut ProblemBuilder, seed: u64, push: f64) {
    let mut random = Random(seed);
    let mixing = DMatrix::from_fn(DIM, DIM, |_, _| 0.02 * random.next());
    let mass = &mixing * mixing.transpose() + DMatrix::identity(DIM, DIM);
    let v: Vec<f64> = (0..DIM).map(|_| 0.1 * random.next()).collect();
    let free = |(i, v): (usize, &f64)| match i % 6 {
        2 => v - G * H,
        1 => v + push,
        _ => *v,
    };
    let v_free: Vec<f64> = v.iter().enumerate().map(free).collect();
    builder.begin(H);
    let block = builder.add_block(&MassFactor::from_dense(&mass).unwrap(), &v, &v_free);
    assert_eq!(block, BlockId(0));
    let cols: Vec<usize> = (0..DIM).collect();
    for key in 0..CONTACTS {
        let other = random.below(CAPSULES);
        let one = match key % 3 {
            0 => None,
            _ => Some((other + 1 + random.below(CAPSULES - 1)) % CAPSULES),
        };
        let [n, s, t] = rows(&mut random, one, other);
        let half = RowHalf {
            block,
            cols: &cols,
            rows: [&n[..], &s[..], &t[..]],
        };
        let mu = 0.5;
        let data = ContactData {
            mu,
            ..closed(key as u64)
        };
        builder.add_contact(data, &[half]);
    }
    builder.finish().unwrap();
}

fn main() {
    println!("| seed | solve | ms | iterations | residual | status |\n|---|---|---|---|---|---|");
    for seed in 1..=5 {
        let mut solver = Solver::new(ModelName::Cone, ModelSettings::default());
        let mut builder = ProblemBuilder::new();
        for (name, push) in [("cold", 0.0), ("again", 0.0), ("pushed by 1 mm/s", 1e-3)] {
            tangle(&mut builder, seed, push);
            let problem = builder.finished().unwrap();
            let start = Instant::now();
            let report = solver.solve(problem);
            let ms = 1e3 * start.elapsed().as_secs_f64();
            let (left, status) = (report.residuals.max(), report.status);
            println!(
                "| {seed} | {name} | {ms:.1} | {} | {left:.1e} | {status:?} |",
                report.iterations
            );
        }
    }
}
