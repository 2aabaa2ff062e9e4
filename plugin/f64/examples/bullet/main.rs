//! What one bullet costs a heap of spheres at rest:
//! `cargo run --release -p stickslip-f64 --example bullet [-- SPHERES]`.
//!
//! Three rows: no bullet; a bullet that reaches farther alone; a bullet for whose way contacts of all pairs are looked for,
//! which is what a narrow phase without the pipeline's dispatcher gets. Printed are pairs of the narrow phase, points of
//! its manifolds, contacts of the problem, the median step and the bytes that one world holds.
#![allow(clippy::print_stdout, reason = "a table is what it is for")]

use stats_alloc::{INSTRUMENTED_SYSTEM, Region, StatsAlloc};
use std::alloc::System;
use std::time::Instant;
use stickslip_f64::rapier::prelude::*;
use stickslip_f64::{ContactPipeline, Manifolds, ModelName, Sleeping, default_settings};

#[global_allocator]
static COUNTED: &StatsAlloc<System> = &INSTRUMENTED_SYSTEM;

fn row(
    spheres: usize,
    speed: f64,
    manifolds: Manifolds,
) -> Result<String, Box<dyn std::error::Error>> {
    let region = Region::new(COUNTED);
    let mut world = PhysicsWorld::new();
    world.gravity = Vector::Y * -9.81;
    let floor = ColliderBuilder::cuboid(100.0, 0.5, 100.0).translation(Vector::Y * -0.5);
    world.colliders.insert(floor);
    for k in 0..spheres {
        let [i, j, l] = [k % 15, k / 15 % 15, k / 225];
        let at = Vector::new(0.23 * i as f64, 0.1 + 0.3 * l as f64, 0.23 * j as f64);
        let body = RigidBodyBuilder::dynamic()
            .translation(at)
            .gravity_scale(0.0);
        let body = world.bodies.insert(body);
        let ball = ColliderBuilder::ball(0.1);
        world
            .colliders
            .insert_with_parent(ball, body, &mut world.bodies);
    }
    let bullet = RigidBodyBuilder::dynamic()
        .translation(Vector::new(0.0, 8.0, 0.0))
        .linvel(Vector::new(speed, 0.0, 0.0))
        .gravity_scale(0.0);
    let bullet = world.bodies.insert(bullet);
    let ball = ColliderBuilder::ball(0.02);
    world
        .colliders
        .insert_with_parent(ball, bullet, &mut world.bodies);
    let mut pipeline = ContactPipeline::new(ModelName::Cone, default_settings())?;
    pipeline.set_sleeping(Sleeping::Never);
    pipeline.set_manifolds(manifolds);
    let mut times = Vec::new();
    for _ in 0..20 {
        let start = Instant::now();
        pipeline.step_world(&mut world)?;
        times.push(1e6 * start.elapsed().as_secs_f64());
    }
    times.sort_by(f64::total_cmp);
    let pairs = world.narrow_phase.contact_pairs().count();
    let all = world.narrow_phase.contact_pairs();
    let points: usize = all
        .flat_map(|p| p.manifolds())
        .map(|m| m.points.len())
        .sum();
    let change = region.change();
    let held = change
        .bytes_allocated
        .saturating_sub(change.bytes_deallocated);
    Ok(format!(
        "| {speed} | {manifolds:?} | {pairs} | {points} | {} | {:.0} | {} |",
        pipeline.contacts().len(),
        times[times.len() / 2],
        held / 1024,
    ))
}

fn main() -> Result<(), Box<dyn std::error::Error>> {
    let spheres = std::env::args().nth(1).and_then(|a| a.parse().ok());
    let spheres: usize = spheres.unwrap_or(3000);
    println!(
        "| bullet [m/s] | manifolds | pairs | points | contacts | step [us] | held [KiB] |\n|---|---|---|---|---|---|---|"
    );
    for (speed, manifolds) in [
        (0.0, Manifolds::Fresh),
        (60.0, Manifolds::Fresh),
        (60.0, Manifolds::AsDispatched),
    ] {
        println!("{}", row(spheres, speed, manifolds)?);
    }
    Ok(())
}
