//! Rapier's sets as a step borrows them.

use crate::read::hooks::Once;
use rapier::prelude::*;

/// Everything of a world that a step reads and writes, borrowed for one call.
pub(crate) struct World<'a> {
    /// What detects collisions.
    pub(crate) physics: &'a mut PhysicsPipeline,
    pub(crate) islands: &'a mut IslandManager,
    pub(crate) broad_phase: &'a mut BroadPhaseBvh,
    pub(crate) narrow_phase: &'a mut NarrowPhase,
    pub(crate) bodies: &'a mut RigidBodySet,
    pub(crate) colliders: &'a mut ColliderSet,
    pub(crate) impulse_joints: &'a mut ImpulseJointSet,
    pub(crate) multibody_joints: &'a mut MultibodyJointSet,
    pub(crate) soft_bodies: &'a mut SoftBodySet,
    pub(crate) ccd_solver: &'a mut CCDSolver,
    pub(crate) hooks: &'a Once<'a>,
    pub(crate) events: &'a dyn EventHandler,
}
