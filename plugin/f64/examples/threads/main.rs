//! What more threads give, and that they give the same bits:
//! `cargo run --release -p stickslip-f64 --features parallel --example threads [-- THREADS]` prints a table of
//! docs/step_cost.md.
//!
//! The same scene is stepped by one thread and by several (2 unless told otherwise), by us and by rapier, in turns.
//! Ends with exit status 1 where our bodies are not in the same places, bit for bit.
#![allow(clippy::print_stdout, reason = "a table is what it is for")]

use rayon::ThreadPool;
use std::process::ExitCode;
use std::time::Instant;
use stickslip_f64::rapier::prelude::*;
use stickslip_f64::{ContactPipeline, StepError};

type Failure = Box<dyn std::error::Error>;

/// Bodies on a lattice above a floor: `[x, y, z]` many of them, their spacing, their shape.
struct Lattice {
    name: &'static str,
    counts: [usize; 3],
    spacing: f64,
    ball: bool,
    falls: bool,
    /// Steps before measuring, and measured.
    steps: [usize; 2],
}

const SCENES: [Lattice; 6] = [
    Lattice {
        name: "1,000 cubes in towers of ten, at rest",
        counts: [10, 10, 10],
        spacing: 0.3,
        ball: false,
        falls: false,
        steps: [100, 100],
    },
    Lattice {
        name: "10,000 cubes one by one, at rest",
        counts: [100, 1, 100],
        spacing: 0.3,
        ball: false,
        falls: false,
        steps: [20, 30],
    },
    Lattice {
        name: "100 heaps of ten balls that fall apart",
        counts: [10, 10, 10],
        spacing: 0.5,
        ball: true,
        falls: true,
        steps: [1, 100],
    },
    Lattice {
        name: "one heap of 1,000 balls that falls apart",
        counts: [10, 10, 10],
        spacing: 0.1,
        ball: true,
        falls: true,
        steps: [1, 100],
    },
    Lattice {
        name: "one heap of 1,000 cubes that falls apart",
        counts: [10, 10, 10],
        spacing: 0.1,
        ball: false,
        falls: true,
        steps: [1, 100],
    },
    Lattice {
        name: "one heap of 8,000 balls that falls apart",
        counts: [20, 20, 20],
        spacing: 0.1,
        ball: true,
        falls: true,
        steps: [1, 20],
    },
];

impl Lattice {
    fn world(&self) -> PhysicsWorld {
        let mut world = PhysicsWorld::new();
        world.gravity = Vector::Y * -9.81;
        world.integration_parameters.dt = 0.005;
        let floor = ColliderBuilder::cuboid(100.0, 0.5, 100.0).translation(Vector::Y * -0.5);
        world.colliders.insert(floor);
        let [x, y, z] = self.counts;
        for k in 0..x * y * z {
            let (column, storey) = (k / y, k % y);
            let [i, j] = [column % x, column / x].map(|i| self.spacing * i as f64);
            // What falls apart leans, each column another way.
            let lean = if self.falls {
                1e-3 * storey as f64
            } else {
                0.0
            };
            let way = (column as f64).sin_cos();
            let height = 0.05 + 0.1 * storey as f64;
            let at = Vector::new(i + lean * way.0, height, j + lean * way.1);
            let body = RigidBodyBuilder::dynamic().translation(at).can_sleep(false);
            let body = world.bodies.insert(body);
            let shape = if self.ball {
                ColliderBuilder::ball(0.05)
            } else {
                ColliderBuilder::cuboid(0.05, 0.05, 0.05)
            };
            let shape = shape.mass(1.0);
            (world.colliders).insert_with_parent(shape, body, &mut world.bodies);
        }
        world
    }

    /// A row of the table, and whether the bits are the same.
    fn row(&self, pools: &[ThreadPool; 2]) -> Result<(String, bool), StepError> {
        let mut ours = [0; 2].map(|_| (self.world(), ContactPipeline::default()));
        let mut theirs = [0; 2].map(|_| self.world());
        let mut times: [Vec<f64>; 4] = Default::default();
        let mut same = true;
        for step in 0..self.steps[0] + self.steps[1] {
            for (k, pool) in pools.iter().enumerate() {
                let (world, pipeline) = &mut ours[k];
                let start = Instant::now();
                pool.install(|| pipeline.step_world(world).map(|_| ()))?;
                let our_time = start.elapsed();
                let start = Instant::now();
                pool.install(|| theirs[k].step());
                let host_time = start.elapsed();
                if step >= self.steps[0] {
                    times[k].push(1e3 * our_time.as_secs_f64());
                    times[2 + k].push(1e3 * host_time.as_secs_f64());
                }
            }
            let [(one, _), (several, _)] = &ours;
            same &= bits(one).eq(bits(several));
        }
        let islands = ours[0].1.report().solve.islands;
        let [one, several, host, host_several] = times.map(median);
        let row = format!(
            "| {} | {islands} | {one:.2} | {several:.2} | {:.2} | {host:.2} | {host_several:.2} | {:.2} |",
            self.name,
            one / several,
            host / host_several,
        );
        Ok((row, same))
    }
}

/// Every number of every pose.
fn bits(world: &PhysicsWorld) -> impl Iterator<Item = u64> {
    world.bodies.iter().flat_map(|(_, rb)| {
        let (p, q) = (rb.translation(), rb.rotation());
        [p.x, p.y, p.z, q.x, q.y, q.z, q.w].map(f64::to_bits)
    })
}

fn median(mut times: Vec<f64>) -> f64 {
    times.sort_by(f64::total_cmp);
    times.get(times.len() / 2).copied().unwrap_or(f64::NAN)
}

fn main() -> Result<ExitCode, Failure> {
    let threads = std::env::args().nth(1).and_then(|a| a.parse().ok());
    let threads: usize = threads.unwrap_or(2);
    let pool = |count| rayon::ThreadPoolBuilder::new().num_threads(count).build();
    let pools = [pool(1)?, pool(threads)?];
    println!(
        "Median times in ms, by 1 thread and by {threads}.\n\n\
        | scene | islands | step, 1 | step, {threads} | gain | host, 1 | host, {threads} | gain |\n\
        |---|---|---|---|---|---|---|---|"
    );
    let mut same = true;
    for scene in &SCENES {
        let (row, is_same) = scene.row(&pools)?;
        println!("{row}");
        same &= is_same;
    }
    if !same {
        println!("\nThe bodies are not in the same places.");
        return Ok(ExitCode::FAILURE);
    }
    Ok(ExitCode::SUCCESS)
}
