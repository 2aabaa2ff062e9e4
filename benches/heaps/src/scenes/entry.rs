//! A scene by name, and the world that it becomes.

use super::super::rapier::prelude::*;
use super::kit::{self, GRAVITY, Setup};
use super::parts::{Check, Drive, Energy, Figure};

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
    pub(super) const fn new(
        name: &'static str,
        about: &'static str,
        make: fn(&mut Setup, usize),
    ) -> Self {
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
    pub(super) const fn sized(mut self, size: usize, steps: usize) -> Self {
        self.size = size;
        self.steps = steps;
        self
    }

    /// The same of the short form.
    pub(super) const fn short(mut self, size: usize, steps: usize) -> Self {
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

/// The velocity that a body starts with. A multibody starts as its root moves, whatever its links were given.
fn start(world: &PhysicsWorld, body: RigidBodyHandle, rb: &RigidBody) -> Vector {
    let joints = &world.multibody_joints;
    let multibody = joints
        .rigid_body_link(body)
        .and_then(|link| joints.get_multibody(link.multibody));
    let root = multibody.and_then(|own| world.bodies.get(own.root().rigid_body_handle()));
    // Centres of mass are not known before the first step.
    root.map_or(rb.linvel(), |root| {
        root.linvel() + root.angvel().cross(rb.translation() - root.translation())
    })
}

/// The fastest that initial speeds, a fall from the highest place to the ground and what drives the
/// scene give a body, with [`LEVERAGE`].
fn speed_allowed(setup: &Setup) -> f64 {
    let (mut fastest, mut highest) = (0.0_f64, setup.ground);
    let bodies = setup.world.bodies.iter();
    for (link, rb) in bodies.filter(|(_, rb)| rb.is_dynamic()) {
        // `f64::max` passes over a body that is not a number.
        fastest = fastest.max(kit::double(start(&setup.world, link, rb).length()));
        highest = highest.max(kit::double(rb.translation().y));
    }
    let fall = (2.0 * GRAVITY * setup.unit * (highest - setup.ground)).sqrt();
    LEVERAGE * (fastest + fall + setup.driven_speed)
}
