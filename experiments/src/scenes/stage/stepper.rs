//! The stepper of a world: stickslip's pipeline or rapier's own.

use super::super::super::rapier::prelude::*;
use super::super::super::stickslip::record::{JointProbe, Sets};
use super::super::super::stickslip::{
    ContactMaterial, ContactPipeline, ContactSource, ModelSettings, Sleeping, default_settings,
};
use super::host;
use super::samples::sample;
use crate::error::CommandError;
use crate::session::{ContactSample, StepProblem, StepSample};
use crate::settings::{Model, RunSettings};
use nalgebra::Isometry3;
use std::{collections::HashMap, time::Instant};
use stickslip_record::JointSample;

/// Who advances the world.
pub(super) enum Stepper {
    /// A contact model of stickslip.
    Ours(Box<ContactPipeline>),
    /// Rapier's own pipeline, with the poses at the start of the step.
    Host(Vec<Isometry3<f64>>),
}

impl Stepper {
    /// The stepper of a run's model; rapier's own takes its iterations from the sets.
    pub(super) fn new(
        settings: &RunSettings,
        sets: &mut PhysicsWorld,
    ) -> Result<Self, CommandError> {
        match settings.model {
            Model::Ours(name) => {
                let base = ModelSettings {
                    solver: settings.model_settings.solver,
                    ..default_settings()
                };
                let usage = |e: &dyn std::error::Error| CommandError::Usage(e.to_string());
                let mut pipeline = ContactPipeline::new(name, settings.model_keys.apply(base)?)
                    .map_err(|e| usage(&e))?;
                // What is measured must not sleep.
                pipeline.set_sleeping(Sleeping::Never);
                pipeline
                    .set_material(material(settings))
                    .map_err(|e| usage(&e))?;
                Ok(Self::Ours(Box::new(pipeline)))
            }
            Model::Host => {
                let iterations = settings.keys.count("iterations")?;
                sets.integration_parameters.num_solver_iterations = iterations;
                Ok(Self::Host(Vec::new()))
            }
        }
    }

    /// The state of a joint.
    pub(super) fn joint(&self, probe: &JointProbe, sets: &Sets<'_>) -> JointSample {
        match self {
            Self::Ours(_) => probe.sample(sets),
            Self::Host(_) => host::joint(probe, sets),
        }
    }

    /// The problem of the last step, under a model of ours.
    pub(super) fn problem(&self) -> Option<StepProblem<'_>> {
        match self {
            Self::Ours(pipeline) => Some(StepProblem {
                problem: pipeline.problem(),
                model: pipeline.model(),
            }),
            Self::Host(_) => None,
        }
    }

    /// Replaces rapier's contact points, under a model of ours.
    ///
    /// # Errors
    /// Under rapier's own pipeline, which takes no contact points from outside.
    pub(super) fn set_contact_source(
        &mut self,
        source: Box<dyn ContactSource>,
    ) -> Result<(), CommandError> {
        match self {
            Self::Ours(pipeline) => {
                pipeline.set_contact_source(Some(source));
                Ok(())
            }
            Self::Host(_) => Err(CommandError::Usage(
                "model `host` takes its contacts from rapier only: contacts=engine".to_owned(),
            )),
        }
    }

    /// One step. Only the step call itself is timed.
    pub(super) fn step(
        &mut self,
        sets: &mut PhysicsWorld,
        hooks: &dyn PhysicsHooks,
    ) -> Result<StepSample, String> {
        match self {
            Self::Ours(pipeline) => {
                let start = Instant::now();
                let report = step_ours(pipeline, sets, hooks)?;
                let wall = start.elapsed().as_secs_f64() * 1e6;
                Ok(StepSample {
                    wall,
                    report: Some(report),
                })
            }
            Self::Host(before) => {
                host::remember(&sets.bodies, before);
                let start = Instant::now();
                sets.step_with_events(hooks, &());
                let wall = start.elapsed().as_secs_f64() * 1e6;
                Ok(StepSample { wall, report: None })
            }
        }
    }

    /// Adds the contacts of the last step of `dt` \[s\], their bodies by the scene's numbers in `index`.
    pub(super) fn read(
        &self,
        (sets, index): (&PhysicsWorld, &HashMap<RigidBodyHandle, usize>),
        dt: f64,
        to: &mut Vec<ContactSample>,
    ) {
        match self {
            Self::Ours(pipeline) => {
                let contacts = pipeline.contacts().iter().enumerate();
                let samples = contacts
                    .map(|(c, contact)| sample(contact, dt, pipeline.friction_of(c), index));
                to.extend(samples);
            }
            Self::Host(before) => {
                host::contacts(sets, before, dt, to);
                for contact in to {
                    let bodies = &mut contact.record.bodies;
                    *bodies = bodies.map(|b| {
                        let body = b.and_then(|raw| host::handle(&sets.bodies, raw));
                        body.and_then(|handle| index.get(&handle).copied())
                    });
                }
            }
        }
    }
}

fn material(settings: &RunSettings) -> ContactMaterial {
    let material = settings.material;
    ContactMaterial {
        mu_across: material.mu_across,
        grain: None,
        mu_viscous: material.mu_viscous,
        mu_torsional: material.mu_torsional,
        mu_rolling: material.mu_rolling,
        compliance: material.compliance,
    }
}

fn step_ours(
    pipeline: &mut ContactPipeline,
    sets: &mut PhysicsWorld,
    hooks: &dyn PhysicsHooks,
) -> Result<stickslip_record::StepReport, String> {
    pipeline
        .step(
            sets.gravity,
            &sets.integration_parameters,
            &mut sets.islands,
            &mut sets.broad_phase,
            &mut sets.narrow_phase,
            &mut sets.bodies,
            &mut sets.colliders,
            &mut sets.impulse_joints,
            &mut sets.multibody_joints,
            &mut sets.soft_bodies,
            &mut sets.ccd_solver,
            hooks,
            &(),
        )
        .map_err(|error| error.to_string())?;
    // An experiment has no use for a world in which a body is missing.
    match pipeline.quarantined().first() {
        None => Ok(*pipeline.report()),
        Some(&body) => {
            let (index, _) = body.into_raw_parts();
            Err(format!(
                "body {index}: a number of its pose, velocity, force or mass is not finite or unusable; it was set aside"
            ))
        }
    }
}
