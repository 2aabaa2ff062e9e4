//! The models whose matrix is symmetric positive semidefinite: strictly convex programs in v+. They
//! differ only in which tangential rows they hold, and how stiffly: viscous friction is a tangential
//! row with a compliance, or part of the mass (see `viscous`).
//!
//! Small islands are solved by pivoting on their rows (`pivoting`), or by a method for dense problems where one is
//! chosen (`polygon`); large ones, and what these give up on, by the engine.

mod pivoting;
mod release;
mod rows;

use super::Desk;
use super::driver::{self, Context};
use super::{ModelName, polygon};
use crate::report::{SolveReport, SolverName};
use pivoting::Pivoting;

/// `frictionless`, `no-slip`, `no-slip-releasing`, `viscous`.
pub(super) fn solve(context: Context<'_>, desk: &mut Desk<'_>) -> SolveReport {
    let solver = context.settings.solver_for(context.name);
    let pivots = matches!(solver, SolverName::Ppm | SolverName::ActiveSet);
    let mut damping = std::mem::take(&mut desk.own.damping);
    let damped =
        context.name == ModelName::Viscous && damping.prepare(context.problem, context.settings);
    let report = if pivots {
        let run = Pivoting::new(context, damped.then_some(&damping));
        driver::drive(context, run, desk)
    } else {
        driver::drive(context, polygon::Run::new(context), desk)
    };
    desk.own.damping = damping;
    report
}
