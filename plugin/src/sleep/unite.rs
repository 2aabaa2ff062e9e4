//! Which bodies are connected: a union-find over the awake ones, a search among the sleeping ones.

use crate::read::world::World;
use rapier::prelude::*;

/// Disjoint sets of body indices, each spoilt (kept awake) or not.
#[derive(Debug, Default)]
pub(super) struct Unions {
    parent: Vec<u32>,
    spoilt: Vec<bool>,
}

impl Unions {
    /// `count` sets of one body, none spoilt.
    pub(super) fn reset(&mut self, count: usize) {
        self.parent.clear();
        self.parent
            .extend(0..u32::try_from(count).unwrap_or(u32::MAX));
        self.spoilt.clear();
        self.spoilt.resize(count, false);
    }

    fn root(&mut self, mut i: usize) -> usize {
        while self.parent[i] as usize != i {
            // Path halving.
            self.parent[i] = self.parent[self.parent[i] as usize];
            i = self.parent[i] as usize;
        }
        i
    }

    /// Joins two sets. Bodies that are not watched yet are left out.
    pub(super) fn unite(&mut self, a: usize, b: usize) {
        if a.max(b) >= self.parent.len() {
            return;
        }
        let (a, b) = (self.root(a), self.root(b));
        let (low, high) = (a.min(b), a.max(b));
        self.parent[high] = low as u32;
        self.spoilt[low] |= self.spoilt[high];
    }

    /// Keeps a body's set awake.
    pub(super) fn spoil(&mut self, i: usize) {
        let root = self.root(i);
        self.spoilt[root] = true;
    }

    pub(super) fn is_spoilt(&mut self, i: usize) -> bool {
        let root = self.root(i);
        self.spoilt[root]
    }
}

/// Every body that touches this one or is jointed to it, some of them several times.
pub(super) fn neighbours(
    world: &World<'_>,
    handle: RigidBodyHandle,
    mut found: impl FnMut(RigidBodyHandle),
) {
    let Some(rb) = world.bodies.get(handle) else {
        return;
    };
    for &collider in rb.colliders() {
        for pair in world.narrow_phase.contact_pairs_with(collider) {
            if !pair.has_any_active_contact() {
                continue;
            }
            for end in [pair.collider1, pair.collider2] {
                let parent = world.colliders.get(end).and_then(Collider::parent);
                parent.into_iter().for_each(&mut found);
            }
        }
    }
    for (a, b, _, _) in world.impulse_joints.attached_enabled_joints(handle) {
        found(a);
        found(b);
    }
    let link = world.multibody_joints.rigid_body_link(handle);
    let multibody = link.and_then(|id| world.multibody_joints.get_multibody(id.multibody));
    for link in multibody.into_iter().flat_map(Multibody::links) {
        found(link.rigid_body_handle());
    }
}
