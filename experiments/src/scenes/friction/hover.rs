//! `hover` [C3]: a fast cube, which a convex friction model lifts off the ground.
//!
//! Cone complementarity wants `N v+ + phi / h = mu |v_tan+|`: a sliding body hovers at the height
//! `h mu |v_tan|` (the factor K of penetrations is 1 above the plane). A body on the plane gets there in
//! one step, with the speed `mu |v_tan|` upwards; where the contact is no longer closed then, friction
//! ends and the body flies on.

use super::super::super::rapier::prelude::*;
use super::super::stage::boxes::cube;
use super::super::stage::convert::to_vector;
use super::super::stage::scene::{Built, Scene};
use super::super::stage::world::{World, linear_velocity};
use crate::error::CommandError;
use crate::metrics::{ContactMeter, larger};
use crate::session::Figures;
use crate::settings::RunSettings;
use nalgebra::Vector3;
use stickslip_record::StepReport;

/// A cube lifted by more than this is off the ground \[m\]: far above the engine's round-off in f32, far below
/// `h mu v` of any speed worth the name.
const LIFTED: f64 = 1e-4;

pub(in super::super) fn build(settings: &RunSettings) -> Result<Built, CommandError> {
    let keys = &settings.keys;
    let [speed, mass, mu, size] = keys.numbers(["speed", "mass", "mu", "size"])?;
    let half = 0.5 * size;
    let mut world = World::new(settings)?;
    world.add_ground(mu);
    // It starts near the edge of the slab and slides towards the middle.
    let start = Vector3::new(-4.5, 0.0, half);
    let body = RigidBodyBuilder::dynamic()
        .translation(to_vector(&start))
        .linvel(to_vector(&(Vector3::x() * speed)));
    let scene = Hover {
        body: world.add("cube", body, [cube(size, mass, mu)]),
        half,
        mu,
        first: [0.0; 2],
        lift: 0.0,
        meter: ContactMeter::default(),
    };
    Ok((world, Box::new(scene)))
}

struct Hover {
    body: usize,
    half: f64,
    mu: f64,
    /// Height after the first step, and what the convex model asks for.
    first: [f64; 2],
    lift: f64,
    meter: ContactMeter,
}

impl Hover {
    /// Height of the lowest corner \[m\].
    fn height(&self, world: &World) -> f64 {
        let pose = world.pose(self.body);
        let across = pose.rotation.to_rotation_matrix();
        let reach: f64 = across.matrix().row(2).iter().map(|x| x.abs()).sum();
        pose.translation.z - self.half * reach
    }
}

impl Scene for Hover {
    fn observe(&mut self, world: &World, _report: Option<&StepReport>) {
        self.meter.add(world.contacts(), world.dt());
        let height = self.height(world);
        self.lift = larger(self.lift, height);
        if world.steps() == 1 {
            let speed = linear_velocity(world.body(self.body)).xy().norm();
            self.first = [height, world.dt() * self.mu * speed];
        }
    }

    fn figures(&mut self, world: &World) -> Result<Figures, CommandError> {
        let lifted = self.lift > LIFTED;
        let speed = linear_velocity(world.body(self.body)).norm();
        Ok(Figures::new(if lifted { "lifts" } else { "slides" })
            .with("hover_height_m", self.first[0])
            .with("hover_predicted_m", self.first[1])
            .at_most("lift_max_m", self.lift, LIFTED)
            .with("speed_end_m_per_s", speed)
            .with("penetration_max_m", self.meter.penetration_max()))
    }
}
