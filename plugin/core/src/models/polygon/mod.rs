//! Polygonal Coulomb friction: `stewart-trinkle` and `anitescu-potra` [ST96, AP97]. They differ in
//! how they bounce: Newton's law in b, Poisson's in a second phase after the compression.
//!
//! Friction of a closed contact is bounded by a polygon with d corners of radius `mu f_n`, torsion
//! by an interval, rolling by a polygon of its own; each has its own slip speed lambda. An island is
//! a linear complementarity problem ([`matrix`]) of 1 + d + 1 variables per contact with friction,
//! 1 per contact without and per limit, 3 per drive. Its matrix is copositive-plus, so Lemke's
//! method ends with a solution or with a proof that the unilateral rows contradict each other.
//!
//! The attempts: the chosen solver from the last basis; cold; unilateral rows that contradict each other relaxed to
//! least squares; Lemke's method with Tikhonov's regularisation; projected Gauss-Seidel. Whatever was added to the matrix, the answer is
//! checked against the problem itself.

mod attempt;
mod layout;
mod matrix;
mod plain;
mod relax;
pub(super) mod shell;
mod solve;
mod sweep;

use super::driver::{self, Attempt, Context};
use super::reduced::Reduced;
use super::settle::Settle;
use super::{ContactModel, ContactSolution, ModelName, ModelSettings, WarmStart, Workspace};
use crate::lcp::Meter;
use crate::lcp::dense::{InteriorPoint, Lemke};
use crate::problem::{ContactProblem, RowId};
use crate::report::{Route, SolveReport, SolverName};
use layout::Layout;
pub(super) use layout::Size;
use matrix::Matrix;
pub(super) use plain::Plain;
pub(super) use sweep::Sweep;

/// Memory of an island's problem and its solvers.
#[derive(Clone, Debug, Default)]
pub(super) struct Memory {
    reduced: Reduced,
    layout: Layout,
    matrix: Matrix,
    /// Variables of the complementarity problem.
    z: Vec<f64>,
    /// Impulses of the kept rows.
    impulses: Vec<f64>,
    lemke: Lemke,
    interior: InteriorPoint,
    settle: Settle,
    sweep: Sweep,
    start: Vec<bool>,
    trial: Vec<f64>,
    /// By how much the unilateral rows give with the compliance last tried [m/s]; NaN if unsolved.
    gives: f64,
    /// Whether the answer last found with compliant unilateral rows is one with caps on friction only.
    capped_only: bool,
    /// Whether the unilateral rows are known to contradict each other.
    contradictory: bool,
    /// Impulses of the kept rows given beforehand, none: 0.
    given: Vec<f64>,
    /// The part of each unilateral row's impulse given beforehand, none: 0.
    floors: Vec<f64>,
    /// Rows the answer does not meet.
    declared: Vec<RowId>,
    /// Which variables were basic at the end of the first phase.
    first_basis: Vec<bool>,
    /// Which variables were basic in the last attempt.
    basis: Vec<bool>,
    /// First group of the island laid out.
    island: Option<u32>,
    meter: Meter,
}

impl Memory {
    /// Room for the island laid out: lists change places, so that each must have room for all; memory
    /// then depends on the size of problems only, not on how they went.
    fn make_room(&mut self) {
        let n = self.layout.variables.len().max(self.reduced.rows().len());
        for list in [&mut self.z, &mut self.trial, &mut self.impulses] {
            list.clear();
            list.reserve(n);
        }
        for list in [&mut self.start, &mut self.basis, &mut self.first_basis] {
            list.clear();
            list.reserve(n);
        }
        self.declared.reserve(n);
        self.settle.make_room(n);
    }
}

/// `stewart-trinkle`, `anitescu-potra`.
#[derive(Clone, Debug)]
pub(super) struct Polygon {
    name: ModelName,
    settings: ModelSettings,
}

impl Polygon {
    pub(super) fn new(name: ModelName, settings: ModelSettings) -> Self {
        Self { name, settings }
    }
}

impl ContactModel for Polygon {
    fn name(&self) -> ModelName {
        self.name
    }

    fn settings(&self) -> &ModelSettings {
        &self.settings
    }

    fn solve(
        &self,
        problem: &ContactProblem,
        warm: &mut WarmStart,
        workspace: &mut Workspace,
        solution: &mut ContactSolution,
    ) -> SolveReport {
        let chosen = self.settings.solver_for(self.name);
        let context = Context::new(problem, self.name, &self.settings);
        let attempts = [
            Attempt::new(Route::Warm, chosen),
            Attempt::new(Route::Cold, chosen),
            Attempt::new(Route::Guaranteed, SolverName::Lemke),
            Attempt::new(Route::BestEffort, SolverName::Lemke),
            Attempt::new(Route::BestEffort, SolverName::Pgs),
        ];
        driver::drive_shared(
            context,
            warm,
            workspace,
            solution,
            |turns, warm, own, solution| {
                let memory = &mut own.polygon;
                memory.island = None;
                let mut run = Run {
                    context,
                    memory,
                    attempts,
                };
                let tools = driver::Tools {
                    best: &mut own.best,
                    scratch: &mut own.scratch,
                    engine: Some(&mut own.engine),
                };
                driver::islands(context, (turns, &mut run), warm, tools, solution)
            },
        )
    }
}

/// One solve.
struct Run<'a> {
    context: Context<'a>,
    memory: &'a mut Memory,
    attempts: [Attempt; 5],
}
