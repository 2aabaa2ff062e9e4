//! Every scene, over one precision of the engine.

mod anchors;
mod bins;
mod box3d;
mod bullets;
mod coulomb;
mod drives;
mod extremes;
mod heaps;
mod impacts;
mod jaws;
mod joints;
pub(super) mod kit;
mod meddled;
mod medley;
mod movers;
mod robots;
mod ropes;
mod simbench;
mod squeezed;
mod structures;
mod tiles;
mod units;

use super::rapier::prelude::*;
use super::stickslip::StepReport;
use crate::measure::Right;
use kit::{GRAVITY, Setup};

/// What moves a scene: called before every step with its number.
pub type Drive = Box<dyn FnMut(&mut PhysicsWorld, usize)>;

/// What must hold at the end of a scene.
pub type Check = Box<dyn Fn(&PhysicsWorld) -> Result<(), String>>;

/// A figure of a scene with a known right value.
pub struct Figure {
    /// What it is, with its unit, and what is right.
    pub right: Right,
    /// Called after every step with the world and what stickslip says of the step; the value after the last step counts.
    pub measure: Measure,
}

/// How a figure is measured; what it needs of earlier steps it remembers itself.
pub type Measure = Box<dyn FnMut(&PhysicsWorld, Option<&StepReport>) -> f64>;

/// Whether bodies get their energy from gravity alone.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Energy {
    /// Nothing else does work: no step may make kinetic energy.
    Passive,
    /// Motors, moving bodies, bounces, or pushes out of an overlap do.
    Driven,
}

/// A world ready to be stepped.
pub struct Scene {
    /// Its name.
    pub name: &'static str,
    /// How many of whatever it is made of.
    pub size: usize,
    /// The seed of its numbers.
    pub seed: u64,
    /// Steps of a whole run.
    pub steps: usize,
    /// Time step \[s\].
    pub dt: f64,
    /// Rapier's sets.
    pub world: PhysicsWorld,
    /// What moves and spawns, before every step.
    pub drive: Option<Drive>,
    /// What touches rapier's contacts before they are solved.
    pub hooks: Box<dyn PhysicsHooks>,
    /// What must hold after the last step.
    pub check: Option<Check>,
    /// What is measured of it, with the right value.
    pub figure: Option<Figure>,
    /// The fewest steps after which it must.
    pub checked_from: usize,
    /// Who gives it energy.
    pub energy: Energy,
    /// No body has a reason to be faster \[m/s\].
    pub speed_allowed: f64,
    /// Bodies that the scene itself spoils.
    pub strays: usize,
    /// Whether bodies may sleep.
    pub sleeps: bool,
    /// Its units of length to the metre.
    pub unit: f64,
}

/// A scene that can be built.
#[derive(Clone, Copy)]
pub struct Entry {
    /// Its name.
    pub name: &'static str,
    /// What it is, in a line.
    pub about: &'static str,
    /// Size unless asked for another.
    pub size: usize,
    /// Steps unless asked for others.
    pub steps: usize,
    /// Size and steps of the short form that tests run.
    pub short: (usize, usize),
    make: fn(&mut Setup, usize),
}

/// How much faster than anything that gave it motion a body may be. A light body thrown by a heavy one that
/// does not bounce leaves with the speed of the point that hit it; a lever doubles that.
const LEVERAGE: f64 = 2.0;

impl Entry {
    const fn new(name: &'static str, about: &'static str, make: fn(&mut Setup, usize)) -> Self {
        Self {
            name,
            about,
            size: 1,
            steps: 120,
            short: (1, 30),
            make,
        }
    }

    /// Size and number of steps.
    const fn sized(mut self, size: usize, steps: usize) -> Self {
        self.size = size;
        self.steps = steps;
        self
    }

    /// The same of the short form.
    const fn short(mut self, size: usize, steps: usize) -> Self {
        self.short = (size, steps);
        self
    }

    /// The scene of this size and seed, at its own time step unless one is given \[s\].
    pub fn build(&self, size: usize, seed: u64, dt: Option<f64>) -> Scene {
        let mut setup = Setup::new(seed, dt);
        (self.make)(&mut setup, size);
        setup.world.integration_parameters.dt = kit::real(setup.dt);
        let speed_allowed = speed_allowed(&setup);
        Scene {
            name: self.name,
            size,
            seed,
            steps: self.steps,
            dt: setup.dt,
            world: setup.world,
            drive: setup.drive,
            hooks: setup.hooks,
            check: setup.check,
            figure: setup.figure,
            checked_from: if size <= self.short.0 {
                self.short.1
            } else {
                self.steps
            },
            energy: setup.energy,
            speed_allowed,
            strays: setup.strays,
            sleeps: setup.sleeps,
            unit: setup.unit,
        }
    }
}

/// The fastest that initial speeds, a fall from the highest place to the ground and what drives the
/// scene give a body, with [`LEVERAGE`].
fn speed_allowed(setup: &Setup) -> f64 {
    let (mut fastest, mut highest) = (0.0_f64, setup.ground);
    for (_, rb) in setup.world.bodies.iter().filter(|(_, rb)| rb.is_dynamic()) {
        // `f64::max` passes over a body that is not a number.
        fastest = fastest.max(kit::double(rb.linvel().length()));
        highest = highest.max(kit::double(rb.translation().y));
    }
    let fall = (2.0 * GRAVITY * setup.unit * (highest - setup.ground)).sqrt();
    LEVERAGE * (fastest + fall + setup.driven_speed)
}

/// Every scene, in the order of the battery.
pub fn all() -> Vec<Entry> {
    [
        heaps::ENTRIES,
        movers::ENTRIES,
        joints::ENTRIES,
        structures::ENTRIES,
        bins::ENTRIES,
        robots::ENTRIES,
        extremes::ENTRIES,
        medley::ENTRIES,
        meddled::ENTRIES,
        units::ENTRIES,
    ]
    .concat()
}

/// Families with a right value each, of what failed in other people's hands: every scene has a [`Figure`]. Seeds vary
/// speeds, shapes and places.
pub fn families() -> Vec<Entry> {
    [
        ropes::ENTRIES,
        impacts::ENTRIES,
        tiles::ENTRIES,
        squeezed::ENTRIES,
        bullets::ENTRIES,
        drives::ENTRIES,
        jaws::ENTRIES,
        anchors::ENTRIES,
    ]
    .concat()
}

/// Scenes whose parameters others published with their figures: docs/benchmarks.md.
pub fn published() -> Vec<Entry> {
    [coulomb::ENTRIES, simbench::ENTRIES, box3d::ENTRIES].concat()
}

/// The scene of that name, of the battery, of the families or of those published.
pub fn find(name: &str) -> Option<Entry> {
    let mut every = all().into_iter().chain(families()).chain(published());
    every.find(|entry| entry.name == name)
}
