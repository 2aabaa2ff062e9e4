//! `spin` and `roll`: a ball slowed by torsional or rolling friction.
//!
//! On level ground a ball of mass m, radius r and inertia `I = 2/5 m r^2` has the normal force m g:
//! torsional friction takes `mu_torsional m g / I` from its spin each second, rolling friction
//! `5/7 mu_rolling g / r` from its speed.

use super::super::super::rapier::prelude::*;
use super::super::stage::convert::{to_real, to_vector, vector};
use super::super::stage::scene::{Built, Scene};
use super::super::stage::world::{GRAVITY, World, linear_velocity};
use crate::error::CommandError;
use crate::metrics::{ContactMeter, larger};
use crate::session::Figures;
use crate::settings::RunSettings;
use nalgebra::Vector3;
use stickslip_record::StepReport;

/// What remains of the motion when the ball rests: a thousandth.
const RESTS: f64 = 1e-3;

/// Which motion is watched.
#[derive(Clone, Copy, PartialEq, Eq)]
enum Motion {
    /// Angular speed about the vertical [rad/s].
    Spin,
    /// Speed along x [m/s].
    Roll,
}

pub(in super::super) fn spin(settings: &RunSettings) -> Result<Built, CommandError> {
    let spin = settings.keys.number("spin")?;
    let slows = |mass: f64, inertia: f64, _radius: f64| {
        settings.material.mu_torsional * mass * GRAVITY / inertia
    };
    build(settings, Motion::Spin, [0.0, spin], slows)
}

pub(in super::super) fn roll(settings: &RunSettings) -> Result<Built, CommandError> {
    let speed = settings.keys.number("speed")?;
    let slows = |_mass: f64, _inertia: f64, radius: f64| {
        5.0 / 7.0 * settings.material.mu_rolling * GRAVITY / radius
    };
    build(settings, Motion::Roll, [speed, 0.0], slows)
}

fn build(
    settings: &RunSettings,
    motion: Motion,
    [speed, spin]: [f64; 2],
    slows: impl Fn(f64, f64, f64) -> f64,
) -> Result<Built, CommandError> {
    let keys = &settings.keys;
    let [mu, mass, radius] = keys.numbers(["mu", "mass", "radius"])?;
    let mut world = World::new(settings)?;
    world.add_ground(mu);
    let body = RigidBodyBuilder::dynamic()
        .translation(Vector::new(0.0, 0.0, to_real(radius)))
        .linvel(to_vector(&(Vector3::x() * speed)))
        .angvel(to_vector(&Vector3::new(0.0, speed / radius, spin)));
    let shape = ColliderBuilder::ball(to_real(radius))
        .mass(to_real(mass))
        .friction(to_real(mu));
    let scene = Ball {
        body: world.add("ball", body, [shape]),
        motion,
        start: speed + spin,
        deceleration: slows(mass, 0.4 * mass * radius * radius, radius),
        error: 0.0,
        meter: ContactMeter::default(),
    };
    Ok((world, Box::new(scene)))
}

struct Ball {
    body: usize,
    motion: Motion,
    start: f64,
    /// By the closed form [m/s^2 or rad/s^2].
    deceleration: f64,
    error: f64,
    meter: ContactMeter,
}

impl Ball {
    fn now(&self, world: &World) -> f64 {
        let body = world.body(self.body);
        match self.motion {
            Motion::Spin => vector(body.angvel()).z,
            Motion::Roll => linear_velocity(body).x,
        }
    }
}

impl Scene for Ball {
    fn observe(&mut self, world: &World, _report: Option<&StepReport>) {
        self.meter.add(world.contacts(), world.dt());
        let expected = (self.start - self.deceleration * world.time()).max(0.0);
        let error = (self.now(world) - expected).abs() / self.start;
        self.error = larger(self.error, error);
    }

    fn figures(&mut self, world: &World) -> Result<Figures, CommandError> {
        let now = self.now(world);
        let rests = now.abs() < RESTS * self.start;
        let (moving, unit) = match self.motion {
            Motion::Spin => ("spins", "rad_per_s"),
            Motion::Roll => ("rolls", "m_per_s"),
        };
        Ok(Figures::new(if rests { "rests" } else { moving })
            .with(&format!("speed_end_{unit}"), now)
            .with(&format!("deceleration_{unit}2"), self.deceleration)
            .with("closed_form_error_rel", self.error)
            .with("penetration_max_m", self.meter.penetration_max()))
    }
}
