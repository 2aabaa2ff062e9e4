//! Scenes, and what is measured of them.

mod fast;
mod joints;
mod movers;
mod shapes;
mod stacks;

use rapier::prelude::*;
use std::time::Instant;
use stickslip_f64::{ContactPipeline, ModelName, rapier};

/// Which step advances a scene.
#[derive(Clone, Copy, Debug, PartialEq)]
pub enum Engine {
    /// Rapier's own.
    Host,
    /// Ours.
    Ours,
}

/// What a scene allows at its end.
#[derive(Clone, Copy, Debug)]
pub enum End {
    /// Everything has come to rest: nothing deeper than 1e-6 m.
    Rest,
    /// Things still move; no deeper than this at the end \[m\].
    Motion(f64),
}

/// What drives a scene: called before every step with its number.
pub type Drive = Box<dyn FnMut(&mut PhysicsWorld, usize)>;

/// What must hold at the end of a scene.
pub type Check = Box<dyn Fn(&PhysicsWorld) -> Result<(), String>>;

/// A world ready to run.
pub struct Setup {
    pub world: PhysicsWorld,
    pub drive: Option<Drive>,
    pub hooks: Box<dyn PhysicsHooks>,
    /// What else must hold at the end.
    pub check: Option<Check>,
}

/// One scene.
pub struct Scene {
    pub name: &'static str,
    pub steps: usize,
    pub end: End,
    pub build: fn() -> Setup,
    /// The contact model ours runs with.
    pub model: ModelName,
    /// What is wrong with it so far.
    pub known_defect: Option<&'static str>,
}

/// What a run gave.
#[derive(Clone, Debug)]
pub struct Outcome {
    /// All poses finite, nothing fallen out of the world, the scene's own check passed.
    pub sane: bool,
    pub complaint: String,
    pub depth_max: f64,
    pub depth_end: f64,
    /// Mechanical energy at the end less that at the start \[J\].
    pub energy_change: f64,
    pub step_us: f64,
    pub fallbacks: usize,
}

impl Outcome {
    fn failed(complaint: String) -> Self {
        Self {
            sane: false,
            complaint,
            depth_max: f64::NAN,
            depth_end: f64::NAN,
            energy_change: f64::NAN,
            step_us: f64::NAN,
            fallbacks: 0,
        }
    }
}

/// Every scene.
pub fn all() -> Vec<Scene> {
    let mut all = stacks::scenes();
    all.extend(shapes::scenes());
    all.extend(joints::scenes());
    all.extend(movers::scenes());
    all.extend(fast::scenes());
    all
}

impl Setup {
    /// A world at 60 steps a second with a floor whose top is y = 0, or without.
    pub fn new() -> Self {
        let mut world = PhysicsWorld::new();
        world.gravity = Vector::Y * -9.81;
        world.integration_parameters.dt = 1.0 / 60.0;
        Self {
            world,
            drive: None,
            hooks: Box::new(()),
            check: None,
        }
    }

    pub fn with_floor() -> Self {
        let mut setup = Self::new();
        let floor =
            ColliderBuilder::cuboid(50.0, 1.0, 50.0).translation(Vector::new(0.0, -1.0, 0.0));
        setup.world.colliders.insert(floor);
        setup
    }

    /// A dynamic body at a place.
    pub fn add(&mut self, at: [f64; 3], shape: ColliderBuilder) -> RigidBodyHandle {
        self.put(RigidBodyBuilder::dynamic(), at, shape)
    }

    /// A body at a place.
    pub fn put(
        &mut self,
        body: RigidBodyBuilder,
        at: [f64; 3],
        shape: ColliderBuilder,
    ) -> RigidBodyHandle {
        let [x, y, z] = at;
        let world = &mut self.world;
        let handle = world.bodies.insert(body.translation(Vector::new(x, y, z)));
        world
            .colliders
            .insert_with_parent(shape, handle, &mut world.bodies);
        handle
    }

    pub fn driven(mut self, drive: impl FnMut(&mut PhysicsWorld, usize) + 'static) -> Self {
        self.drive = Some(Box::new(drive));
        self
    }

    pub fn checked(
        mut self,
        check: impl Fn(&PhysicsWorld) -> Result<(), String> + 'static,
    ) -> Self {
        self.check = Some(Box::new(check));
        self
    }
}

/// A cube of the given half edge and 100 kg/m^3.
pub fn cube(half: f64) -> ColliderBuilder {
    ColliderBuilder::cuboid(half, half, half).density(100.0)
}

/// Where a body is.
pub fn at(world: &PhysicsWorld, body: RigidBodyHandle) -> Vector {
    world.bodies[body].translation()
}

/// `Err` with the number unless it lies in the range.
pub fn within(what: &str, x: f64, low: f64, high: f64) -> Result<(), String> {
    if (low..=high).contains(&x) {
        Ok(())
    } else {
        Err(format!("{what} is {x}, not within {low}..{high}"))
    }
}

impl Scene {
    /// A scene under the default model.
    pub fn new(name: &'static str, steps: usize, end: End, build: fn() -> Setup) -> Self {
        Self {
            name,
            steps,
            end,
            build,
            model: ModelName::default(),
            known_defect: None,
        }
    }

    /// The same under another model.
    pub fn under(mut self, model: ModelName) -> Self {
        self.model = model;
        self
    }

    /// Runs the scene to its end.
    pub fn run(&self, engine: Engine) -> Outcome {
        let mut setup = (self.build)();
        let mut pipeline = match ContactPipeline::new(self.model, stickslip_f64::default_settings())
        {
            Ok(pipeline) => pipeline,
            Err(error) => return Outcome::failed(error.to_string()),
        };
        let mut times = Vec::with_capacity(self.steps);
        let (mut deepest, mut last, mut fallbacks) = (0.0_f64, 0.0, 0);
        let mut complaint = String::new();
        let before = energy(&setup.world);
        for step in 0..self.steps {
            if let Some(drive) = &mut setup.drive {
                drive(&mut setup.world, step);
            }
            let start = Instant::now();
            match engine {
                Engine::Host => setup.world.step_with_events(&*setup.hooks, &()),
                Engine::Ours => {
                    let world = &mut setup.world;
                    match pipeline.step_world_with_events(world, &*setup.hooks, &()) {
                        Ok(report) => fallbacks += report.solve.fallbacks,
                        Err(error) => {
                            complaint = error.to_string();
                            break;
                        }
                    }
                }
            }
            times.push(1e6 * start.elapsed().as_secs_f64());
            last = depth(&setup.world);
            deepest = deepest.max(last);
        }
        times.sort_by(f64::total_cmp);
        let world = &setup.world;
        if complaint.is_empty() {
            complaint = sane(world)
                .and_then(|()| setup.check.as_ref().map_or(Ok(()), |check| check(world)))
                .err()
                .unwrap_or_default();
        }
        Outcome {
            sane: complaint.is_empty(),
            complaint,
            depth_max: deepest,
            depth_end: last,
            energy_change: energy(world) - before,
            step_us: times.get(times.len() / 2).copied().unwrap_or(f64::NAN),
            fallbacks,
        }
    }

    /// Whether an outcome of ours is what the scene allows.
    pub fn judge(&self, ours: &Outcome) -> Result<(), String> {
        if !ours.sane {
            return Err(ours.complaint.clone());
        }
        let allowed = match self.end {
            End::Rest => 1e-6,
            End::Motion(depth) => depth,
        };
        within("depth at the end", ours.depth_end, 0.0, allowed)
    }
}

fn sane(world: &PhysicsWorld) -> Result<(), String> {
    for (handle, rb) in world.bodies.iter() {
        let p = rb.translation();
        if !rb.position().is_finite() || !rb.vels().is_finite() {
            return Err(format!("body {handle:?} is not finite"));
        }
        if p.length() > 500.0 || p.y < -30.0 {
            return Err(format!("body {handle:?} left the world: {p}"));
        }
    }
    Ok(())
}

/// The deepest penetration of solid contacts at the start of the last step \[m\].
fn depth(world: &PhysicsWorld) -> f64 {
    let pairs = world.narrow_phase.contact_pairs();
    let manifolds = pairs.flat_map(|pair| pair.manifolds());
    let solid = manifolds.filter(|m| {
        let flags = m.data.solver_flags;
        flags.contains(SolverFlags::COMPUTE_RIGID_IMPULSES) && !m.data.solver_contacts.is_empty()
    });
    let points = solid.flat_map(|m| m.points.iter());
    points.fold(0.0, |deepest, point| deepest.max(-point.dist))
}

/// Kinetic and potential energy of the dynamic bodies.
fn energy(world: &PhysicsWorld) -> f64 {
    let dynamic = world.bodies.iter().filter(|(_, rb)| rb.is_dynamic());
    dynamic
        .map(|(_, rb)| {
            let height = rb.center_of_mass().dot(-world.gravity);
            kinetic_energy(rb) + rb.mass() * height
        })
        .sum()
}

/// Kinetic energy from the inertia without locks: the host's own function gives no number where rotations are locked.
fn kinetic_energy(rb: &RigidBody) -> f64 {
    let props = &rb.mass_properties().local_mprops;
    let axes = *rb.rotation() * props.principal_inertia_local_frame;
    let spin = axes.inverse() * rb.angvel();
    let turning = (props.principal_inertia() * spin).dot(spin);
    0.5 * (rb.mass() * rb.linvel().length_squared() + turning)
}
