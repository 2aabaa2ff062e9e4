//! Islands whose answer is replaced once the whole problem has been solved, stage by stage.

use super::ContactSolution;
use super::attempt::Context;
use super::by_engine::exact_cone;
use super::workspace::SolveContext;
use crate::problem::Island;
use crate::report::{IslandAnswer, SolveReport, SolveStatus, SolverName};

/// Lets the exact cone answer for islands that `fails` says something of, and for those that a step of this length made
/// faster than their rows can turn: `Unstable`.
pub fn replace(
    context: Context<'_>,
    solving: &mut SolveContext<'_>,
    report: &mut SolveReport,
    fails: impl Fn(Island<'_>, &ContactSolution) -> Option<SolveStatus>,
) {
    let problem = context.problem;
    for (number, island) in problem.islands().enumerate() {
        let status = fails(island, solving.solution).or_else(|| {
            let (bound, settings) = (&mut solving.own.bound, context.settings);
            let outruns = bound.outruns(problem.place(island), settings, solving.solution);
            outruns.then_some(SolveStatus::Unstable)
        });
        let Some(status) = status else { continue };
        let by_cone = exact_cone(context.at(island), solving, report);
        report.status = report.status.max(status);
        let residuals = solving.residuals(context.at(island), false);
        report.residuals.merge(&residuals);
        solving.solution.islands[number] = IslandAnswer {
            status: status.max(by_cone),
            solver: SolverName::Engine,
            residual: residuals.max(),
        };
    }
}
