//! The runs of coordinates along which a whitened row is not zero.

use super::ActiveRows;
use crate::problem::{BlockView, Run};

impl ActiveRows {
    /// Makes one run of runs that continue each other, as those of neighbouring blocks do: longer
    /// products are quicker.
    #[inline]
    pub(super) fn join(&mut self, from: usize) {
        let mut last = from;
        for at in from + 1..self.runs.len() {
            let run = self.runs[at];
            let before = &mut self.runs[last];
            if before.start + before.len == run.start {
                before.len += run.len;
            } else {
                last += 1;
                self.runs[last] = run;
            }
        }
        self.runs.truncate(last + 1);
    }

    /// Appends the runs of the columns and all their ancestors.
    pub(super) fn close(&mut self, block: &BlockView<'_>, runs: &[Run]) {
        let mark = &mut self.mark[block.range()];
        let mut top = 0;
        for col in runs.iter().flat_map(|r| r.range()) {
            let col = col - block.offset;
            top = top.max(col + 1);
            for &j in block.pattern.path(col) {
                mark[j] = true;
            }
        }
        let mut next = usize::MAX;
        for (j, m) in mark[..top].iter_mut().enumerate() {
            if !std::mem::take(m) {
                continue;
            }
            match self.runs.last_mut() {
                Some(run) if j == next => run.len += 1,
                _ => self.runs.push(Run {
                    start: (block.offset + j) as u32,
                    len: 1,
                }),
            }
            next = j + 1;
        }
    }
}

#[cfg(test)]
mod tests;
