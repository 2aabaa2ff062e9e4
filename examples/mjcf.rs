//! A MuJoCo model, loaded by the crate `rapier3d-mjcf`, left to itself for four seconds under rapier and
//! under stickslip.
//!
//! `cargo run --release --example mjcf -- MODEL.xml`
//!
//! A dozen models are in the Python package `gymnasium`:
//! `pip download --no-deps gymnasium && unzip gymnasium-*.whl 'gymnasium/envs/mujoco/assets/*'`, then for
//! example `gymnasium/envs/mujoco/assets/ant.xml`.

use std::path::{Path, PathBuf};
use std::process::ExitCode;
use std::time::{Duration, Instant};

use rapier3d_mjcf::{MjcfContactHooks, MjcfLoaderOptions, MjcfMultibodyOptions, MjcfRobot};
use stickslip::ContactPipeline;
use stickslip::rapier::prelude::*;

const SECONDS: f32 = 4.0;

fn main() -> ExitCode {
    match run() {
        Ok(()) => ExitCode::SUCCESS,
        Err(error) => {
            eprintln!("{error}");
            ExitCode::FAILURE
        }
    }
}

fn run() -> Result<(), Box<dyn std::error::Error>> {
    let Some(file) = std::env::args_os().nth(1).map(PathBuf::from) else {
        return Err(
            "which model? `cargo run --release --example mjcf -- MODEL.xml`; the Python package \
             `gymnasium` has a dozen: `pip download --no-deps gymnasium`, unzip the wheel, and look into \
             gymnasium/envs/mujoco/assets"
                .into(),
        );
    };
    println!("             deepest contact   fastest body at the end   median step");
    for (name, engine) in [("rapier", Engine::Rapier), ("stickslip", Engine::Stickslip)] {
        let seen = simulate(&file, engine)?;
        println!(
            "{name:<12} {:>12.1e} m   {:>19.1e} m/s   {:>8.0} us",
            seen.depth,
            seen.speed,
            seen.step.as_secs_f64() * 1e6
        );
    }
    Ok(())
}

/// Who steps the model.
#[derive(Clone, Copy)]
enum Engine {
    /// Rapier's own solver.
    Rapier,
    /// The drop-in.
    Stickslip,
}

/// What is seen of a run.
struct Seen {
    /// Depth of the deepest contact in the last half \[m\].
    depth: f32,
    /// Speed of the fastest body at the end [m/s].
    speed: f32,
    /// Median time of a step.
    step: Duration,
}

/// Steps a model for [`SECONDS`].
fn simulate(file: &Path, engine: Engine) -> Result<Seen, Box<dyn std::error::Error>> {
    let (mut world, hooks) = load(file)?;
    let mut pipeline = ContactPipeline::default();
    let steps = (SECONDS / world.integration_parameters.dt).round() as usize;
    let mut depth: f32 = 0.0;
    let mut times = Vec::with_capacity(steps);
    for step in 0..steps {
        let start = Instant::now();
        match engine {
            Engine::Rapier => world.step_with_events(&hooks, &()),
            Engine::Stickslip => {
                pipeline.step_world_with_events(&mut world, &hooks, &())?;
            }
        }
        times.push(start.elapsed());
        if step >= steps / 2 {
            depth = depth.max(deepest(&world));
        }
    }
    times.sort();
    let speeds = world.bodies.iter().map(|(_, body)| body.linvel().length());
    Ok(Seen {
        depth,
        speed: speeds.fold(0.0, f32::max),
        step: times.get(times.len() / 2).copied().unwrap_or_default(),
    })
}

/// The model in rapier's sets, with the model's gravity, step and excluded contacts.
fn load(file: &Path) -> Result<(PhysicsWorld, MjcfContactHooks), Box<dyn std::error::Error>> {
    let options = MjcfLoaderOptions {
        // The floors of most models are planes, which the loader leaves out unless asked.
        skip_plane_geoms: false,
        ..MjcfLoaderOptions::default()
    };
    let (robot, model) = MjcfRobot::from_file(file, options)
        .map_err(|error| format!("{}: {error:#}", file.display()))?;
    let mut world = PhysicsWorld::new();
    world.gravity = robot.gravity;
    world.integration_parameters.dt = model.option.timestep as f32;
    let handles = robot.clone().insert_using_multibody_joints(
        &mut world.bodies,
        &mut world.colliders,
        &mut world.multibody_joints,
        &mut world.impulse_joints,
        // The loader makes links of its own where a body has several joints, so that parents and
        // children overlap; in most models no link touches another.
        MjcfMultibodyOptions::DISABLE_SELF_CONTACTS,
    );
    let hooks = handles.contact_hooks(&robot);
    // The floor hangs on the world body, which may be the root of the robot: it is no part of it.
    for floor in handles.bodies[..1]
        .iter()
        .flatten()
        .flat_map(|b| &b.colliders)
    {
        world
            .colliders
            .set_parent(floor.handle, None, &mut world.bodies);
    }
    Ok((world, hooks))
}

/// Depth of the deepest contact \[m\].
fn deepest(world: &PhysicsWorld) -> f32 {
    let manifolds = world.contact_pairs().flat_map(|pair| pair.manifolds());
    let points = manifolds.flat_map(|manifold| &manifold.points);
    points.map(|point| -point.dist).fold(0.0, f32::max)
}
