//! What a scene is made of beside its world.

use super::super::rapier::prelude::*;
use super::super::stickslip::StepReport;
use crate::measure::Right;

/// What moves a scene: called before every step with its number.
pub type Drive = Box<dyn FnMut(&mut PhysicsWorld, usize)>;

/// What must hold at the end of a scene.
pub type Check = Box<dyn Fn(&PhysicsWorld) -> Result<(), String>>;

/// A figure of a scene with a known right value.
pub struct Figure {
    /// What it is, with its unit, and what is right.
    pub right: Right,
    /// Called after every step with the world and what stickslip says of the step; the value after the last step counts.
    pub measure: Measure,
}

/// How a figure is measured; what it needs of earlier steps it remembers itself.
pub type Measure = Box<dyn FnMut(&PhysicsWorld, Option<&StepReport>) -> f64>;

/// Whether bodies get their energy from gravity alone.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Energy {
    /// Nothing else does work: no step may make kinetic energy.
    Passive,
    /// Motors, moving bodies, bounces, or pushes out of an overlap do.
    Driven,
}
