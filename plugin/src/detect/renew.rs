//! Which pairs detection leaves as they are, and which it computes again although nothing moved.
//!
//! Rapier passes over a pair whose relative pose is within a drift of that of its last update. With the drift of
//! [`tolerances::DRIFT`] the points it keeps, which lie in the axes of their colliders, are those of the present pose. Three things
//! call for an update all the same: impulses to be shown that changed, bodies that come from farther than was looked
//! when their pairs were last updated, and a narrow phase whose pairs were last updated by somebody else, with a
//! drift of centimetres. Rapier never passes over a pair with active hooks, so for the time of detection a collider
//! of such a pair has a flag that is none of rapier's: no hook is called for it.

use crate::base::convert::to_real;
use crate::base::tolerances;
use crate::detect::reach::MotionBounds;
use crate::read::world::World;
use rapier::prelude::*;

/// The flag; rapier has three, from the lowest on.
const FLAG: ActiveHooks = ActiveHooks::from_bits_retain(1 << 31);

/// Tells rapier whether to pass over pairs, and from which drift on not to.
pub(crate) fn set_drift(params: &mut IntegrationParameters, recycles: bool) {
    params.contact_recycling = recycles;
    params.normalized_contact_recycle_distance = to_real(tolerances::DRIFT);
}

/// Has pairs computed again; buffers are kept from step to step.
#[derive(Debug, Default)]
#[cfg_attr(
    feature = "serde-serialize",
    derive(serde::Serialize, serde::Deserialize)
)]
pub(crate) struct Renewal {
    /// Whether all pairs were last updated by this pipeline, with its drift.
    pub(crate) is_acquainted: bool,
    /// The user's prediction distance \[m\], and what falls in a step \[m\], at the last detection.
    looked: [f64; 2],
    #[cfg_attr(feature = "serde-serialize", serde(skip))]
    flagged: Vec<ColliderHandle>,
}

impl Renewal {
    /// Flags the pairs whose impulses changed and those of quick bodies; all where the narrow phase is not known or
    /// contacts are to be looked for farther than in the last step. O(what is flagged).
    pub(crate) fn flag(
        &mut self,
        world: &mut World<'_>,
        changed: impl Iterator<Item = [ColliderHandle; 2]>,
        quick: &[RigidBodyHandle],
        bounds: MotionBounds,
    ) {
        let looked = [
            bounds.prediction,
            bounds.h * bounds.h * bounds.gravity.norm(),
        ];
        let is_farther = looked
            .iter()
            .zip(&self.looked)
            .any(|(now, then)| now > then);
        self.looked = looked;
        if !std::mem::replace(&mut self.is_acquainted, true) || is_farther {
            let all = world.colliders.iter().map(|(handle, _)| handle);
            self.flagged.extend(all);
        } else {
            for ends in changed {
                // One with a body of its own has fewer pairs than a floor.
                let [a, b] = ends.map(|end| world.colliders.get(end).and_then(Collider::parent));
                let moves = |body: Option<RigidBodyHandle>| {
                    body.and_then(|body| world.bodies.get(body))
                        .is_some_and(RigidBody::is_dynamic)
                };
                self.flagged.push(ends[usize::from(!moves(a) && moves(b))]);
            }
            let own = |body: &RigidBodyHandle| world.bodies.get(*body).map(RigidBody::colliders);
            self.flagged.extend(quick.iter().filter_map(own).flatten());
        }
        // In an order that does not depend on what was looked at first.
        self.flagged
            .sort_unstable_by_key(|handle| handle.into_raw_parts());
        self.flagged.dedup();
        self.flagged.retain(|&handle| {
            let hooks = world.colliders.get(handle).map(Collider::active_hooks);
            let is_due = hooks == Some(ActiveHooks::empty());
            if is_due && let Some(collider) = world.colliders.get_mut(handle) {
                collider.set_active_hooks(FLAG);
            }
            is_due
        });
    }

    /// Takes the flags back.
    pub(crate) fn unflag(&mut self, world: &mut World<'_>) {
        for handle in self.flagged.drain(..) {
            if let Some(collider) = world.colliders.get_mut(handle) {
                collider.set_active_hooks(ActiveHooks::empty());
            }
        }
    }
}
