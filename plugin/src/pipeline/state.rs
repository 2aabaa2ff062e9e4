//! Saving and restoring a pipeline (feature `serde-serialize`).
//!
//! What is saved is what the next step needs and can't read from rapier's sets: model and settings,
//! materials, the warm starts of the step and of its correction, and what the stages remember of earlier steps (bounces
//! under way, who sleeps, which pairs detection may leave as they are, which are above their force threshold, the errors of joints that the last correction
//! left, what was last written to the links of multibodies, updates of the broad phase to be made up for). Buffers, problem, contacts and report of the last step
//! are not: the next step fills them.

use crate::assemble::Assembler;
use crate::contacts::material::Materials;
use crate::detect::fresh::Manifolds;
use crate::detect::impulses::Impulses;
use crate::detect::renew::Renewal;
use crate::joints::ImpulseJoints;
use crate::pipeline::ContactPipeline;
use crate::read::multibody::Trees;
use crate::sleep::Sleepers;
use crate::write::events::ForceEvents;
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
    assembler: &'a Assembler,
    joints: &'a ImpulseJoints,
    trees: &'a Trees,
    sleepers: &'a Sleepers,
    force_events: &'a ForceEvents,
    impulses: &'a Impulses,
    renewal: &'a Renewal,
    warm: &'a WarmStart,
    correction: &'a WarmStart,
    skipped: u8,
}

/// The same fields, owned.
#[derive(Deserialize)]
#[serde(rename = "ContactPipeline")]
struct Restored {
    model: ModelName,
    settings: ModelSettings,
    manifolds: Manifolds,
    materials: Materials,
    assembler: Assembler,
    joints: ImpulseJoints,
    trees: Trees,
    sleepers: Sleepers,
    force_events: ForceEvents,
    impulses: Impulses,
    renewal: Renewal,
    warm: WarmStart,
    correction: WarmStart,
    #[serde(default)]
    skipped: u8,
}

/// Saved together with rapier's sets, narrow phase, broad phase and islands, and restored with them, a
/// simulation goes on bit by bit as if it had not been interrupted. A [`crate::ContactSource`] is not
/// saved: set it again.
impl Serialize for ContactPipeline {
    fn serialize<S: Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
        Saved {
            model: self.model.name(),
            settings: &self.settings,
            manifolds: self.installer.wanted,
            materials: &self.materials,
            assembler: &self.assembler,
            joints: &self.joints,
            trees: &self.trees,
            sleepers: &self.sleepers,
            force_events: &self.force_events,
            impulses: &self.installer.write().impulses,
            renewal: &self.installer.renewal,
            warm: &self.warm,
            correction: self.corrector.warm(),
            skipped: self.still.skipped,
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
        pipeline.assembler = saved.assembler;
        pipeline.joints = saved.joints;
        pipeline.trees = saved.trees;
        pipeline.sleepers = saved.sleepers;
        pipeline.force_events = saved.force_events;
        pipeline.installer.write().impulses = saved.impulses;
        pipeline.installer.renewal = saved.renewal;
        pipeline.warm = saved.warm;
        pipeline.corrector.set_warm(saved.correction);
        pipeline.still.skip(saved.skipped);
        Ok(pipeline)
    }
}
