//! A recorder attached to a `ContactPipeline`: four boxes fall into a leaning stack.
//!
//! `cargo run --release -p stickslip-rerun --example attach -- OUT.rrd`

use stickslip::rapier::prelude::*;
use stickslip::{ContactPipeline, record::Attached};
use stickslip_rerun::{RecorderOptions, RerunRecorder, Sink, UpAxis};

fn main() -> Result<(), Box<dyn std::error::Error>> {
    let mut world = PhysicsWorld::new();
    let ground = ColliderBuilder::cuboid(2.0, 0.1, 2.0).translation(Vector::new(0.0, -0.1, 0.0));
    world.insert_collider(ground, None);
    for k in 0..4u8 {
        let at = Vector::new(0.1, 0.55, 0.0) * f32::from(k) + Vector::new(0.0, 0.3, 0.0);
        let body = world
            .bodies
            .insert(RigidBodyBuilder::dynamic().translation(at));
        world.insert_collider(ColliderBuilder::cuboid(0.25, 0.25, 0.25), Some(body));
    }
    let mut pipeline = ContactPipeline::default();
    let options = RecorderOptions {
        up: UpAxis::Y,
        ..Default::default()
    };
    let file = std::env::args().nth(1).unwrap_or("attach.rrd".into());
    let recorder = RerunRecorder::new(Sink::File(file.into()), options)?;
    let mut attached = Attached::new("boxes", recorder);
    for _ in 0..200 {
        pipeline.step_world(&mut world)?;
        attached.record(&pipeline, &world)?;
    }
    attached.finish()?;
    Ok(())
}
