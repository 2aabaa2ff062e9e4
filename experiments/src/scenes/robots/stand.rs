//! `stand` [D5]: a legged robot under joint PD control.

use super::super::super::rapier::prelude::*;
use super::super::super::urdf::{
    Base, Drive, Hold, InsertOptions, RobotHandles, RobotModel, SelfCollision, Srdf, Surface,
};
use super::super::stage::convert::{real, to_real};
use super::super::stage::scene::{Built, Scene, settle_steps};
use super::super::stage::world::World;
use super::robot::{self, QUADRUPED};
use super::robot_options::choose;
use crate::digits::number;
use crate::error::CommandError;
use crate::metrics::{ContactMeter, ground_force, larger};
use crate::poses;
use crate::session::Figures;
use crate::settings::RunSettings;
use nalgebra::{Isometry3, Vector3};
use std::collections::BTreeMap;
use stickslip_record::StepReport;

/// A robot stands while its base is at least so high, over its height at the start, and so upright: the
/// cosine of its tilt.
const HIGH: f64 = 0.5;
const UPRIGHT: f64 = 0.8;
/// A slip that is more than the round-off of a run \[m\].
const SLIPS: f64 = 1e-9;
/// The last part of the run, over which the normal forces are held against the weight \[s\].
const FORCE_WINDOW: f64 = 0.1;

pub(in super::super) fn build(settings: &RunSettings) -> Result<Built, CommandError> {
    let keys = &settings.keys;
    let mu = keys.number("mu")?;
    let model = robot::load(settings, QUADRUPED)?;
    let mut options = InsertOptions {
        base: Base::Floating,
        effort: robot::effort(settings)?,
        surface: Surface {
            friction: mu,
            ..Surface::default()
        },
        self_collision: if keys.yes("self_collision")? {
            SelfCollision::ExcludeAdjacent
        } else {
            SelfCollision::Off
        },
        ..InsertOptions::default()
    };
    choose(&settings.robot_args, &mut options)?;
    let named = standing(&model, options.srdf.as_ref());
    let own_gains = keys.is_default("kp")? && keys.is_default("kd")?;
    if own_gains && named.is_empty() {
        // A robot that nothing is known of: its inertias say how strong its drives must be.
        options.hold = Some(Hold::default());
    } else {
        options.drive = Some(Drive {
            stiffness: keys.number("kp")?,
            damping: keys.number("kd")?,
        });
    }
    options.initial = named;
    options
        .initial
        .extend(robot::pose(settings, &model, options.srdf.as_ref())?);
    let lowest = robot::lowest_when_placed(settings, &model, &options)?.ok_or_else(|| {
        CommandError::Robot(format!(
            "{}: robot `{}` has no collision shape to stand on",
            model.file.display(),
            model.name
        ))
    })?;
    options.pose = Isometry3::translation(0.0, 0.0, -lowest);
    let mut world = World::new(settings)?;
    let ground = world.add_ground(mu);
    let robot = robot::insert(&mut world, &model, &options)?;
    let base = world.number(robot.root).unwrap_or(ground);
    let has_legs = has_legs(&world, &robot);
    let window = (FORCE_WINDOW / settings.dt).round().max(1.0) as u64;
    let scene = Stand {
        ground,
        base,
        mu,
        weight: world.weight(),
        height: world.position(base).z,
        push: keys.number("push")?,
        settle: settle_steps(settings)?,
        settle_damping: keys.number("settle_damping")?,
        has_legs,
        robot,
        window_from: settings.steps.saturating_sub(window),
        force_error: 0.0,
        start: None,
        drift: 0.0,
        meter: ContactMeter::default(),
    };
    Ok((world, Box::new(scene)))
}

/// Whether links that move against the base reach below it: legs or wheels, in the pose that the robot is
/// placed in.
fn has_legs(world: &World, robot: &RobotHandles) -> bool {
    let down = -Vector3::z();
    let [base, others]: [Vec<_>; 2] = [true, false].map(|own| {
        robot
            .links
            .iter()
            .filter(move |l| (l.body == robot.root) == own)
            .collect()
    });
    match (
        robot::farthest(world, others, &down),
        robot::farthest(world, base, &down),
    ) {
        (Some(limbs), Some(base)) => limbs > base,
        (limbs, _) => limbs.is_some(),
    }
}

/// Multiplies the damping of every drive.
fn scale_damping(world: &mut World, robot: &RobotHandles, factor: f64) {
    let found = robot
        .multibody
        .and_then(|m| world.sets.multibody_joints.get_multibody_mut(m));
    let Some(multibody) = found else { return };
    for place in robot.joints.iter().filter_map(|j| j.coordinates) {
        if let Some(link) = multibody.link_mut(place.link_id) {
            let motor = &mut link.joint.data.motors[place.axis as usize];
            motor.damping = to_real(real(motor.damping) * factor);
        }
    }
}

/// Names under which SRDF files keep a standing pose.
const STANDING: [&str; 5] = ["standing", "stand", "half_sitting", "home", "reference"];

/// The standing pose of the SRDF, else the one that joint names suggest.
fn standing(model: &RobotModel, srdf: Option<&Srdf>) -> BTreeMap<String, f64> {
    let state = STANDING.iter().find_map(|name| srdf?.state(name));
    state.map_or_else(|| default_pose(model), robot::positions)
}

/// The pose of the key `pose`, else the one that joint names suggest.
pub(in super::super) fn pose(
    settings: &RunSettings,
    model: &RobotModel,
) -> Result<BTreeMap<String, f64>, CommandError> {
    let mut pose = default_pose(model);
    pose.extend(robot::pose(settings, model, None)?);
    Ok(pose)
}

/// The standing pose that joint names suggest.
pub(in super::super) fn default_pose(model: &RobotModel) -> BTreeMap<String, f64> {
    let poses = model.link_poses(&vec![0.0; model.joints.len()]);
    let single = model
        .joints
        .iter()
        .filter(|j| j.kind.dofs() == 1 && j.mimic.is_none());
    let joints: Vec<_> = single
        .map(|j| poses::JointPlace {
            name: j.name.clone(),
            at: poses[j.child].translation.vector,
        })
        .collect();
    poses::standing(&model.name, &joints)
}

struct Stand {
    ground: usize,
    base: usize,
    mu: f64,
    weight: f64,
    height: f64,
    /// Sideways force over the weight [-].
    push: f64,
    settle: u64,
    /// Factor on the drives' damping while the robot settles: it ends its sway and leaves the resting
    /// pose where it is.
    settle_damping: f64,
    /// Whether anything that the base's joints move reaches below the base.
    has_legs: bool,
    robot: RobotHandles,
    window_from: u64,
    force_error: f64,
    start: Option<Isometry3<f64>>,
    drift: f64,
    meter: ContactMeter,
}

impl Scene for Stand {
    fn control(&mut self, world: &mut World) {
        if world.steps() == 0 {
            scale_damping(world, &self.robot, self.settle_damping);
        }
        if world.steps() == self.settle {
            scale_damping(world, &self.robot, 1.0 / self.settle_damping);
            self.start = Some(world.pose(self.base));
            let force = Vector::new(0.0, to_real(self.push * self.weight), 0.0);
            // Rapier keeps the force until it is reset.
            world.sets.bodies[self.robot.root].add_force(force, true);
        }
    }

    fn observe(&mut self, world: &World, _report: Option<&StepReport>) {
        let Some(start) = self.start else { return };
        self.meter.add(world.contacts(), world.dt());
        let moved: Vector3<f64> = world.position(self.base) - start.translation.vector;
        self.drift = larger(self.drift, moved.norm());
        if world.steps() > self.window_from {
            let force = ground_force(world.contacts(), self.ground);
            let error = (force - self.weight).abs() / self.weight;
            self.force_error = larger(self.force_error, error);
        }
    }

    fn figures(&mut self, world: &World) -> Result<Figures, CommandError> {
        let base = world.pose(self.base);
        let upright = (base.rotation * Vector3::z()).z;
        let height = base.translation.vector.z;
        let stands = upright > UPRIGHT && height > HIGH * self.height;
        let outcome = match (self.has_legs, stands) {
            (false, _) => "no legs",
            (true, false) => "fell",
            (true, true) if self.drift > self.height => "slid",
            (true, true) => "stands",
        };
        let feet = world.contacts().iter().filter(|c| c.presses()).count();
        let speed = real(world.body(self.base).linvel().length());
        let slip = self.meter.slip_max();
        let held = match self.mu == 0.0 {
            true => "; without friction the drives alone hold its legs",
            false => "",
        };
        let slipped = (stands && self.has_legs && slip > SLIPS)
            .then(|| format!("its feet slid by up to {} m{held}", number(slip)));
        Ok(Figures::new(outcome)
            .remark(slipped)
            .with("slip_max_m", slip)
            .with("penetration_max_m", self.meter.penetration_max())
            .with("normal_force_error_rel", self.force_error)
            .with("weight_N", self.weight)
            .at_least("base_height_m", height, HIGH * self.height)
            .at_least("base_upright_share", upright, UPRIGHT)
            .with("base_drift_m", self.drift)
            .with("base_speed_end_m_per_s", speed)
            .with("pressing_contacts", feet as f64))
    }
}
