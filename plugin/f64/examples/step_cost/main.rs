//! What a step costs, stage by stage, beside rapier's own:
//! `cargo run --release -p stickslip-f64 --example step_cost [-- MOST_BODIES]` prints the table of
//! docs/step_cost.md.
//!
//! Cubes of 10 cm lie on a floor, one by one or in towers of ten, awake; both engines step the same
//! scene in turns. Allocations are those of a whole step less those of detection alone, which is
//! rapier's, after a hundred steps.
#![allow(clippy::print_stdout, reason = "a table is what it is for")]

use stats_alloc::{INSTRUMENTED_SYSTEM, Region, StatsAlloc};
use std::alloc::System;
use std::time::Instant;
use stickslip_f64::rapier::prelude::*;
use stickslip_f64::{ContactPipeline, Sleeping};

#[global_allocator]
static COUNTED: &StatsAlloc<System> = &INSTRUMENTED_SYSTEM;

/// Steps before measuring.
const WARM: usize = 100;

/// How many steps are measured: fewer of dear ones.
fn measured(bodies: usize) -> usize {
    (20_000 / bodies.max(1)).clamp(10, 200)
}

fn world(bodies: usize, high: usize) -> PhysicsWorld {
    let mut world = PhysicsWorld::new();
    world.gravity = Vector::Y * -9.81;
    world.integration_parameters.dt = 0.005;
    let floor = ColliderBuilder::cuboid(100.0, 0.5, 100.0).translation(Vector::Y * -0.5);
    world.colliders.insert(floor);
    let side = (bodies.div_ceil(high) as f64).sqrt().ceil() as usize;
    for k in 0..bodies {
        let (tower, storey) = (k / high, k % high);
        let (i, j) = (tower % side, tower / side);
        let at = Vector::new(0.3 * i as f64, 0.05 + 0.1 * storey as f64, 0.3 * j as f64);
        let body = RigidBodyBuilder::dynamic().translation(at).can_sleep(false);
        let body = world.bodies.insert(body);
        let cube = ColliderBuilder::cuboid(0.05, 0.05, 0.05).mass(1.0);
        world
            .colliders
            .insert_with_parent(cube, body, &mut world.bodies);
    }
    world
}

fn median(mut times: Vec<f64>) -> f64 {
    times.sort_by(f64::total_cmp);
    times.get(times.len() / 2).copied().unwrap_or(f64::NAN)
}

/// Allocations of one detection alone, with the settings a step of ours forces.
fn allocations_of_detection(world: &mut PhysicsWorld) -> usize {
    let kept = world.integration_parameters;
    let params = &mut world.integration_parameters;
    params.dt = 0.0;
    params.contact_clustering = false;
    params.contact_recycling = false;
    params.normalized_prediction_distance *= 0.125;
    world.step();
    let region = Region::new(COUNTED);
    world.step();
    let change = region.change();
    world.integration_parameters = kept;
    change.allocations + change.reallocations
}

fn row(bodies: usize, high: usize) -> String {
    let mut host = world(bodies, high);
    let mut ours = world(bodies, high);
    let mut pipeline = ContactPipeline::default();
    pipeline.set_sleeping(Sleeping::Never);
    let mut stages: [Vec<f64>; 5] = Default::default();
    let mut theirs = Vec::new();
    let mut deepest = [0.0_f64; 2];
    let mut allocated = 0;
    for step in 0..WARM + measured(bodies) {
        let start = Instant::now();
        host.step();
        let host_time = 1e6 * start.elapsed().as_secs_f64();
        let region = Region::new(COUNTED);
        let report = match pipeline.step_world(&mut ours) {
            Ok(report) => *report,
            Err(error) => return format!("| {bodies} | {error} |"),
        };
        let change = region.change();
        if step >= WARM {
            let t = report.times;
            let parts = [t.detect, t.assemble, t.solve, t.integrate, t.total()];
            for (all, part) in stages.iter_mut().zip(parts) {
                all.push(part);
            }
            theirs.push(host_time);
            allocated = allocated.max(change.allocations + change.reallocations);
            deepest = [deepest[0].max(depth(&host)), deepest[1].max(depth(&ours))];
        }
    }
    let of_detection = allocations_of_detection(&mut ours);
    let [detect, assemble, solve, integrate, total] = stages.map(median);
    let each = total / bodies as f64;
    format!(
        "| {bodies} | {high} | {detect:.1} | {assemble:.1} | {solve:.1} | {integrate:.1} | {total:.0} | {each:.2} | {:.0} | {} | {:.0e} / {:.0e} |",
        median(theirs),
        allocated.saturating_sub(of_detection),
        deepest[0],
        deepest[1],
    )
}

/// The deepest penetration \[m\].
fn depth(world: &PhysicsWorld) -> f64 {
    let pairs = world.narrow_phase.contact_pairs();
    let manifolds = pairs.flat_map(|pair| pair.manifolds());
    let points = manifolds.flat_map(|m| m.points.iter());
    points.fold(0.0, |deepest, point| deepest.max(-point.dist))
}

fn main() {
    let most = std::env::args().nth(1).and_then(|a| a.parse().ok());
    let most: usize = most.unwrap_or(10_000);
    println!(
        "Median times in us; depths in m, host / ours.\n\n\
        | bodies | stacked | detect | assemble | solve | integrate | step | per body | host's step | our allocations | deepest |\n\
        |---|---|---|---|---|---|---|---|---|---|---|"
    );
    for (bodies, high) in [
        (1, 1),
        (10, 10),
        (100, 1),
        (1000, 1),
        (10_000, 1),
        (100, 10),
        (1000, 10),
        (10_000, 10),
    ] {
        if bodies <= most {
            println!("{}", row(bodies, high));
        }
    }
}
