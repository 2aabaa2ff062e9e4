//! The memory of a solve.

use super::attempt::IslandContext;
use super::{ContactSolution, WarmStart, driver, energy, releasing, viscous};
use crate::engine::Engine;
use crate::lcp::{self, Meter};
use crate::report::Residuals;
use crate::residual;
use std::any::Any;
use std::fmt::{self, Debug, Formatter};

/// What a solve works on: what the last one left, its memory, and the answer in the making.
#[derive(Debug)]
pub struct SolveContext<'a> {
    /// What the last solve left, and this one records.
    pub warm: &'a mut WarmStart,
    /// The memory.
    pub own: &'a mut Workspace,
    /// The answer.
    pub solution: &'a mut ContactSolution,
}

impl<'a> SolveContext<'a> {
    /// A solve's.
    pub fn new(
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

    /// All three.
    pub fn parts(&mut self) -> (&mut WarmStart, &mut Workspace, &mut ContactSolution) {
        (self.warm, self.own, self.solution)
    }

    /// What is wrong with the answer of an island.
    pub(super) fn residuals(&mut self, here: IslandContext<'_>, release_failed: bool) -> Residuals {
        let (rules, scratch) = (here.context.rules(release_failed), &mut self.own.scratch);
        residual::of_island(here.place(), rules, self.solution, scratch)
    }

    /// Whether the answer of an island made more energy than was asked for.
    pub(super) fn exceeds(&mut self, here: IslandContext<'_>) -> bool {
        let (bound, solution) = (&mut self.own.bound, &*self.solution);
        bound.exceeds(here.place(), here.context.settings, solution)
    }
}

/// All memory a solve needs; reused, it allocates nothing once it has seen the largest problem.
#[derive(Clone, Debug, Default)]
pub struct Workspace {
    pub(super) projected: lcp::Memory,
    pub(super) damping: viscous::Damping,
    pub(super) engine: Engine,
    /// Work that is left for the island at hand.
    pub(crate) meter: Meter,
    /// The best answer of an island so far.
    pub(super) best: driver::Best,
    /// Impulses of an island that a model of the caller's answers (rows).
    pub(super) impulses: Vec<f64>,
    /// Contacts that the releasing form holds.
    pub(super) held: releasing::Held,
    pub(super) bound: energy::Bound,
    /// Memory of a method outside this crate.
    beside: Beside,
    pub(crate) scratch: residual::Scratch,
    /// The other threads of a parallel solve.
    #[cfg(feature = "parallel")]
    pub(super) scheduler: super::share::IslandScheduler,
}

impl Workspace {
    /// Empty memory.
    pub fn new() -> Self {
        Self::default()
    }

    /// Memory of a method outside this crate, made when first asked for; it holds nothing from one solve to the next. That
    /// of another type is dropped.
    pub(crate) fn beside<T: Any + Default + Send + Sync>(&mut self) -> &mut T {
        if self
            .beside
            .0
            .as_ref()
            .is_none_or(|memory| !memory.is::<T>())
        {
            self.beside.0 = Some(Box::new(T::default()));
        }
        match self
            .beside
            .0
            .as_mut()
            .and_then(|memory| memory.downcast_mut())
        {
            Some(memory) => memory,
            None => unreachable!("it has been made"),
        }
    }
}

/// Memory of any type. A copy begins without.
#[derive(Default)]
struct Beside(Option<Box<dyn Any + Send + Sync>>);

impl Clone for Beside {
    fn clone(&self) -> Self {
        Self(None)
    }
}

impl Debug for Beside {
    fn fmt(&self, f: &mut Formatter<'_>) -> fmt::Result {
        f.debug_tuple("Beside").field(&self.0.is_some()).finish()
    }
}
