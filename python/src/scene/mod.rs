//! A world without Python: rapier's sets, the pipeline that steps them, and names.

pub mod add;
pub mod control;
pub mod coords;
pub mod forces;
pub mod foreign;
pub mod motion;
pub mod parts;
pub mod robots;
pub mod save;

use crate::error::{Error, Outcome};
use crate::py::record::Attachment;
use parts::Names;
use rapier3d_f64::prelude::*;
use std::collections::HashMap;
use std::panic::{AssertUnwindSafe, catch_unwind};
use std::sync::{Arc, Mutex, PoisonError};
use stickslip_f64::core::models::ModelSettings;
use stickslip_f64::{ContactPipeline, ModelName, Sleeping};
use stickslip_urdf_f64::RobotModel;

/// A world without Python.
pub struct Scene {
    /// Rapier's sets.
    pub world: PhysicsWorld,
    /// What steps them.
    pub pipeline: ContactPipeline,
    /// What has a name.
    pub names: Names,
    /// Forces and torques of the user's on bodies, at their centres of mass, world axes [N, N m].
    pub pushes: HashMap<RigidBodyHandle, [Vector; 2]>,
    /// Simulated time \[s\].
    pub time: f64,
    /// Steps done.
    pub steps: u64,
    /// Models of the robots' files, for inverse kinematics; by their number.
    pub models: HashMap<usize, Arc<RobotModel>>,
    /// Number of the part that a collider belongs to.
    pub of_collider: Arc<HashMap<ColliderHandle, usize>>,
    /// A recording under way.
    pub recording: Option<Mutex<Attachment>>,
    /// What a panic left behind.
    broken: Option<Error>,
}

impl Scene {
    /// An empty world.
    ///
    /// # Errors
    /// A time step, gravity or setting that can't be.
    pub fn new(
        dt: f64,
        gravity: [f64; 3],
        (model, settings): (ModelName, ModelSettings),
        sleeping: Sleeping,
    ) -> Outcome<Self> {
        check_dt(dt)?;
        let mut world = PhysicsWorld::new();
        world.gravity = finite3("gravity", gravity)?;
        world.integration_parameters.dt = dt;
        let pipeline = ContactPipeline::new(model, settings);
        let mut pipeline = pipeline.map_err(|error| Error::Input(error.to_string()))?;
        pipeline.set_sleeping(sleeping);
        Ok(Self {
            world,
            pipeline,
            names: Names::default(),
            pushes: HashMap::new(),
            time: 0.0,
            steps: 0,
            models: HashMap::new(),
            of_collider: Arc::default(),
            recording: None,
            broken: None,
        })
    }

    /// Does something with it; a panic becomes an error, and the scene is out of use from then on.
    ///
    /// # Errors
    /// Those of `what`, or [`Error::Panic`].
    pub fn guarded<T>(&mut self, what: impl FnOnce(&mut Self) -> Outcome<T>) -> Outcome<T> {
        if let Some(error) = &self.broken {
            return Err(error.clone());
        }
        match catch_unwind(AssertUnwindSafe(|| what(self))) {
            Ok(done) => done,
            Err(payload) => {
                let error = Error::of_panic(&*payload);
                self.broken = Some(error.clone());
                Err(error)
            }
        }
    }

    /// Time step \[s\].
    pub fn dt(&self) -> f64 {
        self.world.integration_parameters.dt
    }

    /// One step.
    ///
    /// # Errors
    /// What the step says; the world is then as it was.
    pub fn step(&mut self) -> Outcome<()> {
        self.apply_forces();
        let stepped = self.pipeline.step_world(&mut self.world).map(|_| ());
        stepped.map_err(|error| {
            Error::Step(format!(
                "step {} (t = {:.6} s): {}",
                self.steps,
                self.time,
                self.in_names(&error.to_string())
            ))
        })?;
        self.steps += 1;
        self.time = self.steps as f64 * self.dt();
        if let Some(recording) = &mut self.recording {
            let recording = recording.get_mut().unwrap_or_else(PoisonError::into_inner);
            let recorded = recording.record(&self.pipeline, &self.world);
            if let Err(error) = recorded {
                self.recording = None;
                return Err(Error::Recording(error.to_string()));
            }
        }
        Ok(())
    }

    /// Completes the recording that is under way.
    ///
    /// # Errors
    /// When it can't be written.
    pub fn end_recording(&mut self) -> Outcome<()> {
        match self.recording.take() {
            Some(recording) => match recording
                .into_inner()
                .unwrap_or_else(PoisonError::into_inner)
                .finish()
            {
                Ok(_) => Ok(()),
                Err(error) => Err(Error::Recording(error.to_string())),
            },
            None => Ok(()),
        }
    }

    /// Sets the time step.
    ///
    /// # Errors
    /// One that is not positive.
    pub fn set_dt(&mut self, dt: f64) -> Outcome<()> {
        check_dt(dt)?;
        self.world.integration_parameters.dt = dt;
        Ok(())
    }

    /// A message with rapier's handles replaced by names.
    fn in_names(&self, text: &str) -> String {
        let mut out = text.to_owned();
        for part in self.names.parts.iter().filter(|p| !p.removed) {
            let handle = format!("{:?}", part.body);
            if out.contains(&handle) {
                out = out.replace(&handle, &format!("`{}`", part.name));
            }
        }
        out
    }

    /// The number of the part that a collider belongs to, or the first part of its body.
    pub fn part_of(&self, collider: Option<ColliderHandle>) -> Option<usize> {
        self.of_collider.get(&collider?).copied()
    }

    /// Finds out again which part each collider belongs to.
    pub fn index_colliders(&mut self) {
        let of_collider = Arc::make_mut(&mut self.of_collider);
        of_collider.clear();
        for (number, part) in self.names.parts.iter().enumerate() {
            if !part.removed {
                let own = part.colliders.iter();
                of_collider.extend(own.map(|&c| (c, number)));
            }
        }
    }
}

fn check_dt(dt: f64) -> Outcome<()> {
    if dt.is_finite() && dt > 0.0 {
        return Ok(());
    }
    Err(Error::Input(format!(
        "dt = {dt}: the time step is a number above zero [s]"
    )))
}

/// Three finite numbers as rapier's vector.
///
/// # Errors
/// Names `what`.
pub fn finite3(what: &str, v: [f64; 3]) -> Outcome<Vector> {
    match v.iter().find(|x| !x.is_finite()) {
        Some(bad) => Err(Error::Input(format!("{what} has an entry that is {bad}"))),
        None => Ok(Vector::new(v[0], v[1], v[2])),
    }
}

/// A finite number that is zero or more.
///
/// # Errors
/// Names `what`.
pub fn not_negative(what: &str, x: f64) -> Outcome<f64> {
    if x.is_finite() && x >= 0.0 {
        return Ok(x);
    }
    Err(Error::Input(format!(
        "{what} = {x}: a finite number from zero up is wanted"
    )))
}

/// A finite number above zero.
///
/// # Errors
/// Names `what`.
pub fn positive(what: &str, x: f64) -> Outcome<f64> {
    if x.is_finite() && x > 0.0 {
        return Ok(x);
    }
    Err(Error::Input(format!(
        "{what} = {x}: a finite number above zero is wanted"
    )))
}
