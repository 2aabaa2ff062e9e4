//! A scene as bytes, and copies of it; both go on bit by bit.

use super::Scene;
use super::parts::Names;
use crate::error::{Error, Outcome};
use rapier3d_f64::prelude::*;
use serde::{Deserialize, Serialize};
use std::collections::HashMap;
use std::sync::Arc;
use stickslip_f64::{ContactPipeline, Sleeping};

/// What the bytes begin with: the format and its version.
const MAGIC: &[u8; 16] = b"stickslip world2";

/// Bodies with what the user applies to them, in the order of their handles.
type Pushes = Vec<(RigidBodyHandle, [Vector; 2])>;

#[derive(Serialize)]
struct Saved<'a> {
    world: &'a PhysicsWorld,
    pipeline: &'a ContactPipeline,
    names: &'a Names,
    pushes: Pushes,
    never_sleeps: bool,
    time: f64,
    steps: u64,
}

#[derive(Deserialize)]
struct Restored {
    world: PhysicsWorld,
    pipeline: ContactPipeline,
    names: Names,
    pushes: Pushes,
    never_sleeps: bool,
    time: f64,
    steps: u64,
}

/// FNV-1a: finds damage, not malice.
fn checksum(bytes: &[u8]) -> u64 {
    bytes.iter().fold(0xcbf2_9ce4_8422_2325, |hash, byte| {
        (hash ^ u64::from(*byte)).wrapping_mul(0x0000_0100_0000_01b3)
    })
}

impl Scene {
    /// Everything that the next steps depend on.
    ///
    /// # Errors
    /// When a shape can't be written.
    pub fn save(&self) -> Outcome<Vec<u8>> {
        let mut pushes: Pushes = self.pushes.iter().map(|(b, p)| (*b, *p)).collect();
        pushes.sort_by_key(|(body, _)| body.into_raw_parts());
        let saved = Saved {
            world: &self.world,
            pipeline: &self.pipeline,
            names: &self.names,
            pushes,
            never_sleeps: self.pipeline.sleeping() == Sleeping::Never,
            time: self.time,
            steps: self.steps,
        };
        let body = bincode::serialize(&saved);
        let body =
            body.map_err(|error| Error::Input(format!("the world can't be saved: {error}")))?;
        let mut out = MAGIC.to_vec();
        out.extend(checksum(&body).to_le_bytes());
        out.extend(body);
        Ok(out)
    }

    /// A scene from the bytes of [`Self::save`].
    ///
    /// # Errors
    /// Bytes of another kind, or damaged.
    pub fn restored(bytes: &[u8]) -> Outcome<Self> {
        let foreign = || {
            Error::input(
                "these bytes are no world saved by this version of stickslip: World.save() makes them",
            )
        };
        let (magic, rest) = bytes.split_at_checked(MAGIC.len()).ok_or_else(foreign)?;
        let (sum, body) = rest.split_first_chunk::<8>().ok_or_else(foreign)?;
        if magic != MAGIC {
            return Err(foreign());
        }
        if u64::from_le_bytes(*sum) != checksum(body) {
            return Err(Error::input(
                "the saved world is damaged: its checksum does not fit, so that bytes are missing or changed",
            ));
        }
        let restored = std::panic::catch_unwind(|| bincode::deserialize::<Restored>(body));
        let restored = restored.map_err(|_| foreign())?.map_err(|_| foreign())?;
        let mut scene = Self {
            world: restored.world,
            pipeline: restored.pipeline,
            names: restored.names,
            pushes: restored.pushes.into_iter().collect(),
            time: restored.time,
            steps: restored.steps,
            models: HashMap::new(),
            of_collider: Arc::default(),
            recording: None,
            broken: None,
        };
        if restored.never_sleeps {
            scene.pipeline.set_sleeping(Sleeping::Never);
        }
        scene.index_colliders();
        Ok(scene)
    }

    /// A second scene in the same state. Shapes are shared.
    ///
    /// # Errors
    /// As [`Self::save`].
    pub fn copied(&self) -> Outcome<Self> {
        let from = &self.world;
        let failed = |error| Error::Input(format!("the world can't be copied: {error}"));
        let bytes = bincode::serialize(&self.pipeline).map_err(failed)?;
        let mut pipeline: ContactPipeline = bincode::deserialize(&bytes).map_err(failed)?;
        pipeline.set_sleeping(self.pipeline.sleeping());
        let world = PhysicsWorld {
            gravity: from.gravity,
            integration_parameters: from.integration_parameters,
            islands: from.islands.clone(),
            broad_phase: from.broad_phase.clone(),
            narrow_phase: from.narrow_phase.clone(),
            bodies: from.bodies.clone(),
            colliders: from.colliders.clone(),
            impulse_joints: from.impulse_joints.clone(),
            multibody_joints: from.multibody_joints.clone(),
            soft_bodies: from.soft_bodies.clone(),
            ..PhysicsWorld::default()
        };
        Ok(Self {
            world,
            pipeline,
            names: self.names.clone(),
            pushes: self.pushes.clone(),
            time: self.time,
            steps: self.steps,
            models: self.models.clone(),
            of_collider: self.of_collider.clone(),
            recording: None,
            broken: None,
        })
    }
}

impl Scene {
    /// Takes over the models of robots' files from the scene that it replaces, where the robots are the same.
    pub fn take_models(&mut self, old: &mut Self) {
        let file = |scene: &Self, number| {
            scene
                .names
                .robots
                .get(number)
                .map(|r: &super::parts::Robot| r.file.clone())
        };
        for (number, model) in std::mem::take(&mut old.models) {
            if file(self, number).is_some() && file(self, number) == file(old, number) {
                self.models.insert(number, model);
            }
        }
    }
}
