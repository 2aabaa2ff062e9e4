//! The islands of a problem and who solves them: one after another, or shared out among the threads
//! of the current rayon pool (feature `parallel`).
//!
//! What becomes of an island depends on the problem, the warm start and the island alone, so any
//! sharing gives the same bits. Each thread has a workspace, a solution and a record of its own; when all are
//! done, the caller's solution takes over what the others answered.

use super::SolveContext;
use super::attempt::Outcome;
use crate::problem::{ContactProblem, IslandProblem};
use crate::report::{SolveReport, SolveStatus, SolverName};
use crate::residual;
use std::cmp::Reverse;

#[cfg(feature = "parallel")]
mod threads;

#[cfg(feature = "parallel")]
pub(super) use threads::IslandScheduler;

/// Hands out the next island to solve, by its number in the problem.
pub(super) type IslandQueue<'a> = dyn FnMut() -> Option<usize> + 'a;

/// Counts how an island was answered.
pub(super) fn count(report: &mut SolveReport, status: SolveStatus) {
    report.status = report.status.max(status);
    report.failures += usize::from(status == SolveStatus::NonFinite);
    report.unverified += usize::from(matches!(
        status,
        SolveStatus::IterationLimit | SolveStatus::Inaccurate
    ));
}

/// What the islands solved so far report together, whatever their order.
#[derive(Clone, Copy, Debug, Default)]
pub(super) struct Tally {
    pub(super) report: SolveReport,
    /// The island that needed the most help, the first of several: failed attempts, its number and
    /// the solver whose answer was kept.
    helped: Option<((usize, Reverse<usize>), SolverName)>,
    /// Whether the next solve starts from the impulses of this one.
    pub(super) keeps_impulses: bool,
}

impl Tally {
    /// Notes that the answer of an island came after `failed` attempts.
    pub(super) fn help(&mut self, island: usize, failed: usize, solver: SolverName) {
        let key = (failed, Reverse(island));
        if failed > 0 && self.helped.is_none_or(|(most, _)| key > most) {
            self.helped = Some((key, solver));
        }
    }

    /// Notes how an island was answered.
    pub(super) fn take(&mut self, place: IslandProblem<'_>, own: &Outcome) {
        let status = own.status;
        let report = &mut self.report;
        count(report, status);
        report.release_failed |= own.release_failed;
        let own = &own.residuals;
        report.residuals.merge(own);
        if own.contradiction > 0.0 {
            let missed = own.contradiction * residual::speed(place);
            self.report.relaxed = self.report.relaxed.max(missed);
        }
    }

    /// The report of a problem whose solver of choice is `chosen`.
    pub(super) fn report(self, problem: &ContactProblem, chosen: SolverName) -> SolveReport {
        SolveReport {
            solver_used: self.helped.map_or(chosen, |(_, solver)| solver),
            contacts: problem.contact_count(),
            islands: problem.island_count(),
            ..self.report
        }
    }

    #[cfg(feature = "parallel")]
    fn merge(&mut self, other: &Self) {
        self.report.absorb(&other.report);
        self.keeps_impulses |= other.keeps_impulses;
        if let Some(((failed, Reverse(island)), solver)) = other.helped {
            self.help(island, failed, solver);
        }
    }
}

/// Shapes the solution for a problem, and begins to record what the next solve starts from.
pub(super) fn begin(problem: &ContactProblem, solving: &mut SolveContext<'_>) {
    solving.solution.reset(problem);
    solving.warm.begin(problem);
}

/// Solves all islands: `work` takes islands from the queue until none is left and writes the answers of its islands
/// into the solution it is given, what the next warm start needs into the warm start. The solution
/// has been reset and the warm start has begun to record.
pub(super) fn islands<W>(problem: &ContactProblem, solving: &mut SolveContext<'_>, work: W) -> Tally
where
    W: Fn(&mut IslandQueue<'_>, &mut SolveContext<'_>) -> Tally + Sync,
{
    begin(problem, solving);
    #[cfg(feature = "parallel")]
    {
        let mut scheduler = std::mem::take(&mut solving.own.scheduler);
        let tally = scheduler.work(problem, solving, &work);
        solving.own.scheduler = scheduler;
        if let Some(tally) = tally {
            return tally;
        }
    }
    let mut all = 0..problem.island_count();
    work(&mut || all.next(), solving)
}
