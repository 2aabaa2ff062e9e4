//! Contact models of the literature and their solvers, with the dynamics of articulated trees.
//!
//! No physics engine is named here and every number is an `f64`. The road through the crate:
//! [`mass`] blocks and contact rows make a [`problem::ContactProblem`]; a model of [`models`] turns it
//! into a complementarity problem for a solver; [`residual`] checks the answer
//! and a [`report::StepReport`] tells what happened.

pub mod dynamics;
mod engine;
mod factor;
mod kernel;
pub mod law;
pub mod lcp;
pub mod mass;
pub mod models;
mod named;
pub mod problem;
pub mod record;
pub mod report;
pub mod residual;
mod rows;
mod settings;
mod solution;
mod system;
mod warm;

#[cfg(test)]
mod tests;
