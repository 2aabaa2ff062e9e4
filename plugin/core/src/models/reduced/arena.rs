//! Sparse vectors over the coordinates, one after another in the same memory.

use crate::problem::Run;
use crate::rows::kernel;
use std::ops::Range;

/// Sparse vectors as runs of coordinates, ascending, and their values.
#[derive(Clone, Debug, Default)]
pub(super) struct Arena {
    runs: Vec<Run>,
    values: Vec<f64>,
    /// Where each vector starts in `runs` and `values`.
    starts: Vec<(u32, u32)>,
}

impl Arena {
    pub(super) fn clear(&mut self) {
        self.runs.clear();
        self.values.clear();
        self.starts.clear();
    }

    /// Appends a vector.
    pub(super) fn push(&mut self, runs: &[Run], values: &[f64]) {
        self.mark();
        self.runs.extend_from_slice(runs);
        let len: usize = runs.iter().map(|run| run.len as usize).sum();
        self.values.extend_from_slice(&values[..len]);
    }

    /// Appends the parts of a dense vector that are not zero, range by range (ascending), and clears
    /// it there; a zero vector if its square is at most `least`.
    pub(super) fn take(
        &mut self,
        ranges: impl Iterator<Item = Range<usize>> + Clone,
        least: f64,
        x: &mut [f64],
    ) {
        self.mark();
        let square: f64 = ranges
            .clone()
            .map(|range| kernel::dot(&x[range.clone()], &x[range]))
            .sum();
        for range in ranges {
            let part = &mut x[range.clone()];
            if square > least && part.iter().any(|&x| x != 0.0) {
                self.runs.push(Run {
                    start: range.start as u32,
                    len: range.len() as u32,
                });
                self.values.extend_from_slice(part);
            }
            part.fill(0.0);
        }
    }

    fn mark(&mut self) {
        self.starts
            .push((self.runs.len() as u32, self.values.len() as u32));
    }

    #[inline]
    fn runs(&self, i: usize) -> &[Run] {
        let from = self.starts[i].0 as usize;
        let to = self.starts.get(i + 1).map(|s| s.0 as usize);
        &self.runs[from..to.unwrap_or(self.runs.len())]
    }

    /// Whether two vectors have a coordinate in common, at least by the ends of their runs.
    #[inline]
    pub(super) fn overlap(&self, i: usize, j: usize) -> bool {
        let (mut a, mut b) = (
            self.runs(i).iter().peekable(),
            self.runs(j).iter().peekable(),
        );
        while let (Some(x), Some(y)) = (a.peek(), b.peek()) {
            if x.start + x.len <= y.start {
                a.next();
            } else if y.start + y.len <= x.start {
                b.next();
            } else {
                return true;
            }
        }
        false
    }

    /// Copies vector `i` into a dense one.
    pub(super) fn scatter(&self, i: usize, x: &mut [f64]) {
        let mut at = self.starts[i].1 as usize;
        for run in self.runs(i) {
            let len = run.len as usize;
            x[run.range()].copy_from_slice(&self.values[at..at + len]);
            at += len;
        }
    }

    /// Zeroes a dense vector where vector `i` has entries.
    pub(super) fn erase(&self, i: usize, x: &mut [f64]) {
        for run in self.runs(i) {
            x[run.range()].fill(0.0);
        }
    }

    /// Product of vector `i` with a dense one.
    #[inline]
    pub(super) fn dot(&self, i: usize, x: &[f64]) -> f64 {
        let mut at = self.starts[i].1 as usize;
        let mut sum = 0.0;
        for run in self.runs(i) {
            let len = run.len as usize;
            sum += kernel::dot(&self.values[at..at + len], &x[run.range()]);
            at += len;
        }
        sum
    }
}
