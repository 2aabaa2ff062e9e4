//! `pinch` [C1]: a capsule between two pads on damped slides.

use super::super::super::rapier::prelude::*;
use super::super::stage::boxes::cuboid;
use super::super::stage::convert::to_real;
use super::super::stage::scene::{Built, Scene, settle_steps};
use super::super::stage::world::World;
use crate::error::CommandError;
use crate::metrics::{ContactMeter, larger};
use crate::session::Figures;
use crate::settings::RunSettings;
use stickslip_record::StepReport;

const RADIUS: f64 = 0.004;
const HALF_LENGTH: f64 = 0.015;
const MASS: f64 = 0.045;
const PAD_MASS: f64 = 0.2;
/// Half the sides of a pad \[m\]: thickness along x, then along the capsule, then up.
const PAD: [f64; 3] = [0.01, 0.03, 0.02];
const HEIGHT: f64 = 0.2;
/// The capsule has fallen once it left the pads.
const FALLEN: f64 = PAD[2];

pub(in super::super) fn build(settings: &RunSettings) -> Result<Built, CommandError> {
    let keys = &settings.keys;
    let [squeeze, mu] = keys.numbers(["squeeze", "mu"])?;
    let damping = keys.number("damping")?;
    let mut world = World::new(settings)?;
    let height = to_real(HEIGHT);
    let (radius, half) = (to_real(RADIUS), to_real(HALF_LENGTH));
    let body = RigidBodyBuilder::dynamic().translation(Vector::new(0.0, 0.0, height));
    // The capsule lies along y, the pads press along x.
    let capsule = ColliderBuilder::capsule_y(half, radius)
        .mass(to_real(MASS))
        .friction(to_real(mu));
    let capsule = world.add("capsule", body, [capsule]);
    let frame = RigidBodyBuilder::fixed().translation(Vector::new(0.0, 0.0, height));
    let frame = world.add("frame", frame, []);
    for (name, side) in [("left_pad", -1.0), ("right_pad", 1.0)] {
        let x = to_real(side * (RADIUS + PAD[0]));
        let pad = cuboid(PAD, PAD_MASS, mu);
        let body = RigidBodyBuilder::dynamic().translation(Vector::new(x, 0.0, height));
        let pad = world.add(name, body, [pad]);
        // Pale: what matters is between them.
        world.paint(pad, [150, 150, 155, 90]);
        slide(&mut world, frame, pad, damping)?;
        let inward = Vector::new(to_real(-side * squeeze), 0.0, 0.0);
        let handle = world.entries()[pad].handle;
        // Rapier keeps the force until it is reset.
        world.sets.bodies[handle].add_force(inward, true);
    }
    let scene = Pinch {
        capsule,
        settle: settle_steps(settings)?,
        start: None,
        lowest: f64::INFINITY,
        meter: ContactMeter::default(),
    };
    Ok((world, Box::new(scene)))
}

/// A damped slide along x between the frame and a pad, at zero where the pad stands.
fn slide(world: &mut World, frame: usize, pad: usize, damping: f64) -> Result<(), CommandError> {
    let [first, second] = [frame, pad].map(|n| world.entries()[n].handle);
    let x = world.sets.bodies[second].translation().x;
    let joint = PrismaticJointBuilder::new(Vector::X).local_anchor1(Vector::new(x, 0.0, 0.0));
    let sets = &mut world.sets;
    let refused = || CommandError::Scene("rapier refused the slide of a pad".to_owned());
    let handle = sets
        .multibody_joints
        .insert(first, second, joint, true)
        .ok_or_else(refused)?;
    let (multibody, link) = sets.multibody_joints.get_mut(handle).ok_or_else(refused)?;
    // The type of the root decides how many coordinates there are.
    multibody.forward_kinematics(&sets.bodies, true);
    let coordinate = multibody.link(link).ok_or_else(refused)?.assembly_id();
    multibody.damping_mut()[coordinate] = to_real(damping);
    Ok(())
}

struct Pinch {
    capsule: usize,
    settle: u64,
    /// Height and time when figures began.
    start: Option<(f64, f64)>,
    lowest: f64,
    meter: ContactMeter,
}

impl Scene for Pinch {
    fn control(&mut self, world: &mut World) {
        if world.steps() == self.settle {
            self.start = Some((world.position(self.capsule).z, world.time()));
        }
    }

    fn observe(&mut self, world: &World, _report: Option<&StepReport>) {
        if self.start.is_some() {
            self.meter.add(world.contacts(), world.dt());
            self.lowest = self.lowest.min(world.position(self.capsule).z);
        }
    }

    fn figures(&mut self, world: &World) -> Result<Figures, CommandError> {
        let (z, t) = self.start.unwrap_or((f64::NAN, f64::NAN));
        let now = world.position(self.capsule).z;
        let fall = larger(0.0, HEIGHT - now);
        Ok(Figures::new(if fall >= FALLEN { "fell" } else { "held" })
            .at_most("fall_m", fall, FALLEN)
            .with("creep_m_per_s", (z - now) / (world.time() - t))
            .with("drop_m", z - self.lowest)
            .with("slip_max_m", self.meter.slip_max())
            .with("penetration_max_m", self.meter.penetration_max()))
    }
}
