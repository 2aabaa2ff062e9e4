//! Steps robots of other people under rapier and under contact models of stickslip in turns, and prints a row for each.
//!
//! `robots MODEL.xml ..`: MuJoCo models, read by `rapier3d-mjcf` as multibodies without contacts inside a robot. They fall limp
//! onto a floor with friction 1.

use clap::Parser;
use rapier3d_mjcf::{MjcfContactHooks, MjcfLoaderOptions, MjcfMultibodyOptions, MjcfRobot};
use std::panic::{AssertUnwindSafe, catch_unwind};
use std::path::{Path, PathBuf};
use std::process::ExitCode;
use stickslip::rapier::prelude::*;
use stickslip::{ContactPipeline, Sleeping, default_settings};
use stickslip_heaps::clock::Stopwatch;
use stickslip_heaps::engine::Engine;
use stickslip_heaps::measure::Spread;

/// Steps robots of MuJoCo models under several engines in turns and prints a row per robot and engine.
///
/// Times are microseconds of the thread's own clock; `res` the residual, `>1e-8` and `>1e-4` the share of steps with a larger
/// one, `speed` the fastest body of all steps [m/s].
#[derive(Debug, Parser)]
struct Arguments {
    /// Models, and folders of which every `.xml` is taken.
    #[arg(value_name = "MODEL.xml|FOLDER", required = true)]
    models: Vec<PathBuf>,
    /// Who steps them, as for `heaps`.
    #[arg(long, value_delimiter = ',', default_value = "host,no-slip,cone")]
    engines: Vec<Engine>,
    /// Steps of 1/240 s.
    #[arg(long, default_value_t = 480)]
    steps: usize,
}

fn main() -> ExitCode {
    let arguments = Arguments::parse();
    let mut files = Vec::new();
    for path in &arguments.models {
        match models(path) {
            Ok(found) => files.extend(found),
            Err(error) => {
                eprintln!("robots: {}: {error}", path.display());
                return ExitCode::from(2);
            }
        }
    }
    println!(
        "{:<28} {:<10} {:>9} {:>9} {:>9} {:>9} {:>8} {:>7} {:>7} {:>8}  statuses",
        "robot",
        "engine",
        "median_us",
        "p99_us",
        "max_us",
        "contacts",
        "res_max",
        ">1e-8",
        ">1e-4",
        "speed"
    );
    for file in &files {
        // A model that the loader or the engine panics at must not take the others with it.
        let run = catch_unwind(AssertUnwindSafe(|| robot(file, &arguments)));
        match run {
            Ok(Ok(rows)) => rows.iter().for_each(|row| println!("{row}")),
            Ok(Err(reason)) => println!("{:<28} {reason}", name(file)),
            Err(_) => println!("{:<28} panicked", name(file)),
        }
    }
    ExitCode::SUCCESS
}

/// The model itself, or the models of a folder by name.
fn models(path: &Path) -> std::io::Result<Vec<PathBuf>> {
    if !path.is_dir() {
        return Ok(vec![path.to_owned()]);
    }
    let entries = std::fs::read_dir(path)?;
    let files: std::io::Result<Vec<_>> = entries.map(|entry| Ok(entry?.path())).collect();
    let mut files = files?;
    files.retain(|file| file.extension().is_some_and(|extension| extension == "xml"));
    files.sort();
    Ok(files)
}

fn name(file: &Path) -> String {
    file.file_stem()
        .unwrap_or_default()
        .to_string_lossy()
        .into_owned()
}

/// A robot under an engine.
struct Lane {
    engine: Engine,
    world: PhysicsWorld,
    hooks: MjcfContactHooks,
    /// None: rapier steps.
    pipeline: Option<ContactPipeline>,
    times: Vec<f64>,
    contacts: usize,
    residuals: Vec<f64>,
    statuses: std::collections::BTreeMap<String, usize>,
    speed: f32,
}

fn robot(file: &Path, arguments: &Arguments) -> Result<Vec<String>, String> {
    let lane = |&engine| {
        let (mut world, hooks) = load(file)?;
        let pipeline = match engine {
            Engine::Host => None,
            Engine::HostAfresh => {
                world.integration_parameters.contact_recycling = false;
                None
            }
            Engine::Model(model, solver, without) => {
                let mut settings = default_settings();
                settings.solver = solver;
                settings.without = without;
                let mut own = ContactPipeline::new(model, settings).map_err(|e| e.to_string())?;
                own.set_sleeping(Sleeping::Never);
                Some(own)
            }
        };
        Ok(Lane {
            engine,
            world,
            hooks,
            pipeline,
            times: Vec::new(),
            contacts: 0,
            residuals: Vec::new(),
            statuses: std::collections::BTreeMap::new(),
            speed: 0.0,
        })
    };
    let mut lanes = arguments
        .engines
        .iter()
        .map(lane)
        .collect::<Result<Vec<_>, String>>()?;
    for _ in 0..arguments.steps {
        for lane in &mut lanes {
            lane.step()?;
        }
    }
    Ok(lanes.iter().map(|lane| lane.row(&name(file))).collect())
}

impl Lane {
    fn step(&mut self) -> Result<(), String> {
        let watch = Stopwatch::start();
        match &mut self.pipeline {
            None => self.world.step_with_events(&self.hooks, &()),
            Some(pipeline) => {
                let report = pipeline
                    .step_world_with_events(&mut self.world, &self.hooks, &())
                    .map_err(|error| error.to_string())?;
                self.residuals.push(report.solve.residuals.max());
                *self
                    .statuses
                    .entry(report.solve.status.as_str().to_owned())
                    .or_default() += 1;
                self.contacts = self.contacts.max(pipeline.contacts().len());
            }
        }
        self.times.push(watch.microseconds());
        let bodies = self
            .world
            .bodies
            .iter()
            .map(|(_, body)| body.linvel().length());
        self.speed = bodies.fold(self.speed, f32::max);
        Ok(())
    }

    fn row(&self, name: &str) -> String {
        let time = Spread::of(self.times.iter().copied());
        let residual = Spread::of(self.residuals.iter().copied());
        let above = |bound: f64| {
            let count = self
                .residuals
                .iter()
                .filter(|r| r.is_nan() || **r > bound)
                .count();
            format!(
                "{:.1}%",
                100.0 * count as f64 / self.times.len().max(1) as f64
            )
        };
        let statuses: Vec<_> = self
            .statuses
            .iter()
            .map(|(s, n)| format!("{s} {n}"))
            .collect();
        format!(
            "{name:<28} {:<10} {:>9.1} {:>9.1} {:>9.1} {:>9} {:>8.0e} {:>7} {:>7} {:>8.2}  {}",
            self.engine.to_string(),
            time.median,
            time.p99,
            time.max,
            self.contacts,
            residual.max,
            above(1e-8),
            above(1e-4),
            self.speed,
            statuses.join(", ")
        )
    }
}

/// The robot on a floor, z up, at steps of 1/240 s.
fn load(file: &Path) -> Result<(PhysicsWorld, MjcfContactHooks), String> {
    let (robot, _) = MjcfRobot::from_file(file, MjcfLoaderOptions::default())
        .map_err(|error| format!("{error:#}"))?;
    let mut world = PhysicsWorld::new();
    world.gravity = robot.gravity;
    world.integration_parameters.dt = 1.0 / 240.0;
    let floor = ColliderBuilder::halfspace(stickslip::rapier::na::Unit::new_unchecked(Vector::Z))
        .friction(1.0);
    world.colliders.insert(floor);
    let handles = robot.clone().insert_using_multibody_joints(
        &mut world.bodies,
        &mut world.colliders,
        &mut world.multibody_joints,
        &mut world.impulse_joints,
        MjcfMultibodyOptions::DISABLE_SELF_CONTACTS,
    );
    let hooks = handles.contact_hooks(&robot);
    Ok((world, hooks))
}
