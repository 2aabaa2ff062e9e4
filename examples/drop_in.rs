//! A rapier scene and the line that changes: a box on a ramp that friction should hold.
//!
//! `cargo run --release --example drop_in`

use stickslip::ContactPipeline;
use stickslip::rapier::prelude::*;

/// Slope of the ramp \[rad\]; friction holds the box, since tan(0.45) = 0.48 is less than 0.5.
const SLOPE: f32 = 0.45;
const FRICTION: f32 = 0.5;
/// Ten seconds at rapier's default of 60 steps a second.
const STEPS: usize = 600;

fn main() -> Result<(), Box<dyn std::error::Error>> {
    // Before: rapier's own solver.
    let (mut world, cube) = scene();
    let start = world.bodies[cube].translation();
    for _ in 0..STEPS {
        world.step();
    }
    let slid = world.bodies[cube].translation() - start;
    println!("rapier:    the box slid {:.1e} m", slid.length());

    // After: the same scene, another step.
    let (mut world, cube) = scene();
    let mut pipeline = ContactPipeline::default();
    for _ in 0..STEPS {
        pipeline.step_world(&mut world)?;
    }
    let slid = world.bodies[cube].translation() - start;
    println!("stickslip: the box slid {:.1e} m", slid.length());

    // What every contact did in the last step: impulses in N s, so divided by the step they are forces.
    let h = f64::from(world.integration_parameters.dt);
    let mut up = 0.0;
    for contact in pipeline.contacts() {
        let [normal, s, t] = contact.impulse.map(|impulse| impulse / h);
        println!(
            "  a corner presses with {normal:.3} N, friction holds {:.3} N",
            s.hypot(t)
        );
        up += f64::from(contact.impulse_world().y) / h;
    }
    println!("  together they push up with {:.3} N", f64::abs(up));
    Ok(())
}

/// A ramp and a box of 1 kg on it.
fn scene() -> (PhysicsWorld, RigidBodyHandle) {
    let mut world = PhysicsWorld::new();
    let turn = Vector::new(0.0, 0.0, SLOPE);
    let ramp = ColliderBuilder::cuboid(5.0, 0.5, 2.0)
        .rotation(turn)
        .friction(FRICTION);
    world.insert_collider(ramp, None);
    let up = Vector::new(-SLOPE.sin(), SLOPE.cos(), 0.0);
    // A body that sleeps has no contacts to read.
    let body = RigidBodyBuilder::dynamic()
        .translation(up * 0.6)
        .rotation(turn)
        .can_sleep(false);
    let cube = world.insert_body(body);
    let shape = ColliderBuilder::cuboid(0.1, 0.1, 0.1)
        .mass(1.0)
        .friction(FRICTION);
    world.insert_collider(shape, Some(cube));
    (world, cube)
}
