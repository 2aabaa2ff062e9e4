//! What is known of one body's sleep.

use rapier::prelude::*;

/// What is known of one body.
#[derive(Clone, Copy, Debug)]
#[cfg_attr(
    feature = "serde-serialize",
    derive(serde::Serialize, serde::Deserialize)
)]
pub(super) struct Watch {
    pub(super) handle: RigidBodyHandle,
    /// How long it has been still \[s\].
    pub(super) still: Real,
    pub(super) asleep: bool,
    /// What it lies on while it sleeps, as far as that is known; see [`super::ground`].
    pub(super) ground: Option<u64>,
    /// The reading of contacts before which it woke in this step, 0 for the first.
    pub(super) reading: u32,
    /// Whether a drive moves it, as far as this step found so far.
    #[cfg_attr(feature = "serde-serialize", serde(skip))]
    pub(super) driven: bool,
}

pub(super) fn index(handle: RigidBodyHandle) -> usize {
    handle.into_raw_parts().0 as usize
}

/// The watch of a body, a new one if it is seen for the first time.
pub(super) fn watch_of<'a>(
    watches: &'a mut Vec<Watch>,
    handle: RigidBodyHandle,
    rb: &RigidBody,
) -> &'a mut Watch {
    let index = index(handle);
    let absent = Watch {
        handle: RigidBodyHandle::invalid(),
        still: 0.0,
        asleep: false,
        ground: None,
        reading: 0,
        driven: false,
    };
    if watches.len() <= index {
        watches.resize(index + 1, absent);
    }
    let watch = &mut watches[index];
    if watch.handle != handle {
        *watch = Watch {
            handle,
            still: rb.activation().time_since_can_sleep,
            asleep: rb.is_sleeping(),
            ..absent
        };
    }
    watch
}
