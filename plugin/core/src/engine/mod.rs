//! Methods that solve an island under any choice of laws ([`crate::law`]), and the driver that picks them.
//!
//! | method | for |
//! |---|---|
//! | [`newton`] | all that is no heap in motion, from the start that another method makes ([`stages`]) |
//! | [`sweeps`] | heaps in motion: no factor, a fixed budget |
//! | [`proximal`] | convex laws near rest, and where others fail |
//! | [`interior`] | the same in problems by themselves, whose start is unknown |

mod best;
mod colours;
mod driver;
mod graph;
mod interior;
mod iterate;
mod kernel;
mod lanes;
mod momentum;
mod motion;
mod newton;
mod pairs;
mod proximal;
mod shares;
mod stages;
mod sweeps;

pub(crate) use driver::{Answer, Engine};
#[cfg(test)]
pub(crate) use pairs::tests;
pub use sweeps::step;

/// What an iteration may do.
#[derive(Clone, Copy, Debug)]
pub struct Goal {
    /// Iterations at most.
    pub most: usize,
    /// Residual (that of the system's impulses) at which it has converged.
    pub tolerance: f64,
}

/// How a method ended.
#[derive(Clone, Copy, Debug)]
pub struct Ended {
    /// Iterations made.
    pub iterations: usize,
    /// Residual of the impulses it left.
    pub residual: f64,
}
