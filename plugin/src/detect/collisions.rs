//! The user's event handler as detection calls it.

use rapier::prelude::*;

/// Passes collision events on and keeps the forces of rapier's own solver to itself.
pub(crate) struct CollisionsOnly<'a>(pub(crate) &'a dyn EventHandler);

impl EventHandler for CollisionsOnly<'_> {
    fn handle_collision_event(
        &self,
        bodies: &RigidBodySet,
        colliders: &ColliderSet,
        event: CollisionEvent,
        contact_pair: Option<&ContactPair>,
    ) {
        self.0
            .handle_collision_event(bodies, colliders, event, contact_pair);
    }

    fn handle_contact_force_event(
        &self,
        _: Real,
        _: &RigidBodySet,
        _: &ColliderSet,
        _: &ContactPair,
        _: Real,
    ) {
    }

    fn handle_soft_body_tear_event(&self, _: &SoftBodySet, _: &SoftBodyTearEvent) {}
}
