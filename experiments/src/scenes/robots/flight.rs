//! `free-flight` [C10]: a robot thrown spinning, its joints swinging, nothing to touch.

use super::super::super::rapier::prelude::*;
use super::super::super::urdf::{Base, InsertOptions, RobotHandles, RobotModel, SelfCollision};
use super::super::stage::convert::{real, to_real};
use super::super::stage::scene::{Built, Scene};
use super::super::stage::world::{GRAVITY, World};
use super::momentum::{self, Total};
use super::robot::{self, QUADRUPED};
use super::robot_options::choose;
use super::stand::default_pose;
use crate::error::CommandError;
use crate::metrics::{larger, observed_order};
use crate::session::Figures;
use crate::settings::RunSettings;
use nalgebra::Vector3;
use stickslip_random::Random;
use stickslip_record::StepReport;

/// Height of the base at the start \[m\].
const HEIGHT: f64 = 1.0;
/// Axis of the spin, through no symmetry of a robot.
const SPIN_AXIS: [f64; 3] = [0.3, 0.8, 0.5];
/// The reference of the order runs at h / 32.
const FINE: u32 = 32;

pub(in super::super) fn build(settings: &RunSettings) -> Result<Built, CommandError> {
    let model = robot::load(settings, QUADRUPED)?;
    let (world, robot) = throw(settings, &model)?;
    if robot.multibody.is_none() {
        return Err(CommandError::Robot(format!(
            "{}: robot `{}` has no moving joint to swing",
            model.file.display(),
            model.name
        )));
    }
    let scene = Flight {
        start: momentum::total(&world.sets, &robot),
        robot,
        model,
        order: settings.keys.yes("order")?,
        settings: settings.clone(),
        com_error: 0.0,
        momentum_error: 0.0,
        limit_gap: f64::INFINITY,
    };
    Ok((world, Box::new(scene)))
}

/// The robot in the air, with its velocities.
fn throw(
    settings: &RunSettings,
    model: &RobotModel,
) -> Result<(World, RobotHandles), CommandError> {
    let keys = &settings.keys;
    let mut options = InsertOptions {
        base: Base::Floating,
        pose: nalgebra::Isometry3::translation(0.0, 0.0, HEIGHT),
        initial: default_pose(model),
        // Legs that meet would be contact.
        self_collision: SelfCollision::Off,
        ..InsertOptions::default()
    };
    choose(&settings.robot_args, &mut options)?;
    let mut world = World::new(settings)?;
    let robot = robot::insert(&mut world, model, &options)?;
    let spin = Vector3::from(SPIN_AXIS).normalize() * keys.number("spin")?;
    let swing = keys.number("swing")?;
    let up = keys.number("throw")?;
    let mut random = Random::new(settings.seed);
    let found = robot
        .multibody
        .and_then(|m| world.sets.multibody_joints.get_multibody_mut(m));
    if let Some(multibody) = found {
        let mut velocity = multibody.generalized_velocity_mut();
        for (j, v) in velocity.iter_mut().enumerate() {
            *v = to_real(match j {
                0 | 1 => 0.0,
                2 => up,
                3..6 => spin[j - 3],
                _ => swing * random.symmetric(),
            });
        }
    }
    Ok((world, robot))
}

struct Flight {
    robot: RobotHandles,
    model: RobotModel,
    order: bool,
    settings: RunSettings,
    start: Total,
    com_error: f64,
    momentum_error: f64,
    limit_gap: f64,
}

impl Flight {
    /// Smallest distance of a joint to its limits [rad or m].
    fn limit_gap(&self, world: &World) -> f64 {
        let joints = self.robot.joints.iter();
        let gaps = joints.filter_map(|joint| {
            let limits = joint.limits?;
            let q = real(joint.position(&world.sets.multibody_joints)?);
            Some((q - limits.lower).min(limits.upper - q))
        });
        gaps.fold(f64::INFINITY, f64::min)
    }

    /// Joint positions after `steps` of `h`.
    fn positions(&self, h: f64, steps: u64) -> Result<Vec<f64>, CommandError> {
        let settings = RunSettings {
            dt: h,
            steps,
            ..self.settings.clone()
        };
        let (mut world, robot) = throw(&settings, &self.model)?;
        for step in 0..steps {
            world.step().map_err(|reason| CommandError::Step {
                scenario: format!("{} (order run)", settings.scenario.name),
                model: settings.model.as_str().to_owned(),
                step,
                time: step as f64 * h,
                reason,
            })?;
        }
        let joints = robot.joints.iter();
        let set = &world.sets.multibody_joints;
        Ok(joints.filter_map(|j| j.position(set)).map(real).collect())
    }

    /// Errors of the joint positions at 2h, h and h/2 against h/32 \[rad\], after the same time.
    fn joint_errors(&self) -> Result<[f64; 3], CommandError> {
        let h = self.settings.dt;
        // Whole numbers of steps at 2h.
        let pairs = (self.settings.steps / 2).max(1);
        let fine = self.positions(h / f64::from(FINE), pairs * 2 * u64::from(FINE))?;
        let error = |h: f64, steps: u64| -> Result<f64, CommandError> {
            let coarse = self.positions(h, steps)?;
            let errors = coarse.iter().zip(&fine).map(|(a, b)| (a - b).abs());
            Ok(errors.fold(0.0, larger))
        };
        Ok([
            error(2.0 * h, pairs)?,
            error(h, 2 * pairs)?,
            error(0.5 * h, 4 * pairs)?,
        ])
    }
}

impl Scene for Flight {
    fn observe(&mut self, world: &World, _report: Option<&StepReport>) {
        let now = momentum::total(&world.sets, &self.robot);
        let (t, h) = (world.time(), world.dt());
        // The parabola of symplectic Euler: x0 + v0 t - g t (t + h) / 2.
        let mut expected = self.start.com + self.start.velocity * t;
        expected.z -= 0.5 * GRAVITY * t * (t + h);
        self.com_error = larger(self.com_error, (now.com - expected).norm());
        let change = (now.angular - self.start.angular).norm() / self.start.angular.norm();
        self.momentum_error = larger(self.momentum_error, change);
        self.limit_gap = self.limit_gap.min(self.limit_gap(world));
    }

    fn figures(&mut self, _world: &World) -> Result<Figures, CommandError> {
        let mut figures = Figures::new("flew")
            .with("com_error_m", self.com_error)
            .with("angular_momentum_error_rel", self.momentum_error);
        if self.limit_gap.is_finite() {
            figures = figures.with("limit_gap_min_rad", self.limit_gap);
        }
        if self.order {
            let [coarse, middle, fine] = self.joint_errors()?;
            figures = figures
                .with("joint_error_2h_rad", coarse)
                .with("joint_error_h_rad", middle)
                .with("joint_error_half_h_rad", fine)
                .with("joint_order", observed_order(coarse, middle))
                .with("joint_order_fine", observed_order(middle, fine));
        }
        Ok(figures)
    }
}
