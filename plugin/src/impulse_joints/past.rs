//! The curvature terms of the last steps, from which the next ones are guessed.

use super::rows::Row;
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
    /// Steps remembered, up to two.
    steps: u8,
    /// Of the last step and of the one before.
    terms: [[f64; TAGS]; 2],
}

/// By index of the joint's handle.
#[derive(Debug, Default)]
#[cfg_attr(
    feature = "serde-serialize",
    derive(serde::Serialize, serde::Deserialize)
)]
pub(super) struct Past(Vec<Option<Entry>>);

impl Past {
    /// The curvature term of each row, carried on linearly.
    pub(super) fn guesses(&self, joint: ImpulseJointHandle) -> [f64; TAGS] {
        let (index, generation) = joint.into_raw_parts();
        match self.0.get(index as usize) {
            Some(Some(e)) if e.generation == generation => {
                let [last, before] = &e.terms;
                let slope = if e.steps > 1 { 1.0 } else { 0.0 };
                std::array::from_fn(|i| last[i] + slope * (last[i] - before[i]))
            }
            _ => [0.0; TAGS],
        }
    }

    /// Forgets what is known of a joint.
    pub(super) fn forget(&mut self, joint: ImpulseJointHandle) {
        if let Some(entry) = self.0.get_mut(joint.into_raw_parts().0 as usize) {
            *entry = None;
        }
    }

    /// Records the terms measured in a step.
    pub(super) fn remember(&mut self, joint: ImpulseJointHandle, rows: &[Row]) {
        let (index, generation) = joint.into_raw_parts();
        let index = index as usize;
        if self.0.len() <= index {
            self.0.resize(index + 1, None);
        }
        let before = self.0[index].filter(|e| e.generation == generation);
        let mut terms = [[0.0; TAGS]; 2];
        let mut steps = 1;
        if let Some(e) = before {
            terms[1] = e.terms[0];
            steps = 2;
        }
        for row in rows {
            terms[0][row.demand.tag()] = row.curvature;
        }
        self.0[index] = Some(Entry {
            generation,
            steps,
            terms,
        });
    }
}
