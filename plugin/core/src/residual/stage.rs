//! Answers that are checked in stages: the velocity that a list of impulses by row makes.

use crate::problem::{IslandProblem, RowId};
use crate::solution::ContactSolution;

/// Memory of the stages.
#[derive(Clone, Debug, Default)]
pub(super) struct Stages {
    /// An answer as one stage sees it.
    pub(super) part: ContactSolution,
    /// A velocity over all coordinates.
    pub(super) between: Vec<f64>,
}

impl Stages {
    /// Makes `part` the answer of an island with these impulses by row, and `between` its velocity; what `whole` declares
    /// unmet stays so.
    pub(super) fn begin(
        &mut self,
        place: IslandProblem<'_>,
        impulses: &[f64],
        whole: &ContactSolution,
    ) {
        let problem = place.problem;
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
        let rows = place.rows();
        let listed = rows.map(|row| (row, impulses[row.0]));
        velocity(place, listed, problem.v_free(), &mut self.between);
        for row in place.rows() {
            *part.impulse_mut(problem, row) = impulses[row.0];
            part.unmet[row.0] = whole.unmet[row.0];
        }
        for block in place.blocks() {
            let range = block.range();
            part.v_plus[range.clone()].copy_from_slice(&self.between[range]);
        }
    }
}

/// `out = start + M^-1 sum of row^T z` over the blocks of an island; `z` by row.
pub(super) fn velocity(
    place: IslandProblem<'_>,
    impulses: impl Iterator<Item = (RowId, f64)>,
    start: &[f64],
    out: &mut [f64],
) {
    for block in place.blocks() {
        out[block.range()].fill(0.0);
    }
    for (row, z) in impulses {
        if z != 0.0 {
            place.problem.row(row).add_to(z, out);
        }
    }
    place.respond(start, out);
}
