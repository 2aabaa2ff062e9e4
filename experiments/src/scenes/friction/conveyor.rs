//! `conveyor`: a box set down at rest on a belt.
//!
//! The belt is a fixed slab whose surface moves: contacts with it want a tangential velocity (rapier's
//! hook for conveyors). Coulomb friction accelerates the box with `mu g` until it rides, after
//! `u / (mu g)`; it slips by `u^2 / (2 mu g)` until then.

use super::super::super::rapier::prelude::*;
use super::super::stage::boxes::cuboid;
use super::super::stage::convert::{to_real, to_vector};
use super::super::stage::scene::{Built, Scene};
use super::super::stage::twin::{Start, Twin};
use super::super::stage::world::{GRAVITY, World, linear_velocity};
use crate::error::CommandError;
use crate::metrics::ContactMeter;
use crate::session::Figures;
use crate::settings::RunSettings;
use nalgebra::Vector3;
use stickslip_record::StepReport;

/// Half the sides of the box \[m\]: flat, so that it slides rather than tips.
const HALF: [f64; 3] = [0.1, 0.1, 0.025];
/// Share of the belt's speed that may be missing from a box that rides.
const RIDES: f64 = 1e-3;

/// Moves the surface of one body.
struct Belt {
    body: RigidBodyHandle,
    velocity: Vector,
}

impl PhysicsHooks for Belt {
    fn modify_solver_contacts(&self, context: &mut ContactModificationContext) {
        // The velocity wanted of the second body against the first.
        let velocity = if context.rigid_body1 == Some(self.body) {
            self.velocity
        } else if context.rigid_body2 == Some(self.body) {
            -self.velocity
        } else {
            return;
        };
        if let ModifiableContacts::Rigid(manifold) = &mut context.contacts {
            for contact in manifold.solver_contacts.iter_mut() {
                contact.tangent_velocity = velocity;
            }
        }
    }
}

pub(in super::super) fn build(settings: &RunSettings) -> Result<Built, CommandError> {
    let keys = &settings.keys;
    let [speed, mass, mu] = keys.numbers(["speed", "mass", "mu"])?;
    let angle = keys.number("direction")?.to_radians();
    let heading = Vector3::new(angle.cos(), angle.sin(), 0.0);
    let mut world = World::new(settings)?;
    let belt = world.add_ground(mu);
    world.set_hooks(Box::new(Belt {
        body: world.entries()[belt].handle,
        velocity: to_vector(&(heading * speed)),
    }));
    let shape = cuboid(HALF, mass, mu).active_hooks(ActiveHooks::MODIFY_SOLVER_CONTACTS);
    let body = RigidBodyBuilder::dynamic().translation(Vector::new(0.0, 0.0, to_real(HALF[2])));
    let body = world.add("box", body, [shape]);
    let start = Start {
        mass,
        mu,
        weight: GRAVITY,
        surface: heading * speed,
        ..Start::default()
    };
    let scene = Conveyor {
        body,
        belt: heading * speed,
        mu,
        start: world.position(body),
        rode: None,
        meter: ContactMeter::default(),
        twin: Twin::new(settings, start),
    };
    Ok((world, Box::new(scene)))
}

struct Conveyor {
    body: usize,
    /// Velocity of the belt [m/s].
    belt: Vector3<f64>,
    mu: f64,
    start: Vector3<f64>,
    /// Time from which on it rides \[s\].
    rode: Option<f64>,
    meter: ContactMeter,
    twin: Twin,
}

impl Conveyor {
    /// Slip over the belt until it rides under Coulomb friction in steps of `h`: the sum of
    /// `h (u - k mu g h)` while that is positive.
    fn scheme(&self, h: f64) -> f64 {
        let (speed, gained) = (self.belt.norm(), self.mu * GRAVITY * h);
        let steps = (speed / gained).floor();
        h * (steps * speed - gained * 0.5 * steps * (steps + 1.0))
    }
}

impl Scene for Conveyor {
    fn observe(&mut self, world: &World, _report: Option<&StepReport>) {
        self.meter.add(world.contacts(), world.dt());
        self.twin.observe(world, self.body);
        let missing = (linear_velocity(world.body(self.body)) - self.belt).norm();
        if missing > RIDES * self.belt.norm() {
            self.rode = None;
        } else {
            self.rode = self.rode.or(Some(world.time()));
        }
    }

    fn figures(&mut self, world: &World) -> Result<Figures, CommandError> {
        let speed = self.belt.norm();
        let velocity = linear_velocity(world.body(self.body));
        let moved = world.position(self.body) - self.start;
        let mut figures = Figures::new(if self.rode.is_some() {
            "rides"
        } else {
            "slips"
        })
        .with("speed_end_m_per_s", velocity.dot(&self.belt) / speed)
        .with("ride_time_coulomb_s", speed / (self.mu * GRAVITY))
        .with("slip_max_m", self.meter.slip_max())
        .with("slip_coulomb_m", speed * speed / (2.0 * self.mu * GRAVITY))
        .with("slip_scheme_m", self.scheme(world.dt()));
        if let Some(time) = self.rode {
            figures = figures.with("ride_time_s", time);
        }
        // A box that stayed where it stood has no heading.
        if moved.norm() > 1e-3 * speed * world.time() {
            let aside = moved.cross(&self.belt).z.abs();
            figures = figures.with("heading_error_rad", aside.atan2(moved.dot(&self.belt)));
        }
        Ok(self
            .twin
            .figures(figures)
            .with("penetration_max_m", self.meter.penetration_max()))
    }
}
