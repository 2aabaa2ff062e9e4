//! A gripper from a URDF file squeezes a row of two cubes for ten seconds, under rapier and under stickslip.
//!
//! `cargo run --release --example gripper`

use std::path::Path;

use stickslip::ContactPipeline;
use stickslip::rapier::prelude::*;
use stickslip_urdf::{InsertOptions, LoadOptions, RobotHandles, RobotModel};

const GRIPPER: &str = concat!(env!("CARGO_MANIFEST_DIR"), "/../assets/gripper.urdf");
/// Force of each finger \[N\]: friction of 0.5 then holds up to 20 N, and the cubes weigh 9.81 N.
const SQUEEZE: f32 = 20.0;
/// Ten seconds.
const STEPS: usize = 1000;

fn main() -> Result<(), Box<dyn std::error::Error>> {
    let mut scene = Scene::new()?;
    for _ in 0..STEPS {
        scene.world.step();
    }
    println!("rapier:    the cubes fell {:.1e} m", scene.fall());

    let mut scene = Scene::new()?;
    let mut pipeline = ContactPipeline::default();
    for _ in 0..STEPS {
        pipeline.step_world(&mut scene.world)?;
    }
    println!("stickslip: the cubes fell {:.1e} m", scene.fall());
    for (finger, [pressed, lifted]) in scene.forces(&pipeline) {
        println!("  {finger} presses with {pressed:.3} N and holds {lifted:.3} N up");
    }
    Ok(())
}

/// The gripper, closed around two cubes.
struct Scene {
    /// Rapier's sets.
    world: PhysicsWorld,
    gripper: RobotHandles,
    cubes: Vec<RigidBodyHandle>,
}

impl Scene {
    /// Places everything; the fingers push inwards from the first step on.
    fn new() -> Result<Self, Box<dyn std::error::Error>> {
        let mut world = PhysicsWorld::new();
        world.gravity = Vector::new(0.0, 0.0, -9.81);
        world.integration_parameters.dt = 0.01;
        let model = RobotModel::from_file(Path::new(GRIPPER), &LoadOptions::default())?;
        let gripper = model.insert(
            &InsertOptions::default(),
            &mut world.bodies,
            &mut world.colliders,
            &mut world.impulse_joints,
            &mut world.multibody_joints,
        )?;
        // The fingers are boxes of 10 cm at x = -15 and 15 cm: two cubes of 10 cm fit between them.
        let mut cubes = Vec::new();
        for x in [-0.05, 0.05] {
            let body = RigidBodyBuilder::dynamic().translation(Vector::new(x, 0.0, 0.0));
            // What sleeps has no contacts to read.
            let cube = world.insert_body(body.can_sleep(false));
            let shape = ColliderBuilder::cuboid(0.05, 0.05, 0.05).mass(0.5);
            world.insert_collider(shape, Some(cube));
            cubes.push(cube);
        }
        for (joint, force) in [("left_finger", SQUEEZE), ("right_finger", -SQUEEZE)] {
            let finger = gripper
                .joint(joint)
                .ok_or("the gripper has lost a finger")?;
            world.bodies[finger.body].add_force(Vector::new(force, 0.0, 0.0), true);
        }
        Ok(Self {
            world,
            gripper,
            cubes,
        })
    }

    /// How far the lower cube has fallen \[m\].
    fn fall(&self) -> f32 {
        let heights = self.cubes.iter();
        let heights = heights.map(|cube| self.world.bodies[*cube].translation().z);
        -heights.fold(f32::INFINITY, f32::min)
    }

    /// Name of each finger, the force it presses with and the force it holds up \[N\], in the last step.
    fn forces(&self, pipeline: &ContactPipeline) -> Vec<(&str, [f64; 2])> {
        let h = f64::from(self.world.integration_parameters.dt);
        let mut out = Vec::new();
        for joint in &self.gripper.joints {
            let Some(_) = joint.coordinates else { continue };
            let mut force = [0.0; 2];
            for contact in pipeline.contacts() {
                let [first, second] = contact.point.bodies.map(|body| body == Some(joint.body));
                if first || second {
                    // The impulse acts on the second body, its opposite on the first.
                    let on_cube = if first { 1.0 } else { -1.0 };
                    force[0] += contact.impulse[0] / h;
                    force[1] += on_cube * f64::from(contact.impulse_world().z) / h;
                }
            }
            out.push((joint.name.as_str(), force));
        }
        out
    }
}
