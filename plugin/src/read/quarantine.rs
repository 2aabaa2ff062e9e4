//! Bodies that are not numbers are set aside, as by rapier's `Quarantine`, and the rest of the world goes on.
//!
//! What is set aside is stopped, relieved of its forces and disabled, and stays where it was last known to be;
//! `set_enabled(true)` brings it back. Rapier finds poses and velocities that its user spoilt. Found here are
//! forces, masses and velocities that an answer spoilt; links of a multibody are set aside together.

use crate::read::multibody::multibodies;
use crate::read::world::World;
use rapier::prelude::*;

/// What this step set aside; buffers are kept from step to step.
#[derive(Debug, Default)]
pub(crate) struct Quarantined {
    bodies: Vec<RigidBodyHandle>,
    colliders: Vec<ColliderHandle>,
    /// Bodies and roots of multibodies yet to be set aside.
    pub(crate) found: Vec<RigidBodyHandle>,
    pub(crate) roots: Vec<RigidBodyHandle>,
}

impl Quarantined {
    /// The bodies set aside in this step.
    pub(crate) fn bodies(&self) -> &[RigidBodyHandle] {
        &self.bodies
    }

    /// The colliders set aside in this step.
    pub(crate) fn colliders(&self) -> &[ColliderHandle] {
        &self.colliders
    }

    /// Starts a step.
    pub(crate) fn begin(&mut self) {
        self.bodies.clear();
        self.colliders.clear();
        self.found.clear();
        self.roots.clear();
    }

    /// Before detection: multibodies of which a coordinate, a pose, a velocity or a force is not finite.
    /// O(links).
    pub(crate) fn collect_user_changes(&mut self, world: &mut World<'_>) {
        let trees = multibodies(world.multibody_joints);
        let bad =
            trees.filter(|tree| !is_out(tree, world.bodies) && !is_finite(tree, world.bodies));
        let roots = bad.map(|tree| tree.root().rigid_body_handle());
        self.roots.extend(roots);
        self.apply(world);
    }

    /// After detection: what rapier set aside.
    pub(crate) fn note(&mut self, found: &Quarantine) {
        self.bodies.extend(found.bodies());
        self.colliders.extend(found.colliders());
    }

    /// Sets aside what was found.
    pub(crate) fn apply(&mut self, world: &mut World<'_>) {
        for root in self.roots.drain(..) {
            let Some(id) = world.multibody_joints.rigid_body_link(root) else {
                continue;
            };
            let index = id.multibody;
            if let Some(tree) = world.multibody_joints.get_multibody_mut(index) {
                tree.generalized_velocity_mut().fill(0.0);
                let links = tree.links().map(MultibodyLink::rigid_body_handle);
                self.found.extend(links);
            }
        }
        for handle in self.found.drain(..) {
            let Some(rb) = world.bodies.get_mut(handle) else {
                continue;
            };
            rb.set_linvel(Vector::ZERO, false);
            rb.set_angvel(Vector::ZERO, false);
            rb.reset_forces(false);
            rb.reset_torques(false);
            if rb.is_enabled() {
                rb.set_enabled(false);
                self.bodies.push(handle);
            }
        }
    }
}

/// Whether all links of a multibody are disabled: it was set aside.
pub(crate) fn is_out(tree: &Multibody, set: &RigidBodySet) -> bool {
    let mut bodies = tree.links().map(|link| set.get(link.rigid_body_handle()));
    bodies.all(|rb| rb.is_some_and(|rb| !rb.is_enabled()))
}

fn is_finite(tree: &Multibody, set: &RigidBodySet) -> bool {
    let speeds = tree.generalized_velocity();
    speeds.iter().all(|v| v.is_finite())
        && tree.links().all(|link| {
            let joint = link.joint();
            let rb = set.get(link.rigid_body_handle());
            joint.coords().iter().all(|q| q.is_finite())
                && joint.joint_rot().is_finite()
                && rb.is_none_or(|rb| {
                    rb.position().is_finite()
                        && rb.next_position().is_finite()
                        && rb.vels().is_finite()
                        && rb.user_force().is_finite()
                        && rb.user_torque().is_finite()
                })
        })
}
