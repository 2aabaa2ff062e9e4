//! What a fast body stops at.

use super::{Scene, Swept};
use crate::base::pair::ends;
use crate::read::bodies::Role;
use rapier::prelude::*;

impl Scene<'_> {
    /// Whether a fast body stops at a collider.
    pub(super) fn is_target(
        &self,
        own: Swept<'_>,
        other: ColliderHandle,
        target: &Collider,
    ) -> bool {
        let set: &RigidBodySet = self.world.bodies;
        let parent = target.parent();
        let bullet = |handle| {
            set.get(handle)
                .is_some_and(|rb: &RigidBody| rb.is_dynamic() && rb.is_ccd_enabled())
        };
        let tier = match parent.and_then(|body| set.get(body)) {
            None => true,
            Some(rb) => rb.is_fixed() || bullet(own.body) || parent.is_some_and(bullet),
        };
        tier && own.collider.solver_groups().test(target.solver_groups())
            && !self.touches(own.handle, other)
            && !self.is_linked(own.body, parent)
            && self.is_let_through_by_hooks([own.handle, other], [own.collider, target])
    }

    /// Whether the pair has contacts in the problem already. O(log contacts).
    fn touches(&self, a: ColliderHandle, b: ColliderHandle) -> bool {
        self.touching.binary_search(&ends(a, b)).is_ok()
    }

    /// Links of one tree, and bodies whose joint has its contacts disabled, pass each other.
    fn is_linked(&self, a: RigidBodyHandle, b: Option<RigidBodyHandle>) -> bool {
        let Some(b) = b else { return false };
        let tree = |body| match self.bodies.role(body) {
            Role::Link { tree, .. } => Some(tree),
            _ => None,
        };
        let mut joints = self.world.impulse_joints.joints_between(a, b);
        tree(a).is_some() && tree(a) == tree(b)
            || joints.any(|(_, joint)| !joint.data.contacts_enabled())
    }

    fn is_let_through_by_hooks(
        &self,
        handles: [ColliderHandle; 2],
        colliders: [&Collider; 2],
    ) -> bool {
        let hooks = colliders[0].active_hooks() | colliders[1].active_hooks();
        if !hooks.contains(ActiveHooks::FILTER_CONTACT_PAIRS) {
            return true;
        }
        let context = PairFilterContext {
            bodies: self.world.bodies,
            colliders: self.world.colliders,
            collider1: handles[0],
            collider2: handles[1],
            rigid_body1: colliders[0].parent(),
            rigid_body2: colliders[1].parent(),
        };
        self.world.hooks.filter_contact_pair(&context).is_some()
    }
}
