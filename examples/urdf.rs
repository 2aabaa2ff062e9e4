//! A robot file to a robot that stands: load, place on the ground, hold the joints, step, read the forces
//! on its feet.
//!
//! `cargo run --release --example urdf [ROBOT.urdf [PACKAGE_FOLDER]]`

use std::collections::BTreeMap;
use std::f64::consts::PI;
use std::path::PathBuf;
use std::process::ExitCode;

use nalgebra::Isometry3;
use stickslip::rapier::prelude::*;
use stickslip::{ContactPipeline, Sleeping};
use stickslip_urdf::{Base, Hold, InsertOptions, LoadOptions, RobotHandles, RobotModel};

/// The project's own robot, and the angles of its hips, thighs and knees at which it stands.
const QUADRUPED: &str = concat!(env!("CARGO_MANIFEST_DIR"), "/../assets/quadruped.urdf");
const STANCE: [(&str, f64); 3] = [("hip", PI / 8.0), ("thigh", PI / 4.0), ("knee", PI / 2.0)];

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
    let mut arguments = std::env::args().skip(1);
    let file = arguments.next().map(PathBuf::from);
    let options = LoadOptions {
        package_paths: arguments.next().map(PathBuf::from).into_iter().collect(),
        ..LoadOptions::default()
    };
    let own = file.is_none();
    let model = RobotModel::from_file(&file.unwrap_or(QUADRUPED.into()), &options)?;
    // What was repaired, assumed or left out; `stickslip check FILE` prints the same.
    println!("{} notes on the file", model.notes.len());
    let pose = if own { stance() } else { BTreeMap::new() };
    let stand = stand(&model, pose)?;
    println!(
        "`{}`: {} links, {:.3} kg, base moved {:.1e} m in the last second",
        model.name,
        model.links.len(),
        model.mass(),
        stand.moved
    );
    for (link, force) in &stand.forces {
        println!("  the ground pushes {link} up with {force:.3} N");
    }
    let total: f64 = stand.forces.values().sum();
    println!(
        "  {total:.3} N in all; the robot weighs {:.3} N",
        9.81 * model.mass()
    );
    Ok(())
}

/// Left front and right hind legs turn one way, the other two the other way.
fn stance() -> BTreeMap<String, f64> {
    let legs = [("lf", 1.0), ("rh", 1.0), ("rf", -1.0), ("lh", -1.0)];
    legs.iter()
        .flat_map(|(leg, sign)| {
            STANCE.map(|(joint, angle)| (format!("{leg}_{joint}"), sign * angle))
        })
        .collect()
}

/// What is seen of a robot that stands.
struct Stand {
    /// Distance that the base moved in the last second \[m\].
    moved: f32,
    /// Upward force of the ground in the last step by link \[N\].
    forces: BTreeMap<String, f64>,
}

/// Puts a robot onto the ground with its joints at `pose`, held there, and steps for three seconds.
fn stand(
    model: &RobotModel,
    pose: BTreeMap<String, f64>,
) -> Result<Stand, Box<dyn std::error::Error>> {
    let mut options = InsertOptions {
        base: Base::Floating,
        initial: pose,
        hold: Some(Hold::default()),
        ..InsertOptions::default()
    };
    // Placed once to see how low it reaches, and once more with its lowest point on the ground.
    let mut trial = PhysicsWorld::new();
    let robot = insert(model, &options, &mut trial)?;
    let lowest = lowest(&robot, &trial).ok_or("the robot has no collision shapes to stand on")?;
    options.pose = Isometry3::translation(0.0, 0.0, -lowest);

    let mut world = PhysicsWorld::new();
    world.gravity = Vector::new(0.0, 0.0, -9.81);
    world.integration_parameters.dt = 0.005;
    let ground = ColliderBuilder::cuboid(5.0, 5.0, 0.5).translation(Vector::new(0.0, 0.0, -0.5));
    let ground = world.insert_collider(ground, None);
    let robot = insert(model, &options, &mut world)?;
    for warning in &robot.warnings {
        println!("{warning}");
    }
    let mut pipeline = ContactPipeline::default();
    // What sleeps has no contacts to read.
    pipeline.set_sleeping(Sleeping::Never);
    for _ in 0..400 {
        pipeline.step_world(&mut world)?;
    }
    let start = world.bodies[robot.root].translation();
    for _ in 0..200 {
        pipeline.step_world(&mut world)?;
    }
    let moved = (world.bodies[robot.root].translation() - start).length();

    let dt = world.integration_parameters.dt;
    let mut forces = BTreeMap::new();
    for contact in pipeline.contacts() {
        // The force acts on the second collider, its opposite on the first.
        let upward = f64::from(contact.force(dt).z);
        let (collider, upward) = match contact.point.colliders {
            [Some(first), Some(second)] if first == ground => (second, upward),
            [Some(first), Some(second)] if second == ground => (first, -upward),
            // The robot touches itself.
            _ => continue,
        };
        let mut links = robot.links.iter();
        if let Some(link) = links.find(|link| link.colliders.contains(&collider)) {
            *forces.entry(link.name.clone()).or_insert(0.0) += upward;
        }
    }
    Ok(Stand { moved, forces })
}

fn insert(
    model: &RobotModel,
    options: &InsertOptions,
    world: &mut PhysicsWorld,
) -> Result<RobotHandles, stickslip_urdf::InsertError> {
    model.insert(
        options,
        &mut world.bodies,
        &mut world.colliders,
        &mut world.impulse_joints,
        &mut world.multibody_joints,
    )
}

/// The lowest point of the robot's colliders \[m\].
fn lowest(robot: &RobotHandles, world: &PhysicsWorld) -> Option<f64> {
    let colliders = robot.links.iter().flat_map(|link| &link.colliders);
    colliders
        .map(|c| f64::from(world.colliders[*c].compute_aabb().mins.z))
        .reduce(f64::min)
}
