//! The models whose matrix is symmetric positive semidefinite: strictly convex programs in v+. They
//! differ only in which tangential rows they hold, and how stiffly: viscous friction is a tangential
//! row with a compliance, or part of the mass (see `viscous`).
//!
//! Small islands are solved by pivoting on their rows (`pivoting`), or by a method for dense problems where one is
//! chosen (`polygon`); large ones, and what these give up on, by the engine.

mod pivoting;
mod release;
mod rows;

use super::driver::{self, Context};
use super::{ContactSolution, ModelName, WarmStart, Workspace};
use super::{polygon, share};
use crate::report::{SolveReport, SolverName};
pub(super) use pivoting::Memory;
use pivoting::Pivoting;

/// `frictionless`, `no-slip`, `no-slip-releasing`, `viscous`.
pub(super) fn solve(
    context: Context<'_>,
    warm: &mut WarmStart,
    workspace: &mut Workspace,
    solution: &mut ContactSolution,
) -> SolveReport {
    let solver = context.settings.solver_for(context.name);
    let pivots = matches!(solver, SolverName::Ppm | SolverName::ActiveSet);
    let mut damping = std::mem::take(&mut workspace.damping);
    let damped =
        context.name == ModelName::Viscous && damping.prepare(context.problem, context.settings);
    let work = |turns: &mut share::Turns<'_>,
                warm: &mut WarmStart,
                own: &mut Workspace,
                solution: &mut ContactSolution| {
        let tools = driver::Tools {
            best: &mut own.best,
            scratch: &mut own.scratch,
            engine: Some(&mut own.engine),
        };
        if pivots {
            let damping = damped.then_some(&damping);
            let mut run = Pivoting::new(context, damping, &mut own.projected);
            driver::islands(context, (turns, &mut run), warm, tools, solution)
        } else {
            let mut run = polygon::Run::new(context, &mut own.polygon);
            driver::islands(context, (turns, &mut run), warm, tools, solution)
        }
    };
    let report = driver::drive_shared(context, warm, workspace, solution, work);
    workspace.damping = damping;
    report
}
