//! `stack` [D2]: boxes on top of each other, as bodies or as multibodies.

use super::super::super::rapier::prelude::*;
use super::super::stage::boxes::cube;
use super::super::stage::convert::to_real;
use super::super::stage::scene::{Built, Scene, settle_steps};
use super::super::stage::world::World;
use crate::error::CommandError;
use crate::metrics::{ContactMeter, larger};
use crate::session::Figures;
use crate::settings::RunSettings;
use nalgebra::{Isometry3, Vector3};
use stickslip_record::StepReport;

pub(in super::super) fn build(settings: &RunSettings) -> Result<Built, CommandError> {
    let keys = &settings.keys;
    let [size, mass, mu] = keys.numbers(["size", "mass", "mu"])?;
    let count = keys.count("count")?;
    let multibody = keys.yes("multibody")?;
    let mut world = World::new(settings)?;
    world.add_ground(mu);
    let mut boxes = Vec::new();
    for level in 0..count as u32 {
        let z = to_real((f64::from(level) + 0.5) * size);
        let body = RigidBodyBuilder::dynamic().translation(Vector::new(0.0, 0.0, z));
        let share = if multibody { 0.5 * mass } else { mass };
        let shape = cube(size, share, mu);
        let number = world.add(&format!("box_{level}"), body.clone(), [shape]);
        if multibody {
            add_inner_half(&mut world, number, body, &Inner { level, share, size })?;
        }
        boxes.push(number);
    }
    let pile = Pile::new(boxes, size, settle_steps(settings)?);
    Ok((world, Box::new(pile)))
}

struct Inner {
    level: u32,
    share: f64,
    size: f64,
}

/// The other half of a box's mass: a link fixed to the first, so that the box is a multibody with a
/// floating root. It has the shape's inertia but touches nothing.
fn add_inner_half(
    world: &mut World,
    number: usize,
    body: RigidBodyBuilder,
    inner: &Inner,
) -> Result<(), CommandError> {
    let mass = cube(inner.size, inner.share, 0.0).collision_groups(InteractionGroups::none());
    let second = world.add(&format!("half_{}", inner.level), body, [mass]);
    let [outer, inner_half] = [number, second].map(|n| world.entries()[n].handle);
    let joint = FixedJointBuilder::new();
    let joined = world
        .sets
        .multibody_joints
        .insert(outer, inner_half, joint, true);
    joined.map(|_| ()).ok_or_else(|| {
        CommandError::Scene(format!(
            "rapier refused the fixed joint of box {}",
            inner.level
        ))
    })
}

/// Bodies that ought to stay where they are.
pub(in super::super) struct Pile {
    bodies: Vec<usize>,
    size: f64,
    settle: u64,
    start: Vec<Isometry3<f64>>,
    drift: f64,
    tilt: f64,
    meter: ContactMeter,
}

impl Pile {
    pub(in super::super) fn new(bodies: Vec<usize>, size: f64, settle: u64) -> Self {
        Self {
            bodies,
            size,
            settle,
            start: Vec::new(),
            drift: 0.0,
            tilt: 0.0,
            meter: ContactMeter::default(),
        }
    }
}

impl Scene for Pile {
    fn control(&mut self, world: &mut World) {
        if world.steps() == self.settle {
            self.start = self.bodies.iter().map(|b| world.pose(*b)).collect();
        }
    }

    fn observe(&mut self, world: &World, _report: Option<&StepReport>) {
        if self.start.is_empty() {
            return;
        }
        self.meter.add(world.contacts(), world.dt());
        for (body, start) in self.bodies.iter().zip(&self.start) {
            let now = world.pose(*body);
            let moved: Vector3<f64> = now.translation.vector - start.translation.vector;
            self.drift = larger(self.drift, moved.norm());
            self.tilt = larger(self.tilt, now.rotation.angle_to(&start.rotation));
        }
    }

    fn figures(&mut self, _world: &World) -> Result<Figures, CommandError> {
        // A box that moved by half its side is not where it was put.
        let bound = 0.5 * self.size;
        let rests = self.drift < bound;
        Ok(Figures::new(if rests { "rests" } else { "toppled" })
            .with("penetration_max_m", self.meter.penetration_max())
            .at_most("drift_m", self.drift, bound)
            .with("tilt_max_rad", self.tilt)
            .with("slip_max_m", self.meter.slip_max()))
    }
}
