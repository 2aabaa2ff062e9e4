//! A rapier scene into a recording for the Rerun viewer: four boxes fall into a leaning stack.
//!
//! `cargo run --release --example record [FILE.rrd]`, then `rerun FILE.rrd`

use std::path::{Path, PathBuf};
use std::process::ExitCode;

use stickslip::rapier::prelude::*;
use stickslip::{ContactPipeline, record::Attached};
use stickslip_rerun::{RecorderOptions, RerunRecorder, Sink, UpAxis};

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
    let file = PathBuf::from(std::env::args().nth(1).unwrap_or("record.rrd".into()));
    record(&file)?;
    println!("rerun {}", file.display());
    Ok(())
}

/// Steps the scene for 200 steps and records every one.
fn record(file: &Path) -> Result<(), Box<dyn std::error::Error>> {
    let mut world = scene();
    let mut pipeline = ContactPipeline::default();
    let options = RecorderOptions {
        up: UpAxis::Y,
        ..RecorderOptions::default()
    };
    let recorder = RerunRecorder::new(Sink::File(file.into()), options)?;
    let mut attached = Attached::new("boxes", recorder);
    for _ in 0..200 {
        pipeline.step_world(&mut world)?;
        attached.record(&pipeline, &world)?;
    }
    // The file gets its name now, once it is complete.
    attached.finish()?;
    Ok(())
}

fn scene() -> PhysicsWorld {
    let mut world = PhysicsWorld::new();
    let ground = ColliderBuilder::cuboid(2.0, 0.1, 2.0).translation(Vector::new(0.0, -0.1, 0.0));
    world.insert_collider(ground, None);
    for k in 0..4u8 {
        let at = Vector::new(0.1, 0.55, 0.0) * f32::from(k) + Vector::new(0.0, 0.3, 0.0);
        let body = world.insert_body(RigidBodyBuilder::dynamic().translation(at));
        world.insert_collider(ColliderBuilder::cuboid(0.25, 0.25, 0.25), Some(body));
    }
    world
}
