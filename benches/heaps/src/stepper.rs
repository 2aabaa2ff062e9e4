//! A scene under an engine: steps it and looks at what the step did.
#![allow(
    clippy::useless_conversion,
    reason = "this source is compiled over f32 and over f64; the casts do nothing in the latter"
)]

use super::rapier::prelude::*;
use super::scenes::{self, Energy, Scene, kit};
use super::stickslip::{ContactPipeline, ModelSettings, Sleeping, default_settings};
use crate::clock::Stopwatch;
use crate::engine::{Engine, Precision};
use crate::measure::{Label, Limits, Measured, Right, StepSample, Stepper};
use crate::turns::{Plan, PlanError};
use std::hash::{DefaultHasher, Hash, Hasher};
use std::time::Instant;

/// The precision this source is compiled over.
const PRECISION: Precision = if size_of::<Real>() == 4 {
    Precision::F32
} else {
    Precision::F64
};

/// A scene, who steps it and how far it is.
struct Run {
    scene: Scene,
    label: Label,
    /// None: rapier steps.
    pipeline: Option<Box<ContactPipeline>>,
    done: usize,
    /// The figure of the scene after the last step.
    figure: Option<Measured>,
}

/// The world of a plan under an engine.
///
/// # Errors
/// When there is no such scene or the pipeline refuses the model.
pub fn stepper(plan: &Plan, engine: Engine) -> Result<Box<dyn Stepper>, PlanError> {
    let entry = scenes::find(&plan.scene).ok_or_else(|| PlanError::UnknownScene {
        name: plan.scene.clone(),
    })?;
    let mut scene = entry.build(plan.size.unwrap_or(entry.size), plan.seed, plan.dt);
    scene.steps = plan.steps.unwrap_or(scene.steps);
    let pipeline = match engine {
        Engine::Host => None,
        Engine::HostAfresh => {
            scene.world.integration_parameters.contact_recycling = false;
            None
        }
        Engine::Model(name, solver, without) => {
            let settings = ModelSettings {
                solver,
                without,
                ..default_settings()
            };
            let mut pipeline =
                ContactPipeline::new(name, settings).map_err(|e| PlanError::Model {
                    model: engine,
                    reason: e.to_string(),
                })?;
            if !scene.sleeps {
                pipeline.set_sleeping(Sleeping::Never);
            }
            Some(Box::new(pipeline))
        }
    };
    let moving = scene.world.bodies.iter().filter(|(_, rb)| rb.is_dynamic());
    let label = Label {
        scene: scene.name,
        size: scene.size,
        seed: scene.seed,
        steps: scene.steps,
        dt: scene.dt,
        bodies: moving.count(),
        precision: PRECISION,
    };
    Ok(Box::new(Run {
        scene,
        label,
        pipeline,
        done: 0,
        figure: None,
    }))
}

impl Stepper for Run {
    fn step(&mut self) -> Result<StepSample, String> {
        let Scene {
            world,
            hooks,
            drive,
            unit,
            ..
        } = &mut self.scene;
        let unit = *unit;
        if let Some(drive) = drive {
            drive(world, self.done);
        }
        let before = energies(world);
        let (watch, began) = (Stopwatch::start(), Instant::now());
        let report = match &mut self.pipeline {
            None => {
                world.step_with_events(&**hooks, &());
                None
            }
            Some(pipeline) => {
                let report = pipeline.step_world_with_events(world, &**hooks, &());
                Some(*report.map_err(|e| e.to_string())?)
            }
        };
        let step_us = watch.microseconds();
        let wall_us = 1e6 * began.elapsed().as_secs_f64();
        self.done += 1;
        if let Some(figure) = &mut self.scene.figure {
            let value = (figure.measure)(&self.scene.world, report.as_ref());
            let right = figure.right;
            self.figure = Some(Measured { right, value });
        }
        let world = &self.scene.world;
        let after = energies(world);
        let (contacts, depth) = contacts(world);
        Ok(StepSample {
            step_us,
            wall_us,
            report,
            contacts: report.map_or(contacts, |r| r.solve.contacts),
            speed: speed(world) / unit,
            kinetic: after.kinetic,
            kinetic_before: before.kinetic,
            work: before.potential - after.potential,
            potential: after.potential,
            excess: after.kinetic - before.kinetic + after.potential - before.potential,
            depth: depth / unit,
            gap: kit::gap(world) / unit,
            lost: lost(world),
        })
    }

    fn limits(&self) -> Limits {
        Limits {
            speed: self.scene.speed_allowed / self.scene.unit,
            strays: self.scene.strays,
            passive: self.scene.energy == Energy::Passive,
        }
    }

    fn check(&self) -> Result<(), String> {
        let Scene {
            check,
            checked_from,
            world,
            ..
        } = &self.scene;
        match check {
            Some(check) if self.done >= *checked_from => check(world)?,
            _ => {}
        }
        match &self.figure {
            Some(Measured { right, value }) if !right.has(*value) => {
                let Right { name, least, most } = right;
                Err(format!("{name} {value:.4}, right {least:.4} to {most:.4}"))
            }
            _ => Ok(()),
        }
    }

    fn figure(&self) -> Option<Measured> {
        self.figure
    }

    #[cfg(feature = "parallel")]
    fn set_threads(&mut self, count: usize) -> Result<(), String> {
        let pool = self.scene.world.configure_thread_pool(count);
        pool.map_err(|e| e.to_string())
    }

    #[cfg(feature = "parallel")]
    fn thread_times(&self) -> Vec<f64> {
        let pool = self.scene.world.thread_pool();
        pool.map_or_else(Vec::new, |pool| {
            pool.broadcast(|_| Stopwatch::of_thread().microseconds())
        })
    }

    fn bits(&self) -> u64 {
        let mut hash = DefaultHasher::new();
        for (_, rb) in self.scene.world.bodies.iter() {
            let (p, r, v, w) = (rb.translation(), rb.rotation(), rb.linvel(), rb.angvel());
            for x in [
                p.x, p.y, p.z, r.x, r.y, r.z, r.w, v.x, v.y, v.z, w.x, w.y, w.z,
            ] {
                x.to_bits().hash(&mut hash);
            }
        }
        hash.finish()
    }

    fn label(&self) -> &Label {
        &self.label
    }
}

/// Whether the engine moves a body, and can.
fn moves(rb: &RigidBody) -> bool {
    rb.is_dynamic() && rb.is_enabled() && is_finite(rb)
}

fn is_finite(rb: &RigidBody) -> bool {
    rb.position().is_finite() && rb.vels().is_finite()
}

/// Bodies that are not finite, and those that the engine set aside because they were not.
fn lost(world: &PhysicsWorld) -> usize {
    let bodies = world.bodies.iter();
    bodies
        .filter(|(_, rb)| !is_finite(rb) || !rb.is_enabled())
        .count()
}

fn speed(world: &PhysicsWorld) -> f64 {
    let moving = world.bodies.iter().filter(|(_, rb)| moves(rb));
    moving.fold(0.0, |fastest, (_, rb)| {
        f64::max(fastest, f64::from(rb.linvel().length()))
    })
}

struct Energies {
    kinetic: f64,
    potential: f64,
}

/// Energies of what moves, summed in f64.
fn energies(world: &PhysicsWorld) -> Energies {
    let mut sum = Energies {
        kinetic: 0.0,
        potential: 0.0,
    };
    for (_, rb) in world.bodies.iter().filter(|(_, rb)| moves(rb)) {
        let props = &rb.mass_properties().local_mprops;
        let axes = *rb.rotation() * props.principal_inertia_local_frame;
        let spin = axes.inverse() * rb.angvel();
        // From the inertia without locks: the host's own function gives no number where rotations are locked.
        let turning = f64::from((props.principal_inertia() * spin).dot(spin));
        let mass = f64::from(rb.mass());
        sum.kinetic += 0.5 * (mass * f64::from(rb.linvel().length_squared()) + turning);
        sum.potential -= mass * f64::from(rb.center_of_mass().dot(world.gravity));
    }
    sum
}

/// Contact points that touch, and the deepest of them \[m\], at the start of the last step.
fn contacts(world: &PhysicsWorld) -> (usize, f64) {
    let pairs = world.narrow_phase.contact_pairs();
    let manifolds = pairs.flat_map(|pair| pair.manifolds());
    let solid = manifolds.filter(|m| {
        let flags = m.data.solver_flags;
        flags.contains(SolverFlags::COMPUTE_RIGID_IMPULSES) && !m.data.solver_contacts.is_empty()
    });
    let points = solid.flat_map(|m| m.points.iter());
    points.fold((0, 0.0), |(count, deepest), point| {
        (count + 1, f64::max(deepest, f64::from(-point.dist)))
    })
}
