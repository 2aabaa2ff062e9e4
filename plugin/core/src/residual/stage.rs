//! Answers that are checked in stages: the velocity that a list of impulses by row makes.

use crate::models::ContactSolution;
use crate::problem::{ContactProblem, RowId};

/// Memory of the stages.
#[derive(Clone, Debug, Default)]
pub(super) struct Stages {
    /// An answer as one stage sees it.
    pub(super) part: ContactSolution,
    /// A velocity over all coordinates.
    pub(super) between: Vec<f64>,
}

impl Stages {
    /// Room for a problem; what is in it is overwritten where it is read.
    pub(super) fn shape(&mut self, problem: &ContactProblem) {
        let (n, part) = (problem.contact_count(), &mut self.part);
        self.between.resize(problem.dim(), 0.0);
        part.v_plus.resize(problem.dim(), 0.0);
        for x in [&mut part.f_n, &mut part.f_s, &mut part.f_t, &mut part.slip] {
            x.resize(n, 0.0);
        }
        part.f_spin.resize(n, [0.0; 3]);
        part.held.resize(n, false);
        part.unmet.resize(problem.row_count(), false);
        part.f_scalar.resize(problem.scalar_count(), 0.0);
    }
}

/// All rows of some contacts and scalars.
pub(super) fn rows(
    problem: &ContactProblem,
    contacts: impl Iterator<Item = usize> + Clone,
    scalars: impl Iterator<Item = usize>,
) -> impl Iterator<Item = RowId> {
    let own = contacts.clone().flat_map(|c| 3 * c..3 * c + 3);
    let spins = contacts.filter_map(|c| problem.spin_rows(c));
    let scalars = scalars.map(|i| problem.scalar_row(i));
    own.map(RowId).chain(spins.flatten()).chain(scalars)
}

/// `out = start + M^-1 sum of row^T z` over some blocks; `z` by row.
pub(super) fn velocity(
    problem: &ContactProblem,
    blocks: impl Iterator<Item = usize> + Clone,
    impulses: impl Iterator<Item = (RowId, f64)>,
    start: &[f64],
    out: &mut [f64],
) {
    for b in blocks.clone() {
        out[problem.block(b).range()].fill(0.0);
    }
    for (row, z) in impulses {
        if z != 0.0 {
            problem.row(row).add_to(z, out);
        }
    }
    for b in blocks {
        let block = problem.block(b);
        let v = &mut out[block.range()];
        block.solve_lt(v);
        block.solve_l(v);
        for (v, start) in v.iter_mut().zip(&start[block.range()]) {
            *v += start;
        }
    }
}
