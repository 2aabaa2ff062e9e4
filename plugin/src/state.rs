//! Saving and restoring a pipeline (feature `serde-serialize`).
//!
//! What is saved is what the next step needs and can't read from rapier's sets: model and settings,
//! materials, the warm start, and what the stages remember of earlier steps (contact points that
//! detection may lose, bodies that can't be pushed out, bounces under way, who sleeps, which pairs are above their
//! force threshold, the curvature of joints, what was last written to the links of multibodies). Buffers, problem, contacts and report of the last step are not: the next step makes
//! them anew.

use crate::assemble::Assembler;
use crate::events::ForceEvents;
use crate::fresh::Manifolds;
use crate::impulse_joints::ImpulseJoints;
use crate::impulses::Impulses;
use crate::material::Materials;
use crate::memory::Memory;
use crate::multibody::Trees;
use crate::pinched::Pinched;
use crate::pipeline::ContactPipeline;
use crate::sleeping::Sleepers;
use serde::de::Error;
use serde::{Deserialize, Deserializer, Serialize, Serializer};
use stickslip_core::models::{ModelName, ModelSettings, WarmStart};

#[derive(Serialize)]
#[serde(rename = "ContactPipeline")]
struct Saved<'a> {
    model: ModelName,
    settings: &'a ModelSettings,
    manifolds: Manifolds,
    materials: &'a Materials,
    memory: &'a Memory,
    pinched: &'a Pinched,
    assembler: &'a Assembler,
    joints: &'a ImpulseJoints,
    trees: &'a Trees,
    sleepers: &'a Sleepers,
    force_events: &'a ForceEvents,
    impulses: &'a Impulses,
    warm: &'a WarmStart,
}

/// The same fields, owned.
#[derive(Deserialize)]
#[serde(rename = "ContactPipeline")]
struct Restored {
    model: ModelName,
    settings: ModelSettings,
    manifolds: Manifolds,
    materials: Materials,
    memory: Memory,
    pinched: Pinched,
    assembler: Assembler,
    joints: ImpulseJoints,
    trees: Trees,
    sleepers: Sleepers,
    force_events: ForceEvents,
    impulses: Impulses,
    warm: WarmStart,
}

/// Saved together with rapier's sets, narrow phase, broad phase and islands, and restored with them, a
/// simulation goes on bit by bit as if it had not been interrupted. A [`crate::ContactSource`] is not
/// saved: set it again.
impl Serialize for ContactPipeline {
    fn serialize<S: Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
        Saved {
            model: self.model.name(),
            settings: self.model.settings(),
            manifolds: self.installer.wanted,
            materials: &self.materials,
            memory: &self.memory,
            pinched: &self.pinched,
            assembler: &self.assembler,
            joints: &self.joints,
            trees: &self.trees,
            sleepers: &self.sleepers,
            force_events: &self.force_events,
            impulses: &self.installer.write().impulses,
            warm: &self.warm,
        }
        .serialize(serializer)
    }
}

/// # Errors
/// When a setting or a coefficient is out of range, as in [`ContactPipeline::new`] and
/// [`ContactPipeline::set_material`].
impl<'de> Deserialize<'de> for ContactPipeline {
    fn deserialize<D: Deserializer<'de>>(deserializer: D) -> Result<Self, D::Error> {
        let saved = Restored::deserialize(deserializer)?;
        saved.materials.check().map_err(D::Error::custom)?;
        let mut pipeline = Self::new(saved.model, saved.settings).map_err(D::Error::custom)?;
        pipeline.installer.wanted = saved.manifolds;
        pipeline.materials = saved.materials;
        pipeline.memory = saved.memory;
        pipeline.pinched = saved.pinched;
        pipeline.assembler = saved.assembler;
        pipeline.joints = saved.joints;
        pipeline.trees = saved.trees;
        pipeline.sleepers = saved.sleepers;
        pipeline.force_events = saved.force_events;
        pipeline.installer.write().impulses = saved.impulses;
        pipeline.warm = saved.warm;
        Ok(pipeline)
    }
}

/// A table by collider as a list in the order of the handles, so that the same state has the same bytes.
pub(crate) mod by_collider {
    use rapier::prelude::ColliderHandle;
    use serde::{Deserialize, Deserializer, Serialize, Serializer};
    use std::collections::HashMap;

    pub(crate) fn serialize<S: Serializer, T: Serialize>(
        table: &HashMap<ColliderHandle, T>,
        serializer: S,
    ) -> Result<S::Ok, S::Error> {
        let mut list: Vec<_> = table.iter().collect();
        list.sort_unstable_by_key(|(handle, _)| handle.into_raw_parts());
        list.serialize(serializer)
    }

    pub(crate) fn deserialize<'de, D: Deserializer<'de>, T: Deserialize<'de>>(
        deserializer: D,
    ) -> Result<HashMap<ColliderHandle, T>, D::Error> {
        Ok(Vec::deserialize(deserializer)?.into_iter().collect())
    }
}
