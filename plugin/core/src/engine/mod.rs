//! Methods that solve an island under any choice of laws ([`crate::law`]), and the driver that picks them.
//!
//! | method | for |
//! |---|---|
//! | [`newton`] | all that is no heap in motion, from the start that another method makes ([`stages`]) |
//! | [`sweeps`] | heaps in motion: no factor, a fixed budget |
//! | [`proximal`] | convex laws near rest, and where others fail |

mod driver;
mod graph;
mod iterate;
mod lanes;
mod momentum;
mod newton;
mod pace;
mod proximal;
mod shares;
mod stages;
mod sweeps;
mod threads;

pub(crate) use driver::{Answer, Engine};
pub use sweeps::step;

/// What an iteration may do.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Goal {
    /// Iterations at most.
    pub(crate) most: usize,
    /// Residual ([`System::residual`]) at which it has converged.
    pub(crate) tolerance: f64,
}

/// How a method ended.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Ended {
    pub(crate) iterations: usize,
    /// Residual of the impulses it left ([`crate::system::System::residual`]).
    pub(crate) residual: f64,
}
