//! `bounce` [C8]: a ball falls from rest and bounces: it rises to e^2 times the height it fell from.

use super::super::super::rapier::prelude::*;
use super::super::stage::convert::{real, to_real};
use super::super::stage::scene::{Built, Scene};
use super::super::stage::world::{GRAVITY, World, linear_velocity};
use crate::error::CommandError;
use crate::metrics::larger;
use crate::session::Figures;
use crate::settings::RunSettings;
use stickslip_record::StepReport;

const MASS: f64 = 1.0;

pub(in super::super) fn build(settings: &RunSettings) -> Result<Built, CommandError> {
    let keys = &settings.keys;
    let [radius, mu] = keys.numbers(["radius", "mu"])?;
    let [restitution, height] = keys.numbers(["e", "height"])?;
    let mut world = World::new(settings)?;
    let ground = world.add_ground(mu);
    // Rapier averages the coefficients of the two.
    let handle = world.entries()[ground].handle;
    for collider in world.sets.bodies[handle].colliders() {
        if let Some(collider) = world.sets.colliders.get_mut(*collider) {
            collider.set_restitution(to_real(restitution));
        }
    }
    let body =
        RigidBodyBuilder::dynamic().translation(Vector::new(0.0, 0.0, to_real(height + radius)));
    let ball = ColliderBuilder::ball(to_real(radius))
        .mass(to_real(MASS))
        .restitution(to_real(restitution))
        .friction(to_real(mu));
    let ball = world.add("ball", body, [ball]);
    let scene = Bounce {
        ball,
        radius,
        step: settings.dt,
        restitution,
        start: height,
        height,
        falling: true,
        top: height,
        bottom: height,
        rebounds: Vec::new(),
        energy: 0.0,
    };
    Ok((world, Box::new(scene)))
}

struct Bounce {
    ball: usize,
    radius: f64,
    /// Time step \[s\].
    step: f64,
    restitution: f64,
    /// Height it was dropped from \[m\].
    start: f64,
    /// Height of fall of the last rebound \[m\].
    height: f64,
    falling: bool,
    /// Highest place since the last impact \[m\].
    top: f64,
    bottom: f64,
    /// Height of every finished rebound over the fall before it.
    rebounds: Vec<f64>,
    /// Largest energy over that at the start.
    energy: f64,
}

/// Rebounds lower than this share of the first fall are not measured: the step takes a growing part
/// of them.
const LOWEST: f64 = 0.1;

/// Share of the fall above which a ball has left the floor: less is the round-off of a velocity that ends.
const LEFT: f64 = 1e-6;

impl Scene for Bounce {
    fn observe(&mut self, world: &World, _report: Option<&StepReport>) {
        let z = world.position(self.ball).z - self.radius;
        let speed = linear_velocity(world.body(self.ball)).z;
        let mass = real(world.body(self.ball).mass());
        // What symplectic Euler conserves: its velocity v is that of half a step earlier than its position z,
        // 1/2 v^2 + g z - 1/2 g h v.
        let energy = mass * (0.5 * speed * (speed - GRAVITY * self.step) + GRAVITY * z);
        self.energy = larger(self.energy, energy);
        self.bottom = self.bottom.min(z);
        if self.falling && speed > 0.0 {
            self.falling = false;
            self.top = z;
        }
        if !self.falling {
            self.top = self.top.max(z);
            if speed <= 0.0 {
                self.falling = true;
                if self.top > LEFT * self.height {
                    self.rebounds.push(self.top / self.height);
                    self.height = self.top;
                }
            }
        }
    }

    fn figures(&mut self, world: &World) -> Result<Figures, CommandError> {
        let start = MASS * GRAVITY * self.start;
        let square = self.restitution * self.restitution;
        let mut fall = self.start;
        let mut error: f64 = 0.0;
        let mut counted = 0.0;
        for share in &self.rebounds {
            if fall < LOWEST * self.start {
                break;
            }
            fall *= share;
            // Relative where it bounces; against the fall where it should not.
            let off = if square > 0.0 {
                share / square - 1.0
            } else {
                *share
            };
            error = larger(error, off.abs());
            counted += 1.0;
        }
        let outcome = if counted > 0.0 { "bounces" } else { "rests" };
        let z = world.position(self.ball).z - self.radius;
        Ok(Figures::new(outcome)
            .with("rebound_error_rel", error)
            .with("rebounds", counted)
            .with("energy_gain_rel", (self.energy / start - 1.0).max(0.0))
            .with("penetration_max_m", (-self.bottom).max(0.0))
            .with("height_end_m", z))
    }
}
