//! Contact forces beside what a program logs itself, in one recording of Rerun's SDK: boxes fall into a leaning stack,
//! a camera looks at them, and a plot shows their kinetic energy.
//!
//! `cargo run --release --example own_stream [FILE.rrd]`, then `rerun FILE.rrd`

use std::path::{Path, PathBuf};
use std::process::ExitCode;

use stickslip::rapier::prelude::*;
use stickslip::{ContactPipeline, record::Attached};
use stickslip_rerun::rerun::components::ViewCoordinates;
use stickslip_rerun::rerun::{
    AsComponents, Image, Pinhole, RecordingStream, RecordingStreamBuilder, Scalars, Transform3D,
};
use stickslip_rerun::{OwnView, RecorderOptions, RerunRecorder, ViewKind};

/// The camera's pixels: columns and rows.
const PIXELS: [u32; 2] = [80, 60];

/// Its focal length, in pixels.
const FOCAL_LENGTH: f32 = 60.0;

/// Where it is: before the stack, looking along -z.
const CAMERA: [f32; 3] = [0.2, 0.9, 4.0];

fn main() -> ExitCode {
    let file = PathBuf::from(std::env::args().nth(1).unwrap_or("own_stream.rrd".into()));
    match record(&file) {
        Ok(()) => {
            println!("rerun {}", file.display());
            ExitCode::SUCCESS
        }
        Err(error) => {
            eprintln!("{error}");
            ExitCode::FAILURE
        }
    }
}

/// Steps the scene until the boxes lie still; every second step has a picture.
fn record(file: &Path) -> Result<(), Box<dyn std::error::Error>> {
    let stream = RecordingStreamBuilder::new("own_stream").save(file)?;
    let options = RecorderOptions {
        // Everything that stickslip logs is below this entity.
        folder: Some("simulation".to_owned()),
        views: vec![
            view("Camera", "simulation/world/camera", ViewKind::Picture),
            view("Energy", "energy", ViewKind::Curves),
        ],
        ..RecorderOptions::default()
    };
    let recorder = RerunRecorder::with_stream(stream.clone(), options)?;
    let mut attached = Attached::new("boxes", recorder);
    let mut world = scene();
    let mut pipeline = ContactPipeline::default();
    place_camera(&stream)?;
    for step in 0..40_u32 {
        pipeline.step_world(&mut world)?;
        attached.record(&pipeline, &world)?;
        let time = f64::from(step + 1) * f64::from(world.integration_parameters.dt);
        stream.set_duration_secs("sim_time", time);
        stream.log("energy/kinetic", &Scalars::single(kinetic_energy(&world)))?;
        if step % 2 == 0 {
            stream.log("simulation/world/camera", &picture(&world))?;
        }
    }
    attached.finish()?;
    stream.flush_blocking()?;
    Ok(())
}

fn view(title: &str, entity: &str, kind: ViewKind) -> OwnView {
    OwnView {
        title: title.to_owned(),
        entity: entity.to_owned(),
        kind,
    }
}

/// Below `simulation/world`, so that the picture is seen in the scene too.
fn place_camera(stream: &RecordingStream) -> Result<(), Box<dyn std::error::Error>> {
    let pinhole = Pinhole::from_focal_length_and_resolution(
        [FOCAL_LENGTH; 2],
        PIXELS.map(|pixels| pixels as f32),
    );
    let pinhole = pinhole.with_camera_xyz(ViewCoordinates::RUB);
    let place = Transform3D::from_translation(CAMERA);
    stream.log_static(
        "simulation/world/camera",
        &[&pinhole as &dyn AsComponents, &place],
    )?;
    Ok(())
}

/// What the camera sees: a ray for every pixel, bright where a surface faces it.
fn picture(world: &PhysicsWorld) -> Image {
    let [columns, rows] = PIXELS;
    let origin = Vector::from(CAMERA);
    let mut pixels = Vec::new();
    for row in 0..rows {
        for column in 0..columns {
            let x = (column as f32 + 0.5 - 0.5 * columns as f32) / FOCAL_LENGTH;
            let y = (0.5 * rows as f32 - row as f32 - 0.5) / FOCAL_LENGTH;
            let ray = Ray::new(origin, Vector::new(x, y, -1.0).normalize());
            let hit = world.cast_ray_and_get_normal(&ray, 20.0, true, QueryFilter::default());
            let brightness = hit.map_or(0.0, |(_, hit)| -hit.normal.dot(ray.dir));
            pixels.push((255.0 * brightness.clamp(0.0, 1.0)) as u8);
        }
    }
    Image::from_l8(pixels, PIXELS)
}

fn kinetic_energy(world: &PhysicsWorld) -> f64 {
    let bodies = world.bodies.iter();
    bodies
        .map(|(_, body)| f64::from(body.kinetic_energy()))
        .sum()
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
