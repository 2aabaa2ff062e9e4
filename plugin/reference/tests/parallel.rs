//! Islands solved by several threads: the same bits as by one, and no allocation (feature `parallel`).
#![cfg(feature = "parallel")]
#![allow(clippy::unwrap_used)]

mod common;

use common::*;
use nalgebra::{Matrix3, Vector3};
use stats_alloc::{INSTRUMENTED_SYSTEM, Region, StatsAlloc};
use std::alloc::System;
use stickslip_core::models::{DampingRoute, ModelName, ModelSettings};
use stickslip_core::problem::{ContactData, ProblemBuilder};
use stickslip_core::report::SolverName;

#[global_allocator]
static COUNTED: &StatsAlloc<System> = &INSTRUMENTED_SYSTEM;

const H: f64 = 0.01;

/// `count` separate columns of one to six cubes, pushed about at random: some slide, some fall apart,
/// some bounce. In round k some contacts are gone, so that others change their index.
fn columns(count: usize, round: usize) -> ProblemBuilder {
    let mut builder = ProblemBuilder::new();
    let mut r = Random(0x2545_f491_4f6c_dd1d);
    builder.begin(H);
    for column in 0..count {
        let height = 1 + r.below(6);
        let slope = Vector3::new(0.3 * r.next(), 0.3 * r.next(), -1.0);
        let mut blocks = Vec::new();
        for _ in 0..height {
            let m = 1.0 + 0.5 * r.next();
            let mass = free_mass(m, Matrix3::identity() * (m / 6.0));
            let v: [f64; 6] = std::array::from_fn(|_| 0.2 * r.next());
            let push = slope * (9.81 * H * (1.0 + round as f64));
            let free = [
                v[0] + push.x,
                v[1] + push.y,
                v[2] + push.z,
                v[3],
                v[4],
                v[5],
            ];
            blocks.push(builder.add_block(&mass, &v, &free));
        }
        for i in 0..height {
            let mu = 0.6 + 0.5 * r.next();
            for corner in 0..4_u64 {
                let (phi, restitution) = (1e-3 * r.next(), 0.5 * r.next().max(0.0));
                if r.below(7) == round {
                    continue;
                }
                let x = if corner & 1 == 0 { -0.5 } else { 0.5 };
                let y = if corner & 2 == 0 { -0.5 } else { 0.5 };
                let upper = point_rows(up(), Vector3::new(x, y, -0.5), 1.0);
                let lower = point_rows(up(), Vector3::new(x, y, 0.5), -1.0);
                let data = ContactData {
                    mu,
                    mu_viscous: 20.0,
                    phi: phi.min(0.0),
                    restitution,
                    ..closed(100 * column as u64 + 10 * i as u64 + corner)
                };
                match i {
                    0 => builder.add_contact(data, &[half(blocks[0], &upper)]),
                    _ => {
                        let halves = [half(blocks[i - 1], &lower), half(blocks[i], &upper)];
                        builder.add_contact(data, &halves)
                    }
                };
            }
        }
    }
    builder.finish().unwrap();
    builder
}

fn pool(threads: usize) -> rayon::ThreadPool {
    let pool = rayon::ThreadPoolBuilder::new().num_threads(threads);
    pool.build().unwrap()
}

fn settings(solver: Option<SolverName>, route: DampingRoute) -> ModelSettings {
    let mut settings = ModelSettings {
        solver,
        ..ModelSettings::default()
    };
    settings.viscous.route = route;
    settings
}

/// Answers, reports and warm starts of one, two and four threads agree bit by bit over solves
/// that change.
fn check(name: ModelName, settings: &ModelSettings, problems: &[ProblemBuilder]) {
    let run = |threads| {
        pool(threads).install(|| {
            let mut solver = Solver::new(name, settings.clone());
            let solve = |problem: &ProblemBuilder| {
                let report = solver.solve(problem.finished().unwrap());
                let warm = bincode::serialize(&solver.warm).unwrap();
                (report, solver.solution.clone(), warm)
            };
            problems.iter().map(solve).collect::<Vec<_>>()
        })
    };
    let serial = run(1);
    for threads in [2, 4] {
        for (round, (a, b)) in serial.iter().zip(run(threads)).enumerate() {
            let at = format!("{name}, {:?}, {threads} threads, {round}", settings.solver);
            assert_eq!(a.0, b.0, "{at}: report");
            assert!(a.1 == b.1, "{at}: answer");
            assert!(a.2 == b.2, "{at}: warm start");
        }
    }
}

/// One test function only: others would run beside it and their allocations be counted.
#[test]
fn several_threads_give_the_bits_of_one_and_allocate_nothing() {
    let rounds = [0, 1, 1, 7].map(|round| columns(24, round));
    let cheapest = DampingRoute::Cheapest;
    // The other two solve their islands one after another.
    let serial = [ModelName::CoulombAcceleration, ModelName::QuasiStatic];
    for name in ModelName::ALL {
        if !serial.contains(&name) {
            check(name, &settings(None, cheapest), &rounds);
        }
    }
    for (name, solver) in [
        (ModelName::NoSlip, SolverName::ActiveSet),
        (ModelName::NoSlip, SolverName::Lemke),
        (ModelName::Cone, SolverName::Psor),
        (ModelName::Ccp, SolverName::Psor),
        (ModelName::Frictionless, SolverName::InteriorPoint),
    ] {
        check(name, &settings(Some(solver), cheapest), &rounds[..1]);
    }
    // One island, whose units several threads share.
    let mut carpets = settings(Some(SolverName::Apgd), cheapest);
    carpets.iteration.tolerance = 1e-4;
    let whole = [38, 36].map(|side| {
        let mut builder = ProblemBuilder::new();
        carpet(&mut builder, side, pressed);
        builder
    });
    check(ModelName::Ccp, &carpets, &whole);
    for name in [ModelName::Cone, ModelName::NoSlip] {
        check(name, &settings(None, cheapest), &whole);
    }
    for route in [DampingRoute::Mass, DampingRoute::Rows] {
        check(ModelName::Viscous, &settings(None, route), &rounds);
    }
    for name in [ModelName::NoSlip, ModelName::Viscous, ModelName::Cone] {
        let mut solver = Solver::new(name, settings(None, cheapest));
        pool(2).install(|| {
            // Who solves what is chance: on a busy machine a thread meets the largest island late.
            let mut pass = || {
                let region = Region::new(COUNTED);
                for problem in rounds.iter().chain(&whole) {
                    solver.solve(problem.finished().unwrap());
                }
                let change = region.change();
                change.allocations + change.reallocations
            };
            for _ in 0..10 {
                pass();
            }
            assert!((0..30).any(|_| pass() == 0), "{name}");
        });
    }
}
