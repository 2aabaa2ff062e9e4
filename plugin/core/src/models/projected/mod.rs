//! The models whose matrix is symmetric positive semidefinite: strictly convex programs in v+. They
//! differ only in which tangential rows they hold, and how stiffly: viscous friction is a tangential
//! row with a compliance, or part of the mass (see `viscous`).
//!
//! Small islands are solved by pivoting on their rows (`pivoting`), large ones, and what it gives up on, by the engine.

mod pivoting;
mod release;
mod rows;

use super::ModelName;
use super::SolveContext;
use super::driver::{self, Context};
use crate::report::SolveReport;
use pivoting::Pivoting;

/// `frictionless`, `no-slip`, `no-slip-releasing`, `viscous`.
pub(super) fn solve(context: Context<'_>, solving: &mut SolveContext<'_>) -> SolveReport {
    let mut damping = std::mem::take(&mut solving.own.damping);
    let damped =
        context.name == ModelName::Viscous && damping.prepare(context.problem, context.settings);
    let run = Pivoting::new(context, damped.then_some(&damping));
    let report = driver::drive(context, run, solving);
    solving.own.damping = damping;
    report
}
