//! `shake`: an arm picks an object from the floor, lifts it and is shaken.
//!
//! Parameters are those of a public benchmark (phys-bench, Motphys 2026; see docs/benchmarks.md). The object is lost when
//! its origin is below [`LOST`] at any time from [`JUDGED`] on.

use super::super::super::rapier::prelude::*;
use super::super::super::urdf::{
    Base, Drive, InsertOptions, JointKind, RobotModel, SelfCollision, Surface,
};
use super::super::stage::convert::{to_real, to_vector};
use super::super::stage::motor::Motor;
use super::super::stage::scene::{Built, Scene};
use super::super::stage::world::World;
use super::robot::{self, PANDA};
use super::robot_options::choose;
use crate::error::CommandError;
use crate::metrics::{ContactMeter, larger};
use crate::session::Figures;
use crate::settings::RunSettings;
use nalgebra::{Isometry3, Vector3};
use std::f64::consts::{FRAC_PI_2, FRAC_PI_4, TAU};
use stickslip_random::Random;
use stickslip_record::StepReport;

/// Joints of the arm.
const ARM: usize = 7;
/// Their targets at the start, at the object and above it \[rad\].
const START: [f64; ARM] = [0.0, 0.0, 0.0, -FRAC_PI_2, 0.0, FRAC_PI_2, -FRAC_PI_4];
const GRASP: [f64; ARM] = [-1.0104, 1.5623, 1.3601, -1.6840, -1.5863, 1.7810, 1.4598];
const LIFT: [f64; ARM] = [-1.0426, 1.4028, 1.5634, -1.7114, -1.4055, 1.6015, 1.4510];
/// Stiffness of their drives [N m/rad]; the damping is a tenth of it [N m s/rad].
const STIFFNESS: [f64; ARM] = [4500.0, 4500.0, 3500.0, 3500.0, 2000.0, 2000.0, 2000.0];
/// Stiffness and damping of the drive of both fingers together [N/m, N s/m].
const FINGERS: Drive = Drive {
    stiffness: 350.0,
    damping: 10.0,
};
/// Position of an open finger \[m\].
const OPEN: f64 = 0.04;
/// Where the object lies \[m\], ahead of the arm.
const AHEAD: f64 = 0.65;
/// Half the side of the cube, radius of the ball \[m\].
const HALF: f64 = 0.02;
/// Radius and half length of the bottle and of its cap \[m\].
const BOTTLE: [f64; 2] = [0.03, 0.07];
const CAP: [f64; 2] = [0.012, 0.01];
/// Sides of the prism that the bottle is: a round one would roll away.
const SIDES: u32 = 16;
/// Height of the bottle's middle at the start \[m\].
const BOTTLE_HIGH: f64 = 0.036;
/// Densities of cube and ball, and of the bottle [kg/m^3].
const DENSITIES: [f64; 2] = [1000.0, 100.0];
/// Since when the object must stay up \[s\], and above which height \[m\].
const JUDGED: f64 = 4.0;
const LOST: f64 = 0.04;

pub(in super::super) fn build(settings: &RunSettings) -> Result<Built, CommandError> {
    let keys = &settings.keys;
    let [mu, armature] = keys.numbers(["mu", "armature"])?;
    let model = robot::load(settings, PANDA)?;
    let joints = Joints::find(&model)?;
    let mut options = InsertOptions {
        base: Base::Fixed,
        self_collision: SelfCollision::Off,
        surface: Surface {
            friction: mu,
            ..Surface::default()
        },
        armature,
        ..InsertOptions::default()
    };
    for (number, joint) in joints.arm.iter().enumerate() {
        let name = &model.joints[*joint].name;
        let stiffness = STIFFNESS[number];
        let damping = 0.1 * stiffness;
        let drive = Drive { stiffness, damping };
        options.joint_drives.insert(name.clone(), drive);
        options.initial.insert(name.clone(), START[number]);
    }
    // Fingers that are not coupled share the force.
    let share = 1.0 / joints.fingers.len() as f64;
    for joint in &joints.fingers {
        let name = &model.joints[*joint].name;
        let drive = Drive {
            stiffness: share * FINGERS.stiffness,
            damping: share * FINGERS.damping,
        };
        options.joint_drives.insert(name.clone(), drive);
        options.initial.insert(name.clone(), OPEN);
    }
    choose(&settings.robot_args, &mut options)?;
    let mut world = World::new(settings)?;
    let ground = world.add_ground(mu);
    let robot = robot::insert(&mut world, &model, &options)?;
    let object = add_object(&mut world, keys.text("object")?, mu);
    let hand = model.joints[joints.fingers[0]].parent;
    let hand = world.number(robot.links[hand].body).unwrap_or(ground);
    let motors = |joints: &[usize]| joints.iter().map(|j| Motor::of(&robot, *j)).collect();
    let scene = Shake {
        object,
        hand,
        arm: motors(&joints.arm),
        fingers: motors(&joints.fingers),
        noise: keys.number("noise")?,
        random: Random::new(settings.seed),
        place: None,
        height_min: f64::INFINITY,
        lost: None,
        slip: 0.0,
        turn: 0.0,
        meter: ContactMeter::default(),
    };
    Ok((world, Box::new(scene)))
}

/// The joints of the model that the scenario drives.
struct Joints {
    arm: Vec<usize>,
    fingers: Vec<usize>,
}

impl Joints {
    /// Seven turning joints in a row, and the sliding ones that follow no other.
    ///
    /// # Errors
    /// When the robot has others.
    fn find(model: &RobotModel) -> Result<Self, CommandError> {
        let of = |kinds: &[JointKind]| -> Vec<usize> {
            let joints = model.joints.iter().enumerate();
            joints
                .filter(|(_, j)| kinds.contains(&j.kind) && j.mimic.is_none())
                .map(|(number, _)| number)
                .collect()
        };
        let arm = of(&[JointKind::Revolute, JointKind::Continuous]);
        let fingers = of(&[JointKind::Prismatic]);
        if arm.len() != ARM || fingers.is_empty() || fingers.len() > 2 {
            return Err(CommandError::Robot(format!(
                "{}: robot `{}` can't be shaken: the poses are those of a Panda, an arm of {ARM} turning joints and \
                 a hand of two sliding fingers; this one has {} turning and {} sliding joints of their own",
                model.file.display(),
                model.name,
                arm.len(),
                fingers.len()
            )));
        }
        Ok(Self { arm, fingers })
    }
}

/// Corners of a part of the bottle, which lies along x, across the line of the fingers, on a side of a prism.
fn prism(along: f64, [radius, half]: [f64; 2]) -> impl Iterator<Item = Vector3<f64>> {
    (0..SIDES).flat_map(move |k| {
        let (s, c) = (TAU * (f64::from(k) + 0.5) / f64::from(SIDES)).sin_cos();
        [-half, half].map(|x| Vector3::new(along + x, radius * s, radius * c))
    })
}

/// Puts the object before the arm; the number of its body.
fn add_object(world: &mut World, object: &str, mu: f64) -> usize {
    let half = to_real(HALF);
    let lying = |along: f64, size: [f64; 2]| {
        let corners: Vec<_> = prism(along, size).map(|p| to_vector(&p)).collect();
        ColliderBuilder::convex_hull(&corners)
    };
    let (height, density, shapes) = match object {
        "bottle" => {
            let cap = BOTTLE[1] + CAP[1];
            let parts = [lying(0.0, BOTTLE), lying(cap, CAP)];
            let parts = parts.into_iter().flatten().collect();
            (BOTTLE_HIGH, DENSITIES[1], parts)
        }
        "ball" => (HALF, DENSITIES[0], vec![ColliderBuilder::ball(half)]),
        _ => {
            let cube = ColliderBuilder::cuboid(half, half, half);
            (HALF, DENSITIES[0], vec![cube])
        }
    };
    let body =
        RigidBodyBuilder::dynamic().translation(Vector::new(to_real(AHEAD), 0.0, to_real(height)));
    let shapes = shapes
        .into_iter()
        .map(|s| s.density(to_real(density)).friction(to_real(mu)));
    world.add(object, body, shapes)
}

struct Shake {
    object: usize,
    /// The body of the hand.
    hand: usize,
    arm: Vec<Option<Motor>>,
    fingers: Vec<Option<Motor>>,
    noise: f64,
    random: Random,
    /// The object in the hand when it begins to be judged.
    place: Option<Isometry3<f64>>,
    height_min: f64,
    lost: Option<f64>,
    slip: f64,
    turn: f64,
    meter: ContactMeter,
}

impl Shake {
    /// Targets of the arm before the noise, and of the fingers.
    fn targets(time: f64) -> ([f64; ARM], f64) {
        let (from, to, begun) = match time {
            t if t < 1.0 => (START, LIFT, 0.0),
            t if t < 3.0 => (LIFT, GRASP, 1.0),
            _ => (GRASP, LIFT, 3.0),
        };
        let share = (time - begun).min(1.0);
        let arm = std::array::from_fn(|k| from[k] + share * (to[k] - from[k]));
        (arm, OPEN * (3.0 - time).clamp(0.0, 1.0))
    }

    /// A number of the normal distribution of deviation 1.
    fn normal(&mut self) -> f64 {
        let radius = (-2.0 * (1.0 - self.random.unit()).ln()).sqrt();
        radius * (TAU * self.random.unit()).cos()
    }

    fn in_hand(&self, world: &World) -> Isometry3<f64> {
        world.pose(self.hand).inv_mul(&world.pose(self.object))
    }
}

impl Scene for Shake {
    fn control(&mut self, world: &mut World) {
        let time = world.time();
        let shakes = time >= JUDGED - 0.5 * world.dt();
        if shakes && self.place.is_none() {
            self.place = Some(self.in_hand(world));
        }
        if shakes && !world.steps().is_multiple_of(2) {
            return;
        }
        let (mut arm, opening) = Self::targets(time);
        for (motor, target) in self.arm.clone().into_iter().zip(&mut arm) {
            if shakes {
                *target += self.noise * self.normal();
            }
            if let Some(motor) = motor {
                motor.aim(world, *target, 0.0);
            }
        }
        for motor in self.fingers.iter().flatten() {
            motor.aim(world, opening, 0.0);
        }
    }

    fn observe(&mut self, world: &World, _report: Option<&StepReport>) {
        let Some(place) = self.place else { return };
        let height = world.position(self.object).z;
        self.height_min = self.height_min.min(height);
        if height < LOST && self.lost.is_none() {
            self.lost = Some(world.time());
        }
        if self.lost.is_none() {
            let moved = place.inv_mul(&self.in_hand(world));
            self.slip = larger(self.slip, moved.translation.vector.norm());
            self.turn = larger(self.turn, moved.rotation.angle());
            self.meter.add(world.contacts(), world.dt());
        }
    }

    fn figures(&mut self, _world: &World) -> Result<Figures, CommandError> {
        if self.place.is_none() {
            return Ok(Figures::new("not lifted yet").remark(Some(format!(
                "the object is judged from {JUDGED} s on: set a longer --duration"
            ))));
        }
        let outcome = if self.lost.is_none() {
            "held"
        } else {
            "dropped"
        };
        let figures = Figures::new(outcome)
            .remark(self.lost.map(|t| format!("it was lost at {t:.3} s")))
            .at_least("height_min_m", self.height_min, LOST)
            .with("slip_in_hand_max_m", self.slip)
            .with("turn_in_hand_max_rad", self.turn)
            .with("penetration_max_m", self.meter.penetration_max());
        Ok(match self.lost {
            Some(time) => figures.with("lost_at_s", time),
            None => figures,
        })
    }
}
