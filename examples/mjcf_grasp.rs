//! The benchmark grasp-and-shake on a MuJoCo model of it: a Panda picks an object from the floor, lifts it and is shaken
//! for 16 s, under rapier and under stickslip, at steps of 2 and 10 ms.
//!
//! `cargo run --release --example mjcf_grasp -- MODEL.xml [SEED]`
//!
//! The model has an arm of seven position servos, an eighth drive for the fingers, and one free body. That of the
//! benchmark itself works, and so does `benches/peers/panda.xml`.

use std::f32::consts::{FRAC_PI_2, FRAC_PI_4, TAU};
use std::path::{Path, PathBuf};
use std::process::ExitCode;
use std::time::Instant;

use rapier3d_mjcf::{MjcfLoaderOptions, MjcfMultibodyOptions, MjcfRobot};
use stickslip::rapier::prelude::*;
use stickslip::{ContactPipeline, ModelName, default_settings};

type Failure = Box<dyn std::error::Error>;

/// Targets of the arm at the start, at the object and above it \[rad\].
const START: [f32; 7] = [0.0, 0.0, 0.0, -FRAC_PI_2, 0.0, FRAC_PI_2, -FRAC_PI_4];
const GRASP: [f32; 7] = [-1.0104, 1.5623, 1.3601, -1.6840, -1.5863, 1.7810, 1.4598];
const LIFT: [f32; 7] = [-1.0426, 1.4028, 1.5634, -1.7114, -1.4055, 1.6015, 1.4510];
/// Deviation of the noise on each target \[rad\].
const NOISE: f32 = 0.025;
/// Since when the object must stay above a height, and the end \[s, m, s\].
const JUDGED: f32 = 4.0;
const LOST: f32 = 0.04;
const END: f32 = 20.0;

fn main() -> ExitCode {
    match run() {
        Ok(()) => ExitCode::SUCCESS,
        Err(error) => {
            eprintln!("{error}");
            ExitCode::FAILURE
        }
    }
}

fn run() -> Result<(), Failure> {
    let mut arguments = std::env::args_os().skip(1);
    let Some(file) = arguments.next().map(PathBuf::from) else {
        return Err(
            "which model? `cargo run --release --example mjcf_grasp -- MODEL.xml [SEED]`, with the benchmark's own file \
             or benches/peers/panda.xml"
                .into(),
        );
    };
    let seed = match arguments.next() {
        None => 0,
        Some(word) => {
            let number = word.to_str().and_then(|w| w.parse().ok());
            number.ok_or_else(|| format!("the seed `{}` is not a number", word.display()))?
        }
    };
    println!("             step [ms]   verdict            median step");
    for dt in [0.002, 0.01] {
        for name in [None, Some(ModelName::Cone), Some(ModelName::NoSlip)] {
            let (lost, median) = shake(&file, dt, name, seed)?;
            let who = name.map_or("rapier", ModelName::as_str);
            let verdict = lost.map_or("held".to_owned(), |t| format!("dropped at {t:.2} s"));
            println!(
                "{who:<12} {:>9.0}   {verdict:<18} {median:>8.0} us",
                1e3 * dt
            );
        }
    }
    Ok(())
}

/// When the object was lost \[s\], if it was, and the median time of a step \[us\].
fn shake(
    file: &Path,
    dt: f32,
    model: Option<ModelName>,
    seed: u64,
) -> Result<(Option<f32>, f64), Failure> {
    let options = MjcfLoaderOptions {
        // The floor is a plane, which the loader leaves out unless asked.
        skip_plane_geoms: false,
        ..MjcfLoaderOptions::default()
    };
    let (robot, _) = MjcfRobot::from_file(file, options)
        .map_err(|error| format!("{}: {error:#}", file.display()))?;
    let fail = |what: &str| Failure::from(format!("{}: {what}", file.display()));
    let mut world = PhysicsWorld::new();
    world.gravity = robot.gravity;
    world.integration_parameters.dt = dt;
    let handles = robot.clone().insert_using_multibody_joints(
        &mut world.bodies,
        &mut world.colliders,
        &mut world.multibody_joints,
        &mut world.impulse_joints,
        MjcfMultibodyOptions::DISABLE_SELF_CONTACTS,
    );
    let hooks = handles.contact_hooks(&robot);
    for floor in handles
        .bodies
        .first()
        .iter()
        .flat_map(|b| b.iter())
        .flat_map(|b| &b.colliders)
    {
        world
            .colliders
            .set_parent(floor.handle, None, &mut world.bodies);
    }
    let Some(last) = handles.actuators.get(7) else {
        return Err(fail(
            "a model of eight drives is needed: seven of the arm, one of the fingers",
        ));
    };
    let [closed, open] = last
        .actuator
        .ctrl_range
        .unwrap_or([0.0, 0.04])
        .map(|x| x as f32);
    let is_free = |h: &RigidBodyHandle| {
        let body = &world.bodies[*h];
        let links = world.multibody_joints.rigid_body_link(*h);
        let alone = links.is_none_or(|link| {
            let tree = world.multibody_joints.get_multibody(link.multibody);
            tree.is_some_and(|tree| tree.num_links() <= 2)
        });
        body.is_dynamic() && alone && !body.colliders().is_empty()
    };
    let bodies = handles.bodies.iter().flatten().map(|b| b.body);
    let object = bodies
        .into_iter()
        .find(is_free)
        .ok_or_else(|| fail("it has no free body to pick up"))?;
    let mut pipeline = match model {
        Some(name) => Some(ContactPipeline::new(name, default_settings())?),
        None => None,
    };
    let mut random = Normal(seed.wrapping_mul(0x9e37_79b9_7f4a_7c15) | 1);
    let steps = (END / dt).round() as usize;
    let (mut lost, mut times) = (None, Vec::with_capacity(steps));
    let mut targets = [0.0; 8];
    for step in 0..steps {
        let time = step as f32 * dt;
        let shaken = time >= JUDGED - 0.5 * dt;
        if !shaken || step % 2 == 0 {
            let (from, to, begun) = match time {
                t if t < 1.0 => (START, LIFT, 0.0),
                t if t < 3.0 => (LIFT, GRASP, 1.0),
                _ => (GRASP, LIFT, 3.0),
            };
            let share = (time - begun).min(1.0);
            for (k, target) in targets.iter_mut().take(7).enumerate() {
                let noise = if shaken { NOISE * random.next() } else { 0.0 };
                *target = from[k] + share * (to[k] - from[k]) + noise;
            }
            targets[7] = closed + (open - closed) * (3.0 - time).clamp(0.0, 1.0);
        }
        handles.apply_controls_multibody(&mut world.bodies, &mut world.multibody_joints, &targets);
        let start = Instant::now();
        match &mut pipeline {
            None => world.step_with_events(&hooks, &()),
            Some(pipeline) => {
                pipeline.step_world_with_events(&mut world, &hooks, &())?;
            }
        }
        times.push(1e6 * start.elapsed().as_secs_f64());
        let height = world.bodies[object].translation().z;
        if shaken && lost.is_none() && height < LOST {
            lost = Some(time + dt);
        }
    }
    times.sort_by(f64::total_cmp);
    Ok((lost, times.get(steps / 2).copied().unwrap_or_default()))
}

/// Numbers of the normal distribution, by Marsaglia's xorshift and the method of Box and Muller.
struct Normal(u64);

impl Normal {
    fn unit(&mut self) -> f32 {
        self.0 ^= self.0 << 13;
        self.0 ^= self.0 >> 7;
        self.0 ^= self.0 << 17;
        // 24 bits: every value is exact, and none is zero.
        ((self.0 >> 40) as f32 + 1.0) / 16_777_217.0
    }

    fn next(&mut self) -> f32 {
        let radius = (-2.0 * self.unit().ln()).sqrt();
        radius * (TAU * self.unit()).cos()
    }
}
