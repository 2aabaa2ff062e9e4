//! `slide` [D6]: a box or a sphere set sliding on level ground.

use super::super::super::rapier::prelude::*;
use super::super::stage::boxes::cuboid;
use super::super::stage::convert::{to_real, to_vector, vector};
use super::super::stage::scene::{Built, Scene};
use super::super::stage::twin::{Start, Twin};
use super::super::stage::world::{GRAVITY, World, linear_velocity};
use crate::error::CommandError;
use crate::metrics::{ContactMeter, larger};
use crate::session::Figures;
use crate::settings::RunSettings;
use nalgebra::Vector3;
use stickslip_record::StepReport;

/// Half the sides of the box \[m\]: flat, so that it slides rather than tips.
const HALF: [f64; 3] = [0.1, 0.1, 0.025];
const RADIUS: f64 = 0.1;

/// Speed below which nothing of the motion is left [m/s].
const STOPPED: f64 = 1e-3;
/// Difference of the rolling speed from that without slip, over it, below which a sphere rolls [-].
const ROLLS: f64 = 1e-3;

pub(in super::super) fn build(settings: &RunSettings) -> Result<Built, CommandError> {
    let keys = &settings.keys;
    let [speed, mass, mu] = keys.numbers(["speed", "mass", "mu"])?;
    let angle = keys.number("direction")?.to_radians();
    let sphere = keys.text("shape")? == "sphere";
    let heading = Vector3::new(angle.cos(), angle.sin(), 0.0);
    let mut world = World::new(settings)?;
    world.add_ground(mu);
    let (name, shape, height) = if sphere {
        let ball = ColliderBuilder::ball(to_real(RADIUS));
        (
            "sphere",
            ball.mass(to_real(mass)).friction(to_real(mu)),
            RADIUS,
        )
    } else {
        ("box", cuboid(HALF, mass, mu), HALF[2])
    };
    let body = RigidBodyBuilder::dynamic()
        .translation(Vector::new(0.0, 0.0, to_real(height)))
        .linvel(to_vector(&(heading * speed)));
    let body = world.add(name, body, [shape]);
    let begin = Start {
        mass,
        mu,
        weight: GRAVITY,
        velocity: heading * speed,
        ..Start::default()
    };
    let scene = Slide {
        body,
        twin: Twin::new(settings, begin),
        sphere,
        speed,
        mu,
        heading,
        start: world.position(body),
        rolling_error: 0.0,
        meter: ContactMeter::default(),
    };
    Ok((world, Box::new(scene)))
}

struct Slide {
    body: usize,
    sphere: bool,
    speed: f64,
    mu: f64,
    heading: Vector3<f64>,
    start: Vector3<f64>,
    rolling_error: f64,
    /// Of the box.
    twin: Twin,
    meter: ContactMeter,
}

impl Slide {
    /// Distance to rest under Coulomb friction in steps of `h`, positions following with the new
    /// velocity: the sum of `h (v0 - k mu g h)` while that is positive. `v0^2 / (2 mu g)` to O(h).
    fn scheme(&self, h: f64) -> f64 {
        let lost = self.mu * GRAVITY * h;
        let steps = (self.speed / lost).floor();
        h * (steps * self.speed - lost * 0.5 * steps * (steps + 1.0))
    }

    /// How far the sphere is from rolling at 5/7 v0, relative to that speed: the worse of the
    /// errors of velocity and of spin times radius.
    fn rolling_error(&self, world: &World) -> f64 {
        let body = world.body(self.body);
        let rolling = self.heading * (5.0 / 7.0 * self.speed);
        let spin = Vector3::z().cross(&rolling) / RADIUS;
        let linear = (linear_velocity(body) - rolling).norm();
        let angular = (vector(body.angvel()) - spin).norm() * RADIUS;
        larger(linear, angular) / rolling.norm()
    }
}

impl Scene for Slide {
    fn observe(&mut self, world: &World, _report: Option<&StepReport>) {
        self.meter.add(world.contacts(), world.dt());
        if self.sphere {
            self.rolling_error = larger(self.rolling_error, self.rolling_error(world));
        } else {
            self.twin.observe(world, self.body);
        }
    }

    fn figures(&mut self, world: &World) -> Result<Figures, CommandError> {
        let speed = linear_velocity(world.body(self.body)).norm();
        let figures = if self.sphere {
            let error = self.rolling_error(world);
            Figures::new(if error < ROLLS { "rolls" } else { "slides" })
                // Over every step, the first included.
                .with("rolling_speed_error_rel", self.rolling_error)
                .at_most("rolling_speed_end_error_rel", error, ROLLS)
        } else {
            let moved = world.position(self.body) - self.start;
            let along = moved.dot(&self.heading);
            let aside = moved.cross(&self.heading).z;
            let coulomb = self.speed * self.speed / (2.0 * self.mu * GRAVITY);
            let figures = Figures::new(if speed < STOPPED { "stopped" } else { "slides" })
                .with("stop_distance_m", along)
                .with("stop_distance_coulomb_m", coulomb)
                .with("stop_distance_error_rel", along / coulomb - 1.0)
                .with("stop_distance_scheme_m", self.scheme(world.dt()));
            // A box that stopped where it stood has no heading.
            if moved.norm() > 1e-3 * coulomb {
                figures.with("heading_error_rad", aside.atan2(along).abs())
            } else {
                figures
            }
        };
        let figures = self.twin.figures(figures);
        let figures = match self.sphere {
            true => figures.with("speed_end_m_per_s", speed),
            false => figures.at_most("speed_end_m_per_s", speed, STOPPED),
        };
        Ok(figures
            .with("slip_max_m", self.meter.slip_max())
            .with("penetration_max_m", self.meter.penetration_max()))
    }
}
