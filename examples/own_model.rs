//! A contact model of one's own in a rapier world: projected Gauss-Seidel over the friction cones. A box slides down a
//! ramp that friction can't hold, as fast as Coulomb's law says.
//!
//! `cargo run --release --example own_model`

use stickslip::core::problem::{Delassus, GroupId, IslandProblem};
use stickslip::core::report::SolveStatus;
use stickslip::rapier::prelude::*;
use stickslip::{ContactModel, ContactPipeline, ModelSettings, default_settings};

/// Sweeps over the rows of an island: `u = W z + q` with `0 <= f_n` complementary to `u_n + b >= 0`, and friction in the
/// disc of radius `mu f_n` against the slip.
#[derive(Debug, Default)]
struct Sweeps {
    rows: Delassus,
}

impl ContactModel for Sweeps {
    fn solve(
        &mut self,
        place: IslandProblem<'_>,
        settings: &ModelSettings,
        z: &mut [f64],
    ) -> SolveStatus {
        self.rows.fill(place);
        for _ in 0..300 {
            for (group, at) in place.groups() {
                // Scalar rows are joints, limits and drives; this world has none.
                let GroupId::Contact(c) = group else { continue };
                let contact = &place.problem.contacts()[c.0];
                let b = settings.contact_velocity(contact, 0.0, place.problem.h());
                let [n, s, t] = [at.start, at.start + 1, at.start + 2];
                let d = |i: usize| self.rows.row(i)[i];
                z[n] = (z[n] - (self.rows.velocity(n, z) + b) / d(n)).max(0.0);
                let step = d(s).max(d(t));
                let [f, g] = [s, t].map(|i| z[i] - self.rows.velocity(i, z) / step);
                let share = (contact.mu * z[n] / f.hypot(g).max(f64::MIN_POSITIVE)).min(1.0);
                (z[s], z[t]) = (share * f, share * g);
            }
        }
        SolveStatus::Solved
    }
}

fn main() -> Result<(), Box<dyn std::error::Error>> {
    let (slope, friction) = (0.6_f32, 0.5);
    let mut world = PhysicsWorld::new();
    let turn = Vector::new(0.0, 0.0, slope);
    let ramp = ColliderBuilder::cuboid(50.0, 0.5, 2.0).rotation(turn);
    world.insert_collider(ramp.friction(friction), None);
    let up = Vector::new(-slope.sin(), slope.cos(), 0.0);
    let body = RigidBodyBuilder::dynamic().translation(up * 0.6);
    let body = world.insert_body(body.rotation(turn));
    let cube = ColliderBuilder::cuboid(0.1, 0.1, 0.1).friction(friction);
    world.insert_collider(cube.mass(1.0), Some(body));

    let mut pipeline = ContactPipeline::own(Box::new(Sweeps::default()), default_settings())?;
    for _ in 0..60 {
        let report = pipeline.step_world(&mut world)?;
        // Held against Coulomb's law by the function that checks the built-in models.
        if report.solve.status > SolveStatus::Relaxed {
            println!("{}: {:?}", report.solve.status, report.solve.residuals);
        }
    }
    println!("sliding at {:.3} m/s", world.bodies[body].linvel().length());
    let g = world.gravity.length();
    println!(
        "g (sin - mu cos) t is {:.3} m/s",
        g * (slope.sin() - friction * slope.cos())
    );
    Ok(())
}
