//! Memory of a step that worlds can share.

use super::ContactPipeline;
use super::crowd::Boxed;
use rapier::prelude::PhysicsWorld;
use std::mem::swap;
use stickslip_core::models::Workspace;

/// Memory that a step works in and that holds nothing from one step to the next: worlds that a thread steps in turns need it
/// once. Empty until a step has worked in it.
///
/// ```
/// # use stickslip::rapier;
/// use rapier::prelude::*;
/// use stickslip::{ContactPipeline, StepMemory};
///
/// let mut worlds: Vec<(PhysicsWorld, ContactPipeline)> = (0..8).map(|_| Default::default()).collect();
/// let mut memory = StepMemory::default();
/// for (world, pipeline) in &mut worlds {
///     pipeline.swap_memory(&mut memory);
///     pipeline.step_world(world)?;
///     pipeline.swap_memory(&mut memory);
/// }
/// # Ok::<(), stickslip::StepError>(())
/// ```
#[derive(Default)]
pub struct StepMemory {
    workspace: Option<Box<Workspace>>,
    nothing: Option<Box<PhysicsWorld>>,
    boxes: Vec<Boxed>,
}

impl std::fmt::Debug for StepMemory {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        f.debug_struct("StepMemory").finish_non_exhaustive()
    }
}

impl ContactPipeline {
    /// Exchanges the memory that steps work in for another one. What a step finds does not depend on it. A pipeline whose
    /// memory is empty allocates one in its next step.
    pub fn swap_memory(&mut self, memory: &mut StepMemory) {
        swap(&mut self.workspace, &mut memory.workspace);
        swap(&mut self.rapier.nothing, &mut memory.nothing);
        swap(&mut self.crowd.boxes, &mut memory.boxes);
    }
}
