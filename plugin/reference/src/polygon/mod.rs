//! Polygonal Coulomb friction: `stewart-trinkle` and `anitescu-potra` [ST96, AP97]. They differ in
//! how they bounce: Newton's law in b, Poisson's in a second phase after the compression.
//!
//! Friction of a closed contact is bounded by a polygon with d corners of radius `mu f_n`, torsion
//! by an interval, rolling by a polygon of its own; each has its own slip speed lambda. An island is
//! a linear complementarity problem ([`matrix`]) of 1 + d + 1 variables per contact with friction,
//! 1 per contact without and per limit, 3 per drive. Its matrix is copositive-plus, so Lemke's
//! method ends with a solution or with a proof that the unilateral rows contradict each other. The accelerations of
//! `coulomb-acceleration` and the steps of `quasi-static` are solved here, too.
//!
//! Without friction the same is the complementarity problem of `frictionless`, and of `no-slip` once its tangential rows
//! are eliminated too: `F = N P N^T`, `e = N v + b` with X v+ = c [D15, sec. VI].
//!
//! The attempts at an island ([`island`]): the chosen solver from the last basis; cold; Lemke's method where another was
//! chosen, or where something was added to the matrix. What they don't solve is answered by the exact cone.

mod contradiction;
mod island;
mod layout;
mod matrix;
mod newton;
mod several;
mod shell;
mod solvers;
mod start;
mod sweep;
mod variables;

use crate::reduced::Reduced;
pub(crate) use island::Run;
use layout::Layout;
use matrix::{Given, Matrix};
use newton::Newton;
use several::Several;
use solvers::Solvers;
use stickslip_core::kit::{Context, SolveContext, drive};
use stickslip_core::problem::{GroupId, RowId};
use stickslip_core::report::SolveReport;
use sweep::Sweep;

/// Memory of an island's problem and its solvers.
#[derive(Clone, Debug, Default)]
pub(super) struct Memory {
    reduced: Reduced,
    layout: Layout,
    /// Of the least energy: the same without friction and its impulses of the kept rows, and `l - nu` by kept row.
    bare: Layout,
    frictionless: Vec<f64>,
    tension: Vec<f64>,
    matrix: Matrix,
    /// Variables of the complementarity problem.
    z: Vec<f64>,
    /// Impulses of the kept rows.
    impulses: Vec<f64>,
    given: Given,
    solvers: Solvers,
    sweep: Sweep,
    several: Several,
    newton: Newton,
    /// The best answer so far, and that of compliant rows.
    best: Vec<f64>,
    relaxed: Vec<f64>,
    /// Rows that the answer does not meet.
    declared: Vec<RowId>,
    /// Which variables a run starts with as basic; which are in the best answer, and were in that of the first phase.
    start: Vec<bool>,
    basis: Vec<bool>,
    record: Vec<bool>,
    /// First group of the island laid out.
    island: Option<GroupId>,
}

impl Memory {
    /// Room for the island laid out: memory then depends on the size of problems only, not on how they went.
    fn make_room(&mut self) {
        let variables = self.layout.variables.len() + self.bare.variables.len();
        let n = variables.max(self.reduced.rows().len());
        for list in [
            &mut self.z,
            &mut self.best,
            &mut self.relaxed,
            &mut self.impulses,
            &mut self.frictionless,
            &mut self.tension,
            &mut self.given.impulses,
            &mut self.given.floors,
        ] {
            list.clear();
            list.reserve(n);
        }
        for list in [&mut self.start, &mut self.basis, &mut self.record] {
            list.clear();
            list.reserve(n);
        }
        self.declared.reserve(n);
    }
}

/// `stewart-trinkle`, `anitescu-potra`, `drumwright-shell`; `frictionless` and `no-slip` by a dense method.
pub(super) fn solve(context: Context<'_>, solving: &mut SolveContext<'_>) -> SolveReport {
    drive(context, Run::new(context), solving)
}
