//! What a tree remembers beyond rapier's sets, to carry a saved simulation on.

use super::{Seen, TreeBody, Trees, has_links, is_roused, is_untouched};
use rapier::math::{Pose, Vector};
use rapier::prelude::*;
use serde::{Deserialize, Deserializer, Serialize, Serializer};

/// All that a tree knows from earlier steps; the rest is read from the sets in every step.
#[derive(Clone, Debug, Serialize, Deserialize)]
pub(super) struct Past {
    links: Vec<RigidBodyHandle>,
    shape: Vec<(u8, bool, usize)>,
    seen: Vec<Option<Seen>>,
    root_velocity: [Vector; 2],
    root_pose: Option<Pose>,
    saturated: Vec<bool>,
    slept_with: Vec<GenericJoint>,
}

impl Past {
    fn of(tree: &TreeBody) -> Self {
        Self {
            links: tree.links.clone(),
            shape: tree.shape.clone(),
            seen: tree.seen.clone(),
            root_velocity: tree.root_velocity,
            root_pose: tree.root_pose,
            saturated: tree.axes.saturated.clone(),
            slept_with: tree.slept_with.clone(),
        }
    }

    /// Whether a multibody is as the saved step left it.
    pub(super) fn is_fresh(&self, multibody: &Multibody, set: &RigidBodySet) -> bool {
        has_links(&self.links, &self.shape, multibody)
            && is_untouched(&self.seen, self.root_pose, multibody, set)
    }

    /// Whether a multibody slept and got other coordinates, joints or drives since.
    pub(super) fn is_disturbed(&self, multibody: &Multibody, set: &RigidBodySet) -> bool {
        let asleep = !self.slept_with.is_empty();
        asleep && (!self.is_fresh(multibody, set) || is_roused(&self.slept_with, multibody))
    }
}

impl TreeBody {
    /// Remembers what the saved tree of the same links knew.
    pub(super) fn restore(&mut self, pasts: &[Past]) {
        let same = |past: &&Past| past.links == self.links && past.shape == self.shape;
        let complete = |past: &&Past| past.seen.len() == self.seen.len();
        if let Some(past) = pasts.iter().filter(complete).find(same) {
            self.seen.clone_from(&past.seen);
            self.slept_with.clone_from(&past.slept_with);
            self.root_velocity = past.root_velocity;
            self.root_pose = past.root_pose;
            self.axes.saturated.clone_from(&past.saturated);
        }
    }
}

impl Serialize for Trees {
    fn serialize<S: Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
        // Saved again before its first step: nothing has changed.
        let unread = self.restored.iter().cloned();
        let pasts: Vec<Past> = unread.chain(self.trees.iter().map(Past::of)).collect();
        pasts.serialize(serializer)
    }
}

impl<'de> Deserialize<'de> for Trees {
    fn deserialize<D: Deserializer<'de>>(deserializer: D) -> Result<Self, D::Error> {
        Ok(Self {
            restored: Vec::deserialize(deserializer)?,
            ..Self::default()
        })
    }
}
