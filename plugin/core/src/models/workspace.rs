//! The memory of a solve.

use super::attempt::Context;
use super::{
    ContactSolution, WarmStart, coulomb_acceleration, driver, energy, polygon, quasi_static,
    releasing, viscous, viscous_acceleration,
};
use crate::engine::Engine;
use crate::lcp::{self, Meter};
use crate::problem::Island;
use crate::report::Residuals;
use crate::residual;

/// What a solve works on: what the last one left, its memory, and the answer in the making.
#[derive(Debug)]
pub(super) struct Desk<'a> {
    pub(super) warm: &'a mut WarmStart,
    pub(super) own: &'a mut Workspace,
    pub(super) solution: &'a mut ContactSolution,
}

impl<'a> Desk<'a> {
    pub(super) fn new(
        warm: &'a mut WarmStart,
        own: &'a mut Workspace,
        solution: &'a mut ContactSolution,
    ) -> Self {
        Self {
            warm,
            own,
            solution,
        }
    }

    pub(super) fn parts(&mut self) -> (&mut WarmStart, &mut Workspace, &mut ContactSolution) {
        (self.warm, self.own, self.solution)
    }

    /// What is wrong with the answer of an island.
    pub(super) fn residuals(
        &mut self,
        (context, island): (Context<'_>, Island<'_>),
        release_failed: bool,
    ) -> Residuals {
        let (rules, scratch) = (context.rules(release_failed), &mut self.own.scratch);
        residual::of_island(context.problem, island, rules, self.solution, scratch)
    }

    /// Whether the answer of an island made more energy than was asked for.
    pub(super) fn exceeds(&mut self, (context, island): (Context<'_>, Island<'_>)) -> bool {
        let (bound, solution) = (&mut self.own.bound, &*self.solution);
        bound.exceeds(context.problem, island, context.settings, solution)
    }
}

/// All memory a solve needs; reused, it allocates nothing once it has seen the largest problem.
#[derive(Clone, Debug, Default)]
pub struct Workspace {
    pub(super) projected: lcp::Memory,
    pub(super) damping: viscous::Damping,
    pub(super) viscous_acceleration: viscous_acceleration::Memory,
    pub(super) engine: Engine,
    /// Work that is left for the island at hand.
    pub(super) meter: Meter,
    pub(super) coulomb: coulomb_acceleration::Memory,
    pub(super) polygon: polygon::Memory,
    pub(super) quasi_static: quasi_static::Memory,
    /// The best answer of an island so far.
    pub(super) best: driver::Best,
    /// Impulses of an island that a model of the caller's answers (rows).
    pub(super) impulses: Vec<f64>,
    /// Contacts that the releasing form holds.
    pub(super) held: releasing::Held,
    pub(super) bound: energy::Bound,
    pub(super) scratch: residual::Scratch,
    /// The other threads of a parallel solve.
    #[cfg(feature = "parallel")]
    pub(super) crew: super::share::Crew,
}

impl Workspace {
    /// Empty memory.
    pub fn new() -> Self {
        Self::default()
    }
}
