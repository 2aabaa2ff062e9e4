//! What the corrections of the last step left.

use rapier::prelude::*;

/// Rows a joint can have: lock, lower, upper, motor of six axes.
pub(super) const TAGS: usize = 24;

#[derive(Clone, Copy, Debug)]
#[cfg_attr(
    feature = "serde-serialize",
    derive(serde::Serialize, serde::Deserialize)
)]
struct Entry {
    generation: u32,
    left: [f64; TAGS],
}

/// By index of the joint's handle.
#[derive(Debug, Default)]
#[cfg_attr(
    feature = "serde-serialize",
    derive(serde::Serialize, serde::Deserialize)
)]
pub(super) struct Past(Vec<Option<Entry>>);

impl Past {
    /// The error of each row that the last correction of positions left, beyond what it was to leave
    /// [m or rad].
    pub(super) fn left(&self, joint: ImpulseJointHandle) -> [f64; TAGS] {
        let (index, generation) = joint.into_raw_parts();
        match self.0.get(index as usize) {
            Some(Some(e)) if e.generation == generation => e.left,
            _ => [0.0; TAGS],
        }
    }

    /// Records what a correction left of the rows with these tags.
    pub(super) fn leave(
        &mut self,
        joint: ImpulseJointHandle,
        errors: impl Iterator<Item = (usize, f64)>,
    ) {
        let (index, generation) = joint.into_raw_parts();
        let index = index as usize;
        if self.0.len() <= index {
            self.0.resize(index + 1, None);
        }
        let mut left = [0.0; TAGS];
        for (tag, error) in errors {
            left[tag] = error;
        }
        self.0[index] = Some(Entry { generation, left });
    }
}
