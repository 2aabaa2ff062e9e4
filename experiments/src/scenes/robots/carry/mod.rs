//! `carry` [C2]: a gripper takes a cube, lifts it and shakes it until it slips.
//!
//! Two fingers that press with F each hold a load `m |a - g|` across them up to `2 mu F` where it passes between
//! their pads. A cube that hangs to one side of the pads turns before that: [`limit`] says when.

mod fingers;
mod hand;
mod item;
mod limit;
mod path;
mod place;

use super::super::super::rapier::prelude::*;
use super::super::super::urdf::{Base, Drive, InsertOptions, RobotHandles, SelfCollision, Surface};
use super::super::stage::convert::{to_vector, vector};
use super::super::stage::motor::Motor;
use super::super::stage::scene::{Built, Scene};
use super::super::stage::world::{GRAVITY, World};
use super::robot::{self, CARRIER};
use super::robot_options::choose;
use crate::error::CommandError;
use crate::metrics::{ContactMeter, larger};
use crate::poses;
use crate::session::{ContactSample, Figures};
use crate::settings::RunSettings;
use hand::{FingerDrive, Hand};
use item::Item;
use limit::Pads;
use nalgebra::{Isometry3, Rotation3, Translation3, UnitQuaternion, Vector3};
use path::{APPROACHED, CLOSED, LIFTED, Path};
use place::Grip;
use stickslip_record::StepReport;

/// Speed of the fingers, and their damping when they press [m/s, N s/m].
const CLOSE: (f64, f64) = (0.1, 1e4);
/// Gap between finger and cube before the hand closes \[m\].
const OPEN: f64 = 0.01;
/// Speed of a pressed contact from which the cube may be slipping [m/s].
const SLIPS: f64 = 1e-4;
/// How far it must go at such speeds to have slipped \[m\]. In f32 the depth of a cylinder's contact is found to
/// 1e-5 m only and the line of touch to its square root: contacts jump by 0.3 mm, and the cube rocks for a step
/// or two.
const SLIPPED: f64 = 2e-5;
/// Share by which the load at which the cube slips may miss what its contacts hold [-].
const OFF: f64 = 0.02;

pub(in super::super) fn build(settings: &RunSettings) -> Result<Built, CommandError> {
    let keys = &settings.keys;
    let [mu, squeeze] = keys.numbers(["mu", "squeeze"])?;
    let item = Item::new(settings)?;
    let [wide, _, high] = item.size;
    let model = robot::load(settings, CARRIER)?;
    let mut options = InsertOptions {
        base: Base::Fixed,
        initial: poses::ready(&model.name),
        drive: Some(Drive {
            stiffness: keys.number("kp")?,
            damping: keys.number("kd")?,
        }),
        self_collision: SelfCollision::Off,
        surface: Surface {
            friction: mu,
            ..Surface::default()
        },
        ..InsertOptions::default()
    };
    choose(&settings.robot_args, &mut options)?;
    let pose = robot::pose(settings, &model, options.srdf.as_ref())?;
    options.initial.extend(pose);
    let mut trial = World::new(settings)?;
    let tried = robot::insert(&mut trial, &model, &options)?;
    let first = |q: &Vec<f64>| q.first().copied().unwrap_or(0.0);
    let start = tried.joints.iter().map(|j| first(&j.initial)).collect();
    let mut hand = Hand::new(&model, start, (&trial, &tried))?;
    let grip = Grip::measure(item.size, (&trial, &tried), &hand);
    hand.take_deeper(grip.deep);
    let place = hand.pose().translation.vector;
    let mut path = Path {
        cube: Vector3::new(place.x, place.y, grip.post + 0.5 * high),
        above: keys.number("height")?,
        shake: match keys.text("shake")? {
            "up" => Vector3::z(),
            _ => Vector3::y(),
        },
        growth: keys.number("growth")?,
    };
    let unreachable = |reason: String| {
        CommandError::Robot(format!(
            "{}: robot `{}` can't get its hand to the object at ({:.3}, {:.3}) m: {reason}; choose another start with --set pose=",
            model.file.display(),
            model.name,
            place.x,
            place.y
        ))
    };
    if hand.only_lifts {
        if path.shake.y != 0.0 {
            return Err(CommandError::Robot(format!(
                "{}: robot `{}` only lifts its hand: it can't shake sideways; set shake=up",
                model.file.display(),
                model.name
            )));
        }
        // Where the hand comes down is where the object waits for it.
        hand.reach(&takes(path.cube)).map_err(unreachable)?;
        let down = hand.pose().translation.vector;
        (path.cube.x, path.cube.y) = (down.x, down.y);
    }
    hand.reach(&takes(path.at(0.0))).map_err(unreachable)?;
    let opened = hand.open(wide + 2.0 * OPEN, (&trial, &tried));
    if opened <= wide {
        return Err(CommandError::Robot(format!(
            "{}: the fingers open to {opened:.4} m between their faces, with {}: an object of {wide:.4} m doesn't fit into the hand; choose a smaller one with --set side=",
            model.file.display(),
            hand.finger_limits()
        )));
    }
    options.pose = Isometry3::from_parts(Translation3::identity(), hand.yaw);
    for (joint, q) in model.joints.iter().zip(&hand.positions) {
        if joint.kind.dofs() == 1 && joint.mimic.is_none() {
            options.initial.insert(joint.name.clone(), *q);
        }
    }
    let mut world = World::new(settings)?;
    let asked = &settings.request.scenario;
    let other = (asked != settings.scenario.name)
        .then(|| format!("`{asked}` with another hand or object is `carry`"));
    world.remark(other);
    let ground = world.add_ground(mu);
    let robot = robot::insert(&mut world, &model, &options)?;
    place::mount(&mut world, &robot, ground);
    float(&mut world, &robot);
    grip.add_post(&mut world, &path.cube, [wide, mu]);
    let cube = item.add(&mut world, &path.cube)?;
    let carrier = world.number(robot.links[hand.link].body).unwrap_or(cube);
    let scene = Carry {
        cube,
        start: world.position(cube).z,
        carrier,
        fingers: hand
            .drives
            .iter()
            .map(|drive| (Motor::of(&robot, drive.joint), *drive))
            .collect(),
        arm: hand
            .arm
            .iter()
            .map(|j| (Motor::of(&robot, *j), *j))
            .collect(),
        before: hand.positions.clone(),
        hand,
        path,
        squeeze,
        mass: item.mass,
        mu,
        lost: None,
        taken: None,
        speed: Vector3::zeros(),
        load: Vector3::zeros(),
        load_max: 0.0,
        pads: Pads::default(),
        holds: None,
        slips: None,
        slipped: None,
        creep: 0.0,
        meter: ContactMeter::default(),
    };
    Ok((world, Box::new(scene)))
}

/// Length of what is across the squeeze, which is along x.
fn across(way: Vector3<f64>) -> f64 {
    way.yz().norm()
}

/// How the hand takes at a place: fingers along x, reaching down.
fn takes(at: Vector3<f64>) -> Isometry3<f64> {
    let axes = Rotation3::from_basis_unchecked(&[Vector3::y(), Vector3::x(), -Vector3::z()]);
    let turn = UnitQuaternion::from_rotation_matrix(&axes);
    Isometry3::from_parts(Translation3::from(at), turn)
}

/// The arm carries itself, as arms' own controllers do: it has no weight.
fn float(world: &mut World, robot: &RobotHandles) {
    for handle in &robot.bodies {
        if let Some(body) = world.sets.bodies.get_mut(*handle) {
            body.set_gravity_scale(0.0, true);
        }
    }
}

struct Carry {
    cube: usize,
    /// Height of its origin at the start \[m\].
    start: f64,
    /// The body of the hand.
    carrier: usize,
    /// The drives of the fingers, with their force per force of each finger.
    fingers: Vec<(Option<Motor>, FingerDrive)>,
    arm: Vec<(Option<Motor>, usize)>,
    hand: Hand,
    /// Joint positions wanted at the end of the last step.
    before: Vec<f64>,
    path: Path,
    squeeze: f64,
    mass: f64,
    mu: f64,
    /// Why the hand gave up.
    lost: Option<String>,
    /// Place of the cube in the hand when it was lifted \[m\].
    taken: Option<Vector3<f64>>,
    /// Of the hand after the last step [m/s].
    speed: Vector3<f64>,
    /// Load on the fingers in the last step, and the size of the largest before the cube slipped \[N\].
    load: Vector3<f64>,
    load_max: f64,
    /// How the fingers pressed in the last steps before the cube slipped.
    pads: Pads,
    /// Load that they hold so in the direction of the load \[N\].
    holds: Option<f64>,
    /// The slip that is going on.
    slips: Option<Slip>,
    /// The one that went far.
    slipped: Option<Slip>,
    /// How far the cube was from its place in the hand before that \[m\].
    creep: f64,
    meter: ContactMeter,
}

/// When the cube began to slip: load \[N\], time \[s\], place in the hand \[m\].
#[derive(Clone, Copy, Debug)]
struct Slip {
    load: f64,
    time: f64,
    place: Vector3<f64>,
}

impl Carry {
    /// The contacts that press the cube.
    fn pressed<'a>(&self, world: &'a World) -> impl Iterator<Item = &'a ContactSample> + use<'a> {
        let cube = self.cube;
        let contacts = world.contacts().iter();
        contacts.filter(move |c| c.touches(cube) && c.presses())
    }

    /// Follows a cube that is this far along in the hand; its slip counts once it went far enough without a rest.
    fn follow(&mut self, world: &World, place: Vector3<f64>) {
        if self.fastest(world) <= SLIPS {
            self.slips = None;
        } else if self.slips.is_none() {
            self.holds = self.pads.limit(&self.load);
            self.slips = Some(Slip {
                load: self.load.norm(),
                time: world.time(),
                place,
            });
        }
        self.slipped = self.slips.filter(|s| across(place - s.place) > SLIPPED);
    }

    fn look(&mut self, world: &World) {
        let time = world.time() + world.dt();
        self.before.clone_from(&self.hand.positions);
        if let Err(reason) = self.hand.reach(&takes(self.path.at(time))) {
            self.lost = Some(reason);
        }
    }

    /// Speed at which the cube slips where it is pressed [m/s].
    fn fastest(&self, world: &World) -> f64 {
        let contacts = self.pressed(world);
        contacts.map(|c| c.slip_speed()).fold(0.0, larger)
    }

    fn fingers(&self, world: &mut World) {
        for (motor, FingerDrive { share, lever, .. }) in &self.fingers {
            if let Some(motor) = motor {
                let speed = (CLOSE.0 / lever).copysign(*share);
                let stiff = CLOSE.1 * lever * lever;
                motor.push(world, speed, self.squeeze * share.abs(), stiff);
            }
        }
    }
}

impl Scene for Carry {
    fn control(&mut self, world: &mut World) {
        if self.lost.is_none() {
            self.look(world);
        }
        for (motor, joint) in &self.arm {
            let (from, to) = (self.before[*joint], self.hand.positions[*joint]);
            if let Some(motor) = motor {
                motor.aim(world, to, (to - from) / world.dt());
            }
        }
        if world.time() >= APPROACHED {
            self.fingers(world);
        }
    }

    fn observe(&mut self, world: &World, _report: Option<&StepReport>) {
        // The fingers follow the hand rigidly across the squeeze.
        let hand = world.body(self.carrier);
        let at = vector(world.body(self.cube).center_of_mass());
        let speed = vector(hand.velocity_at_point(to_vector(&at)));
        let acceleration = (speed - self.speed) / world.dt();
        self.speed = speed;
        if world.time() < LIFTED {
            return;
        }
        // Along the squeeze (x) the fingers push, they don't hold.
        let mut pull = acceleration + Vector3::z() * GRAVITY;
        pull.x = 0.0;
        self.load = pull * self.mass;
        if self.slipped.is_some() {
            return;
        }
        let turn = world.pose(self.carrier).rotation;
        let in_hand = turn.inverse_transform_vector(&(at - world.position(self.carrier)));
        let place = turn * (in_hand - *self.taken.get_or_insert(in_hand));
        self.follow(world, place);
        if self.slips.is_some() {
            return;
        }
        self.pads.add(self.pressed(world), (at, self.mu));
        self.load_max = larger(self.load_max, self.load.norm());
        self.creep = larger(self.creep, across(place));
        self.meter.add(world.contacts(), world.dt());
    }

    fn figures(&mut self, world: &World) -> Result<Figures, CommandError> {
        let lifted = self.taken.is_some()
            && world.position(self.cube).z > self.start + 0.5 * self.path.above;
        let outcome = match (&self.lost, self.slipped) {
            (Some(_), _) => "out of reach",
            (None, Some(_)) => "slipped",
            (None, None) if lifted => "held",
            (None, None) if world.time() < CLOSED => "not taken yet",
            (None, None) => "not lifted",
        };
        let mut figures = Figures::new(outcome);
        let holds = if self.slipped.is_some() {
            self.holds
        } else {
            self.pads.limit(&self.load)
        };
        if let Some(holds) = holds {
            figures = figures.with("load_theory_N", holds);
        }
        figures = figures
            .with("load_centred_N", 2.0 * self.mu * self.squeeze)
            .with("load_held_max_N", self.load_max)
            .with("creep_max_m", self.creep)
            .with("slip_max_m", self.meter.slip_max())
            .with("penetration_max_m", self.meter.penetration_max());
        if let Some(Slip { load, time, .. }) = self.slipped {
            figures = figures.with("slip_load_N", load);
            if let Some(holds) = holds {
                let error = (load / holds - 1.0).abs();
                figures = figures.at_most("slip_load_error_rel", error, OFF);
            }
            figures = figures.with("slip_time_s", time);
        }
        Ok(figures)
    }
}
