//! `slope` [D4]: a box on a slope, near the friction threshold, facing any direction.

use super::super::super::rapier::prelude::*;
use super::super::stage::boxes::cuboid;
use super::super::stage::convert::to_pose;
use super::super::stage::scene::{Built, Scene};
use super::super::stage::twin::{Start, Twin};
use super::super::stage::world::{GRAVITY, World, linear_velocity};
use crate::error::CommandError;
use crate::metrics::{ContactMeter, larger};
use crate::session::Figures;
use crate::settings::RunSettings;
use nalgebra::{Isometry3, Unit, UnitQuaternion, Vector3};
use stickslip_record::StepReport;

/// Drift below which the box sticks \[m\]: more than any solver's creep in a second or two.
const STICKS: f64 = 1e-4;
/// Half the sides of the box \[m\]: flat, so that it slides rather than tips.
const HALF: [f64; 3] = [0.1, 0.1, 0.025];

pub(in super::super) fn build(settings: &RunSettings) -> Result<Built, CommandError> {
    let keys = &settings.keys;
    let [mu, ratio, mass] = keys.numbers(["mu", "ratio", "mass"])?;
    let direction = keys.number("direction")?.to_radians();
    let angle = (ratio * mu).atan();
    // The slope falls in that direction; the box faces x, as the tangents of its contacts do.
    let ahead = Vector3::new(direction.cos(), direction.sin(), 0.0);
    let axis = Unit::new_normalize(Vector3::z().cross(&ahead));
    let tilt = UnitQuaternion::from_axis_angle(&axis, angle);
    let frame = Isometry3::from_parts(Vector3::zeros().into(), tilt);
    let at = frame * Isometry3::translation(0.0, 0.0, HALF[2]);
    let downhill = tilt * ahead;
    let mut world = World::new(settings)?;
    world.add_plane(&frame, mu);
    let body = world.add(
        "box",
        RigidBodyBuilder::dynamic().pose(to_pose(&at)),
        [cuboid(HALF, mass, mu)],
    );
    let (sin, cos) = angle.sin_cos();
    let start = Start {
        mass,
        mu,
        weight: GRAVITY * cos,
        pull: downhill * (GRAVITY * sin),
        ..Start::default()
    };
    let scene = Slope {
        body,
        angle,
        mu,
        downhill,
        normal: tilt * Vector3::z(),
        twin: Twin::new(settings, start),
        start: world.position(body),
        drift: 0.0,
        meter: ContactMeter::default(),
    };
    Ok((world, Box::new(scene)))
}

struct Slope {
    body: usize,
    angle: f64,
    mu: f64,
    downhill: Vector3<f64>,
    normal: Vector3<f64>,
    start: Vector3<f64>,
    twin: Twin,
    drift: f64,
    meter: ContactMeter,
}

impl Scene for Slope {
    fn observe(&mut self, world: &World, _report: Option<&StepReport>) {
        self.meter.add(world.contacts(), world.dt());
        self.twin.observe(world, self.body);
        let moved = world.position(self.body) - self.start;
        self.drift = larger(self.drift, moved.norm());
    }

    fn figures(&mut self, world: &World) -> Result<Figures, CommandError> {
        let speed = linear_velocity(world.body(self.body)).dot(&self.downhill);
        let acceleration = speed / world.time();
        let (sin, cos) = self.angle.sin_cos();
        let coulomb = (GRAVITY * (sin - self.mu * cos)).max(0.0);
        let sticks = self.drift < STICKS;
        let mut figures = Figures::new(if sticks { "sticks" } else { "slides" });
        if !sticks {
            let moved = world.position(self.body) - self.start;
            // Along the plane: a body that is lifted off it may still go straight down.
            let aside = moved.dot(&self.normal.cross(&self.downhill)).abs();
            let error = aside.atan2(moved.dot(&self.downhill));
            figures = figures.with("heading_error_rad", error);
        }
        if coulomb > 0.0 {
            figures = figures.with("acceleration_error_rel", acceleration / coulomb - 1.0);
        }
        let figures = self.twin.figures(figures).with("slope_rad", self.angle);
        // Where friction is enough, sticking is what is asked for.
        let figures = match coulomb > 0.0 {
            true => figures.with("drift_m", self.drift),
            false => figures.at_most("drift_m", self.drift, STICKS),
        };
        Ok(figures
            .with("slip_max_m", self.meter.slip_max())
            .with("acceleration_m_per_s2", acceleration)
            .with("acceleration_frictionless_m_per_s2", GRAVITY * sin)
            .with("acceleration_coulomb_m_per_s2", coulomb)
            .with("creep_m_per_s", self.drift / world.time())
            .with("penetration_max_m", self.meter.penetration_max()))
    }
}
