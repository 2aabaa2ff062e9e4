//! Polygonal Coulomb friction: `stewart-trinkle` and `anitescu-potra` [ST96, AP97]. They differ in
//! how they bounce: Newton's law in b, Poisson's in a second phase after the compression.
//!
//! Friction of a closed contact is bounded by a polygon with d corners of radius `mu f_n`, torsion
//! by an interval, rolling by a polygon of its own; each has its own slip speed lambda. An island is
//! a linear complementarity problem ([`matrix`]) of 1 + d + 1 variables per contact with friction,
//! 1 per contact without and per limit, 3 per drive. Its matrix is copositive-plus, so Lemke's
//! method ends with a solution or with a proof that the walls contradict each other.
//!
//! The ladder: the chosen solver from the last basis; cold; walls that contradict each other relaxed to
//! least squares; both once more with twice the digits ([`precise`]), failing that Lemke's method with
//! Tikhonov's regularisation; projected Gauss-Seidel. Whatever was added to the matrix, the answer is
//! judged against the problem itself.

mod attempt;
mod fan;
mod layout;
mod low;
mod matrix;
mod parted;
mod plain;
mod precise;
mod relax;
pub(super) mod shell;
mod solve;
mod sweep;

use super::driver::{self, Attempt, Context, Effort, IslandSolver};
use super::reduced::Reduced;
use super::settle::Settle;
use super::{ContactModel, ContactSolution, ModelName, ModelSettings, WarmStart, Workspace};
use crate::lcp::dense::{InteriorPoint, Lemke, PreciseLemke, Sum};
use crate::problem::{ContactProblem, Island, RowId};
use crate::report::{Rung, SolveReport, SolverName};
pub(super) use fan::Fan;
use layout::Layout;
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
    /// Their trailing parts, on the precise rung.
    z_low: Vec<f64>,
    /// Impulses of the kept rows.
    impulses: Vec<f64>,
    /// Their trailing parts, on the precise rung; else empty.
    impulses_low: Vec<f64>,
    sums: Vec<Sum>,
    lemke: Lemke,
    interior: InteriorPoint,
    precise: PreciseLemke,
    settle: Settle,
    sweep: Sweep,
    start: Vec<bool>,
    /// Basis of the stiffest answer that the judge would accept, on the precise rung.
    near: Vec<bool>,
    trial: Vec<f64>,
    precision: Precision,
    /// What the precise rung may still spend, in entries of its dictionary.
    work: u64,
    /// By how much the walls give with the compliance last tried [m/s]; NaN if unsolved.
    gives: f64,
    /// Whether the answer last found with compliant walls is one with caps on friction only.
    capped_only: bool,
    /// Whether the walls are known to contradict each other.
    contradictory: bool,
    /// Impulses of the kept rows given beforehand, none: 0.
    given: Vec<f64>,
    /// The part of each wall's impulse given beforehand, none: 0.
    floors: Vec<f64>,
    /// Rows the answer does not meet.
    declared: Vec<RowId>,
    /// Whether the reduced problem of the island has its low parts.
    sharp: bool,
    /// Which variables were basic at the end of the first phase.
    first_basis: Vec<bool>,
    /// Which variables were basic in the last attempt.
    basis: Vec<bool>,
    /// First group of the island laid out.
    island: Option<u32>,
}

/// How far the precise rung has come on the island laid out.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
enum Precision {
    /// Nothing was tried.
    #[default]
    Untried,
    /// It ended.
    Done,
    /// It solved the problem, but 16 digits of friction may be too few for the judge.
    Doubtful,
}

impl Memory {
    /// Room for the island laid out: lists change places, so that each must have room for all; memory
    /// then depends on the size of problems only, not on how they went.
    fn make_room(&mut self) {
        let n = self.layout.variables.len().max(self.reduced.rows().len());
        for list in [
            &mut self.z,
            &mut self.z_low,
            &mut self.trial,
            &mut self.impulses,
            &mut self.impulses_low,
        ] {
            list.clear();
            list.reserve(n);
        }
        for list in [
            &mut self.start,
            &mut self.near,
            &mut self.basis,
            &mut self.first_basis,
        ] {
            list.clear();
            list.reserve(n);
        }
        self.declared.reserve(n);
        self.sums.clear();
        self.sums.reserve(n);
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
        let context = Context {
            problem,
            name: self.name,
            settings: &self.settings,
        };
        let ladder = [
            Attempt::new(Rung::Warm, chosen),
            Attempt::new(Rung::Cold, chosen),
            Attempt::new(Rung::Guaranteed, SolverName::Lemke),
            Attempt::new(Rung::Precise, SolverName::Lemke),
            // Relaxed, where the judge refused an answer for its last digits.
            Attempt::new(Rung::Precise, SolverName::Lemke),
            Attempt::new(Rung::BestEffort, SolverName::Pgs),
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
                    ladder,
                    fans: &[],
                };
                let judging = (&mut own.best, &mut own.judge);
                driver::climb(context, (turns, &mut run), warm, judging, solution)
            },
        )
    }
}

/// Lemke's answer for one island with polygons of the corners given, whatever the model: a start for
/// methods over cones. Its impulses are in `solution`; the status says whether it was found.
pub(super) fn answer(
    (problem, island): (&ContactProblem, Island<'_>),
    (settings, fans): (&ModelSettings, &[[Fan; 2]]),
    (memory, warm): (&mut Memory, &mut WarmStart),
    solution: &mut ContactSolution,
) -> Option<Effort> {
    memory.island = None;
    let attempt = Attempt::new(Rung::Cold, SolverName::Lemke);
    let context = Context {
        problem,
        name: ModelName::StewartTrinkle,
        settings,
    };
    let mut run = Run {
        context,
        memory,
        ladder: [attempt; 6],
        fans,
    };
    run.attempt(attempt, island, warm, solution)
}

/// One solve.
struct Run<'a> {
    context: Context<'a>,
    memory: &'a mut Memory,
    ladder: [Attempt; 6],
    /// Corners of every group's polygons, in the island's order; regular if none.
    fans: &'a [[Fan; 2]],
}
