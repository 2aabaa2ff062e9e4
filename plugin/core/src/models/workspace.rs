//! The memory of a solve.

use super::{
    coulomb_acceleration, driver, energy, polygon, quasi_static, releasing, viscous,
    viscous_acceleration,
};
use crate::engine::Engine;
use crate::lcp::{self, Meter};
use crate::residual;

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
