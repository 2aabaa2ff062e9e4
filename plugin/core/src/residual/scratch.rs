//! Sums of row impulses, and diagonals of rows.

use crate::kernel;
use crate::problem::{ContactProblem, NO_BLOCK, RowId, RowView};
use std::ops::Range;

/// Memory for [`super::residuals`].
#[derive(Clone, Debug, Default)]
pub struct Scratch {
    pub(super) x: Vec<f64>,
    pub(super) momentum: Vec<f64>,
    pub(super) magnitude: Vec<f64>,
    pub(super) stages: super::stage::Stages,
    /// Velocities of an answer while another one is checked.
    aside: Vec<f64>,
}

impl Scratch {
    /// Room for a problem of m coordinates.
    pub(super) fn resize(&mut self, m: usize) {
        for x in [&mut self.x, &mut self.momentum, &mut self.magnitude] {
            x.resize(m, 0.0);
        }
    }

    /// Keeps the velocities of these coordinates, and makes them zero.
    pub(crate) fn set_aside(&mut self, range: Range<usize>, v: &mut [f64]) {
        if self.aside.len() < range.end {
            self.aside.resize(range.end, 0.0);
        }
        self.aside[range].copy_from_slice(v);
        v.fill(0.0);
    }

    /// What was kept of these coordinates.
    pub(crate) fn aside(&self, range: Range<usize>) -> &[f64] {
        &self.aside[range]
    }

    /// `D = row M^-1 row^T` of a row, for those who do not check.
    pub fn mobility(&mut self, problem: &ContactProblem, row: RowId) -> f64 {
        self.resize(problem.dim());
        self.diagonal(problem, row)
    }

    /// `row M^-1 row^T` by whitening the row. Cost: the square of the depth of the tree at most.
    pub(super) fn diagonal(&mut self, problem: &ContactProblem, row: RowId) -> f64 {
        let (group, k) = problem.group_of(row);
        let view = problem.group_row(group, k);
        view.add_to(1.0, &mut self.x);
        if group.closed {
            let (first, second) = view.runs.split_at(group.split as usize);
            for (block, runs) in group.blocks.into_iter().zip([first, second]) {
                if block != NO_BLOCK {
                    let block = problem.block(block as usize);
                    block.whiten(runs, &mut self.x[block.range()]);
                }
            }
            let mut sum = 0.0;
            for run in view.runs {
                let part = &mut self.x[run.range()];
                sum += kernel::dot(part, part);
                part.fill(0.0);
            }
            return sum;
        }
        let mut sum = 0.0;
        for block in group.blocks.into_iter().filter(|&b| b != NO_BLOCK) {
            let block = problem.block(block as usize);
            let x = &mut self.x[block.range()];
            block.solve_lt(x);
            sum += kernel::dot(x, x);
            x.fill(0.0);
        }
        sum
    }

    /// [`Self::take`] for the three rows of a contact in one pass.
    #[inline]
    pub(super) fn take_contact(&mut self, problem: &ContactProblem, contact: usize, f: [f64; 3]) {
        if f == [0.0; 3] {
            return;
        }
        for (range, rows) in problem.contact_runs(contact) {
            let p = &mut self.momentum[range.clone()];
            kernel::take_rows(p, &mut self.magnitude[range], f, rows);
        }
    }

    #[inline]
    pub(super) fn take(&mut self, row: RowView<'_>, z: f64) {
        if z == 0.0 {
            return;
        }
        let mut at = 0;
        for run in row.runs {
            let range = run.range();
            let values = &row.values[at..at + range.len()];
            at += range.len();
            let sums = self.momentum[range.clone()].iter_mut();
            for ((p, m), r) in sums.zip(&mut self.magnitude[range]).zip(values) {
                let term = z * r;
                *p -= term;
                *m += term.abs();
            }
        }
    }
}
