//! One solve, island by island.

use super::{ContactSolution, ModelName, ModelSettings, WarmStart};
use crate::problem::ContactProblem;
use crate::report::SolveReport;

/// All memory a solve needs; reused, it allocates nothing once it has seen the largest problem.
#[derive(Clone, Debug, Default)]
pub struct Workspace {}

impl Workspace {
    /// Empty memory.
    pub fn new() -> Self {
        Self::default()
    }
}

pub(super) struct Run<'a> {
    pub(super) problem: &'a ContactProblem,
    pub(super) name: ModelName,
    pub(super) settings: &'a ModelSettings,
}

impl Run<'_> {
    pub(super) fn solve(
        &self,
        _warm: &mut WarmStart,
        _workspace: &mut Workspace,
        solution: &mut ContactSolution,
    ) -> SolveReport {
        solution.reset(self.problem);
        let _ = (self.name, self.settings);
        SolveReport::default()
    }
}
