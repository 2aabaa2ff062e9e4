//! What the last step left.

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
    /// Number of the step that wrote it.
    step: u64,
    left: [Left; TAGS],
}

/// What a step left of a row [m or rad].
#[derive(Clone, Copy, Debug, Default)]
#[cfg_attr(
    feature = "serde-serialize",
    derive(serde::Serialize, serde::Deserialize)
)]
pub(super) struct Left {
    /// Error beyond what the correction was to leave.
    pub(super) error: f64,
    /// The coordinate at the end of the step; `None`: there was no row.
    pub(super) end: Option<f64>,
}

/// By index of the joint's handle.
#[derive(Debug, Default)]
#[cfg_attr(
    feature = "serde-serialize",
    derive(serde::Serialize, serde::Deserialize)
)]
pub(super) struct Past {
    entries: Vec<Option<Entry>>,
    step: u64,
}

impl Past {
    /// What the last correction of positions left of each row. Where a joint was in no row of the last step (new, disabled or
    /// asleep), nothing is known of where it ended.
    pub(super) fn left(&self, joint: ImpulseJointHandle) -> [Left; TAGS] {
        let (index, generation) = joint.into_raw_parts();
        match self.entries.get(index as usize) {
            Some(Some(e)) if e.generation == generation => {
                let is_last = e.step == self.step;
                e.left.map(|left| Left {
                    end: left.end.filter(|_| is_last),
                    ..left
                })
            }
            _ => [Left::default(); TAGS],
        }
    }

    /// Another step ends.
    pub(super) fn turn_over(&mut self) {
        self.step += 1;
    }

    /// Records what a step left of the rows with these tags.
    pub(super) fn leave(
        &mut self,
        joint: ImpulseJointHandle,
        rows: impl Iterator<Item = (usize, Left)>,
    ) {
        let (index, generation) = joint.into_raw_parts();
        let index = index as usize;
        if self.entries.len() <= index {
            self.entries.resize(index + 1, None);
        }
        let mut left = [Left::default(); TAGS];
        for (tag, of_row) in rows {
            left[tag] = of_row;
        }
        let step = self.step;
        self.entries[index] = Some(Entry {
            generation,
            step,
            left,
        });
    }
}
