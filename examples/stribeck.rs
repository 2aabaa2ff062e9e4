//! A friction law of one's own in a rapier world: Stribeck friction, which weakens as a body gets faster. A box slides to a
//! stop.
//!
//! `cargo run --release --example stribeck`

use std::sync::Arc;
use stickslip::core::law::onto_disc;
use stickslip::core::problem::ContactData;
use stickslip::core::report::SolveStatus;
use stickslip::rapier::prelude::*;
use stickslip::{ContactPipeline, FrictionLaw, Sweeps, default_settings};

/// `mu(v) = mu (0.6 + 0.4 exp(-(v / v_s)^2))`: from mu at rest down to 0.6 mu, over the speed `v_s` [m/s].
#[derive(Debug)]
struct Stribeck {
    speed: f64,
}

impl Stribeck {
    fn coefficient(&self, mu: f64, v: f64) -> f64 {
        let v = v / self.speed;
        mu * (0.6 + 0.4 * (-v * v).exp())
    }
}

impl FrictionLaw for Stribeck {
    fn project(&self, c: &ContactData, normal: f64, slip: [f64; 2], wanted: [f64; 2]) -> [f64; 2] {
        let mu = self.coefficient(c.mu, slip[0].hypot(slip[1]));
        onto_disc(wanted, mu * normal)
    }
}

fn main() -> Result<(), Box<dyn std::error::Error>> {
    let (friction, start) = (0.5, 2.0);
    let mut world = PhysicsWorld::new();
    world.integration_parameters.dt = 1.0 / 240.0;
    let floor = ColliderBuilder::cuboid(50.0, 0.5, 5.0).friction(friction);
    world.insert_collider(floor, None);
    let body = RigidBodyBuilder::dynamic().translation(Vector::new(0.0, 0.6, 0.0));
    let body = world.insert_body(body.linvel(Vector::new(start, 0.0, 0.0)));
    let cube = ColliderBuilder::cuboid(0.1, 0.1, 0.1).friction(friction);
    world.insert_collider(cube.mass(1.0), Some(body));

    let law = Arc::new(Stribeck { speed: 0.3 });
    let model = Box::new(Sweeps::new(law.clone()));
    let mut pipeline = ContactPipeline::own(model, default_settings())?;
    for _ in 0..480 {
        let report = pipeline.step_world(&mut world)?;
        // Held against the law above.
        if report.solve.status > SolveStatus::Relaxed {
            println!("{}: {:?}", report.solve.status, report.solve.residuals);
        }
    }
    let way = world.bodies[body].translation().x;
    println!("the box stopped after {way:.3} m");

    // Way = sum of v dv / (mu(v) g).
    let g = f64::from(world.gravity.length());
    let dv = 1e-4;
    let speeds = (0..(f64::from(start) / dv) as usize).map(|i| (i as f64 + 0.5) * dv);
    let way: f64 = speeds
        .map(|v| v * dv / (law.coefficient(f64::from(friction), v) * g))
        .sum();
    println!("the law stops it after {way:.3} m");
    Ok(())
}
