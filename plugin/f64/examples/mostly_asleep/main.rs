//! What one body awake costs among many asleep:
//! `cargo run --release -p stickslip-f64 --example mostly_asleep [-- BODIES]`.
//!
//! Cubes lie asleep on a floor, one by one and in stacks of two; one ball slides among them without friction and
//! touches none. Printed are the times of the stages, the whole step, and what the step costs beside its detection,
//! which is rapier's and whose cost stands beside that of rapier's own step. It fails where that is more than [`MOST`].
#![allow(clippy::print_stdout, reason = "a table is what it is for")]

use std::process::ExitCode;
use std::time::Instant;
use stickslip_f64::rapier::prelude::*;
use stickslip_f64::{ContactPipeline, StepError};

/// Steps before measuring: all have fallen asleep and are out of detection by then.
const WARM: usize = 400;

/// What a step may cost beside its detection \[us\], however many sleep.
const MOST: f64 = 50.0;

/// Steps measured.
const MEASURED: usize = 400;

fn world(bodies: usize) -> PhysicsWorld {
    let mut world = PhysicsWorld::new();
    world.gravity = Vector::Y * -9.81;
    world.integration_parameters.dt = 0.005;
    let floor = ColliderBuilder::cuboid(500.0, 0.5, 500.0).translation(Vector::Y * -0.5);
    world.colliders.insert(floor);
    let side = (bodies as f64).sqrt().ceil() as usize;
    for k in 0..bodies {
        let (tower, storey) = (k / 2, k % 2);
        let (i, j) = (tower % side, tower / side);
        let at = Vector::new(i as f64, 0.25 + 0.5 * storey as f64, j as f64);
        let mut body = RigidBodyBuilder::dynamic().translation(at).build();
        body.activation_mut().time_until_sleep = 0.1;
        let body = world.bodies.insert(body);
        let cube = ColliderBuilder::cuboid(0.25, 0.25, 0.25);
        world
            .colliders
            .insert_with_parent(cube, body, &mut world.bodies);
    }
    let slider = RigidBodyBuilder::dynamic()
        .translation(Vector::new(-2.0, 0.1, 0.5))
        .linvel(Vector::new(0.5, 0.0, 0.0))
        .can_sleep(false);
    let slider = world.bodies.insert(slider);
    let ball = ColliderBuilder::ball(0.1)
        .friction(0.0)
        .friction_combine_rule(CoefficientCombineRule::Min);
    world
        .colliders
        .insert_with_parent(ball, slider, &mut world.bodies);
    world
}

fn median(mut times: Vec<f64>) -> f64 {
    times.sort_by(f64::total_cmp);
    times.get(times.len() / 2).copied().unwrap_or(f64::NAN)
}

/// A row of the table, and what a step costs beside its detection \[us\].
fn row(bodies: usize) -> Result<(String, f64), StepError> {
    let mut ours = world(bodies);
    let mut host = world(bodies);
    let mut pipeline = ContactPipeline::default();
    let mut stages: [Vec<f64>; 5] = Default::default();
    let mut theirs = Vec::new();
    for step in 0..WARM + MEASURED {
        let start = Instant::now();
        host.step();
        let host_time = 1e6 * start.elapsed().as_secs_f64();
        let start = Instant::now();
        let report = *pipeline.step_world(&mut ours)?;
        let whole = 1e6 * start.elapsed().as_secs_f64();
        if step >= WARM {
            let t = report.times;
            let beside = whole - t.detect;
            for (all, part) in
                stages
                    .iter_mut()
                    .zip([t.detect, t.assemble, t.integrate, whole, beside])
            {
                all.push(part);
            }
            theirs.push(host_time);
        }
    }
    let activity = pipeline.report().activity;
    let [detect, assemble, integrate, whole, beside] = stages.map(median);
    let row = format!(
        "| {} | {} | {detect:.1} | {assemble:.1} | {integrate:.1} | {whole:.1} | {beside:.1} | {:.1} |",
        activity.asleep,
        activity.awake,
        median(theirs),
    );
    Ok((row, beside))
}

fn main() -> Result<ExitCode, StepError> {
    let most = std::env::args().nth(1).and_then(|a| a.parse().ok());
    let most: usize = most.unwrap_or(10_000);
    println!(
        "Median times in us.\n\n\
        | asleep | awake | detect | assemble | integrate | step | beside detection | host's step |\n\
        |---|---|---|---|---|---|---|---|"
    );
    let mut worst = 0.0_f64;
    for bodies in [100, 1000, 10_000, 100_000] {
        if bodies <= most {
            let (row, beside) = row(bodies)?;
            println!("{row}");
            worst = worst.max(beside);
        }
    }
    if worst > MOST {
        println!("\nA step took {worst:.1} us beside its detection, {MOST} are allowed.");
        return Ok(ExitCode::FAILURE);
    }
    Ok(ExitCode::SUCCESS)
}
