//! `trot` [D15, sec. VII-B]: a quadruped walks over a terrain.

mod drives;
pub(in super::super) mod ground;
mod legs;

use super::super::super::urdf::{Base, InsertOptions, RobotModel, SelfCollision, Surface};
use super::super::stage::scene::{Built, Scene, settle_steps};
use super::super::stage::world::{GRAVITY, World, linear_velocity};
use super::robot::{self, QUADRUPED};
use super::robot_options::choose;
use super::stand::pose;
use crate::error::CommandError;
use crate::metrics::{ContactMeter, larger};
use crate::session::{ContactSample, Figures};
use crate::settings::RunSettings;
use crate::walking::{Command, Gait, Legs, Schedule, Sensed, Step, Walker};
use drives::Drives;
use legs::FourLegs;
use nalgebra::{Isometry3, Vector3};
use stickslip_record::StepReport;

/// Time between two looks of the controller \[s\].
const CONTROL: f64 = 0.005;
/// The paper's robot stands this high, and was asked for these \[m, s, m, m/s\]: other robots get the same
/// in proportion to their height, times to its root.
const PAPER_HEIGHT: f64 = 0.1407;
const PAPER_PERIOD: f64 = 0.7;
const PAPER_STEP: f64 = 0.015;
const PAPER_SPEED: f64 = 0.05;
/// Share of its height below which a robot has fallen, and the lean beyond which it has \[rad\].
const FALLEN: (f64, f64) = (0.5, 0.8);

pub(in super::super) fn build(settings: &RunSettings) -> Result<Built, CommandError> {
    let keys = &settings.keys;
    let mu = keys.number("mu")?;
    let mut model = robot::load(settings, QUADRUPED)?;
    if keys.text("effort")? == "unlimited" {
        for joint in &mut model.joints {
            joint.effort = None;
        }
    }
    let mut options = InsertOptions {
        base: Base::Floating,
        initial: pose(settings, &model)?,
        surface: Surface {
            friction: mu,
            ..Surface::default()
        },
        self_collision: SelfCollision::Off,
        ..InsertOptions::default()
    };
    choose(&settings.robot_args, &mut options)?;
    let stood = trial(settings, &model, &options)?;
    let terrain = ground::terrain(settings)?;
    // The robot starts above the highest ground under it.
    let under = terrain
        .as_ref()
        .and_then(|t| t.highest_near([0.0, 0.0], 2.0 * stood.height));
    options.pose.translation.vector.z = stood.height + under.unwrap_or(0.0);
    let legs = FourLegs::new(&model, stood.positions.clone())?;
    let command = command(settings, &legs, &stood)?;
    let gains = Gains::new(settings, &stood)?;
    options.drive = Some(gains.drive());
    let mut world = World::new(settings)?;
    let ground = ground::add(&mut world, terrain.as_ref(), mu);
    let robot = robot::insert(&mut world, &model, &options)?;
    let base = world.number(robot.root).unwrap_or(ground);
    let feet = legs.legs.each_ref().map(|leg| {
        let body = robot.links[leg.foot].body;
        world.number(body).unwrap_or(ground)
    });
    world.follow(base);
    let start = [0, 1, 2, 3].map(|leg| legs.stance(leg));
    let scene = Trot {
        ground,
        base,
        feet,
        drives: Drives::new(&robot, &legs.legs, gains.stiffness),
        walker: Walker::new(command, start),
        command,
        control: ((CONTROL / settings.dt).round() as u64).max(1),
        edge: terrain.as_ref().map(|t| t.half()),
        at_start: world.pose(base),
        height: stood.height,
        wanted: None,
        lost: None,
        began: None,
        lowest: f64::INFINITY,
        tilt: 0.0,
        meter: ContactMeter::default(),
        legs,
    };
    Ok((world, Box::new(scene)))
}

/// What a robot is like in its standing pose.
struct Stood {
    /// Of the base above the lowest point of the robot \[m\].
    height: f64,
    mass: f64,
    /// Centre of mass in the base's frame \[m\].
    com: Vector3<f64>,
    /// Of all joints of the model.
    positions: Vec<f64>,
}

/// Stands the robot in a world of its own and looks at it.
fn trial(
    settings: &RunSettings,
    model: &RobotModel,
    options: &InsertOptions,
) -> Result<Stood, CommandError> {
    let mut world = World::new(settings)?;
    let robot = robot::insert(&mut world, model, options)?;
    let lowest = robot::lowest_point(&world, &robot).ok_or_else(|| {
        CommandError::Robot(format!(
            "{}: robot `{}` has no collision shape to stand on",
            model.file.display(),
            model.name
        ))
    })?;
    let total = super::momentum::total(&world.sets, &robot);
    let root = robot
        .link(&model.links[0].name)
        .and_then(|link| link.pose(&world.sets.bodies));
    let base = root.map_or_else(Isometry3::identity, |pose| {
        super::super::stage::convert::isometry(&pose)
    });
    Ok(Stood {
        height: base.translation.vector.z - lowest,
        mass: world.weight() / GRAVITY,
        com: base.inverse_transform_vector(&(total.com - base.translation.vector)),
        positions: robot
            .joints
            .iter()
            .map(|j| j.initial.first().copied().unwrap_or(0.0))
            .collect(),
    })
}

/// A number of the keys, or where that is zero the paper's in proportion.
fn or_scaled(settings: &RunSettings, key: &str, scaled: f64) -> Result<f64, CommandError> {
    let asked = settings.keys.number(key)?;
    Ok(if asked == 0.0 { scaled } else { asked })
}

fn command(
    settings: &RunSettings,
    legs: &FourLegs,
    stood: &Stood,
) -> Result<Command, CommandError> {
    let keys = &settings.keys;
    let gait = Gait::parse(keys.text("gait")?).unwrap_or(Gait::Trot);
    let tall = stood.height / PAPER_HEIGHT;
    let period = or_scaled(settings, "period", PAPER_PERIOD * tall.sqrt())?;
    let schedule = Schedule {
        gait,
        duty: or_scaled(settings, "duty", gait.duty())?,
        period,
    };
    let speed = match (gait, keys.text("speed")?) {
        (Gait::Stand, _) => 0.0,
        (_, "auto") => PAPER_SPEED * tall.sqrt(),
        (_, text) => text.parse().map_err(|_| {
            CommandError::Usage(format!(
                "key `speed` must be a number [m/s] or auto, not `{text}`"
            ))
        })?,
    };
    let reach = (0..4)
        .map(|leg| legs.stance(leg).0.z.abs())
        .fold(f64::INFINITY, f64::min);
    if !f64::is_finite(speed) || (speed * schedule.stance()).abs() > reach {
        return Err(CommandError::Usage(format!(
            "keys `speed` and `period`: a stride of {:.3} m is too long for legs that stand {reach:.3} m below the base",
            speed * schedule.stance()
        )));
    }
    Ok(Command {
        schedule,
        speed,
        step_height: or_scaled(settings, "step_height", PAPER_STEP * tall)?,
        begin: settle_steps(settings)? as f64 * settings.dt,
        mass: stood.mass,
        gravity: GRAVITY,
        com: stood.com,
    })
}

/// Stiffness and damping of the joints.
struct Gains {
    stiffness: f64,
    damping: f64,
}

impl Gains {
    /// Those of the keys; the paper's 10 N m/rad and 0.1 N m s/rad for its robot of 1.34 kg and 0.15 m,
    /// others in proportion to weight times height, damping to the time it takes to fall besides.
    fn new(settings: &RunSettings, stood: &Stood) -> Result<Self, CommandError> {
        let strong = stood.mass * stood.height / (1.34 * PAPER_HEIGHT);
        let slow = (stood.height / PAPER_HEIGHT).sqrt();
        Ok(Self {
            stiffness: or_scaled(settings, "kp", 10.0 * strong)?,
            damping: or_scaled(settings, "kd", 0.1 * strong * slow)?,
        })
    }

    fn drive(&self) -> super::super::super::urdf::Drive {
        super::super::super::urdf::Drive {
            stiffness: self.stiffness,
            damping: self.damping,
        }
    }
}

struct Trot {
    ground: usize,
    base: usize,
    /// Bodies of the feet.
    feet: [usize; 4],
    legs: FourLegs,
    drives: Drives,
    walker: Walker,
    command: Command,
    /// Steps per look of the controller.
    control: u64,
    /// Half the lengths of the ground, where it ends \[m\].
    edge: Option<[f64; 2]>,
    at_start: Isometry3<f64>,
    height: f64,
    /// What the controller wants, and since which step.
    wanted: Option<(Step, u64)>,
    /// Why the controller gave up.
    lost: Option<String>,
    /// Place and time where it began to walk.
    began: Option<(Vector3<f64>, f64)>,
    lowest: f64,
    tilt: f64,
    meter: ContactMeter,
}

impl Trot {
    fn sense(&self, world: &World) -> Sensed {
        let base = world.pose(self.base);
        let pressed = self.feet.map(|foot| {
            world
                .contacts()
                .iter()
                .any(|c| c.presses() && c.touches(foot))
        });
        Sensed {
            base: Isometry3::from_parts(
                (base.translation.vector - self.at_start.translation.vector).into(),
                base.rotation,
            ),
            velocity: linear_velocity(world.body(self.base)),
            pressed,
        }
    }

    fn fell(&self) -> bool {
        self.lowest < FALLEN.0 * self.height || self.tilt > FALLEN.1
    }
}

impl Scene for Trot {
    fn control(&mut self, world: &mut World) {
        let step = world.steps();
        if self.began.is_none() && world.time() + 0.5 * world.dt() >= self.command.begin {
            self.began = Some((world.position(self.base), world.time()));
        }
        if step.is_multiple_of(self.control) && self.lost.is_none() {
            let sensed = self.sense(world);
            let length = self.control as f64 * world.dt();
            let legs: &mut dyn Legs = &mut self.legs;
            match self.walker.step(legs, &sensed, world.time(), length) {
                Ok(step) => self.wanted = Some((step, world.steps())),
                Err(reason) => self.lost = Some(reason),
            }
        }
        if let Some((wanted, since)) = &self.wanted {
            // Between two looks the targets go on evenly.
            let left = (since + self.control - 1).saturating_sub(step) as f64 * world.dt();
            self.drives.set(world, wanted, left);
        }
    }

    fn observe(&mut self, world: &World, _report: Option<&StepReport>) {
        let pose = world.pose(self.base);
        let up = pose.rotation * Vector3::z();
        self.tilt = larger(self.tilt, up.z.clamp(-1.0, 1.0).acos());
        let at = pose.translation.vector;
        self.lowest = self.lowest.min(at.z);
        if self.began.is_some() {
            let loaded = world.contacts().iter();
            let loaded = loaded.filter(|c| c.presses()).cloned();
            let loaded: Vec<ContactSample> = loaded.collect();
            self.meter.add(&loaded, world.dt());
        }
    }

    fn figures(&mut self, world: &World) -> Result<Figures, CommandError> {
        let now = world.pose(self.base);
        let (from, since) = self.began.unwrap_or((now.translation.vector, 0.0));
        let moved = now.translation.vector - from;
        let time = (world.time() - since).max(world.dt());
        let heading = now.rotation * Vector3::x();
        let outside = |half: [f64; 2]| moved.x.abs() > half[0] || moved.y.abs() > half[1];
        let outcome = if self.edge.is_some_and(outside) {
            "left the terrain"
        } else if self.fell() {
            "fell"
        } else if self.lost.is_some() {
            "stumbled"
        } else if self.command.speed == 0.0 {
            "stands"
        } else {
            "walks"
        };
        let mut figures = Figures::new(outcome)
            .with("speed_mean_m_per_s", moved.x / time)
            .with("speed_command_m_per_s", self.command.speed);
        if self.command.speed != 0.0 {
            let error = moved.x / time / self.command.speed - 1.0;
            figures = figures.with("speed_error_rel", error.abs());
        }
        let on_ground = world.contacts().iter();
        let on_ground = on_ground
            .filter(|c| c.presses() && c.touches(self.ground))
            .count();
        Ok(figures
            .with("walked_m", moved.x)
            .with("sideways_m", moved.y)
            .with("heading_error_rad", heading.y.atan2(heading.x).abs())
            .at_most("tilt_max_rad", self.tilt, FALLEN.1)
            .at_least("base_height_min_m", self.lowest, FALLEN.0 * self.height)
            .with("slip_max_m", self.meter.slip_max())
            .with("penetration_max_m", self.meter.penetration_max())
            .with("pressing_contacts", on_ground as f64))
    }
}
